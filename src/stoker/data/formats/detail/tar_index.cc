#include "stoker/data/formats/detail/tar_index.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>

#include "stoker/base/error.h"
#include "stoker/base/strings.h"

namespace stoker::data::detail {

namespace {
constexpr uint64_t kBlock = 512;
constexpr uint64_t kLongestName = 1 << 20;
constexpr size_t kChecksumAt = 148;
constexpr size_t kTrailerSearched = 1 << 16;

std::string_view text_field(const char* field, size_t size) {
  return {field, strnlen(field, size)};
}

/// Octal digits, or with the top bit set a big-endian number (GNU base-256).
std::optional<uint64_t> number_field(const char* field, size_t size) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(field);
  if ((bytes[0] & 0x80) != 0) {
    uint64_t value = bytes[0] & 0x7f;
    for (size_t i = 1; i < size; ++i) {
      if (value >> 55 != 0) return std::nullopt;
      value = value << 8 | bytes[i];
    }
    return value;
  }
  const std::string_view digits = trim(text_field(field, size));
  uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, 8);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

bool is_zero(const char* block) {
  return std::all_of(block, block + kBlock, [](char c) { return c == 0; });
}

bool checksum_is_right(const char* block) {
  const auto stored = number_field(block + kChecksumAt, 8);
  if (!stored) return false;
  int64_t as_unsigned = 0;
  int64_t as_signed = 0;  // Some old programs added signed bytes.
  for (size_t i = 0; i < kBlock; ++i) {
    const bool inside = i >= kChecksumAt && i < kChecksumAt + 8;
    const char c = inside ? ' ' : block[i];
    as_unsigned += static_cast<unsigned char>(c);
    as_signed += static_cast<signed char>(c);
  }
  const auto wanted = static_cast<int64_t>(*stored);
  return wanted == as_unsigned || wanted == as_signed;
}

class Walk {
 public:
  Walk(std::span<const std::byte> bytes, const std::string& archive,
       const std::function<void(const TarMember&)>& visit)
      : base_(reinterpret_cast<const char*>(bytes.data())),
        total_(bytes.size()),
        archive_(archive),
        visit_(visit) {}

  std::vector<std::string> run() {
    while (at_ < total_) {
      if (total_ - at_ < kBlock) fail(cat("a header of 512 bytes"), total_ - at_);
      if (is_zero(base_ + at_)) {
        look_behind_the_end();
        return notes();
      }
      entry();
    }
    no_end_mark_ = true;
    return notes();
  }

 private:
  [[noreturn]] void fail(const std::string& wanted, uint64_t got) const {
    throw Error(ErrorCode::kData,
                cat("[data] ", archive_, place(), " at byte ", at_, ": expected ", wanted,
                    ", got ", got, " bytes (the archive is cut short)"));
  }
  [[noreturn]] void damaged(std::string_view what) const {
    throw Error(ErrorCode::kData,
                cat("[data] ", archive_, place(), " at byte ", at_,
                    ": expected a tar header, got ", what, " (the archive is damaged)"));
  }
  std::string place() const {
    if (!member_.empty()) return cat("::", member_);
    return last_.empty() ? "" : cat(", after member ", last_);
  }

  std::string header_name(const char* header) const {
    std::string name(text_field(header, 100));
    const std::string_view prefix = text_field(header + 345, 155);
    // GNU headers ("ustar  ") keep times where POSIX has the prefix.
    if (std::memcmp(header + 257, "ustar\0", 6) == 0 && !prefix.empty())
      name = cat(prefix, "/", name);
    return name;
  }

  void entry() {
    const char* header = base_ + at_;
    member_.clear();
    if (!checksum_is_right(header)) damaged("a wrong checksum");
    auto size = number_field(header + 124, 12);
    const char type = header[156];
    const bool describes_next = type == 'L' || type == 'K' || type == 'x' || type == 'g';
    if (!describes_next) {
      member_ = name_.value_or(header_name(header));
      if (size_) size = size_;
    }
    if (!size) damaged("a size that is not a number");
    if ((type >= '1' && type <= '6') && !size_) size = 0;
    const uint64_t content = at_ + kBlock;
    if (*size > total_ - content) fail(cat(*size, " bytes of content"), total_ - content);
    if (describes_next) {
      extended(type, {base_ + content, *size});
    } else {
      emit(type, content, *size);
      name_.reset();
      size_.reset();
      std::swap(last_, member_);
    }
    const uint64_t padded = (*size + kBlock - 1) / kBlock * kBlock;
    at_ = std::min<uint64_t>(total_, content + padded);
  }

  void emit(char type, uint64_t content, uint64_t size) {
    std::string_view name = member_;
    // As tar does, which takes absolute names as relative ones.
    while (name.starts_with("./") || name.starts_with("/")) {
      name.remove_prefix(name.find('/') + 1);
    }
    const bool slash = name.ends_with('/');
    while (name.ends_with('/')) name.remove_suffix(1);
    if (type == 'S') damaged("a sparse file, which cannot be read");
    const bool is_file = type == '0' || type == 0 || type == '7';
    const bool is_folder = type == '5' || (is_file && slash);
    if (!is_file && !is_folder) {
      ++num_special_;
    } else if (!name.empty() && name != ".") {
      visit_({name, content, size, is_folder});
    }
  }

  void extended(char type, std::string_view content) {
    if (type == 'K' || type == 'g') return;
    if (content.size() > kLongestName) damaged("an extended header above 1 MiB");
    if (type == 'L') {
      name_ = std::string(text_field(content.data(), content.size()));
    } else {
      pax(content);
    }
  }

  /// Lines "length key=value\n", the length counting the whole line.
  void pax(std::string_view rest) {
    while (!rest.empty() && rest[0] != 0) {
      size_t length = 0;
      const auto [end, error] =
          std::from_chars(rest.data(), rest.data() + rest.size(), length);
      const auto digits = static_cast<size_t>(end - rest.data());
      if (error != std::errc() || length > rest.size() || length < digits + 2)
        damaged("a broken pax header");
      const std::string_view line = rest.substr(digits + 1, length - digits - 2);
      const size_t equals = line.find('=');
      if (equals == std::string_view::npos) damaged("a broken pax header");
      const std::string_view key = line.substr(0, equals);
      const std::string_view value = line.substr(equals + 1);
      if (key == "path") name_ = std::string(value);
      if (key.starts_with("GNU.sparse.")) damaged("a sparse file, which cannot be read");
      if (key == "size") {
        uint64_t size = 0;
        const auto parsed =
            std::from_chars(value.data(), value.data() + value.size(), size);
        if (parsed.ec != std::errc()) damaged("a pax size that is not a number");
        size_ = size;
      }
      rest.remove_prefix(length);
    }
  }

  void look_behind_the_end() {
    const uint64_t searched = std::min<uint64_t>(total_, at_ + kTrailerSearched);
    more_behind_ = std::any_of(base_ + at_, base_ + searched, [](char c) { return c; });
  }

  std::vector<std::string> notes() const {
    std::vector<std::string> lines;
    if (num_special_ > 0)
      lines.push_back(cat(num_special_, " links or devices left out"));
    if (no_end_mark_)
      lines.push_back(
          cat("no end mark at byte ", total_, ": the archive may be cut short"));
    if (more_behind_)
      lines.push_back(cat("data after the end mark at byte ", at_, " left out"));
    return lines;
  }

  const char* base_;
  const uint64_t total_;
  const std::string& archive_;
  const std::function<void(const TarMember&)>& visit_;
  uint64_t at_ = 0;
  std::string member_;
  std::string last_;
  std::optional<std::string> name_;  // From an extended header, for the next member.
  std::optional<uint64_t> size_;
  int64_t num_special_ = 0;
  bool no_end_mark_ = false;
  bool more_behind_ = false;
};
}  // namespace

bool is_tar_header(std::span<const std::byte> bytes) {
  return bytes.size() >= kBlock &&
         checksum_is_right(reinterpret_cast<const char*>(bytes.data()));
}

std::vector<std::string> walk_tar(std::span<const std::byte> bytes,
                                  const std::string& archive,
                                  const std::function<void(const TarMember&)>& visit) {
  return Walk(bytes, archive, visit).run();
}

}  // namespace stoker::data::detail
