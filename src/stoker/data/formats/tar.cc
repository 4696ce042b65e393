#include "stoker/data/formats/tar.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "stoker/base/files.h"
#include "stoker/base/strings.h"

namespace stoker::data {

namespace {
class TarSource : public RecordSource {
 public:
  TarSource(const std::string& path, const OpenOptions& options) {
    const size_t mark = path.find("::");
    archive_ = path.substr(0, mark);
    const std::string prefix =
        mark == std::string::npos ? "" : path.substr(mark + 2) + "/";
    map_ = MappedFile(archive_);
    about_.format = "tar";
    about_.path = path;
    const char* base = reinterpret_cast<const char*>(map_.bytes().data());
    std::map<std::string, std::vector<Member>> classes;
    for (size_t at = 0; at + 512 <= map_.bytes().size() && base[at] != 0;) {
      std::string name(base + at, strnlen(base + at, 100));
      const size_t size = std::stoull(std::string(base + at + 124, 11), nullptr, 8);
      if (name.rfind("./", 0) == 0) name = name.substr(2);
      if (base[at + 156] == '0' && name.rfind(prefix, 0) == 0) {
        const std::string rest = name.substr(prefix.size());
        const size_t slash = rest.find('/');
        if (slash != std::string::npos)
          classes[rest.substr(0, slash)].push_back({name, at + 512, size, 0});
      }
      at += 512 + (size + 511) / 512 * 512;
    }
    for (const auto& [name, members] : classes) about_.classes.push_back(name);
    if (!options.classes.empty()) about_.classes = options.classes;
    for (size_t label = 0; label < about_.classes.size(); ++label) {
      auto& members = classes[about_.classes[label]];
      std::sort(members.begin(), members.end(),
                [](const auto& a, const auto& b) { return a.name < b.name; });
      about_.class_counts.push_back(static_cast<int64_t>(members.size()));
      for (auto& member : members) {
        member.label = static_cast<int64_t>(label);
        members_.push_back(member);
      }
    }
    about_.num_records = static_cast<int64_t>(members_.size());
  }
  const SourceDescription& describe() const override { return about_; }
  Result<Record> read(int64_t index, RecordBuffer& /*buffer*/) const override {
    const Member& member = members_[static_cast<size_t>(index)];
    return Record{map_.bytes().subspan(member.offset, member.size), member.label};
  }
  std::string name(int64_t index) const override {
    return cat(archive_, "::", members_[static_cast<size_t>(index)].name);
  }

 private:
  struct Member {
    std::string name;
    size_t offset;
    size_t size;
    int64_t label;
  };
  std::string archive_;
  MappedFile map_;
  SourceDescription about_;
  std::vector<Member> members_;
};
}  // namespace

std::unique_ptr<RecordSource> open_tar(const std::string& path,
                                       const OpenOptions& options) {
  return std::make_unique<TarSource>(path, options);
}

}  // namespace stoker::data
