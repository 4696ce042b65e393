#pragma once

#include <filesystem>
#include <memory>

#include "stoker/events/events.h"

namespace stoker {

/// Writes an event file that TensorBoard opens (TFRecord frames of tensorflow.Event).
///
/// Scalars by optimizer step: train/loss, train/learning_rate, train/gradient_norm,
/// train/samples_per_second and device/busy (0..1) of each step; train/accuracy,
/// time/<part> (seconds) and memory/rss_mib of each epoch; eval/loss and eval/accuracy of
/// each evaluation. A resumed run opens a new file that tells TensorBoard to forget the
/// steps after the one it resumes from. Throws Error(kIo).
class TensorBoardWriter : public Listener {
 public:
  explicit TensorBoardWriter(std::filesystem::path folder);
  ~TensorBoardWriter() override;
  void on(const Event& event) override;

 private:
  class File;
  std::filesystem::path folder_;
  std::unique_ptr<File> file_;
};

}  // namespace stoker
