#pragma once

// Images for tests: read from the committed sample, or written with the format's own
// library.

#include <cstdio>

// jpeglib.h needs the types of cstdio first.
#include <jpeglib.h>
#include <png.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "stoker/base/files.h"
#include "stoker/data/codecs/image.h"

namespace stoker::data::test {

inline std::span<const std::byte> as_bytes(const std::string& content) {
  return std::as_bytes(std::span(content));
}

/// "train/frog/0004.jpg" of the committed CIFAR-10 sample: 32x32, 4:2:0.
inline std::string cifar(const std::string& name) {
  return read_file(std::filesystem::path(STOKER_SOURCE_DIR) / "examples/data/cifar10" /
                   name);
}

/// The files of one class, sorted by name.
inline std::vector<std::string> cifar_class(const std::string& name) {
  const auto folder =
      std::filesystem::path(STOKER_SOURCE_DIR) / "examples/data/cifar10" / name;
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> files;
  for (const auto& path : paths) files.push_back(read_file(path));
  return files;
}

/// JPEGs of a sample of ImageNet, when it lies beside the repository as
/// shared/data/imagenet-sample.tar or where STOKER_IMAGENET_SAMPLE says; else none.
inline std::vector<std::string> imagenet_sample(size_t most) {
  constexpr size_t kBlock = 512;
  const char* given = std::getenv("STOKER_IMAGENET_SAMPLE");
  const std::filesystem::path path = given != nullptr
                                         ? std::filesystem::path(given)
                                         : std::filesystem::path(STOKER_SOURCE_DIR) /
                                               "../shared/data/imagenet-sample.tar";
  std::vector<std::string> files;
  if (!std::filesystem::exists(path)) return files;
  const MappedFile map(path);
  const auto tar = map.bytes();
  for (size_t at = 0; at + kBlock <= tar.size() && files.size() < most;) {
    const auto* header = reinterpret_cast<const char*>(tar.data() + at);
    const size_t size = std::strtoul(header + 124, nullptr, 8);
    if (header[156] == '0' && size > 0) files.emplace_back(header + kBlock, size);
    at += kBlock + (size + kBlock - 1) / kBlock * kBlock;
  }
  return files;
}

/// Real pixels of any size: CIFAR images side by side.
inline Image mosaic(int width, int height) {
  constexpr int kSide = 32;
  Image image{width, height, 3,
              std::vector<uint8_t>(static_cast<size_t>(width * height * 3))};
  const std::vector<std::string> files = cifar_class("train/ship");
  ImageDecoder decoder;
  Image tile;
  size_t next = 0;
  for (int y = 0; y < height; y += kSide) {
    for (int x = 0; x < width; x += kSide) {
      if (!decoder.decode(as_bytes(files[next++ % files.size()]), 3, tile).ok())
        std::abort();
      const auto bytes = static_cast<size_t>(std::min(kSide, width - x)) * 3;
      for (int row = 0; row < std::min(kSide, height - y); ++row) {
        std::memcpy(image.row(y + row) + static_cast<size_t>(x) * 3, tile.row(row),
                    bytes);
      }
    }
  }
  return image;
}

struct JpegOptions {
  int quality = 90;
  int h_samp = 2;  ///< Luma samples for one of chroma.
  int v_samp = 2;
  bool progressive = false;
  int restart_interval = 0;
};

/// 1 channel: grey, 3: YCbCr, 4: CMYK as the pixels are (Adobe's programs invert them).
inline std::string to_jpeg(const Image& image, const JpegOptions& options = {}) {
  jpeg_compress_struct compress;
  jpeg_error_mgr errors;
  compress.err = jpeg_std_error(&errors);
  jpeg_create_compress(&compress);
  unsigned char* memory = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&compress, &memory, &size);
  compress.image_width = static_cast<JDIMENSION>(image.width);
  compress.image_height = static_cast<JDIMENSION>(image.height);
  compress.input_components = image.channels;
  compress.in_color_space = image.channels == 1   ? JCS_GRAYSCALE
                            : image.channels == 3 ? JCS_RGB
                                                  : JCS_CMYK;
  jpeg_set_defaults(&compress);
  jpeg_set_quality(&compress, options.quality, TRUE);
  if (image.channels == 3) {
    compress.comp_info[0].h_samp_factor = options.h_samp;
    compress.comp_info[0].v_samp_factor = options.v_samp;
  }
  compress.restart_interval = static_cast<unsigned>(options.restart_interval);
  if (options.progressive) jpeg_simple_progression(&compress);
  jpeg_start_compress(&compress, TRUE);
  for (int y = 0; y < image.height; ++y) {
    auto* row = const_cast<JSAMPROW>(image.row(y));
    jpeg_write_scanlines(&compress, &row, 1);
  }
  jpeg_finish_compress(&compress);
  jpeg_destroy_compress(&compress);
  std::string content(reinterpret_cast<char*>(memory), size);
  std::free(memory);
  return content;
}

struct PngOptions {
  int depth = 8;
  int colour = PNG_COLOR_TYPE_RGB;
  bool interlaced = false;
  int exif_orientation = 0;  ///< 0: none.
  std::vector<png_color> palette = {};
  std::vector<uint8_t> palette_alpha = {};
};

/// A TIFF block, big-endian, that holds nothing but an orientation.
inline std::string exif_block(int orientation) {
  std::string block("MM\0\x2A\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\0\0\0\0\0\0\0",
                    26);
  block[19] = static_cast<char>(orientation);
  return block;
}

/// The same with an APP1 segment after the start of a JPEG.
inline std::string with_exif(const std::string& jpeg, int orientation) {
  const std::string block = std::string("Exif\0\0", 6) + exif_block(orientation);
  const auto length = static_cast<char>(block.size() + 2);
  return jpeg.substr(0, 2) + std::string("\xFF\xE1\0", 3) + length + block +
         jpeg.substr(2);
}

/// `packed` holds the rows as PNG stores them: big-endian, depths below 8 packed.
inline std::string to_png(int width, int height, const std::vector<uint8_t>& packed,
                          const PngOptions& options = {}) {
  png_structp png =
      png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  std::string content;
  png_set_write_fn(
      png, &content,
      [](png_structp writer, png_bytep bytes, size_t count) {
        static_cast<std::string*>(png_get_io_ptr(writer))
            ->append(reinterpret_cast<char*>(bytes), count);
      },
      nullptr);
  png_set_IHDR(png, info, static_cast<png_uint_32>(width),
               static_cast<png_uint_32>(height), options.depth, options.colour,
               options.interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (!options.palette.empty()) {
    png_set_PLTE(png, info, options.palette.data(),
                 static_cast<int>(options.palette.size()));
  }
  if (!options.palette_alpha.empty()) {
    png_set_tRNS(png, info, options.palette_alpha.data(),
                 static_cast<int>(options.palette_alpha.size()), nullptr);
  }
  std::string exif = exif_block(options.exif_orientation);
  if (options.exif_orientation > 0) {
    png_set_eXIf_1(png, info, static_cast<png_uint_32>(exif.size()),
                   reinterpret_cast<png_bytep>(exif.data()));
  }
  const size_t row_bytes = packed.size() / static_cast<size_t>(height);
  std::vector<png_bytep> rows;
  for (int y = 0; y < height; ++y) {
    rows.push_back(const_cast<png_bytep>(packed.data()) +
                   static_cast<size_t>(y) * row_bytes);
  }
  png_set_rows(png, info, rows.data());
  png_write_png(png, info, PNG_TRANSFORM_IDENTITY, nullptr);
  png_destroy_write_struct(&png, &info);
  return content;
}

}  // namespace stoker::data::test
