#include <benchmark/benchmark.h>

#include "stoker/data/augment/detail/test_chain.h"
#include "stoker/data/augment/program.h"
#include "stoker/data/codecs/detail/plain_libjpeg.h"

namespace stoker::data {
namespace {

const std::vector<std::string>& cifar_files() {
  static const std::vector<std::string> files = test::cifar_class("train/cat");
  return files;
}

const std::vector<std::string>& imagenet_files() {
  static const std::vector<std::string> files = test::imagenet_sample(200);
  return files;
}

constexpr const char* kCifar =
    "{ random_crop = { size = 32, padding = 4 } }, { hflip = { p = 0.5 } }, "
    "{ normalize = \"cifar10\" }";
constexpr const char* kImagenet =
    "{ random_resized_crop = { size = 224 } }, { hflip = { p = 0.5 } }, "
    "{ normalize = \"imagenet\" }";

/// What the whole program is measured against: decoding alone, by libjpeg-turbo alone.
void limit(benchmark::State& state, const std::vector<std::string>& files) {
  if (files.empty()) return state.SkipWithError("no sample of ImageNet");
  bench::PlainLibjpeg libjpeg;
  size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(libjpeg.decode(files[next++ % files.size()]));
  }
  state.SetItemsProcessed(state.iterations());
}

void program(benchmark::State& state, const char* text,
             const std::vector<std::string>& files, Layout layout) {
  if (files.empty()) return state.SkipWithError("no sample of ImageNet");
  const AugmentProgram compiled(test::chain(text), 3, layout);
  constexpr size_t kBatch = 32;
  const auto sample_floats = static_cast<size_t>(compiled.sample_floats());
  std::vector<float> batch(kBatch * sample_floats);
  AugmentScratch scratch;
  uint64_t next = 0;
  for (auto _ : state) {
    float* slot = batch.data() + next % kBatch * sample_floats;
    const std::string& file = files[next % files.size()];
    if (!compiled.run(test::as_bytes(file), {1, 0, next}, slot, scratch).ok()) {
      state.SkipWithError("failed");
    }
    ++next;
  }
  state.SetItemsProcessed(state.iterations());
}

void cifar_limit(benchmark::State& state) { limit(state, cifar_files()); }
void cifar_nchw(benchmark::State& state) {
  program(state, kCifar, cifar_files(), Layout::kNchw);
}
void cifar_nhwc(benchmark::State& state) {
  program(state, kCifar, cifar_files(), Layout::kNhwc);
}
void imagenet_limit_whole(benchmark::State& state) { limit(state, imagenet_files()); }
void imagenet_nchw(benchmark::State& state) {
  program(state, kImagenet, imagenet_files(), Layout::kNchw);
}
void imagenet_nhwc(benchmark::State& state) {
  program(state, kImagenet, imagenet_files(), Layout::kNhwc);
}
BENCHMARK(cifar_limit);
BENCHMARK(cifar_nchw);
BENCHMARK(cifar_nhwc);
BENCHMARK(imagenet_limit_whole)->Unit(benchmark::kMillisecond);
BENCHMARK(imagenet_nchw)->Unit(benchmark::kMillisecond);
BENCHMARK(imagenet_nhwc)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace stoker::data
