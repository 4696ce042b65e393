#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "stoker/checkpoint/store.h"

namespace stoker::detail {

/// Holds the name of the best checkpoint of its folder.
inline constexpr char kBestFile[] = "best";

/// "step-00000900".
std::string step_folder_name(int64_t step);
/// 900 for "step-00000900"; nothing for other names.
std::optional<int64_t> step_of(const std::string& folder_name);

/// A folder with DONE.
bool is_complete(const std::filesystem::path& checkpoint);
/// Step folders in `folder` by step, complete or not.
std::vector<std::filesystem::path> step_folders(const std::filesystem::path& folder);

/// Writes all files of a checkpoint into the new folder `target`, DONE last, and reads
/// them back. Returns the bytes written.
int64_t write_checkpoint(const std::filesystem::path& target, const TrainingState& state);
/// Reads and checks; the errors know nothing of other checkpoints.
TrainingState read_checkpoint(const std::filesystem::path& checkpoint);
/// Bytes that `write_checkpoint` will need, blocks of the file system included.
int64_t needed_bytes(const TrainingState& state);

/// Gives `finished` its final name, replacing a checkpoint of that name at once.
void put_in_place(const std::filesystem::path& finished,
                  const std::filesystem::path& target);
/// Renames first, so that a kill never leaves half of a folder under its complete name.
void remove_checkpoint(const std::filesystem::path& checkpoint);
/// Removes what an earlier save or removal left half done.
void clean_up(const std::filesystem::path& folder);

/// While it lives, a write beyond RLIMIT_FSIZE fails with an error in this thread instead
/// of ending the process by SIGXFSZ.
class FileSizeSignalBlock {
 public:
  FileSizeSignalBlock();
  FileSizeSignalBlock(const FileSizeSignalBlock&) = delete;
  FileSizeSignalBlock& operator=(const FileSizeSignalBlock&) = delete;
  ~FileSizeSignalBlock();

 private:
  bool was_blocked_ = false;
};

}  // namespace stoker::detail
