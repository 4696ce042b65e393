#pragma once

#include <memory>

#include "stoker/data/formats/record_source.h"

namespace stoker::data {

/// A folder with a folder a class; files may lie deeper.
std::unique_ptr<RecordSource> open_folder(const std::string& path,
                                          const OpenOptions& options);

}  // namespace stoker::data
