#include <ATen/ATen.h>
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <filesystem>

#include "stoker/base/checksum.h"
#include "stoker/base/strings.h"
#include "stoker/checkpoint/store.h"

namespace stoker {
namespace {

namespace fs = std::filesystem;

/// As much as ResNet-50 with Adam: 25.6 M floats, three times.
TrainingState resnet50_sized() {
  TrainingState state;
  for (int i = 0; i < 160; ++i) {
    state.model.emplace_back(cat("layer", i), at::randn({160, 1000}));
    state.training.emplace_back(cat("optimizer/first/", i), at::randn({160, 1000}));
    state.training.emplace_back(cat("optimizer/second/", i), at::randn({160, 1000}));
  }
  return state;
}

fs::path bench_folder() {
  return fs::current_path() / cat("stoker-store-bench-", ::getpid());
}

void save(benchmark::State& bench) {
  TrainingState state = resnet50_sized();
  CheckpointStore store(bench_folder(), 1, false);
  for (auto _ : bench) {
    ++state.step;
    benchmark::DoNotOptimize(store.save(state, false));
  }
  fs::remove_all(bench_folder());
}

void load(benchmark::State& bench) {
  const auto saved =
      CheckpointStore(bench_folder(), 1, false).save(resnet50_sized(), false);
  for (auto _ : bench) {
    benchmark::DoNotOptimize(CheckpointStore::load(saved.path));
  }
  fs::remove_all(bench_folder());
}

/// What a save spends on this twice (written and read back), a load once.
void hash(benchmark::State& bench) {
  const TrainingState state = resnet50_sized();
  for (auto _ : bench) {
    for (const NamedTensors* tensors : {&state.model, &state.training}) {
      for (const auto& [name, tensor] : *tensors) {
        benchmark::DoNotOptimize(xxh128(tensor.const_data_ptr(), tensor.nbytes()));
      }
    }
  }
}

BENCHMARK(save)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(load)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(hash)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace stoker
