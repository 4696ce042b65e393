#pragma once

#include <jpeglib.h>

#include <cstdio>
#include <string>
#include <vector>

namespace stoker::data::bench {

/// The limit for benchmarks: the calls of libjpeg-turbo and nothing else, memory kept, no
/// checks, no regions; rows placed where it is fastest (see place_rows in jpeg.cc).
class PlainLibjpeg {
 public:
  PlainLibjpeg() {
    decompress_.err = jpeg_std_error(&errors_);
    jpeg_create_decompress(&decompress_);
  }
  ~PlainLibjpeg() { jpeg_destroy_decompress(&decompress_); }
  PlainLibjpeg(const PlainLibjpeg&) = delete;
  PlainLibjpeg& operator=(const PlainLibjpeg&) = delete;

  const uint8_t* decode(const std::string& file) {
    jpeg_mem_src(&decompress_, reinterpret_cast<const unsigned char*>(file.data()),
                 file.size());
    jpeg_read_header(&decompress_, TRUE);
    decompress_.out_color_space = JCS_RGB;
    jpeg_start_decompress(&decompress_);
    const size_t row_bytes = decompress_.output_width * size_t{3};
    pixels_.resize(row_bytes * decompress_.output_height + 8);
    rows_.resize(decompress_.output_height);
    for (size_t y = 0; y < rows_.size(); ++y)
      rows_[y] = pixels_.data() + 8 + y * row_bytes;
    while (decompress_.output_scanline < decompress_.output_height) {
      jpeg_read_scanlines(&decompress_, rows_.data() + decompress_.output_scanline,
                          decompress_.output_height - decompress_.output_scanline);
    }
    jpeg_finish_decompress(&decompress_);
    return pixels_.data();
  }

 private:
  jpeg_decompress_struct decompress_{};
  jpeg_error_mgr errors_{};
  std::vector<uint8_t> pixels_;
  std::vector<JSAMPROW> rows_;
};

}  // namespace stoker::data::bench
