#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio>
#include <cstring>

// jpeglib.h needs the types of cstdio first.
#include <jerror.h>
#include <jpeglib.h>

#include "stoker/base/strings.h"
#include "stoker/data/codecs/detail/checks.h"
#include "stoker/data/codecs/detail/codec.h"
#include "stoker/data/codecs/detail/orientation.h"
#include "stoker/data/codecs/detail/pixels.h"

namespace stoker::data::detail {
namespace {

using Bytes = std::span<const std::byte>;

/// A progressive file codes a block of 64 pixels in down to one bit, and one bit of its
/// subsampled planes stands for up to 16 times as many.
constexpr int64_t kMaxPixelsPerByte = 8192;
/// Each scan of a progressive file costs a pass over the image, however few bytes it has.
constexpr int kMaxScans = 500;
/// Rows that libjpeg gives at once: as many as one of the coarsest chroma stands for.
constexpr size_t kRowsAtOnce = 4;

/// How libjpeg reports: an error ends the call with a jump, and so do the warnings after
/// which it would go on with made-up pixels.
struct ErrorManager {
  jpeg_error_mgr base;
  jpeg_progress_mgr progress;
  jpeg_source_mgr source;
  std::jmp_buf jump;
  size_t num_bytes;
  std::array<char, JMSG_LENGTH_MAX + 32> message;
};

ErrorManager& errors_of(j_common_ptr codec) {
  return *static_cast<ErrorManager*>(codec->client_data);
}

[[noreturn]] void fail_with_library_reason(j_common_ptr codec) {
  ErrorManager& errors = errors_of(codec);
  std::array<char, JMSG_LENGTH_MAX> text{};
  errors.base.format_message(codec, text.data());
  std::snprintf(errors.message.data(), errors.message.size(), "jpeg: %s", text.data());
  std::longjmp(errors.jump, 1);
}

void on_message(j_common_ptr codec, int level) {
  if (level >= 0) return;
  switch (codec->err->msg_code) {
    case JWRN_EXTRANEOUS_DATA:
    case JWRN_JFIF_MAJOR:
    case JWRN_ADOBE_XFORM:
    case JWRN_BOGUS_ICC:
    case JWRN_BOGUS_PROGRESSION:
    case JWRN_TOO_MUCH_DATA:
      return;  // The pixels are whole.
    default:
      fail_with_library_reason(codec);
  }
}

void on_progress(j_common_ptr codec) {
  const auto* decompress = reinterpret_cast<j_decompress_ptr>(codec);
  if (decompress->input_scan_number <= kMaxScans) return;
  ErrorManager& errors = errors_of(codec);
  std::snprintf(errors.message.data(), errors.message.size(), "jpeg: more than %d scans",
                kMaxScans);
  std::longjmp(errors.jump, 1);
}

void nothing(j_decompress_ptr) {}

boolean on_end_of_bytes(j_decompress_ptr decompress) {
  ErrorManager& errors = errors_of(reinterpret_cast<j_common_ptr>(decompress));
  std::snprintf(errors.message.data(), errors.message.size(), "truncated at byte %zu",
                errors.num_bytes);
  std::longjmp(errors.jump, 1);
}

void skip_bytes(j_decompress_ptr decompress, long count) {
  if (count <= 0) return;
  jpeg_source_mgr& source = *decompress->src;
  if (static_cast<size_t>(count) > source.bytes_in_buffer) on_end_of_bytes(decompress);
  source.next_input_byte += count;
  source.bytes_in_buffer -= static_cast<size_t>(count);
}

class JpegCodec final : public Codec {
 public:
  JpegCodec() {
    errors_.base = {};
    decompress_.err = jpeg_std_error(&errors_.base);
    errors_.base.error_exit = fail_with_library_reason;
    errors_.base.emit_message = on_message;
    decompress_.client_data = &errors_;
    if (setjmp(errors_.jump) != 0) {  // NOLINT: the way libjpeg reports
      throw Error(ErrorCode::kData, cat("[codecs] libjpeg: ", errors_.message.data()));
    }
    jpeg_create_decompress(&decompress_);
    errors_.source = {};
    errors_.source.init_source = nothing;
    errors_.source.fill_input_buffer = on_end_of_bytes;
    errors_.source.skip_input_data = skip_bytes;
    errors_.source.resync_to_restart = jpeg_resync_to_restart;
    errors_.source.term_source = nothing;
    decompress_.src = &errors_.source;
    errors_.progress = {};
    errors_.progress.progress_monitor = on_progress;
    decompress_.progress = &errors_.progress;
  }
  ~JpegCodec() override { jpeg_destroy_decompress(&decompress_); }
  JpegCodec(const JpegCodec&) = delete;
  JpegCodec& operator=(const JpegCodec&) = delete;

  Result<ImageInfo> header(Bytes bytes) override;
  int orientation(Bytes bytes) override;
  Status decode(Bytes bytes, int channels, Image& out,
                const std::optional<Region>& region) override;

 private:
  /// Runs calls of libjpeg; its errors become a failure. `calls` must hold no object with
  /// a destructor, for an error jumps over it.
  template <typename Calls>
  Status guarded(const Calls& calls) {
    if (setjmp(errors_.jump) != 0) {  // NOLINT: the way libjpeg reports
      return Failure{errors_.message.data()};
    }
    calls();
    return Ok{};
  }

  Status read_header(Bytes bytes);
  Status choose_colours(int channels);
  void place_rows(int image_width);
  void read_region(const Region& region, Image& out);
  void read_rows(int dropped_rows, int dropped_pixels, Image& out);
  void convert(uint8_t* row, size_t num_pixels, uint8_t* to) const;

  jpeg_decompress_struct decompress_{};
  ErrorManager errors_;
  std::vector<uint8_t> memory_;
  std::array<JSAMPROW, kRowsAtOnce> rows_{};  ///< In `memory_`.
  int channels_ = 0;
};

Status JpegCodec::read_header(Bytes bytes) {
  jpeg_abort_decompress(&decompress_);
  errors_.num_bytes = bytes.size();
  errors_.source.next_input_byte = reinterpret_cast<const JOCTET*>(bytes.data());
  errors_.source.bytes_in_buffer = bytes.size();
  Status status = guarded([this] { jpeg_read_header(&decompress_, TRUE); });
  if (!status) return status;
  return check_size(decompress_.image_width, decompress_.image_height, bytes.size(),
                    kMaxPixelsPerByte);
}

Result<ImageInfo> JpegCodec::header(Bytes bytes) {
  const Status status = read_header(bytes);
  if (!status) return Failure{status.reason()};
  ImageInfo info;
  info.width = static_cast<int>(decompress_.image_width);
  info.height = static_cast<int>(decompress_.image_height);
  return info;
}

int JpegCodec::orientation(Bytes bytes) {
  constexpr uint32_t kStartOfScan = 0xDA;
  constexpr uint32_t kApp1 = 0xE1;
  constexpr size_t kExifBytes = 6;
  for (size_t at = 2; at + 4 <= bytes.size();) {
    const uint32_t marker = big_endian(bytes, at, 2);
    if (marker == 0xFFFF) {
      ++at;
      continue;
    }
    if (marker < 0xFF00 || (marker & 0xFF) == kStartOfScan) return 1;
    const size_t length = big_endian(bytes, at + 2, 2);
    const Bytes segment = bytes.subspan(
        at + 4, std::min(length - std::min<size_t>(length, 2), bytes.size() - at - 4));
    if ((marker & 0xFF) == kApp1 && segment.size() > kExifBytes &&
        std::memcmp(segment.data(), "Exif\0\0", kExifBytes) == 0) {
      return tiff_orientation(segment.subspan(kExifBytes));
    }
    at += 2 + length;
  }
  return 1;
}

/// Grey to 1 or 3 channels and colour to 3 are libjpeg's work, the rest is `convert`'s.
Status JpegCodec::choose_colours(int channels) {
  channels_ = channels;
  switch (decompress_.num_components) {
    case 1:
      decompress_.out_color_space = channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
      return Ok{};
    case 3:
      decompress_.out_color_space = JCS_RGB;
      return Ok{};
    case 4:
      decompress_.out_color_space = JCS_CMYK;
      return Ok{};
    default:
      return Failure{cat("jpeg: ", decompress_.num_components, " colour components")};
  }
}

void JpegCodec::convert(uint8_t* row, size_t num_pixels, uint8_t* to) const {
  int components = decompress_.output_components;
  if (components == 4) {
    inverted_cmyk_to_rgb(row, num_pixels, row);
    components = 3;
  }
  if (components == 3 && channels_ == 1) {
    rgb_to_grey(row, num_pixels, to);
  } else {
    std::memcpy(to, row, num_pixels * static_cast<size_t>(channels_));
  }
}

/// libjpeg-turbo writes rows that begin at a multiple of 16 or 32 bytes past the caches,
/// to memory: a third slower for small images, whose pixels are read again at once. So
/// rows begin 8 bytes after.
void JpegCodec::place_rows(int image_width) {
  constexpr size_t kAlignment = 32;
  constexpr size_t kMaxComponents = 4;
  const size_t row_bytes = static_cast<size_t>(image_width) * kMaxComponents;
  const size_t stride = (row_bytes + kAlignment) / kAlignment * kAlignment;
  memory_.resize(stride * kRowsAtOnce + 2 * kAlignment);
  const size_t beyond = reinterpret_cast<uintptr_t>(memory_.data()) % kAlignment;
  uint8_t* first = memory_.data() + kAlignment - beyond + 8;
  for (size_t i = 0; i < kRowsAtOnce; ++i) rows_[i] = first + i * stride;
}

void JpegCodec::read_rows(int dropped_rows, int dropped_pixels, Image& out) {
  const auto num_pixels = static_cast<size_t>(out.width);
  for (int y = -dropped_rows; y < out.height;) {
    const auto most = static_cast<JDIMENSION>(
        std::min<int>(static_cast<int>(kRowsAtOnce), out.height - y));
    const auto count =
        static_cast<int>(jpeg_read_scanlines(&decompress_, rows_.data(), most));
    for (int i = std::max(-y, 0); i < count; ++i) {
      uint8_t* row = rows_[static_cast<size_t>(i)];
      convert(row + dropped_pixels * decompress_.output_components, num_pixels,
              out.row(y + i));
    }
    y += count;
  }
}

/// The smooth upsampling of chroma looks at its neighbours, so a margin around the region
/// is decoded too: without it the outermost pixels differ from those of the whole image.
void JpegCodec::read_region(const Region& region, Image& out) {
  constexpr int kMargin = 2;
  const int margin_x = kMargin * decompress_.max_h_samp_factor;
  const int margin_y = kMargin * decompress_.max_v_samp_factor;
  const int left = std::max(region.x - margin_x, 0);
  const int right = std::min(region.x + region.width + margin_x,
                             static_cast<int>(decompress_.output_width));
  auto first = static_cast<JDIMENSION>(left);
  auto width = static_cast<JDIMENSION>(right - left);
  jpeg_crop_scanline(&decompress_, &first, &width);
  const int top = std::max(region.y - margin_y, 0);
  if (top > 0) jpeg_skip_scanlines(&decompress_, static_cast<JDIMENSION>(top));
  read_rows(region.y - top, region.x - static_cast<int>(first), out);
}

Status JpegCodec::decode(Bytes bytes, int channels, Image& out,
                         const std::optional<Region>& region) {
  Status status = read_header(bytes);
  if (status.ok()) status = choose_colours(channels);
  const auto image_width = static_cast<int>(decompress_.image_width);
  const auto image_height = static_cast<int>(decompress_.image_height);
  const Region wanted = region.value_or(Region{0, 0, image_width, image_height});
  if (status.ok()) status = check_region(wanted, image_width, image_height);
  if (!status) return status;
  const bool whole = wanted.width == image_width && wanted.height == image_height;
  place_rows(image_width);
  shape(out, wanted.width, wanted.height, channels);
  return guarded([&] {
    jpeg_start_decompress(&decompress_);
    if (whole) {
      read_rows(0, 0, out);
      jpeg_finish_decompress(&decompress_);
    } else {
      read_region(wanted, out);
    }
  });
}

}  // namespace

std::unique_ptr<Codec> make_jpeg_codec() { return std::make_unique<JpegCodec>(); }

}  // namespace stoker::data::detail
