#include "stoker/data/formats/folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "stoker/base/files.h"
#include "stoker/base/strings.h"

namespace stoker::data {
namespace fs = std::filesystem;

namespace {
class FolderSource : public RecordSource {
 public:
  FolderSource(const std::string& path, const OpenOptions& options) {
    about_.format = "folder";
    about_.path = path;
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(path)) {
      const std::string name = entry.path().filename();
      if (name[0] != '.' && entry.is_directory()) found.push_back(name);
    }
    std::sort(found.begin(), found.end());
    about_.classes = options.classes.empty() ? found : options.classes;
    about_.class_counts.assign(about_.classes.size(), 0);
    for (const auto& name : found) {
      const auto at = std::find(about_.classes.begin(), about_.classes.end(), name);
      if (at == about_.classes.end())
        throw Error(ErrorCode::kInvalid, cat("[data] ", path, ": class ", name,
                                             " is not one of the training data"));
      const auto label = at - about_.classes.begin();
      std::vector<std::string> names;
      for (const auto& file : fs::recursive_directory_iterator(fs::path(path) / name)) {
        if (file.is_regular_file()) names.push_back(file.path());
      }
      std::sort(names.begin(), names.end());
      for (auto& file : names) files_.emplace_back(std::move(file), label);
      about_.class_counts[static_cast<size_t>(label)] +=
          static_cast<int64_t>(names.size());
    }
    about_.num_records = static_cast<int64_t>(files_.size());
  }
  const SourceDescription& describe() const override { return about_; }
  Result<Record> read(int64_t index, RecordBuffer& buffer) const override {
    const auto& [path, label] = files_[static_cast<size_t>(index)];
    try {
      const std::string content = read_file(path);
      buffer.resize(content.size());
      std::copy_n(reinterpret_cast<const std::byte*>(content.data()), content.size(),
                  buffer.data());
    } catch (const Error& error) {
      return Failure{error.what()};
    }
    return Record{buffer, label};
  }
  std::string name(int64_t index) const override {
    return files_[static_cast<size_t>(index)].first;
  }

 private:
  SourceDescription about_;
  std::vector<std::pair<std::string, int64_t>> files_;
};
}  // namespace

std::unique_ptr<RecordSource> open_folder(const std::string& path,
                                          const OpenOptions& options) {
  return std::make_unique<FolderSource>(path, options);
}

}  // namespace stoker::data
