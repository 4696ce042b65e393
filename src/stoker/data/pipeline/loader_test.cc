#include "stoker/data/pipeline/loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <set>
#include <thread>

#include "stoker/base/files.h"
#include "stoker/base/strings.h"
#include "stoker/data/formats/detail/test_archives.h"
#include "stoker/data/pipeline/detail/test_allocations.h"
#include "stoker/data/pipeline/detail/test_loading.h"

namespace stoker::data {
namespace {
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Taken {
  std::vector<int64_t> records;
  std::vector<int64_t> labels;
  int64_t epoch = 0;
  int64_t index = 0;
  int64_t update = 0;
  std::vector<float> pixels;
  bool operator==(const Taken&) const = default;
};

std::shared_ptr<const RecordSource> cifar_test() {
  static const std::shared_ptr<const RecordSource> source =
      open_source(testing::cifar_path("test"), {});
  return source;
}

std::shared_ptr<const AugmentProgram> training_program() {
  static const auto program = testing::program_of(testing::kCifarTraining);
  return program;
}

std::vector<Taken> drain(Loader& loader) {
  std::vector<Taken> all;
  while (auto batch = loader.next()) {
    const auto floats =
        batch->size() * batch->channels() * batch->height() * batch->width();
    all.push_back({batch->records(), batch->labels(), batch->epoch(), batch->index(),
                   batch->update(),
                   std::vector<float>(batch->pixels(), batch->pixels() + floats)});
  }
  return all;
}

std::vector<Taken> load(const LoaderOptions& options) {
  Loader loader(cifar_test(), training_program(), options);
  return drain(loader);
}

std::vector<int64_t> records_of(const std::vector<Taken>& batches) {
  std::vector<int64_t> all;
  for (const Taken& batch : batches)
    all.insert(all.end(), batch.records.begin(), batch.records.end());
  return all;
}

std::vector<int64_t> sizes_of(const std::vector<Taken>& batches) {
  std::vector<int64_t> all;
  for (const Taken& batch : batches)
    all.push_back(static_cast<int64_t>(batch.records.size()));
  return all;
}

LoaderOptions options_for(int64_t num_records, int64_t batch) {
  LoaderOptions options;
  options.order = {num_records, 11, true};
  options.batch = batch;
  options.workers = 2;
  return options;
}

TEST(LoaderTest, GivesTheSameBatchesWithAnyNumberOfWorkers) {
  LoaderOptions options = options_for(100, 7);
  options.num_epochs = 2;
  options.workers = 1;
  const auto expected = load(options);
  EXPECT_EQ(expected.size(), 30U);
  for (const int64_t workers : {0, 2, 8}) {
    options.workers = workers;
    EXPECT_EQ(load(options), expected) << workers;
  }
}

TEST(LoaderTest, FollowsTheOrderWithTheLabelsOfTheSource) {
  const LoaderOptions options = options_for(50, 8);
  const auto batches = load(options);
  std::vector<int64_t> expected;
  for (int64_t i = 0; i < 50; ++i) expected.push_back(options.order.record_at(0, i));
  EXPECT_EQ(records_of(batches), expected);
  RecordBuffer buffer;
  for (const Taken& batch : batches) {
    for (size_t i = 0; i < batch.records.size(); ++i)
      EXPECT_EQ(cifar_test()->read(batch.records[i], buffer)->label, batch.labels[i]);
  }
}

TEST(LoaderTest, WritesTheSamplesThatTheProgramMakes) {
  const LoaderOptions options = options_for(20, 6);
  AugmentScratch scratch;
  RecordBuffer buffer;
  const auto floats = static_cast<size_t>(training_program()->sample_floats());
  std::vector<float> sample(floats);
  for (const Taken& batch : load(options)) {
    for (size_t i = 0; i < batch.records.size(); ++i) {
      const auto record = cifar_test()->read(batch.records[i], buffer);
      const SampleKey key{options.order.seed, 0, static_cast<uint64_t>(batch.records[i])};
      ASSERT_TRUE(
          training_program()->run(record->bytes, key, sample.data(), scratch).ok());
      EXPECT_EQ(std::memcmp(sample.data(), batch.pixels.data() + i * floats,
                            floats * sizeof(float)),
                0);
    }
  }
}

TEST(LoaderTest, MakesTheLastBatchSmallerOrDropsIt) {
  LoaderOptions options = options_for(22, 5);
  EXPECT_THAT(sizes_of(load(options)), ElementsAre(5, 5, 5, 5, 2));
  options.drop_last = true;
  EXPECT_THAT(sizes_of(load(options)), ElementsAre(5, 5, 5, 5));
}

TEST(LoaderTest, CutsGlobalBatchesIntoMicroBatches) {
  LoaderOptions options = options_for(42, 6);
  options.global_batch = 16;
  const auto batches = load(options);
  EXPECT_THAT(sizes_of(batches), ElementsAre(6, 6, 4, 6, 6, 4, 6, 4));
  std::vector<int64_t> updates;
  std::vector<int64_t> indices;
  for (const Taken& batch : batches) {
    updates.push_back(batch.update);
    indices.push_back(batch.index);
  }
  EXPECT_THAT(updates, ElementsAre(0, 0, 0, 1, 1, 1, 2, 2));
  EXPECT_THAT(indices, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

TEST(LoaderTest, ThirdRunStartsAt40AsIfItHadNeverStopped) {
  LoaderOptions options = options_for(60, 5);
  const auto whole = load(options);
  std::vector<Taken> parts;
  for (const int64_t start : {0, 4, 8}) {
    options.first_global_batch = start;
    Loader loader(cifar_test(), training_program(), options);
    auto part = drain(loader);
    part.resize(4);
    parts.insert(parts.end(), part.begin(), part.end());
  }
  EXPECT_EQ(parts, whole);
}

TEST(LoaderTest, SkipsOnlyInTheEpochThatIsResumed) {
  LoaderOptions options = options_for(20, 2);
  options.num_epochs = 3;
  const auto whole = load(options);
  options.first_global_batch = 4;
  const auto rest = load(options);
  EXPECT_EQ(rest.size(), 26U);
  EXPECT_TRUE(std::equal(rest.begin(), rest.end(), whole.begin() + 4));
}

TEST(LoaderTest, ResumesAtTheEndOfAnEpochWithTheNext) {
  LoaderOptions options = options_for(20, 5);
  options.num_epochs = 2;
  options.first_global_batch = 4;
  const auto rest = load(options);
  ASSERT_EQ(rest.size(), 4U);
  EXPECT_EQ(rest[0].epoch, 1);
  EXPECT_EQ(rest[0].index, 0);
}

TEST(LoaderTest, ResumesOnEveryRankWithTheIndicesOfTheRunThatNeverStopped) {
  for (const int64_t world : {1, 2, 3, 4}) {
    for (int64_t rank = 0; rank < world; ++rank) {
      LoaderOptions options = options_for(77, 3);
      options.global_batch = 17;
      options.world = world;
      options.rank = rank;
      const auto whole = load(options);
      for (int64_t start = 1; start < 5; ++start) {
        options.first_global_batch = start;
        const auto rest = load(options);
        const auto from =
            std::find_if(whole.begin(), whole.end(),
                         [&](const Taken& batch) { return batch.update == start; });
        EXPECT_EQ(rest, std::vector<Taken>(from, whole.end())) << rank << " of " << world;
      }
    }
  }
}

TEST(LoaderTest, CoversEachSampleOnceOnAnyNumberOfRanks) {
  for (const int64_t world : {1, 2, 4}) {
    std::multiset<int64_t> seen;
    for (int64_t rank = 0; rank < world; ++rank) {
      LoaderOptions options = options_for(53, 4);
      options.global_batch = 8;
      options.world = world;
      options.rank = rank;
      for (const int64_t record : records_of(load(options))) seen.insert(record);
    }
    EXPECT_EQ(seen.size(), 53U) << world;
    EXPECT_EQ(std::set<int64_t>(seen.begin(), seen.end()).size(), 53U) << world;
  }
}

TEST(LoaderTest, WorksWithAQueueSmallerThanABatch) {
  LoaderOptions options = options_for(40, 8);
  const auto expected = load(options);
  options.queue_bytes = 1;
  options.workers = 4;
  EXPECT_EQ(load(options), expected);
}

TEST(LoaderTest, HoldsNoMoreThanTheBoundOfTheQueue) {
  LoaderOptions options = options_for(200, 4);
  options.workers = 8;
  options.queue_bytes = 3 * 4 * training_program()->sample_floats() * int64_t{4};
  Loader loader(cifar_test(), training_program(), options);
  drain(loader);
  EXPECT_LE(loader.stats().peak_bytes_held, options.queue_bytes);
  EXPECT_EQ(loader.stats().bytes_held, 0);
  EXPECT_EQ(loader.stats().samples, 200);
}

TEST(LoaderTest, AllocatesPerBatchAndNotPerSample) {
  const LoaderOptions options = [] {
    LoaderOptions all = options_for(200, 50);
    all.num_epochs = 12;
    return all;
  }();
  Loader loader(cifar_test(), training_program(), options);
  for (int i = 0; i < 16; ++i) (void)loader.next();
  const int64_t before = testing::num_allocations();
  for (int i = 0; i < 20; ++i) (void)loader.next();
  EXPECT_LT(testing::num_allocations() - before, 20 * 10);  // 1,000 samples.
}

TEST(LoaderTest, TakesMemoryAgainThatBatchesGaveBack) {
  LoaderOptions options = options_for(200, 4);
  options.workers = 1;
  options.queue_bytes = 1;
  Loader loader(cifar_test(), training_program(), options);
  std::set<float*> places;
  while (auto batch = loader.next()) {
    EXPECT_EQ(reinterpret_cast<uintptr_t>(batch->pixels()) % 64, 0U);
    places.insert(batch->pixels());
  }
  EXPECT_LE(places.size(), 3U);
}

TEST(LoaderTest, LeavesABatchWholeThatOutlivesIt) {
  const LoaderOptions options = options_for(40, 8);
  const auto expected = load(options);
  std::optional<Batch> batch;
  {
    Loader loader(cifar_test(), training_program(), options);
    batch = loader.next();
  }
  EXPECT_EQ(batch->records(), expected[0].records);
  EXPECT_EQ(std::memcmp(batch->pixels(), expected[0].pixels.data(),
                        expected[0].pixels.size() * sizeof(float)),
            0);
}

/// The records of CIFAR with something done before each read.
class WatchedSource : public RecordSource {
 public:
  explicit WatchedSource(std::function<void(int64_t)> before_read)
      : before_read_(std::move(before_read)) {}
  const SourceDescription& describe() const override { return cifar_test()->describe(); }
  Result<Record> read(int64_t index, RecordBuffer& buffer) const override {
    before_read_(index);
    return cifar_test()->read(index, buffer);
  }
  std::string name(int64_t index) const override { return cifar_test()->name(index); }

 private:
  std::function<void(int64_t)> before_read_;
};

TEST(LoaderTest, BringsAWorkersExceptionToTheConsumerEveryTime) {
  const auto source = std::make_shared<WatchedSource>([](int64_t index) {
    if (index == 7) throw Error(ErrorCode::kIo, "disk gone");
  });
  Loader loader(source, training_program(), options_for(40, 4));
  EXPECT_THROW(drain(loader), Error);
  EXPECT_THROW(loader.next(), Error);
}

TEST(LoaderTest, StopsWithinOneSampleWhenItIsDestroyed) {
  std::atomic<int64_t> reads = 0;
  const auto source = std::make_shared<WatchedSource>([&](int64_t) {
    ++reads;
    reads.notify_all();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  });
  {
    Loader loader(source, training_program(), options_for(200, 100));
    reads.wait(0);
  }
  EXPECT_LT(reads, 100);
}

TEST(LoaderTest, SharesABatchAmongWorkersWhenTheQueueHoldsOnlyOne) {
  std::atomic<int64_t> inside = 0;
  std::atomic<bool> met = false;
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  const auto source = std::make_shared<WatchedSource>([&](int64_t) {
    ++inside;
    while (!met && std::chrono::steady_clock::now() < give_up) {
      if (inside >= 4) met = true;
      std::this_thread::yield();
    }
    --inside;
  });
  LoaderOptions options = options_for(64, 64);
  const auto expected = load(options);
  options.workers = 4;
  options.queue_bytes = 1;
  Loader loader(source, training_program(), options);
  EXPECT_EQ(drain(loader), expected);
  EXPECT_TRUE(met) << "four workers never read at the same time";
}

TEST(LoaderTest, StaysAtOneWorkerWhenOnlyTheFirstBatchIsWaitedFor) {
  std::atomic<int64_t> reads = 0;
  const auto source = std::make_shared<WatchedSource>([&](int64_t) {
    if (reads < 4) std::this_thread::sleep_for(std::chrono::milliseconds(25));
    ++reads;
    reads.notify_all();
  });
  LoaderOptions options = options_for(200, 4);
  options.workers = std::nullopt;
  options.max_workers = 8;
  Loader loader(source, training_program(), options);
  int64_t batches = 0;
  const auto is_ahead = [&] { return std::min<int64_t>(200, 4 * (batches + 3)); };
  while (auto batch = loader.next()) {
    ++batches;
    for (int64_t now = reads; now < is_ahead(); now = reads) reads.wait(now);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));  // A step of training.
  }
  EXPECT_EQ(batches, 50);
  EXPECT_EQ(loader.stats().workers, 1);
}

TEST(LoaderTest, AddsWorkersWhileTheConsumerWaits) {
  const auto source = std::make_shared<WatchedSource>(
      [](int64_t) { std::this_thread::sleep_for(std::chrono::milliseconds(2)); });
  LoaderOptions options = options_for(200, 4);
  options.num_epochs = 2;
  options.workers = std::nullopt;
  options.max_workers = 3;
  Loader loader(source, training_program(), options);
  const auto batches = drain(loader);
  EXPECT_EQ(batches.size(), 100U);
  EXPECT_GT(loader.stats().workers, 1);
  EXPECT_LE(loader.stats().workers, 3);
}

class BadSamplesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto root = folder_.path() / "data";
    for (int64_t i = 0; i < 5; ++i)
      testing::write_bytes(root / "good" / cat(i, ".jpg"), jpeg(i));
    testing::write_bytes(root / "bad/zero.jpg", "");
    testing::write_bytes(root / "bad/text.jpg", "This is a sentence.");
    const std::string cut = jpeg(1).substr(0, jpeg(1).size() / 2);
    testing::write_bytes(folder_.path() / "s.tar",
                         testing::tar_of({{"a/000006.jpg", jpeg(0)},
                                          {"a/000007.jpg", cut},
                                          {"b/000008.jpg", jpeg(2)}}));
    folder_source_ = open_source(root.string(), {});
    tar_source_ = open_source((folder_.path() / "s.tar").string(), {});
  }
  static std::string jpeg(int64_t index) { return read_file(cifar_test()->name(index)); }
  static LoaderOptions with_budget(int64_t num_records, int64_t budget) {
    LoaderOptions options = options_for(num_records, 4);
    options.order.shuffle = false;
    options.max_bad_samples = budget;
    options.num_epochs = 3;
    return options;
  }
  std::string refusal(const std::shared_ptr<const RecordSource>& source, int64_t budget) {
    Loader loader(source, training_program(),
                  with_budget(source->describe().num_records, budget));
    try {
      drain(loader);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kData);
      return error.what();
    }
    return "no error";
  }
  stoker::testing::TemporaryFolder folder_;
  std::shared_ptr<const RecordSource> folder_source_;
  std::shared_ptr<const RecordSource> tar_source_;
};

TEST_F(BadSamplesTest, NamesEachFileAndItsReasonBeyondTheBudget) {
  EXPECT_THAT(refusal(folder_source_, 0),
              AllOf(HasSubstr("at most 0 bad samples"), HasSubstr("got 2"),
                    HasSubstr("bad/zero.jpg: empty"),
                    HasSubstr("bad/text.jpg: not an image (starts with 54 68 69 73")));
  EXPECT_THAT(refusal(tar_source_, 0),
              HasSubstr("s.tar::a/000007.jpg: truncated at byte "));
  EXPECT_THAT(refusal(folder_source_, 1), HasSubstr("got 2"));
}

TEST_F(BadSamplesTest, GoesOnWithinTheBudgetAndCountsARecordOnceInAllEpochs) {
  Loader loader(folder_source_, training_program(), with_budget(7, 3));
  const auto batches = drain(loader);
  EXPECT_THAT(sizes_of(batches), ElementsAre(2, 3, 2, 3, 2, 3));
  EXPECT_EQ(loader.bad_records().size(), 2U);
  EXPECT_EQ(refusal(tar_source_, 1), "no error");
}

TEST_F(BadSamplesTest, MovesTheGoodSamplesTogetherWithTheirOwnLabelsAndPixels) {
  LoaderOptions options = with_budget(7, 2);
  options.order.shuffle = true;
  options.batch = 7;
  options.num_epochs = 1;
  AugmentScratch scratch;
  RecordBuffer buffer;
  const auto floats = static_cast<size_t>(training_program()->sample_floats());
  std::vector<float> sample(floats);
  for (const int64_t workers : {1, 3}) {
    options.workers = workers;
    Loader loader(folder_source_, training_program(), options);
    const auto batches = drain(loader);
    ASSERT_THAT(sizes_of(batches), ElementsAre(5));
    std::vector<int64_t> good;
    for (int64_t i = 0; i < 7; ++i) {
      const int64_t record = options.order.record_at(0, i);
      if (folder_source_->name(record).find("/good/") != std::string::npos)
        good.push_back(record);
    }
    EXPECT_EQ(batches[0].records, good);
    for (size_t i = 0; i < good.size(); ++i) {
      const auto record = folder_source_->read(good[i], buffer);
      EXPECT_EQ(batches[0].labels[i], record->label);
      const SampleKey key{options.order.seed, 0, static_cast<uint64_t>(good[i])};
      ASSERT_TRUE(
          training_program()->run(record->bytes, key, sample.data(), scratch).ok());
      EXPECT_EQ(std::memcmp(sample.data(), batches[0].pixels.data() + i * floats,
                            floats * sizeof(float)),
                0);
    }
  }
}

TEST_F(BadSamplesTest, LeavesOutABatchWithNothingGood) {
  LoaderOptions options = with_budget(7, 3);
  options.batch = 2;
  options.num_epochs = 1;
  Loader loader(folder_source_, training_program(), options);
  const auto batches = drain(loader);
  EXPECT_THAT(sizes_of(batches), ElementsAre(2, 2, 1));
  EXPECT_EQ(batches[0].index, 1);
}

TEST(LoaderTest, RefusesImpossibleOptions) {
  LoaderOptions options = options_for(4, 0);
  EXPECT_THROW(Loader(cifar_test(), training_program(), options), Error);
  options.batch = 2;
  options.rank = 1;
  EXPECT_THROW(Loader(cifar_test(), training_program(), options), Error);
}

}  // namespace
}  // namespace stoker::data
