#include <algorithm>
#include <charconv>

#include "stoker/base/strings.h"
#include "stoker/data/formats/detail/members.h"

namespace stoker::data::detail {

namespace {
constexpr int64_t kMostClasses = 10'000'000;

struct Part {
  std::string_view key;
  std::string_view field;
  size_t entry = 0;
};

bool is_image_field(std::string_view field) {
  const std::string text = lower(field);
  return text == "jpg" || text == "jpeg" || text == "png";
}

[[noreturn]] void fail(const std::string& archive, std::string_view member,
                       const std::string& wanted, const std::string& got) {
  throw Error(ErrorCode::kData, cat("[data] ", archive, "::", member, ": expected ",
                                    wanted, ", got ", got));
}

int64_t parse_label(std::string_view text, const std::string& archive,
                    std::string_view member, int64_t num_classes) {
  const std::string_view digits = trim(text.substr(0, 64));
  int64_t label = -1;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), label);
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  if (!whole || label < 0 || label >= num_classes)
    fail(archive, member, cat("a class number from 0 to ", num_classes - 1),
         cat("'", digits, "'"));
  return label;
}

/// The image of one key, with its label looked up.
size_t pair(std::span<const Part> group, Members& members,
            std::span<const std::byte> bytes, const std::string& archive,
            int64_t num_classes) {
  std::vector<const Part*> images;
  std::vector<const Part*> labels;
  std::vector<std::string> fields;
  for (const Part& part : group) {
    fields.emplace_back(part.field);
    if (is_image_field(part.field)) images.push_back(&part);
    if (lower(part.field) == "cls") labels.push_back(&part);
  }
  if (images.size() != 1 || labels.size() != 1) {
    fail(archive, members.name(members.entries[group[0].entry]),
         "one image (jpg, jpeg or png) and one cls for its key",
         cat("the fields ", join(fields, ", "), " of key '", group[0].key, "'"));
  }
  const Members::Entry& label = members.entries[labels[0]->entry];
  const auto content = bytes.subspan(label.offset, label.size);
  members.entries[images[0]->entry].label = static_cast<int32_t>(
      parse_label({reinterpret_cast<const char*>(content.data()), content.size()},
                  archive, members.name(label), num_classes));
  return images[0]->entry;
}

std::vector<Part> sorted_parts(const Members& members, SourceDescription& about) {
  std::vector<Part> parts;
  int64_t nameless = 0;
  for (size_t i = 0; i < members.entries.size(); ++i) {
    const auto [key, field] = split_key(members.name(members.entries[i]));
    if (field.empty()) {
      ++nameless;
    } else {
      parts.push_back({key, field, i});
    }
  }
  if (nameless > 0)
    about.notes.push_back(cat(nameless, " members without a field (a dot) left out"));
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& a, const Part& b) { return a.key < b.key; });
  return parts;
}
}  // namespace

KeyAndField split_key(std::string_view name) {
  const size_t slash = name.rfind('/');
  const size_t base = slash == std::string_view::npos ? 0 : slash + 1;
  const size_t dot = name.find('.', base);
  if (dot == std::string_view::npos || dot == base) return {};
  return {name.substr(0, dot), name.substr(dot + 1)};
}

void label_by_pairs(Members& members, std::span<const std::byte> bytes,
                    const std::string& archive, const OpenOptions& options,
                    SourceDescription& about) {
  const std::vector<Part> parts = sorted_parts(members, about);
  const int64_t bound = options.classes.empty()
                            ? kMostClasses
                            : static_cast<int64_t>(options.classes.size());
  std::vector<Members::Entry> images;
  for (size_t begin = 0; begin < parts.size();) {
    size_t end = begin + 1;
    while (end < parts.size() && parts[end].key == parts[begin].key) ++end;
    const std::span<const Part> group(parts.data() + begin, end - begin);
    images.push_back(members.entries[pair(group, members, bytes, archive, bound)]);
    begin = end;
  }
  std::sort(images.begin(), images.end(),
            [](const auto& a, const auto& b) { return a.offset < b.offset; });
  members.entries = std::move(images);

  about.classes = options.classes;
  if (about.classes.empty()) {
    int32_t last = -1;
    for (const auto& entry : members.entries) last = std::max(last, entry.label);
    for (int32_t label = 0; label <= last; ++label)
      about.classes.push_back(std::to_string(label));
  }
  about.class_counts.assign(about.classes.size(), 0);
  for (const auto& entry : members.entries)
    ++about.class_counts[static_cast<size_t>(entry.label)];
}

}  // namespace stoker::data::detail
