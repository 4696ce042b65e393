#pragma once

#include <filesystem>

namespace stoker::cli {

/// Keeps a second program out of a run's folder for as long as it lives; the system lets
/// go of it when a program dies.
class RunLock {
 public:
  /// Throws Error(kInvalid) with the number of the process that holds `folder`,
  /// Error(kIo) where no lock can be made.
  explicit RunLock(const std::filesystem::path& folder);
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;
  ~RunLock();

 private:
  bool take();

  std::filesystem::path file_;
  int descriptor_ = -1;
};

}  // namespace stoker::cli
