#include "stoker/checkpoint/store.h"

#include <unistd.h>

#include <algorithm>
#include <system_error>

#include "stoker/base/clock.h"
#include "stoker/base/error.h"
#include "stoker/base/files.h"
#include "stoker/base/log.h"
#include "stoker/base/strings.h"
#include "stoker/base/units.h"
#include "stoker/checkpoint/detail/checkpoint_files.h"
#include "stoker/checkpoint/detail/header.h"

namespace stoker {
namespace fs = std::filesystem;

namespace {
void check_space(const fs::path& folder, const TrainingState& state) {
  const int64_t needs = detail::needed_bytes(state);
  const int64_t free = free_disk_bytes(folder);
  if (needs <= free) return;
  throw Error(ErrorCode::kIo,
              cat("it needs ", format_bytes(needs), ", there is ", format_bytes(free),
                  " (hint: free some space, or keep fewer with checkpoint.keep_last)"));
}

/// Whatever goes wrong with the files of a save is an Error(kIo) that names the step.
template <typename Work>
auto as_save_error(const fs::path& folder, int64_t step, const Work& work) {
  const auto fail = [&](const std::exception& problem) {
    return Error(ErrorCode::kIo, cat("[checkpoint] ", folder.string(), ": step ", step,
                                     " was not saved: ", problem.what()));
  };
  try {
    return work();
  } catch (const fs::filesystem_error& problem) {
    throw fail(problem);
  } catch (const Error& problem) {
    if (problem.code() == ErrorCode::kInvalid) throw;
    throw fail(problem);
  }
}
}  // namespace

CheckpointStore::CheckpointStore(fs::path folder, int64_t keep_last, bool keep_best)
    : folder_(std::move(folder)), keep_last_(keep_last), keep_best_(keep_best) {
  if (keep_last < 1) {
    throw Error(ErrorCode::kInvalid,
                cat("[checkpoint] keep_last: expected 1 or more, got ", keep_last));
  }
}

SavedCheckpoint CheckpointStore::save(const TrainingState& state, bool best) {
  const Stopwatch watch;
  const detail::FileSizeSignalBlock errors_instead_of_signals;
  const fs::path target = folder_ / detail::step_folder_name(state.step);
  fs::path temporary = target;
  temporary += cat(".tmp-", ::getpid());
  const int64_t bytes = as_save_error(folder_, state.step, [&] {
    fs::create_directories(folder_);
    detail::clean_up(folder_);
    check_space(folder_, state);
    try {
      fs::create_directory(temporary);
      const int64_t written = detail::write_checkpoint(temporary, state);
      detail::put_in_place(temporary, target);
      return written;
    } catch (...) {
      std::error_code ignored;
      fs::remove_all(temporary, ignored);
      throw;
    }
  });
  if (best)
    write_file_atomically(folder_ / detail::kBestFile,
                          cat(target.filename().string(), "\n"));
  rotate(target);
  return {target, bytes, watch.seconds()};
}

void CheckpointStore::rotate(const fs::path& saved) const {
  std::vector<fs::path> all = list();
  const std::optional<fs::path> kept_best = keep_best_ ? best() : std::nullopt;
  auto surplus = static_cast<int64_t>(all.size()) - keep_last_;
  for (const fs::path& checkpoint : all) {
    if (surplus-- <= 0) return;
    if (checkpoint == kept_best || checkpoint == saved) continue;
    try {
      detail::remove_checkpoint(checkpoint);
    } catch (const std::exception& problem) {
      // The new checkpoint is safe: an old one too many is no reason to stop a training.
      log(LogLevel::kWarning, problem.what());
    }
  }
}

std::vector<fs::path> CheckpointStore::list() const {
  std::vector<fs::path> all = detail::step_folders(folder_);
  std::erase_if(all, [](const fs::path& path) { return !detail::is_complete(path); });
  return all;
}

std::optional<fs::path> CheckpointStore::newest() const {
  const std::vector<fs::path> all = list();
  if (all.empty()) return std::nullopt;
  return all.back();
}

std::optional<fs::path> CheckpointStore::best() const {
  const fs::path marker = folder_ / detail::kBestFile;
  std::error_code ignored;
  if (!fs::is_regular_file(marker, ignored)) return std::nullopt;
  const std::string name(trim(read_file(marker)));
  if (!detail::step_of(name) || !detail::is_complete(folder_ / name)) return std::nullopt;
  return folder_ / name;
}

TrainingState CheckpointStore::load(const fs::path& checkpoint) {
  try {
    return detail::read_checkpoint(checkpoint);
  } catch (const Error& problem) {
    const fs::path here =
        checkpoint.has_filename() ? checkpoint : checkpoint.parent_path();
    const auto step = detail::step_of(here.filename().string());
    std::optional<fs::path> previous;
    for (const fs::path& other : detail::step_folders(here.parent_path())) {
      const bool is_earlier = step && *detail::step_of(other.filename().string()) < *step;
      if (is_earlier && detail::is_complete(other)) previous = other;
    }
    throw Error(
        problem.code(),
        cat(problem.what(), previous ? cat(" (hint: the previous complete checkpoint is ",
                                           previous->string(), ")")
                                     : std::string(" (there is no earlier checkpoint)")));
  }
}

fs::path CheckpointStore::find(const fs::path& path, bool prefer_best) {
  const auto fail = [&](const std::string& expected, const std::string& got) {
    throw Error(ErrorCode::kInvalid, cat("[checkpoint] ", path.string(), ": expected ",
                                         expected, ", got ", got));
  };
  std::error_code ignored;
  if (!fs::exists(path, ignored)) fail("a checkpoint or a run folder", "no such path");
  if (!fs::is_directory(path, ignored)) {
    fail("a checkpoint or a run folder",
         cat("a file (hint: its folder is ", fs::absolute(path).parent_path().string(),
             ")"));
  }
  if (detail::is_complete(path)) return path;
  const fs::path inner = path / "checkpoints";
  const fs::path folder = fs::is_directory(inner, ignored) ? inner : path;
  const CheckpointStore store(folder, 1, true);
  const std::optional<fs::path> best = prefer_best ? store.best() : std::nullopt;
  const std::optional<fs::path> chosen = best ? best : store.newest();
  if (!chosen) {
    std::vector<std::string> incomplete;
    for (const fs::path& seen : detail::step_folders(folder)) {
      incomplete.push_back(seen.filename().string());
    }
    if (detail::step_of(path.filename().string())) incomplete.push_back("itself");
    fail("a complete checkpoint",
         incomplete.empty() ? "none" : cat("incomplete ones: ", join(incomplete, ", ")));
  }
  return *chosen;
}

}  // namespace stoker
