#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace stoker::data::detail {

/// The files below a root folder, a folder a class: about 16 bytes and the base name a
/// file.
struct Listing {
  struct Folder {
    std::string path;  ///< Below the root; "" is the root itself.
    int32_t class_index = -1;
    int64_t mtime_ns = 0;  ///< Changes when an entry comes or goes.
    uint64_t inode = 0;
  };
  struct File {
    uint64_t name_at = 0;  ///< In `names`, ends with a zero byte.
    uint32_t folder = 0;
  };
  std::vector<std::string> classes;  ///< Sorted; also those without files.
  std::vector<Folder> folders;       ///< The root first.
  std::vector<File> files;           ///< By class, then folder, then name.
  std::string names;
  int64_t num_hidden = 0;
  int64_t num_in_root = 0;
  int64_t num_loops = 0;
  int64_t num_special = 0;  ///< Links to nothing, pipes, devices.

  const char* name(const File& file) const { return names.c_str() + file.name_at; }
};

/// Lists with one readdir an entry and no stat where the file system tells the types.
/// Follows links, but not into a folder that it is in. Throws Error(kIo) with the folder
/// that cannot be listed.
Listing list_folder(const std::string& root,
                    const std::function<void(int64_t)>& on_progress);

/// Keeps a listing in `cache_folder`, unless a folder changed in the last two seconds (a
/// later change might then leave the same time).
void save_listing(const std::string& cache_folder, const std::string& root,
                  const Listing& listing);
/// The kept listing, when all its folders are as they were.
std::optional<Listing> load_listing(const std::string& cache_folder,
                                    const std::string& root);

}  // namespace stoker::data::detail
