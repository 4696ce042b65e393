#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace stoker::cli {

/// Folders that go again unless they are kept: a request that was wrong leaves nothing.
class NewFolders {
 public:
  NewFolders() = default;
  NewFolders(const NewFolders&) = delete;
  NewFolders& operator=(const NewFolders&) = delete;
  ~NewFolders();
  /// Makes a folder and those above it. True when the folder itself was not there.
  bool make(const std::filesystem::path& folder);
  void keep() { made_.clear(); }

 private:
  std::vector<std::filesystem::path> made_;  ///< The outermost first.
};

/// The next free `runs/<name>-NNN`. Two programs at once get two folders.
std::filesystem::path make_numbered_folder(const std::string& name, NewFolders& folders);

/// Throws Error(kInvalid) when `folder` holds a run already.
void check_unused(const std::filesystem::path& folder);

/// The `runs/<name>-NNN` of the highest number that has a checkpoint.
std::optional<std::filesystem::path> newest_run(const std::string& name);

}  // namespace stoker::cli
