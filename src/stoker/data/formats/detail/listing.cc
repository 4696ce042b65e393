#include "stoker/data/formats/detail/listing.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "stoker/base/error.h"
#include "stoker/base/files.h"
#include "stoker/base/strings.h"
#include "stoker/data/formats/detail/labels.h"

namespace stoker::data::detail {

namespace {
constexpr size_t kProgressEvery = 50'000;

struct CloseDir {
  void operator()(DIR* dir) const { ::closedir(dir); }
};
using OpenDir = std::unique_ptr<DIR, CloseDir>;

struct Identity {
  dev_t device = 0;
  ino_t inode = 0;
  bool operator==(const Identity&) const = default;
};

enum class Kind { kFile, kFolder, kOther };

Kind kind_of(int dir_fd, const dirent& entry) {
  if (entry.d_type == DT_REG) return Kind::kFile;
  if (entry.d_type == DT_DIR) return Kind::kFolder;
  if (entry.d_type != DT_LNK && entry.d_type != DT_UNKNOWN) return Kind::kOther;
  struct stat status {};
  if (::fstatat(dir_fd, entry.d_name, &status, 0) != 0) return Kind::kOther;
  if (S_ISDIR(status.st_mode)) return Kind::kFolder;
  return S_ISREG(status.st_mode) ? Kind::kFile : Kind::kOther;
}

class Lister {
 public:
  Lister(const std::string& root, const std::function<void(int64_t)>& on_progress)
      : root_(root), on_progress_(on_progress) {}

  Listing run() {
    result_.classes = visit("", -1);
    for (size_t i = 0; i < result_.classes.size(); ++i)
      descend(result_.classes[i], static_cast<int32_t>(i));
    result_.names.shrink_to_fit();
    result_.files.shrink_to_fit();
    return std::move(result_);
  }

 private:
  void descend(const std::string& path, int32_t class_index) {
    const size_t depth = ancestors_.size();
    for (const std::string& folder : visit(path, class_index))
      descend(cat(path, "/", folder), class_index);
    ancestors_.resize(depth);
  }

  OpenDir open(const std::string& path) const {
    const std::string whole = path.empty() ? root_ : cat(root_, "/", path);
    OpenDir dir(::opendir(whole.c_str()));
    if (!dir) fail(path);
    return dir;
  }

  [[noreturn]] void fail(const std::string& path) const {
    const std::string reason = system_reason();
    throw Error(ErrorCode::kIo, cat("[data] ", root_, path.empty() ? "" : "/", path,
                                    ": expected to list the folder, got ", reason));
  }

  /// Takes the files of one folder and returns the names of its folders, sorted.
  std::vector<std::string> visit(const std::string& path, int32_t class_index) {
    const OpenDir dir = open(path);
    struct stat status {};
    if (::fstat(::dirfd(dir.get()), &status) != 0) fail(path);
    const Identity identity{status.st_dev, status.st_ino};
    if (std::find(ancestors_.begin(), ancestors_.end(), identity) != ancestors_.end()) {
      ++result_.num_loops;
      return {};
    }
    ancestors_.push_back(identity);
    const auto folder = static_cast<uint32_t>(result_.folders.size());
    result_.folders.push_back(
        {path, class_index,
         int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec,
         status.st_ino});
    const auto first = static_cast<std::ptrdiff_t>(result_.files.size());
    std::vector<std::string> folders;
    errno = 0;
    while (const dirent* entry = ::readdir(dir.get())) {
      take(::dirfd(dir.get()), *entry, folder, folders);
      errno = 0;
    }
    if (errno != 0) fail(path);
    std::sort(result_.files.begin() + first, result_.files.end(),
              [&](const auto& a, const auto& b) {
                return std::strcmp(result_.name(a), result_.name(b)) < 0;
              });
    std::sort(folders.begin(), folders.end());
    return folders;
  }

  void take(int dir_fd, const dirent& entry, uint32_t folder,
            std::vector<std::string>& folders) {
    const std::string_view name = entry.d_name;
    if (name == "." || name == "..") return;
    if (is_hidden_name(name)) {
      ++result_.num_hidden;
      return;
    }
    const Kind kind = kind_of(dir_fd, entry);
    if (kind == Kind::kFolder) folders.emplace_back(name);
    if (kind == Kind::kOther) ++result_.num_special;
    if (kind != Kind::kFile) return;
    if (folder == 0) {
      ++result_.num_in_root;
      return;
    }
    result_.files.push_back({result_.names.size(), folder});
    result_.names.append(name).push_back('\0');
    if (result_.files.size() % kProgressEvery == 0 && on_progress_)
      on_progress_(static_cast<int64_t>(result_.files.size()));
  }

  const std::string& root_;
  const std::function<void(int64_t)>& on_progress_;
  std::vector<Identity> ancestors_;
  Listing result_;
};
}  // namespace

Listing list_folder(const std::string& root,
                    const std::function<void(int64_t)>& on_progress) {
  return Lister(root, on_progress).run();
}

}  // namespace stoker::data::detail
