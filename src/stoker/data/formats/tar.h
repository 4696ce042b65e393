#pragma once

#include <memory>
#include <string>

#include "stoker/data/formats/record_source.h"

namespace stoker::data {

/// "x.tar::train" as archive "x.tar" and folder "train"; without "::" the folder is
/// empty.
struct ArchivePath {
  std::string archive;
  std::string folder;
};
ArchivePath split_archive_path(const std::string& path);

/// A tar file, "x.tar" or "x.tar::folder", with a folder a class inside or with
/// WebDataset pairs (key.jpg, key.cls). The archive is mapped into memory: `read` copies
/// nothing. Throws Error(kData) with member and byte offset when it is damaged, cut
/// short, or has an image without its class.
std::unique_ptr<RecordSource> open_tar(const std::string& path,
                                       const OpenOptions& options);

}  // namespace stoker::data
