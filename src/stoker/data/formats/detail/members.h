#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "stoker/data/formats/record_source.h"

namespace stoker::data::detail {

/// What an archive holds, names one after the other in one arena.
struct Members {
  struct Entry {
    uint64_t offset = 0;  ///< Of the content in the archive.
    uint64_t size = 0;
    uint64_t name_at = 0;
    uint32_t name_size = 0;
    int32_t label = 0;
  };
  std::string names;
  std::vector<Entry> entries;
  std::vector<std::string> folders;  ///< That have an entry of their own.

  std::string_view name(const Entry& entry) const {
    return std::string_view(names).substr(entry.name_at, entry.name_size);
  }
};

/// Takes the first folder below the common prefix as the class of each member; sorts the
/// entries by (label, name) and drops those outside of class folders. `folder` is the
/// part after "::", or empty. Fills classes, class_counts and notes of `about`.
void label_by_folder(Members& members, const std::string& archive,
                     const std::string& folder, const OpenOptions& options,
                     SourceDescription& about);

/// Key and field of a member, as the WebDataset library splits them: at the first dot of
/// the base name. Both empty when the base name has no dot or only a leading one.
struct KeyAndField {
  std::string_view key;
  std::string_view field;
};
KeyAndField split_key(std::string_view name);

/// Pairs images with the integer in the .cls member of the same key, wherever the two
/// stand in the archive; keeps only the images, in the order of the archive. Throws
/// Error(kData) with archive, member and the fields found for a key without its pair.
void label_by_pairs(Members& members, std::span<const std::byte> bytes,
                    const std::string& archive, const OpenOptions& options,
                    SourceDescription& about);

}  // namespace stoker::data::detail
