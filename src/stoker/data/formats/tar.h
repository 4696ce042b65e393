#pragma once

#include <memory>

#include "stoker/data/formats/record_source.h"

namespace stoker::data {

/// A tar file with class folders inside, "x.tar" or "x.tar::folder".
std::unique_ptr<RecordSource> open_tar(const std::string& path,
                                       const OpenOptions& options);

}  // namespace stoker::data
