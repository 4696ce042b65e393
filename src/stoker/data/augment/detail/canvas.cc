#include "stoker/data/augment/detail/canvas.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace stoker::data::detail {
namespace {

/// Encoded size from which reading the header twice costs less than decoding in vain.
constexpr size_t kLargeBytes = size_t{16} << 10;

void fill_pixels(uint8_t* to, int count, int channels, const Colour& fill) {
  if (channels == 1) {
    std::memset(to, fill[0], static_cast<size_t>(count));
    return;
  }
  for (int i = 0; i < count; ++i, to += channels) {
    std::memcpy(to, fill.data(), fill.size());
  }
}

}  // namespace

Normalization Normalization::of(std::span<const double> mean,
                                std::span<const double> std) {
  Normalization result;
  for (size_t i = 0; i < kPeriod; ++i) {
    result.mean[i] = static_cast<float>(255 * mean[i % mean.size()]);
    result.scale[i] = static_cast<float>(1 / (255 * std[i % std.size()]));
  }
  return result;
}

Status Canvas::open() {
  if (encoded_.size() < kLargeBytes) return decode(std::nullopt);
  const auto info = buffers_.decoder.probe(encoded_);
  if (!info) return Failure{info.reason()};
  window_ = {0, 0, info->width, info->height};
  return Ok{};
}

Status Canvas::decode(const std::optional<Region>& region) {
  Status status = buffers_.decoder.decode(encoded_, channels_, buffers_.image, region);
  if (status.ok()) reset_window();
  decoded_ = true;
  return status;
}

void Canvas::reset_window() {
  window_ = {0, 0, buffers_.image.width, buffers_.image.height};
}

bool Canvas::is_inside(const Region& region) const {
  const int image_width = decoded_ ? buffers_.image.width : window_.width;
  const int image_height = decoded_ ? buffers_.image.height : window_.height;
  return region.x >= 0 && region.y >= 0 && region.x + region.width <= image_width &&
         region.y + region.height <= image_height;
}

bool Canvas::is_plain() const {
  return !flip_columns_ && !flip_rows_ && erased_.width == 0 && is_inside(window_);
}

Status Canvas::settle() {
  if (!decoded_) {
    Status status = decode(std::nullopt);
    if (!status) return status;
  }
  if (!is_plain()) copy_window();
  return Ok{};
}

Status Canvas::settle_whole() {
  Status status = settle();
  const bool whole = width() == buffers_.image.width && height() == buffers_.image.height;
  if (status.ok() && !whole) copy_window();
  return status;
}

void Canvas::shape_as(const Image& in, Image& out) {
  out.width = in.width;
  out.height = in.height;
  out.channels = in.channels;
  out.pixels.resize(in.pixels.size());
}

void Canvas::take_other() {
  std::swap(buffers_.image, buffers_.other);
  reset_window();
}

void Canvas::copy_window() {
  Image& to = buffers_.other;
  to.width = width();
  to.height = height();
  to.channels = channels_;
  to.pixels.resize(to.row_bytes() * static_cast<size_t>(to.height));
  for (int y = 0; y < to.height; ++y) std::memcpy(to.row(y), row(y), to.row_bytes());
  flip_columns_ = flip_rows_ = false;
  erased_ = {};
  take_other();
}

Status Canvas::crop(const Region& region, const Padding& padding) {
  if (!decoded_ && is_plain() && is_inside(region)) return decode(region);
  Status status = settle();
  if (!status) return status;
  const bool beyond_window = region.x < 0 || region.y < 0 ||
                             region.x + region.width > width() ||
                             region.y + region.height > height();
  // Padding lies around what an earlier crop left, not around the image.
  const bool whole = width() == buffers_.image.width && height() == buffers_.image.height;
  if (beyond_window && !whole) copy_window();
  window_ = {window_.x + region.x, window_.y + region.y, region.width, region.height};
  padding_ = padding;
  return status;
}

void Canvas::flip_columns() {
  flip_columns_ = !flip_columns_;
  erased_.x = width() - erased_.x - erased_.width;
}

void Canvas::flip_rows() {
  flip_rows_ = !flip_rows_;
  erased_.y = height() - erased_.y - erased_.height;
}

Status Canvas::erase(const Region& region, const Colour& fill) {
  if (!decoded_ || erased_.width > 0) {
    Status status = settle();
    if (!status) return status;
  }
  erased_ = region;
  erased_fill_ = fill;
  return Ok{};
}

Status Canvas::resize(int new_width, int new_height, Filter filter) {
  Status status = settle();
  if (!status || (new_width == width() && new_height == height())) return status;
  detail::resize(buffers_.image, window_, new_width, new_height, filter, buffers_.other,
                 buffers_.resize);
  take_other();
  return status;
}

const uint8_t* Canvas::padded_row(int source_y) {
  const Image& image = buffers_.image;
  const auto channels = static_cast<size_t>(channels_);
  buffers_.padded.resize(static_cast<size_t>(width()) * channels);
  uint8_t* const to = buffers_.padded.data();
  const bool outside = source_y < 0 || source_y >= image.height;
  if (outside && !padding_.reflect) {
    fill_pixels(to, width(), channels_, padding_.fill);
    return to;
  }
  const uint8_t* from = image.row(outside ? mirrored(source_y, image.height) : source_y);
  const int before = std::clamp(-window_.x, 0, width());
  const int end = std::clamp(image.width - window_.x, before, width());
  if (end > before) {
    std::memcpy(to + static_cast<size_t>(before) * channels,
                from + static_cast<size_t>(window_.x + before) * channels,
                static_cast<size_t>(end - before) * channels);
  }
  pad_columns(from, 0, before, to);
  pad_columns(from, end, width(), to);
  return to;
}

void Canvas::pad_columns(const uint8_t* source_row, int begin, int end,
                         uint8_t* to) const {
  const auto channels = static_cast<size_t>(channels_);
  to += static_cast<size_t>(begin) * channels;
  if (!padding_.reflect) {
    fill_pixels(to, end - begin, channels_, padding_.fill);
    return;
  }
  for (int x = begin; x < end; ++x, to += channels) {
    const auto source =
        static_cast<size_t>(mirrored(window_.x + x, buffers_.image.width));
    std::memcpy(to, source_row + source * channels, channels);
  }
}

void Canvas::erase_in(uint8_t* row) const {
  const auto channels = static_cast<size_t>(channels_);
  fill_pixels(row + static_cast<size_t>(erased_.x) * channels, erased_.width, channels_,
              erased_fill_);
}

const uint8_t* Canvas::row(int y) {
  const Image& image = buffers_.image;
  const int source_y = window_.y + (flip_rows_ ? height() - 1 - y : y);
  const bool erased =
      erased_.width > 0 && y >= erased_.y && y < erased_.y + erased_.height;
  const bool inside = source_y >= 0 && source_y < image.height && window_.x >= 0 &&
                      window_.x + window_.width <= image.width;
  const uint8_t* from =
      inside ? image.row(source_y) + static_cast<size_t>(window_.x * channels_)
             : padded_row(source_y);
  if (!flip_columns_ && !erased) return from;
  const auto num_pixels = static_cast<size_t>(width());
  const auto channels = static_cast<size_t>(channels_);
  buffers_.row.resize(num_pixels * channels);
  uint8_t* const to = buffers_.row.data();
  if (flip_columns_) {
    reverse_pixels(from, num_pixels, channels, to);
  } else {
    std::memcpy(to, from, num_pixels * channels);
  }
  if (erased) erase_in(to);
  return to;
}

Status Canvas::write(const Normalization& normalization, Layout layout, float* slot) {
  if (!decoded_) {
    Status status = decode(std::nullopt);
    if (!status) return status;
  }
  const auto num_pixels = static_cast<size_t>(width());
  const auto channels = static_cast<size_t>(channels_);
  const float* mean = normalization.mean.data();
  const float* scale = normalization.scale.data();
  const size_t plane = num_pixels * static_cast<size_t>(height());
  for (int y = 0; y < height(); ++y) {
    const auto at = static_cast<size_t>(y) * num_pixels;
    if (layout == Layout::kNchw && channels == 3) {
      to_float_planes(row(y), num_pixels, mean, scale, plane, slot + at);
    } else {
      to_floats(row(y), num_pixels * channels, mean, scale, slot + at * channels);
    }
  }
  return Ok{};
}

}  // namespace stoker::data::detail
