#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace stoker::cli {

/// The folder of a new run: `wanted`, made if it does not exist and refused when it holds
/// a run, or the next free `runs/<name>-NNN`. Two programs at once get two folders.
std::filesystem::path make_run_folder(const std::string& name,
                                      const std::optional<std::filesystem::path>& wanted);

/// Removes the folder of a run that never began, unless it is kept; `runs` too when
/// empty.
class UnlessKept {
 public:
  explicit UnlessKept(std::filesystem::path folder) : folder_(std::move(folder)) {}
  UnlessKept(const UnlessKept&) = delete;
  UnlessKept& operator=(const UnlessKept&) = delete;
  ~UnlessKept();
  void keep() { folder_.clear(); }

 private:
  std::filesystem::path folder_;
};

/// The newest `runs/<name>-NNN` that has a checkpoint.
std::optional<std::filesystem::path> newest_run(const std::string& name);

}  // namespace stoker::cli
