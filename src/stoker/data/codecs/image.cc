#include "stoker/data/codecs/image.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "stoker/base/strings.h"
#include "stoker/data/codecs/detail/checks.h"
#include "stoker/data/codecs/detail/codec.h"
#include "stoker/data/codecs/detail/orientation.h"

namespace stoker::data {
namespace {

using namespace std::string_view_literals;
using Bytes = std::span<const std::byte>;

struct CodecEntry {
  const char* name;
  std::string_view signature;  ///< First bytes of every file of the format.
  std::unique_ptr<detail::Codec> (*make)();
};

/// One line a codec.
constexpr std::array kCodecs = {
    CodecEntry{"jpeg", "\xFF\xD8\xFF"sv, detail::make_jpeg_codec},
    CodecEntry{"png", "\x89PNG\r\n\x1A\n"sv, detail::make_png_codec},
};

/// A file that ends within its signature counts as truncated, not as something else.
bool starts_with(Bytes bytes, std::string_view signature) {
  const size_t count = std::min(bytes.size(), signature.size());
  return std::equal(signature.begin(), signature.begin() + static_cast<ptrdiff_t>(count),
                    bytes.begin(), [](char expected, std::byte got) {
                      return static_cast<std::byte>(expected) == got;
                    });
}

std::string not_an_image(Bytes bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const std::byte byte : bytes.first(std::min<size_t>(bytes.size(), 5))) {
    const auto value = std::to_integer<size_t>(byte);
    text += cat(" ", kDigits[value / 16], kDigits[value % 16]);
  }
  return cat("not an image (starts with", text, ")");
}

}  // namespace

struct ImageDecoder::State {
  std::array<std::unique_ptr<detail::Codec>, kCodecs.size()> codecs;
  Image stored;  ///< Before it is turned upright.

  /// Index of the format of `bytes`, its codec made when first needed.
  Result<size_t> find(Bytes bytes) {
    if (bytes.empty()) return Failure{"empty"};
    for (size_t i = 0; i < kCodecs.size(); ++i) {
      if (!starts_with(bytes, kCodecs[i].signature)) continue;
      if (!codecs[i]) codecs[i] = kCodecs[i].make();
      return i;
    }
    return Failure{not_an_image(bytes)};
  }

  Status decode_turned(detail::Codec& codec, Bytes bytes, int channels, Image& out,
                       std::optional<Region> region, int orientation) {
    if (region) {
      const auto info = codec.header(bytes);
      if (!info) return Failure{info.reason()};
      region = detail::stored_region(*region, orientation, info->width, info->height);
    }
    Status status = codec.decode(bytes, channels, stored, region);
    if (status.ok()) detail::make_upright(stored, orientation, out);
    return status;
  }
};

ImageDecoder::ImageDecoder() : state_(std::make_unique<State>()) {}
ImageDecoder::~ImageDecoder() = default;
ImageDecoder::ImageDecoder(ImageDecoder&&) noexcept = default;
ImageDecoder& ImageDecoder::operator=(ImageDecoder&&) noexcept = default;

Result<ImageInfo> ImageDecoder::probe(Bytes bytes) {
  const auto index = state_->find(bytes);
  if (!index) return Failure{index.reason()};
  detail::Codec& codec = *state_->codecs.at(*index);
  auto info = codec.header(bytes);
  if (!info) return info;
  info->format = kCodecs.at(*index).name;
  info->orientation = codec.orientation(bytes);
  if (detail::swaps_axes(info->orientation)) std::swap(info->width, info->height);
  return info;
}

Status ImageDecoder::decode(Bytes bytes, int channels, Image& out,
                            const std::optional<Region>& region) {
  const auto index = state_->find(bytes);
  if (!index) return Failure{index.reason()};
  detail::Codec& codec = *state_->codecs.at(*index);
  const int orientation = codec.orientation(bytes);
  if (orientation == 1) return codec.decode(bytes, channels, out, region);
  return state_->decode_turned(codec, bytes, channels, out, region, orientation);
}

std::vector<std::string> list_codecs() {
  std::vector<std::string> names;
  for (const CodecEntry& codec : kCodecs) names.emplace_back(codec.name);
  return names;
}

}  // namespace stoker::data
