#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "stoker/base/error.h"

namespace stoker::data {

/// Encoded bytes with their label. `bytes` lives until the buffer is used again.
struct Record {
  std::span<const std::byte> bytes;
  int64_t label = 0;
};

/// Memory that a reader keeps between reads, so that none is allocated per record.
using RecordBuffer = std::vector<std::byte>;

struct SourceDescription {
  std::string format;  ///< "folder", "tar" ...
  std::string path;
  int64_t num_records = 0;
  std::vector<std::string> classes;   ///< In label order.
  std::vector<int64_t> class_counts;  ///< Records of each class.
  int64_t total_bytes = 0;            ///< Encoded; 0 when not known without reading.
  bool random_access = true;
  std::vector<std::string>
      notes;  ///< What was left out: hidden folders, metadata entries.
};

/// Where records come from.
class RecordSource {
 public:
  virtual ~RecordSource() = default;
  virtual const SourceDescription& describe() const = 0;
  /// Reads one record. Any thread may call, each with a buffer of its own. A failure
  /// holds the reason without the name.
  virtual Result<Record> read(int64_t index, RecordBuffer& buffer) const = 0;
  /// The file of a record, or "archive.tar::member".
  virtual std::string name(int64_t index) const = 0;
};

struct OpenOptions {
  /// Class names in label order, of the training data: a validation set gets the same
  /// labels. Empty: the names found, sorted.
  std::vector<std::string> classes;
  /// Folder that keeps listings between runs; empty: none.
  std::string cache_folder;
  /// Told about long listings: entries so far.
  std::function<void(int64_t)> on_progress;
};

/// Opens a data set; the format is found from the content, not from the name:
///   a folder with a folder a class; a tar file with such folders inside, or WebDataset
///   pairs (x.jpg, x.cls); "x.tar::train" for a folder inside an archive.
/// Throws Error(kIo or kInvalid) with the path and what was expected.
std::unique_ptr<RecordSource> open_source(const std::string& path,
                                          const OpenOptions& options);

/// Names of the formats that can be read.
std::vector<std::string> list_formats();

}  // namespace stoker::data
