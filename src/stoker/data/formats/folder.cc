#include "stoker/data/formats/folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>

#include "stoker/base/files.h"
#include "stoker/base/strings.h"
#include "stoker/data/formats/detail/labels.h"
#include "stoker/data/formats/detail/listing.h"

namespace stoker::data {

namespace {
constexpr size_t kWorthCaching = 10'000;

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int fd() const { return fd_; }

 private:
  int fd_;
};

class FolderSource : public RecordSource {
 public:
  FolderSource(const std::string& path, const OpenOptions& options)
      : root_(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    about_.format = "folder";
    about_.path = path;
    while (about_.path.size() > 1 && about_.path.ends_with('/')) about_.path.pop_back();
    if (root_.fd() < 0) {
      const std::string reason = system_reason();
      throw Error(ErrorCode::kIo,
                  cat("[data] ", path, ": expected to open the folder, got ", reason));
    }
    list(options);
    check(options);
    about_.classes = detail::label_order(path, listing_.classes, options.classes);
    for (const std::string& name : listing_.classes) {
      labels_.push_back(std::find(about_.classes.begin(), about_.classes.end(), name) -
                        about_.classes.begin());
    }
    about_.class_counts.assign(about_.classes.size(), 0);
    for (const auto& file : listing_.files)
      ++about_.class_counts[static_cast<size_t>(label(file))];
    about_.num_records = static_cast<int64_t>(listing_.files.size());
  }

  const SourceDescription& describe() const override { return about_; }

  Result<Record> read(int64_t index, RecordBuffer& buffer) const override {
    const auto& file = listing_.files[static_cast<size_t>(index)];
    std::array<char, PATH_MAX> path;
    const std::string& folder = listing_.folders[file.folder].path;
    const char* name = listing_.name(file);
    const size_t name_size = std::strlen(name) + 1;
    if (folder.size() + 1 + name_size > path.size()) return Failure{"path too long"};
    std::memcpy(path.data(), folder.data(), folder.size());
    path[folder.size()] = '/';
    std::memcpy(path.data() + folder.size() + 1, name, name_size);

    const Descriptor opened(::openat(root_.fd(), path.data(), O_RDONLY | O_CLOEXEC));
    struct stat status {};
    if (opened.fd() < 0 || ::fstat(opened.fd(), &status) != 0)
      return Failure{system_reason()};
    buffer.resize(static_cast<size_t>(status.st_size));
    size_t filled = 0;
    while (filled < buffer.size()) {
      const ssize_t got =
          ::read(opened.fd(), buffer.data() + filled, buffer.size() - filled);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return Failure{system_reason()};
      if (got == 0)
        return Failure{cat("expected ", buffer.size(), " bytes, got ", filled)};
      filled += static_cast<size_t>(got);
    }
    return Record{buffer, label(file)};
  }

  std::string name(int64_t index) const override {
    const auto& file = listing_.files[static_cast<size_t>(index)];
    return cat(about_.path, "/", listing_.folders[file.folder].path, "/",
               std::string_view(listing_.name(file)));
  }

 private:
  int64_t label(const detail::Listing::File& file) const {
    return labels_[static_cast<size_t>(listing_.folders[file.folder].class_index)];
  }

  void list(const OpenOptions& options) {
    const std::string& cache = options.cache_folder;
    auto kept = cache.empty() ? std::nullopt : detail::load_listing(cache, about_.path);
    if (kept) {
      listing_ = std::move(*kept);
    } else {
      listing_ = detail::list_folder(about_.path, options.on_progress);
      if (!cache.empty() && listing_.files.size() >= kWorthCaching) keep_in(cache);
    }
    const auto note = [&](int64_t count, const char* what) {
      if (count > 0) about_.notes.push_back(cat(count, " ", what, " left out"));
    };
    note(listing_.num_hidden, "hidden files or folders");
    note(listing_.num_in_root, "files outside of class folders");
    note(listing_.num_loops, "links back to a folder above");
    note(listing_.num_special, "links to nothing, pipes or devices");
  }

  void keep_in(const std::string& cache) {
    try {
      detail::save_listing(cache, about_.path, listing_);
    } catch (const std::exception& error) {  // A full disk costs only the next listing.
      about_.notes.push_back(cat("listing not kept: ", std::string_view(error.what())));
    }
  }

  void check(const OpenOptions& options) const {
    if (listing_.classes.empty()) {
      throw Error(ErrorCode::kData,
                  cat("[data] ", about_.path,
                      ": expected a folder for each class, got no folders and ",
                      listing_.num_in_root, " files"));
    }
    const bool direct =
        std::any_of(listing_.files.begin(), listing_.files.end(), [&](const auto& file) {
          const std::string& folder = listing_.folders[file.folder].path;
          return folder.find('/') == std::string::npos;
        });
    if (!options.classes.empty() || direct || !detail::are_splits(listing_.classes))
      return;
    std::vector<std::string> choices;
    for (const std::string& name : listing_.classes)
      choices.push_back(cat("\"", about_.path, "/", name, "\""));
    throw Error(
        ErrorCode::kInvalid,
        cat("[data] ", about_.path, ": expected one part of the data set, got ",
            join(listing_.classes, " and "), " (choose ", join(choices, " or "), ")"));
  }

  Descriptor root_;
  SourceDescription about_;
  detail::Listing listing_;
  std::vector<int64_t> labels_;  // By index of the class in the listing.
};
}  // namespace

std::unique_ptr<RecordSource> open_folder(const std::string& path,
                                          const OpenOptions& options) {
  return std::make_unique<FolderSource>(path, options);
}

}  // namespace stoker::data
