#include "stoker/cli/run_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "stoker/base/error.h"
#include "stoker/base/files.h"
#include "stoker/base/strings.h"

namespace stoker::cli {

RunLock::RunLock(const std::filesystem::path& folder) : file_(folder / ".lock") {
  // The one who held it may have removed the file in between.
  while (!take()) {
  }
  const std::string number = cat(::getpid(), "\n");
  const bool written = ::ftruncate(descriptor_, 0) == 0 &&
                       ::write(descriptor_, number.data(), number.size()) > 0;
  (void)written;  // On a full disk the lock holds without a number.
}

RunLock::~RunLock() {
  ::unlink(file_.c_str());
  ::close(descriptor_);
}

bool RunLock::take() {
  descriptor_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor_ < 0) {
    const std::string reason = system_reason();
    throw Error(ErrorCode::kIo,
                cat("[run] ", file_.string(), ": cannot lock the folder: ", reason,
                    " (hint: choose another with --out)"));
  }
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    const bool held = errno == EWOULDBLOCK;
    const std::string reason = system_reason();
    ::close(descriptor_);
    if (!held) {
      throw Error(ErrorCode::kIo,
                  cat("[run] ", file_.string(), ": cannot lock: ", reason));
    }
    const std::string holder(trim(read_file(file_)));
    throw Error(ErrorCode::kInvalid,
                cat("[run] ", file_.parent_path().string(), ": in use by ",
                    holder.empty() ? "another process" : cat("process ", holder),
                    " (hint: wait for it, or choose another folder with --out)"));
  }
  struct stat mine {};
  struct stat there {};
  if (::fstat(descriptor_, &mine) == 0 && ::stat(file_.c_str(), &there) == 0 &&
      mine.st_ino == there.st_ino && mine.st_dev == there.st_dev) {
    return true;
  }
  ::close(descriptor_);
  return false;
}

}  // namespace stoker::cli
