#include <benchmark/benchmark.h>
#include <jpeglib.h>

#include <cstdio>

#include "stoker/data/codecs/detail/test_images.h"
#include "stoker/data/codecs/image.h"

namespace stoker::data {
namespace {

/// The limit: nothing but the calls of libjpeg-turbo, memory kept, no checks.
void plain_libjpeg(benchmark::State& state, const std::vector<std::string>& files) {
  jpeg_decompress_struct decompress;
  jpeg_error_mgr errors;
  decompress.err = jpeg_std_error(&errors);
  jpeg_create_decompress(&decompress);
  std::vector<uint8_t> pixels;
  std::vector<JSAMPROW> rows;
  size_t next = 0;
  for (auto _ : state) {
    const std::string& file = files[next++ % files.size()];
    jpeg_mem_src(&decompress, reinterpret_cast<const unsigned char*>(file.data()),
                 file.size());
    jpeg_read_header(&decompress, TRUE);
    decompress.out_color_space = JCS_RGB;
    jpeg_start_decompress(&decompress);
    const size_t row_bytes = decompress.output_width * size_t{3};
    pixels.resize(row_bytes * decompress.output_height);
    rows.resize(decompress.output_height);
    for (size_t y = 0; y < rows.size(); ++y) rows[y] = pixels.data() + y * row_bytes;
    while (decompress.output_scanline < decompress.output_height) {
      jpeg_read_scanlines(&decompress, rows.data() + decompress.output_scanline,
                          decompress.output_height - decompress.output_scanline);
    }
    jpeg_finish_decompress(&decompress);
    benchmark::DoNotOptimize(pixels.data());
  }
  jpeg_destroy_decompress(&decompress);
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
