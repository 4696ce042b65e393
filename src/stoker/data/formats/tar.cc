#include "stoker/data/formats/tar.h"

#include <algorithm>
#include <filesystem>

#include "stoker/base/files.h"
#include "stoker/base/strings.h"
#include "stoker/data/formats/detail/labels.h"
#include "stoker/data/formats/detail/members.h"
#include "stoker/data/formats/detail/tar_index.h"

namespace stoker::data {

namespace {
constexpr int64_t kProgressEvery = 50'000;

class TarSource : public RecordSource {
 public:
  TarSource(const std::string& path, const OpenOptions& options) {
    const auto [archive, folder] = split_archive_path(path);
    archive_ = archive;
    map_ = MappedFile(archive_);
    about_.format = "tar";
    about_.path = path;
    collect(options);
    const bool paired = std::any_of(
        members_.entries.begin(), members_.entries.end(), [&](const auto& entry) {
          return lower(detail::split_key(members_.name(entry)).field) == "cls";
        });
    if (paired) {
      keep_inside(folder);
      detail::label_by_pairs(members_, map_.bytes(), archive_, options, about_);
    } else {
      detail::label_by_folder(members_, archive_, folder, options, about_);
    }
    members_.entries.shrink_to_fit();
    members_.folders = {};
    about_.num_records = static_cast<int64_t>(members_.entries.size());
    for (const auto& entry : members_.entries)
      about_.total_bytes += static_cast<int64_t>(entry.size);
  }

  const SourceDescription& describe() const override { return about_; }

  Result<Record> read(int64_t index, RecordBuffer& /*buffer*/) const override {
    const auto& entry = members_.entries[static_cast<size_t>(index)];
    return Record{map_.bytes().subspan(entry.offset, entry.size), entry.label};
  }

  std::string name(int64_t index) const override {
    return cat(archive_,
               "::", members_.name(members_.entries[static_cast<size_t>(index)]));
  }

 private:
  void collect(const OpenOptions& options) {
    int64_t hidden = 0;
    int64_t seen = 0;
    about_.notes =
        detail::walk_tar(map_.bytes(), archive_, [&](const detail::TarMember& member) {
          if (++seen % kProgressEvery == 0 && options.on_progress)
            options.on_progress(seen);
          if (detail::is_hidden_path(member.name)) {
            ++hidden;
          } else if (member.is_folder) {
            members_.folders.emplace_back(member.name);
          } else {
            members_.entries.push_back({member.offset, member.size, members_.names.size(),
                                        static_cast<uint32_t>(member.name.size()), 0});
            members_.names += member.name;
          }
        });
    if (hidden > 0) about_.notes.push_back(cat(hidden, " hidden entries left out"));
    members_.names.shrink_to_fit();
  }

  void keep_inside(const std::string& folder) {
    if (folder.empty()) return;
    std::erase_if(members_.entries, [&](const auto& entry) {
      return !members_.name(entry).starts_with(folder + "/");
    });
    if (!members_.entries.empty()) return;
    throw Error(ErrorCode::kInvalid, cat("[data] ", archive_, ": expected members in '",
                                         folder, "', got none"));
  }

  std::string archive_;
  MappedFile map_;
  SourceDescription about_;
  detail::Members members_;
};
}  // namespace

ArchivePath split_archive_path(const std::string& path) {
  const size_t mark = path.rfind("::");
  if (mark == std::string::npos || std::filesystem::exists(path)) return {path, ""};
  std::string folder = path.substr(mark + 2);
  while (folder.ends_with('/')) folder.pop_back();
  return {path.substr(0, mark), folder};
}

std::unique_ptr<RecordSource> open_tar(const std::string& path,
                                       const OpenOptions& options) {
  return std::make_unique<TarSource>(path, options);
}

}  // namespace stoker::data
