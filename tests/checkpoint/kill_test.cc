// A program of its own: it forks, so it must have no threads.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "stoker/base/clock.h"
#include "stoker/base/random.h"
#include "stoker/base/strings.h"
#include "stoker/checkpoint/store.h"

namespace stoker {
namespace {

namespace fs = std::filesystem;

/// 3 MiB of tensors, each value the step.
TrainingState state_at(int64_t step) {
  const auto value = static_cast<double>(step);
  TrainingState state;
  state.step = step;
  for (int i = 0; i < 4; ++i) {
    state.model.emplace_back(cat("layer", i), at::full({256, 256}, value));
    state.training.emplace_back(cat("first", i), at::full({256, 256}, value));
    state.training.emplace_back(cat("second", i), at::full({256, 256}, value));
  }
  return state;
}

void expect_whole(const fs::path& checkpoint) {
  const TrainingState state = CheckpointStore::load(checkpoint);
  EXPECT_EQ(state.model.size(), 4);
  EXPECT_EQ(state.training.size(), 8);
  for (const NamedTensors* tensors : {&state.model, &state.training}) {
    for (const auto& [name, tensor] : *tensors) {
      EXPECT_TRUE(tensor.eq(state.step).all().item<bool>()) << checkpoint << " " << name;
    }
  }
}

/// Each step is saved twice, so that the replacement of a checkpoint is interrupted too.
[[noreturn]] void save_until_killed(CheckpointStore store, int64_t step) {
  try {
    for (;; ++step) {
      const TrainingState state = state_at(step);
      store.save(state, step % 3 == 0);
      store.save(state, false);
    }
  } catch (...) {
    ::_exit(1);
  }
}

size_t num_entries(const fs::path& folder) {
  return static_cast<size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(KillTest, TheNewestCompleteCheckpointLoadsAfterAKillAtAnyMoment) {
  constexpr int kKills = 200;
  at::set_num_threads(1);
  const fs::path folder = fs::temp_directory_path() / cat("stoker-kill-", ::getpid());
  fs::remove_all(folder);
  CheckpointStore store(folder, 2, true);
  const Stopwatch watch;
  store.save(state_at(0), true);
  const double save_seconds = watch.seconds();
  ASSERT_EQ(num_entries("/proc/self/task"), 1) << "a fork would lose threads";

  KeyedRandom random(1, 0, 0, 0);
  int caught_in_the_middle = 0;
  int64_t last_step = 0;
  for (int kill = 0; kill < kKills; ++kill) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) save_until_killed(store, last_step + 1);
    const double wait = 4 * save_seconds * random.uniform();
    std::this_thread::sleep_for(std::chrono::duration<double>(wait));
    ASSERT_EQ(::kill(child, SIGKILL), 0);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "a save failed before the kill";

    for (const auto& entry : fs::directory_iterator(folder)) {
      const std::string name = entry.path().filename().string();
      if (name.find(".tmp") != std::string::npos) {
        ++caught_in_the_middle;
        break;
      }
    }
    const auto newest = store.newest();
    ASSERT_TRUE(newest.has_value()) << "kill " << kill;
    for (const fs::path& checkpoint : store.list()) expect_whole(checkpoint);
    ASSERT_TRUE(store.best().has_value()) << "kill " << kill;
    const int64_t step = CheckpointStore::load(*newest).step;
    ASSERT_GE(step, last_step);
    last_step = step;
  }
  EXPECT_GE(caught_in_the_middle, kKills / 4);
  EXPECT_GE(last_step, kKills / 4);
  RecordProperty("killed_during_a_save", caught_in_the_middle);
  RecordProperty("steps_saved", static_cast<int>(last_step));
  fs::remove_all(folder);
}

}  // namespace
}  // namespace stoker
