#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "stoker/checkpoint/safetensors.h"

namespace stoker {

/// All that a training needs to go on as if it had never stopped.
struct TrainingState {
  int64_t step = 0;           ///< Updates done.
  int64_t epoch = 0;          ///< The epoch that goes on, from 0.
  int64_t step_in_epoch = 0;  ///< Updates of that epoch done: where the data goes on.
  NamedTensors model;         ///< Parameters and buffers, with their public names.
  NamedTensors training;      ///< "optimizer/...", "ema/...", "random/...".
  std::map<std::string, std::string> values;  ///< Small state: best accuracy, counters.
  std::string plan_toml;
  std::vector<std::string> classes;
};

struct SavedCheckpoint {
  std::filesystem::path path;
  int64_t bytes = 0;
  double seconds = 0;
};

/// The checkpoints of one run: `<folder>/step-00000900/` with model.safetensors,
/// training.safetensors, manifest.json (sizes and a hash of every tensor) and DONE, which
/// is written last. A folder without DONE does not count and is cleaned up by the next
/// save.
class CheckpointStore {
 public:
  /// `keep_last` newest (by number, at least 1) and, with `keep_best`, the best one stay.
  /// Throws Error(kInvalid) for a `keep_last` below 1.
  CheckpointStore(std::filesystem::path folder, int64_t keep_last, bool keep_best);

  /// Saves atomically, then removes what need not stay. Checks the free space first; a
  /// failed save leaves the earlier checkpoints and throws Error(kIo) that says what it
  /// needs and what there is.
  SavedCheckpoint save(const TrainingState& state, bool best);

  /// Complete checkpoints by step, oldest first.
  std::vector<std::filesystem::path> list() const;
  std::optional<std::filesystem::path> newest() const;
  std::optional<std::filesystem::path> best() const;

  /// Loads a checkpoint folder, checking every hash. Throws Error(kData) with the file,
  /// the tensor, expected and got, and names the previous complete checkpoint as a way
  /// out.
  static TrainingState load(const std::filesystem::path& checkpoint);

  /// The checkpoint that a person means: a checkpoint folder, a run folder (its newest,
  /// or its best with `prefer_best`), or the checkpoints folder of a run.
  /// Throws Error(kInvalid) when there is none, with the incomplete ones seen.
  static std::filesystem::path find(const std::filesystem::path& path, bool prefer_best);

 private:
  void rotate(const std::filesystem::path& saved) const;

  std::filesystem::path folder_;
  int64_t keep_last_;
  bool keep_best_;
};

/// Copies `from` into the tensors of the same name in `into`, in place. Throws
/// Error(kData) with a list of missing, surplus and differently shaped names; nothing is
/// copied then.
void copy_named_tensors(const NamedTensors& from, const NamedTensors& into,
                        const std::string& what);

}  // namespace stoker
