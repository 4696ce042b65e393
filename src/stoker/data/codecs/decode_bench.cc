#include <benchmark/benchmark.h>
#include <jpeglib.h>

#include "stoker/data/codecs/detail/plain_libjpeg.h"
#include "stoker/data/codecs/detail/test_images.h"
#include "stoker/data/codecs/image.h"

namespace stoker::data {
namespace {

void plain_libjpeg(benchmark::State& state, const std::vector<std::string>& files) {
  bench::PlainLibjpeg libjpeg;
  size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(libjpeg.decode(files[next++ % files.size()]));
  }
  state.SetItemsProcessed(state.iterations());
}

void image_decoder(benchmark::State& state, const std::vector<std::string>& files) {
  ImageDecoder decoder;
  Image image;
  size_t next = 0;
  for (auto _ : state) {
    const std::string& file = files[next++ % files.size()];
    if (!decoder.decode(test::as_bytes(file), 3, image).ok())
      state.SkipWithError("failed");
    benchmark::DoNotOptimize(image.pixels.data());
  }
  state.SetItemsProcessed(state.iterations());
}

const std::vector<std::string>& cifar_files() {
  static const std::vector<std::string> files = test::cifar_class("train/cat");
  return files;
}

void cifar_plain_libjpeg(benchmark::State& state) { plain_libjpeg(state, cifar_files()); }
void cifar_image_decoder(benchmark::State& state) { image_decoder(state, cifar_files()); }
BENCHMARK(cifar_plain_libjpeg);
BENCHMARK(cifar_image_decoder);

const std::vector<std::string>& imagenet_files() {
  static const std::vector<std::string> files = test::imagenet_sample(200);
  return files;
}

void imagenet_plain_libjpeg(benchmark::State& state) {
  if (imagenet_files().empty()) return state.SkipWithError("no sample of ImageNet");
  plain_libjpeg(state, imagenet_files());
}
void imagenet_image_decoder(benchmark::State& state) {
  if (imagenet_files().empty()) return state.SkipWithError("no sample of ImageNet");
  image_decoder(state, imagenet_files());
}
BENCHMARK(imagenet_plain_libjpeg)->Unit(benchmark::kMillisecond);
BENCHMARK(imagenet_image_decoder)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace stoker::data
