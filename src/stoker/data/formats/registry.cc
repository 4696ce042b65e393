#include <filesystem>

#include "stoker/base/strings.h"
#include "stoker/data/formats/folder.h"
#include "stoker/data/formats/record_source.h"
#include "stoker/data/formats/tar.h"

namespace stoker::data {

std::vector<std::string> list_formats() { return {"folder", "tar"}; }

std::unique_ptr<RecordSource> open_source(const std::string& path,
                                          const OpenOptions& options) {
  if (std::filesystem::is_directory(path)) return open_folder(path, options);
  return open_tar(path, options);
}

}  // namespace stoker::data
