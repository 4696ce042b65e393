#include "format.h"

#include <algorithm>
#include <filesystem>

#include "stoker/base/files.h"
#include "stoker/base/strings.h"

namespace stoker::data {

namespace {
/// A text file with a line `path,label` a record; paths are relative to the file.
class ManifestSource : public RecordSource {
 public:
  explicit ManifestSource(const std::filesystem::path& manifest) {
    about_.format = "manifest";
    about_.path = manifest.string();
    int64_t largest = -1;
    for (const std::string& line : split(read_file(manifest), '\n')) {
      if (trim(line).empty()) continue;
      const size_t comma = line.rfind(',');
      const std::string label(trim(line.substr(comma + 1)));
      if (comma == std::string::npos ||
          label.find_first_not_of("0123456789") != label.npos) {
        throw Error(ErrorCode::kData,
                    cat("[manifest] ", manifest.string(), ":", files_.size() + 1,
                        ": expected path,label, got '", line, "'"));
      }
      files_.push_back(manifest.parent_path() / line.substr(0, comma));
      labels_.push_back(std::stoll(label));
      largest = std::max(largest, labels_.back());
    }
    about_.num_records = static_cast<int64_t>(files_.size());
    about_.class_counts.assign(static_cast<size_t>(largest + 1), 0);
    for (int64_t i = 0; i <= largest; ++i) about_.classes.push_back(cat(i));
    for (const int64_t label : labels_) ++about_.class_counts[static_cast<size_t>(label)];
  }
  const SourceDescription& describe() const override { return about_; }
  Result<Record> read(int64_t index, RecordBuffer& buffer) const override {
    const auto at = static_cast<size_t>(index);
    try {
      const std::string content = read_file(files_[at]);
      const auto* first = reinterpret_cast<const std::byte*>(content.data());
      buffer.assign(first, first + content.size());
    } catch (const Error& error) {
      return Failure{error.what()};
    }
    return Record{buffer, labels_[at]};
  }
  std::string name(int64_t index) const override {
    return files_[static_cast<size_t>(index)].string();
  }

 private:
  SourceDescription about_;
  std::vector<std::filesystem::path> files_;
  std::vector<int64_t> labels_;
};
}  // namespace

std::unique_ptr<RecordSource> open_manifest(const std::string& path,
                                            const OpenOptions& /*options*/) {
  return std::make_unique<ManifestSource>(path);
}

}  // namespace stoker::data
