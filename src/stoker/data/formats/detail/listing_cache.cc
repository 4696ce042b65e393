#include <sys/stat.h>

#include <chrono>
#include <cstring>
#include <filesystem>

#include "stoker/base/checksum.h"
#include "stoker/base/files.h"
#include "stoker/base/strings.h"
#include "stoker/data/formats/detail/listing.h"

namespace stoker::data::detail {

namespace {
namespace fs = std::filesystem;
constexpr std::string_view kMagic = "stoker listing 2\n";
constexpr int64_t kSettledNs = 2'000'000'000;
constexpr size_t kDigestSize = 32;

fs::path cache_file(const std::string& cache_folder, const std::string& root) {
  const std::string whole = fs::absolute(root).lexically_normal().string();
  return fs::path(cache_folder) / cat("listing-", xxh128(whole.data(), whole.size()));
}

class Writer {
 public:
  void number(uint64_t value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(std::string_view value) {
    number(value.size());
    bytes += value;
  }
  std::string bytes{kMagic};
};

/// Reads what Writer wrote; its digest has been checked.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  uint64_t number() {
    uint64_t value = 0;
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return value;
  }
  std::string text() {
    const auto size = static_cast<size_t>(number());
    std::string value(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return value;
  }

 private:
  std::string_view rest_;
};

int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

bool is_unchanged(const std::string& root, const Listing::Folder& folder) {
  struct stat status {};
  if (::stat(cat(root, "/", folder.path).c_str(), &status) != 0) return false;
  const int64_t mtime =
      int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
  return mtime == folder.mtime_ns && status.st_ino == folder.inode;
}
}  // namespace

void save_listing(const std::string& cache_folder, const std::string& root,
                  const Listing& listing) {
  Writer out;
  out.number(listing.classes.size());
  for (const std::string& name : listing.classes) out.text(name);
  out.number(listing.folders.size());
  for (const auto& folder : listing.folders) {
    if (now_ns() - folder.mtime_ns < kSettledNs) return;
    out.text(folder.path);
    out.number(static_cast<uint64_t>(folder.class_index));
    out.number(static_cast<uint64_t>(folder.mtime_ns));
    out.number(folder.inode);
  }
  out.text(listing.names);
  out.number(listing.files.size());
  for (const auto& file : listing.files) {
    out.number(file.name_at);
    out.number(file.folder);
  }
  out.number(static_cast<uint64_t>(listing.num_hidden));
  out.number(static_cast<uint64_t>(listing.num_in_root));
  out.number(static_cast<uint64_t>(listing.num_loops));
  out.number(static_cast<uint64_t>(listing.num_special));
  out.bytes += xxh128(out.bytes.data(), out.bytes.size());
  fs::create_directories(cache_folder);
  write_file_atomically(cache_file(cache_folder, root), out.bytes);
}

std::optional<Listing> load_listing(const std::string& cache_folder,
                                    const std::string& root) {
  const fs::path path = cache_file(cache_folder, root);
  if (!fs::exists(path)) return std::nullopt;
  const MappedFile map(path);
  const std::string_view all(reinterpret_cast<const char*>(map.bytes().data()),
                             map.bytes().size());
  if (!all.starts_with(kMagic) || all.size() < kMagic.size() + kDigestSize)
    return std::nullopt;
  const std::string_view body = all.substr(0, all.size() - kDigestSize);
  if (xxh128(body.data(), body.size()) != all.substr(body.size())) return std::nullopt;

  Reader in(body.substr(kMagic.size()));
  Listing listing;
  listing.classes.resize(in.number());
  for (std::string& name : listing.classes) name = in.text();
  listing.folders.resize(in.number());
  for (auto& folder : listing.folders) {
    folder.path = in.text();
    folder.class_index = static_cast<int32_t>(in.number());
    folder.mtime_ns = static_cast<int64_t>(in.number());
    folder.inode = in.number();
    if (!is_unchanged(root, folder)) return std::nullopt;
  }
  listing.names = in.text();
  listing.files.resize(in.number());
  for (auto& file : listing.files) {
    file.name_at = in.number();
    file.folder = static_cast<uint32_t>(in.number());
  }
  listing.num_hidden = static_cast<int64_t>(in.number());
  listing.num_in_root = static_cast<int64_t>(in.number());
  listing.num_loops = static_cast<int64_t>(in.number());
  listing.num_special = static_cast<int64_t>(in.number());
  return listing;
}

}  // namespace stoker::data::detail
