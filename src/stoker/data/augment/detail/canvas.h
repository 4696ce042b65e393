#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "stoker/base/error.h"
#include "stoker/data/augment/detail/colour_value.h"
#include "stoker/data/augment/detail/kernels.h"
#include "stoker/data/augment/detail/neighbours.h"
#include "stoker/data/augment/detail/resize.h"
#include "stoker/data/augment/program.h"
#include "stoker/data/codecs/image.h"

namespace stoker::data::detail {

/// What one thread keeps between samples.
struct Buffers {
  ImageDecoder decoder;
  Image image;
  Image other;
  std::vector<uint8_t> row;
  std::vector<uint8_t> padded;
  ResizeScratch resize;
  BlurScratch blur;
};

/// What lies around an image when a crop reaches beyond it.
struct Padding {
  bool reflect =
      false;  ///< The mirrored image, its border pixel not repeated; else `fill`.
  Colour fill{};
};

/// A pixel value v becomes (v - mean) * scale. Values repeat with the channels.
struct Normalization {
  std::array<float, kPeriod> mean{};
  std::array<float, kPeriod> scale{};
  /// For pixels in [0, 1].
  static Normalization of(std::span<const double> mean, std::span<const double> std);
};

/// The image on its way through a chain. Crops, flips and erased rectangles are only
/// noted and done in one pass when the sample is written, or before an operation that
/// needs pixels. A large image is decoded no earlier than the first operation tells which
/// part is needed.
class Canvas {
 public:
  Canvas(std::span<const std::byte> encoded, int channels, Buffers& buffers)
      : encoded_(encoded), channels_(channels), buffers_(buffers) {}

  /// Finds the size; decodes when the image is small.
  Status open();
  int width() const { return window_.width; }
  int height() const { return window_.height; }

  /// The part `region`, which may reach beyond the image.
  Status crop(const Region& region, const Padding& padding = {});
  void flip_columns();
  void flip_rows();
  /// Fills a rectangle that lies within the image.
  Status erase(const Region& region, const Colour& fill);
  Status resize(int width, int height, Filter filter = Filter::kBilinear);
  /// Lets `work(Image&)` change the pixels as they are by now.
  template <typename Work>
  Status change(Work&& work) {
    Status status = settle_whole();
    if (status.ok()) work(buffers_.image);
    return status;
  }
  /// Lets `work(const Image& in, Image& out, Buffers&)` make another image of them. `out`
  /// comes with the shape of `in`.
  template <typename Work>
  Status replace(Work&& work) {
    Status status = settle_whole();
    if (!status) return status;
    shape_as(buffers_.image, buffers_.other);
    work(std::as_const(buffers_.image), buffers_.other, buffers_);
    take_other();
    return status;
  }
  /// Writes width x height x channels floats.
  Status write(const Normalization& normalization, Layout layout, float* slot);

 private:
  /// Nothing noted that a crop could not be joined with.
  bool is_plain() const;
  bool is_inside(const Region& region) const;
  Status decode(const std::optional<Region>& region);
  /// Makes the pixels there, all that is noted done.
  Status settle();
  /// And the window is the image.
  Status settle_whole();
  static void shape_as(const Image& in, Image& out);
  void take_other();
  void copy_window();
  void reset_window();
  const uint8_t* row(int y);
  const uint8_t* padded_row(int source_y);
  void pad_columns(const uint8_t* source_row, int begin, int end, uint8_t* to) const;
  void erase_in(uint8_t* row) const;

  std::span<const std::byte> encoded_;
  int channels_;
  Buffers& buffers_;
  bool decoded_ = false;
  Region window_;
  Padding padding_;
  bool flip_columns_ = false;
  bool flip_rows_ = false;
  Region erased_;  ///< In the window as it is seen, after the flips.
  Colour erased_fill_{};
};

}  // namespace stoker::data::detail
