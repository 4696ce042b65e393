#include "stoker/checkpoint/store.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>

#include "stoker/base/error.h"
#include "stoker/base/files.h"
#include "stoker/base/random.h"
#include "stoker/base/strings.h"

namespace stoker {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TrainingState state_at(int64_t step, int64_t num_floats = 64) {
  TrainingState state;
  state.step = step;
  state.epoch = 3;
  state.step_in_epoch = 17;
  state.model = {{"fc.weight", at::full({num_floats}, static_cast<double>(step))},
                 {"bn.num_batches_tracked", at::full({}, step, at::kLong)}};
  state.training = {{"optimizer/fc.weight/momentum", at::full({num_floats}, 0.5)}};
  state.values = {{"best_accuracy", "0.75"}};
  state.plan_toml = "seed = 1\n";
  state.classes = {"cat", "dog"};
  return state;
}

class StoreTest : public testing::Test {
 protected:
  StoreTest() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~StoreTest() override { fs::remove_all(folder_); }

  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      found.push_back(entry.path().filename().string());
    }
    std::sort(found.begin(), found.end());
    return found;
  }
  static void save_steps(CheckpointStore store, const std::vector<int64_t>& steps) {
    for (const int64_t step : steps) store.save(state_at(step), false);
  }

  const fs::path folder_ = fs::temp_directory_path() / cat("stoker-store-", ::getpid());
};

/// A small memory file system; not there without the right to mount.
class SmallDisk {
 public:
  SmallDisk(fs::path folder, const char* options) : folder_(std::move(folder)) {
    mounted_ = ::mount("tmpfs", folder_.c_str(), "tmpfs", 0, options) == 0;
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() {
    if (mounted_) ::umount2(folder_.c_str(), MNT_DETACH);
  }
  bool mounted() const { return mounted_; }
  bool make_read_only() const {
    return ::mount("tmpfs", folder_.c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, nullptr) ==
           0;
  }

 private:
  fs::path folder_;
  bool mounted_;
};

template <typename Work>
std::string error_of(ErrorCode code, const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

TEST_F(StoreTest, LoadsWhatWasSaved) {
  TrainingState state = state_at(900);
  state.classes = {"caf\xe9", "\xe7\x8c\xab"};  // Latin-1 and UTF-8.
  CheckpointStore store(folder_, 3, true);
  const SavedCheckpoint saved = store.save(state, false);
  EXPECT_EQ(saved.path, folder_ / "step-00000900");
  int64_t bytes = 0;
  for (const auto& file : fs::directory_iterator(saved.path)) {
    bytes += static_cast<int64_t>(file.file_size());
  }
  EXPECT_EQ(saved.bytes, bytes);

  const TrainingState loaded = CheckpointStore::load(saved.path);
  EXPECT_EQ(loaded.step, 900);
  EXPECT_EQ(loaded.epoch, 3);
  EXPECT_EQ(loaded.step_in_epoch, 17);
  EXPECT_EQ(loaded.values, state.values);
  EXPECT_EQ(loaded.plan_toml, state.plan_toml);
  EXPECT_EQ(loaded.classes, state.classes);
  ASSERT_EQ(loaded.model.size(), 2);
  ASSERT_EQ(loaded.training.size(), 1);
  EXPECT_EQ(loaded.model[0].first, "bn.num_batches_tracked");
  EXPECT_EQ(loaded.model[0].second.item<int64_t>(), 900);
  EXPECT_TRUE(loaded.model[1].second.equal(at::full({64}, 900.0)));
  EXPECT_TRUE(loaded.training[0].second.equal(at::full({64}, 0.5)));
}

TEST_F(StoreTest, StateSavedRightAfterLoadingIsTheSameByteForByte) {
  CheckpointStore store(folder_ / "a", 1, false);
  const fs::path first = store.save(state_at(5), false).path;
  const fs::path second = CheckpointStore(folder_ / "b", 1, false)
                              .save(CheckpointStore::load(first), false)
                              .path;
  for (const auto& file : fs::directory_iterator(first)) {
    EXPECT_EQ(read_file(file.path()), read_file(second / file.path().filename()));
  }
}

TEST_F(StoreTest, KeepsTheNewestByNumberNotByName) {
  save_steps(CheckpointStore(folder_, 2, false), {900, 1000, 1100});
  EXPECT_THAT(names(), ElementsAre("step-00001000", "step-00001100"));
  const CheckpointStore store(folder_, 2, false);
  save_steps(store, {99999999, 100000000});
  EXPECT_THAT(names(), ElementsAre("step-100000000", "step-99999999"));
  EXPECT_EQ(store.newest(), folder_ / "step-100000000");
}

TEST_F(StoreTest, KeepsAsManyAsAsked) {
  CheckpointStore store(folder_, 3, false);
  std::vector<size_t> counts;
  for (int64_t step = 1; step <= 6; ++step) {
    store.save(state_at(step), false);
    counts.push_back(store.list().size());
  }
  EXPECT_THAT(counts, ElementsAre(1, 2, 3, 3, 3, 3));
}

TEST_F(StoreTest, RefusesToKeepNone) {
  for (const int64_t keep : {0, -1}) {
    EXPECT_THAT(
        error_of(ErrorCode::kInvalid, [&] { CheckpointStore(folder_, keep, true); }),
        AllOf(HasSubstr("expected 1 or more"), HasSubstr(cat("got ", keep))));
  }
}

TEST_F(StoreTest, NeverRemovesTheBestNorTheOneJustSaved) {
  CheckpointStore store(folder_, 1, true);
  store.save(state_at(1), true);
  save_steps(store, {2, 3});
  EXPECT_THAT(names(), ElementsAre("best", "step-00000001", "step-00000003"));
  EXPECT_EQ(store.best(), folder_ / "step-00000001");
  store.save(state_at(4), true);
  EXPECT_THAT(names(), ElementsAre("best", "step-00000004"));
  // A run that went on from an earlier step than the newest one.
  save_steps(store, {2});
  EXPECT_THAT(names(), ElementsAre("best", "step-00000002", "step-00000004"));
}

TEST_F(StoreTest, TheSameStepAgainReplacesTheFirst) {
  CheckpointStore store(folder_, 2, true);
  store.save(state_at(7), true);
  TrainingState again = state_at(7);
  again.values["best_accuracy"] = "0.80";
  store.save(again, false);
  EXPECT_THAT(names(), ElementsAre("best", "step-00000007"));
  EXPECT_EQ(CheckpointStore::load(*store.best()).values.at("best_accuracy"), "0.80");
}

TEST_F(StoreTest, CleansUpWhatAKilledSaveLeft) {
  for (const char* name :
       {"step-00000001", "step-00000002.tmp-77", "step-00000003.old-77"}) {
    fs::create_directories(folder_ / name / "deep");
  }
  fs::create_directories(folder_ / "step-of-mine");
  write_file_atomically(folder_ / "best.tmp77", "step-00000001");
  CheckpointStore store(folder_, 2, true);
  EXPECT_EQ(store.newest(), std::nullopt);
  save_steps(store, {9});
  EXPECT_THAT(names(), ElementsAre("step-00000009", "step-of-mine"));
}

TEST_F(StoreTest, AFolderThatIsNotThereHoldsNoCheckpoints) {
  const CheckpointStore store(folder_ / "none", 1, true);
  EXPECT_TRUE(store.list().empty());
  EXPECT_EQ(store.newest(), std::nullopt);
  EXPECT_EQ(store.best(), std::nullopt);
}

TEST_F(StoreTest, OneFlippedByteAnywhereIsRefused) {
  CheckpointStore store(folder_, 2, false);
  save_steps(store, {1, 2});
  const fs::path checkpoint = folder_ / "step-00000002";
  KeyedRandom random(1, 0, 0, 0);
  int in_tensors = 0;
  for (const char* file :
       {"model.safetensors", "training.safetensors", "manifest.json", "DONE"}) {
    const std::string good = read_file(checkpoint / file);
    for (int i = 0; i < 50; ++i) {
      std::string bad = good;
      bad[random.below(bad.size())] ^= static_cast<char>(1U << random.below(8));
      write_file_atomically(checkpoint / file, bad);
      const std::string message =
          error_of(ErrorCode::kData, [&] { CheckpointStore::load(checkpoint); });
      EXPECT_THAT(message, HasSubstr(file));
      EXPECT_THAT(message, HasSubstr((folder_ / "step-00000001").string()));
      if (message.find("tensor 'fc.weight': expected hash") != std::string::npos) {
        ++in_tensors;
      }
    }
    write_file_atomically(checkpoint / file, good);
  }
  EXPECT_GT(in_tensors, 5);
  EXPECT_EQ(CheckpointStore::load(checkpoint).step, 2);
}

TEST_F(StoreTest, AFileThatIsCutLongerOrGoneIsRefused) {
  save_steps(CheckpointStore(folder_, 2, false), {1});
  const fs::path checkpoint = folder_ / "step-00000001";
  const fs::path file = checkpoint / "training.safetensors";
  const auto size = fs::file_size(file);
  for (const auto other : {uintmax_t{0}, size - 1, size + 1}) {
    fs::resize_file(file, other);
    EXPECT_THAT(
        error_of(ErrorCode::kData, [&] { CheckpointStore::load(checkpoint); }),
        AllOf(HasSubstr(file.string()), HasSubstr(cat("expected ", size, " bytes")),
              HasSubstr(cat("got ", other)), HasSubstr("no earlier checkpoint")));
  }
  fs::remove(file);
  EXPECT_THAT(error_of(ErrorCode::kData, [&] { CheckpointStore::load(checkpoint); }),
              HasSubstr("No such file"));
}

TEST_F(StoreTest, FindsTheCheckpointThatAPersonMeans) {
  const fs::path checkpoints = folder_ / "checkpoints";
  CheckpointStore store(checkpoints, 3, true);
  store.save(state_at(1), true);
  save_steps(store, {2});
  const fs::path one = checkpoints / "step-00000001";
  const fs::path two = checkpoints / "step-00000002";
  for (const fs::path& place : {folder_, checkpoints}) {
    EXPECT_EQ(CheckpointStore::find(place, false), two);
    EXPECT_EQ(CheckpointStore::find(place, true), one);
  }
  EXPECT_EQ(CheckpointStore::find(one, false), one);
  EXPECT_EQ(CheckpointStore::find(two / "", true), two / "");
  fs::remove_all(one);
  EXPECT_EQ(CheckpointStore::find(folder_, true), two);
}

TEST_F(StoreTest, SaysWhyNoCheckpointWasFound) {
  const auto refused = [&](const fs::path& path) {
    return error_of(ErrorCode::kInvalid, [&] { CheckpointStore::find(path, false); });
  };
  EXPECT_THAT(refused(folder_ / "none"), HasSubstr("no such path"));
  EXPECT_THAT(refused(folder_), HasSubstr("expected a complete checkpoint, got none"));
  save_steps(CheckpointStore(folder_, 1, false), {3});
  const fs::path checkpoint = folder_ / "step-00000003";
  EXPECT_THAT(refused(checkpoint / "model.safetensors"),
              AllOf(HasSubstr("got a file"), HasSubstr(checkpoint.string())));
  fs::remove(checkpoint / "DONE");
  EXPECT_THAT(refused(folder_), HasSubstr("incomplete ones: step-00000003"));
  EXPECT_THAT(refused(checkpoint), HasSubstr("incomplete"));
}

TEST_F(StoreTest, AFailedSaveLeavesTheEarlierOnes) {
  const SmallDisk disk(folder_, "size=8m");
  if (!disk.mounted()) GTEST_SKIP() << "mounting a memory file system needs root";
  CheckpointStore store(folder_, 3, true);
  save_steps(store, {1, 2, 3});
  ASSERT_TRUE(disk.make_read_only());
  EXPECT_THAT(error_of(ErrorCode::kIo, [&] { store.save(state_at(4), true); }),
              AllOf(HasSubstr("step 4 was not saved"), HasSubstr("Read-only")));
  ASSERT_EQ(store.list().size(), 3);
  for (const fs::path& path : store.list()) CheckpointStore::load(path);
}

TEST_F(StoreTest, AFolderWithoutTheRightToWriteIsAnError) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write into every folder";
  CheckpointStore store(folder_, 3, true);
  save_steps(store, {1});
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_THAT(error_of(ErrorCode::kIo, [&] { store.save(state_at(2), true); }),
              HasSubstr("Permission denied"));
  fs::permissions(folder_, fs::perms::owner_all);
  EXPECT_THAT(names(), ElementsAre("step-00000001"));
}

TEST_F(StoreTest, SaysWhatItNeedsAndWhatThereIsOnAFullDisk) {
  const SmallDisk disk(folder_, "size=1m");
  if (!disk.mounted()) GTEST_SKIP() << "mounting a memory file system needs root";
  CheckpointStore store(folder_, 3, true);
  save_steps(store, {1});
  // 2 x 1 MiB of floats; the first checkpoint has 4 files of a page.
  EXPECT_THAT(error_of(ErrorCode::kIo, [&] { store.save(state_at(2, 1 << 18), false); }),
              AllOf(HasSubstr("needs 2.0 MiB"), HasSubstr("there is 1008.0 KiB")));
  EXPECT_THAT(names(), ElementsAre("step-00000001"));
  EXPECT_EQ(CheckpointStore::load(*store.newest()).step, 1);
}

TEST_F(StoreTest, ADiskThatFillsUpDuringTheSaveLeavesNothingBehind) {
  // Two folders and six files: the second checkpoint gets no third file.
  const SmallDisk disk(folder_, "size=8m,nr_inodes=9");
  if (!disk.mounted()) GTEST_SKIP() << "mounting a memory file system needs root";
  CheckpointStore store(folder_, 3, true);
  save_steps(store, {1});
  EXPECT_THAT(error_of(ErrorCode::kIo, [&] { save_steps(store, {2}); }),
              AllOf(HasSubstr("step 2 was not saved"), HasSubstr("No space left")));
  EXPECT_THAT(names(), ElementsAre("step-00000001"));
  EXPECT_EQ(CheckpointStore::load(*store.newest()).step, 1);
}

TEST_F(StoreTest, ALimitOnFileSizesIsAnErrorNotTheEndOfTheProcess) {
  CheckpointStore store(folder_, 3, true);
  save_steps(store, {1});
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{.rlim_cur = 100'000, .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string message =
      error_of(ErrorCode::kIo, [&] { store.save(state_at(2, 1 << 18), false); });
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_THAT(message,
              AllOf(HasSubstr("step 2 was not saved"), HasSubstr("File too large")));
  EXPECT_THAT(names(), ElementsAre("step-00000001"));
  sigset_t pending;
  sigpending(&pending);
  EXPECT_EQ(sigismember(&pending, SIGXFSZ), 0);
  store.save(state_at(2, 1 << 18), false);
}

TEST_F(StoreTest, TiedWeightsComeBackTied) {
  TrainingState state = state_at(1);
  const torch::Tensor embedding = at::arange(40, at::kFloat).reshape({10, 4});
  state.model = {{"wte.weight", embedding}, {"lm_head.weight", embedding}};
  const fs::path saved = CheckpointStore(folder_, 1, true).save(state, false).path;
  const NamedTensors model = CheckpointStore::load(saved).model;
  ASSERT_EQ(model.size(), 2);
  EXPECT_EQ(model[0].second.data_ptr(), model[1].second.data_ptr());
  EXPECT_TRUE(model[0].second.equal(embedding));
}

}  // namespace
}  // namespace stoker
