#include "stoker/cli/run_folder.h"

#include <system_error>
#include <vector>

#include "stoker/base/error.h"
#include "stoker/base/strings.h"
#include "stoker/checkpoint/store.h"

namespace stoker::cli {
namespace fs = std::filesystem;

namespace {
constexpr int kMostRuns = 999999;

fs::path numbered(const std::string& name, int number) {
  std::string digits = std::to_string(number);
  if (digits.size() < 3) digits.insert(0, 3 - digits.size(), '0');
  return fs::path("runs") / cat(name, "-", digits);
}

[[noreturn]] void fail(const fs::path& folder, const std::error_code& error) {
  throw Error(ErrorCode::kIo, cat("[run] ", folder.string(),
                                  ": cannot make the run's folder: ", error.message(),
                                  " (hint: choose another with --out)"));
}

bool holds_a_run(const fs::path& folder) {
  return fs::exists(folder / "plan.toml") || fs::exists(folder / "checkpoints");
}
}  // namespace

fs::path make_run_folder(const std::string& name, const std::optional<fs::path>& wanted) {
  std::error_code error;
  if (wanted) {
    fs::create_directories(*wanted, error);
    if (error) fail(*wanted, error);
    if (holds_a_run(*wanted)) {
      throw Error(ErrorCode::kInvalid, cat("[run] ", wanted->string(),
                                           ": holds a run already (hint: go on with "
                                           "--resume auto, or choose another folder)"));
    }
    return *wanted;
  }
  fs::create_directories("runs", error);
  if (error) fail("runs", error);
  for (int number = 1; number <= kMostRuns; ++number) {
    const fs::path folder = numbered(name, number);
    if (fs::create_directory(folder, error)) return folder;
    if (error) fail(folder, error);
  }
  throw Error(ErrorCode::kIo, cat("[run] runs/", name, ": no free number is left"));
}

UnlessKept::~UnlessKept() {
  if (folder_.empty()) return;
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
  if (folder_.parent_path().filename() == "runs") {
    fs::remove(folder_.parent_path(), ignored);  // Only an empty folder can be removed.
  }
}

std::optional<fs::path> newest_run(const std::string& name) {
  std::optional<fs::path> newest;
  for (int number = 1; fs::exists(numbered(name, number)); ++number) {
    const fs::path folder = numbered(name, number);
    if (CheckpointStore(folder / "checkpoints", 1, false).newest()) newest = folder;
  }
  return newest;
}

}  // namespace stoker::cli
