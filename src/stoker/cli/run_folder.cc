#include "stoker/cli/run_folder.h"

#include <charconv>
#include <system_error>

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

/// NNN of `<name>-NNN`, or nothing for a folder of another name.
std::optional<int> number_of(const std::string& folder, const std::string& name) {
  if (!folder.starts_with(name + "-")) return std::nullopt;
  const char* first = folder.data() + name.size() + 1;
  const char* last = folder.data() + folder.size();
  int number = 0;
  const auto [end, error] = std::from_chars(first, last, number);
  if (error != std::errc{} || end != last) return std::nullopt;
  return number;
}
}  // namespace

NewFolders::~NewFolders() {
  std::error_code ignored;
  if (!made_.empty()) fs::remove_all(made_.back(), ignored);
  // Only an empty folder can be removed: those that others use stay.
  for (auto folder = made_.rbegin(); folder != made_.rend(); ++folder) {
    fs::remove(*folder, ignored);
  }
}

bool NewFolders::make(const fs::path& folder) {
  fs::path path;
  bool made = false;
  for (const fs::path& part : folder) {
    path /= part;
    std::error_code error;
    made = fs::create_directory(path, error);
    if (error) {
      throw Error(ErrorCode::kIo, cat("[run] ", folder.string(),
                                      ": cannot make the run's folder: ", error.message(),
                                      " (hint: choose another with --out)"));
    }
    if (made) made_.push_back(path);
  }
  return made;
}

fs::path make_numbered_folder(const std::string& name, NewFolders& folders) {
  for (int number = 1; number <= kMostRuns; ++number) {
    const fs::path folder = numbered(name, number);
    if (folders.make(folder)) return folder;
  }
  throw Error(ErrorCode::kIo, cat("[run] runs/", name, ": no free number is left"));
}

void check_unused(const fs::path& folder) {
  if (!fs::exists(folder / "plan.toml") && !fs::exists(folder / "checkpoints")) return;
  throw Error(ErrorCode::kInvalid, cat("[run] ", folder.string(),
                                       ": holds a run already (hint: go on with "
                                       "--resume auto, or choose another folder)"));
}

std::optional<fs::path> newest_run(const std::string& name) {
  std::optional<fs::path> newest;
  int highest = 0;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator("runs", none)) {
    const auto number = number_of(entry.path().filename().string(), name);
    if (!number || *number <= highest) continue;
    if (!CheckpointStore(entry.path() / "checkpoints", 1, false).newest()) continue;
    highest = *number;
    newest = entry.path();
  }
  return newest;
}

}  // namespace stoker::cli
