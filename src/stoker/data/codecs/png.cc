#include <png.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <new>
#include <vector>

#include "stoker/base/strings.h"
#include "stoker/data/codecs/detail/checks.h"
#include "stoker/data/codecs/detail/codec.h"
#include "stoker/data/codecs/detail/orientation.h"
#include "stoker/data/codecs/detail/pixels.h"

namespace stoker::data::detail {
namespace {

using Bytes = std::span<const std::byte>;

/// Deflate packs at most 1032 bytes into one, and a byte holds up to 8 pixels.
constexpr int64_t kMaxPixelsPerByte = 8 * 1032;
constexpr size_t kSignatureBytes = 8;

/// One reading of one file: libpng's structures cannot be used again for another.
class PngReader {
 public:
  explicit PngReader(Bytes bytes) : bytes_(bytes) {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, on_error, on_warning);
    if (png_ != nullptr) info_ = png_create_info_struct(png_);
    if (info_ == nullptr) throw std::bad_alloc();
  }
  ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;

  Status read_header();
  /// Asks libpng for 8 bits and for 1 or 3 channels; colour stays colour.
  Status prepare(int channels);
  /// Rows 0 .. `end` - 1, each into `row_for(y)`, then `done(y)`.
  template <typename RowFor, typename Done>
  Status read_rows(int end, bool to_the_end, const RowFor& row_for, const Done& done);
  Status read_interlaced(Image& out);

  int width() const { return static_cast<int>(png_get_image_width(png_, info_)); }
  int height() const { return static_cast<int>(png_get_image_height(png_, info_)); }
  int channels() const { return png_get_channels(png_, info_); }
  bool interlaced() const { return num_passes_ > 1; }

 private:
  template <typename Calls>
  Status guarded(const Calls& calls) {
    if (setjmp(jump_) != 0) return Failure{message_.data()};  // NOLINT: libpng's way
    calls();
    return Ok{};
  }
  [[noreturn]] static void on_error(png_structp png, png_const_charp text) {
    auto& reader = *static_cast<PngReader*>(png_get_error_ptr(png));
    if (reader.message_[0] == 0) {
      std::snprintf(reader.message_.data(), reader.message_.size(), "png: %s", text);
    }
    std::longjmp(reader.jump_, 1);
  }
  static void on_warning(png_structp, png_const_charp) {}
  static void read(png_structp png, png_bytep to, size_t count);

  Bytes bytes_;
  size_t position_ = 0;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  int num_passes_ = 1;
  std::jmp_buf jump_{};
  std::array<char, 256> message_{};
};

void PngReader::read(png_structp png, png_bytep to, size_t count) {
  auto& reader = *static_cast<PngReader*>(png_get_io_ptr(png));
  if (count > reader.bytes_.size() - reader.position_) {
    std::snprintf(reader.message_.data(), reader.message_.size(), "truncated at byte %zu",
                  reader.bytes_.size());
    png_error(png, "truncated");
  }
  std::memcpy(to, reader.bytes_.data() + reader.position_, count);
  reader.position_ += count;
}

Status PngReader::read_header() {
  Status status = guarded([this] {
    png_set_read_fn(png_, this, read);
    // Colour profiles, texts and times change no pixel here, and compressed ones cost
    // memory.
    png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
    png_read_info(png_, info_);
  });
  if (!status) return status;
  return check_size(width(), height(), bytes_.size(), kMaxPixelsPerByte);
}

Status PngReader::prepare(int channels) {
  return guarded([this, channels] {
    const int colour = png_get_color_type(png_, info_);
    if (colour == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png_);
    if (colour == PNG_COLOR_TYPE_GRAY) png_set_expand_gray_1_2_4_to_8(png_);
    if ((colour & PNG_COLOR_MASK_COLOR) == 0 && channels == 3) png_set_gray_to_rgb(png_);
    png_set_scale_16(png_);
    png_set_strip_alpha(png_);
    num_passes_ = png_set_interlace_handling(png_);
    png_read_update_info(png_, info_);
  });
}

template <typename RowFor, typename Done>
Status PngReader::read_rows(int end, bool to_the_end, const RowFor& row_for,
                            const Done& done) {
  return guarded([&] {
    for (int y = 0; y < end; ++y) {
      png_read_row(png_, row_for(y), nullptr);
      done(y);
    }
    if (to_the_end) png_read_end(png_, nullptr);
  });
}

Status PngReader::read_interlaced(Image& out) {
  return guarded([&] {
    for (int pass = 0; pass < num_passes_; ++pass) {
      for (int y = 0; y < out.height; ++y) png_read_row(png_, out.row(y), nullptr);
    }
    png_read_end(png_, nullptr);
  });
}

class PngCodec final : public Codec {
 public:
  Result<ImageInfo> header(Bytes bytes) override;
  int orientation(Bytes bytes) override;
  Status decode(Bytes bytes, int channels, Image& out,
                const std::optional<Region>& region) override;

 private:
  Status decode_rows(PngReader& reader, int channels, const Region& region, Image& out);
  Status decode_interlaced(PngReader& reader, const Region& region, Image& out);

  std::vector<uint8_t> row_;
  Image whole_;
};

/// Pixels of a decoded row to their place: cut out, and made grey where colour was read.
void copy_row(const uint8_t* row, int row_channels, const Region& region, Image& out,
              int y) {
  const uint8_t* from =
      row + static_cast<size_t>(region.x) * static_cast<size_t>(row_channels);
  if (row_channels == out.channels) {
    std::memcpy(out.row(y), from, out.row_bytes());
  } else {
    rgb_to_grey(from, static_cast<size_t>(out.width), out.row(y));
  }
}

Result<ImageInfo> PngCodec::header(Bytes bytes) {
  PngReader reader(bytes);
  const Status status = reader.read_header();
  if (!status) return Failure{status.reason()};
  ImageInfo info;
  info.width = reader.width();
  info.height = reader.height();
  return info;
}

int PngCodec::orientation(Bytes bytes) {
  constexpr size_t kChunkBytes = 12;  // Length, type and CRC around the content.
  for (size_t at = kSignatureBytes; at + kChunkBytes <= bytes.size();) {
    const size_t length = big_endian(bytes, at, 4);
    if (length > bytes.size() - at - kChunkBytes) return 1;
    if (std::memcmp(bytes.data() + at + 4, "eXIf", 4) == 0) {
      return tiff_orientation(bytes.subspan(at + 8, length));
    }
    at += kChunkBytes + length;
  }
  return 1;
}

Status PngCodec::decode_rows(PngReader& reader, int channels, const Region& region,
                             Image& out) {
  const int row_channels = reader.channels();
  const bool direct = row_channels == channels && region.width == reader.width();
  row_.resize(static_cast<size_t>(reader.width()) * static_cast<size_t>(row_channels));
  const int end = region.y + region.height;
  return reader.read_rows(
      end, end == reader.height(),
      [&](int y) {
        return direct && y >= region.y ? out.row(y - region.y) : row_.data();
      },
      [&](int y) {
        if (direct || y < region.y) return;
        copy_row(row_.data(), row_channels, region, out, y - region.y);
      });
}

Status PngCodec::decode_interlaced(PngReader& reader, const Region& region, Image& out) {
  shape(whole_, reader.width(), reader.height(), reader.channels());
  Status status = reader.read_interlaced(whole_);
  if (!status) return status;
  for (int y = 0; y < region.height; ++y) {
    copy_row(whole_.row(region.y + y), whole_.channels, region, out, y);
  }
  return status;
}

Status PngCodec::decode(Bytes bytes, int channels, Image& out,
                        const std::optional<Region>& region) {
  PngReader reader(bytes);
  Status status = reader.read_header();
  if (!status) return status;
  const Region wanted = region.value_or(Region{0, 0, reader.width(), reader.height()});
  status = check_region(wanted, reader.width(), reader.height());
  if (status.ok()) status = reader.prepare(channels);
  if (!status) return status;
  shape(out, wanted.width, wanted.height, channels);
  if (reader.interlaced()) return decode_interlaced(reader, wanted, out);
  return decode_rows(reader, channels, wanted, out);
}

}  // namespace

std::unique_ptr<Codec> make_png_codec() { return std::make_unique<PngCodec>(); }

}  // namespace stoker::data::detail
