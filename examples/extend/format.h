#pragma once

#include "stoker/data/formats/record_source.h"

namespace stoker::data {

/// A CSV manifest with a line `path,label` a record. Throws Error(kData) with file and
/// line.
std::unique_ptr<RecordSource> open_manifest(const std::string& path,
                                            const OpenOptions& options);

}  // namespace stoker::data
