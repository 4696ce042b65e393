#include "stoker/data/pipeline/detail/growth.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace stoker::data::detail {
namespace {

/// A loader whose workers need `make` seconds a batch and have `cores` to themselves, and
/// a consumer that needs `use` seconds a batch.
struct Machine {
  double make = 0;
  double use = 0;
  int64_t cores = 64;
  double now = 0;

  int64_t run(Growth& growth, int64_t workers, int batches) {
    growth.adds_after_batch(now += make, make, workers);  // The first: nothing is ready.
    for (int i = 0; i < batches; ++i) workers = batch(growth, workers);
    return workers;
  }
  int64_t batch(Growth& growth, int64_t workers) {
    const double made = make / static_cast<double>(std::min(workers, cores));
    now += std::max(made, use);
    const double waited = std::max(0.0, made - use);
    return workers + (growth.adds_after_batch(now, waited, workers) ? 1 : 0);
  }
};

TEST(GrowthTest, TakesAllWorkersForAConsumerThatAlwaysWaits) {
  Growth growth(16);
  EXPECT_EQ((Machine{.make = 0.02}.run(growth, 1, 2000)), 16);
}

TEST(GrowthTest, StopsWhenTheConsumerNoLongerWaits) {
  Growth growth(16);
  EXPECT_EQ((Machine{.make = 0.05, .use = 0.01}.run(growth, 1, 2000)), 5);
}

TEST(GrowthTest, StaysAtOneWorkerForASlowConsumerWhateverTheFirstBatchTook) {
  Growth growth(16);
  EXPECT_EQ((Machine{.make = 0.02, .use = 0.04}.run(growth, 1, 2000)), 1);
}

TEST(GrowthTest, AddsOneWorkerInVainAndThenNeverAgain) {
  Growth growth(16);
  Machine machine{.make = 0.02, .cores = 2};
  const int64_t workers = machine.run(growth, 1, 2000);
  EXPECT_EQ(workers, 3);
  machine.cores = 64;
  EXPECT_EQ(machine.batch(growth, workers), 3);
  EXPECT_EQ(machine.run(growth, workers, 2000), 3);
}

TEST(GrowthTest, GoesOnAfterOnePauseOfTheConsumer) {
  Growth growth(16);
  Machine machine{.make = 0.02};
  int64_t workers = 1;
  growth.adds_after_batch(machine.now, 0, workers);
  while (workers < 4) workers = machine.batch(growth, workers);
  machine.now += 0.5;
  for (int i = 0; i < 2000; ++i) workers = machine.batch(growth, workers);
  EXPECT_EQ(workers, 16);
}

TEST(GrowthTest, GoesOnAfterAQuarterOfASecondInWhichAllWasSlow) {
  Growth growth(16);
  Machine machine{.make = 0.02};
  int64_t workers = 1;
  growth.adds_after_batch(machine.now, 0, workers);
  while (workers < 4) workers = machine.batch(growth, workers);
  machine.make = 0.08;
  const double slow_until = machine.now + 0.25;
  while (machine.now < slow_until) workers = machine.batch(growth, workers);
  machine.make = 0.02;
  for (int i = 0; i < 2000; ++i) workers = machine.batch(growth, workers);
  EXPECT_EQ(workers, 16);
}

TEST(GrowthTest, NeverGoesBeyondTheBound) {
  Growth growth(1);
  EXPECT_EQ((Machine{.make = 0.02}.run(growth, 1, 2000)), 1);
}

}  // namespace
}  // namespace stoker::data::detail
