#include "stoker/report/tensorboard.h"

#include <unistd.h>

#include <chrono>
#include <fstream>
#include <utility>

#include "stoker/base/error.h"
#include "stoker/base/files.h"
#include "stoker/base/strings.h"
#include "stoker/report/detail/fields.h"
#include "stoker/report/detail/tfevents.h"

namespace stoker {
namespace fs = std::filesystem;

namespace {
double unix_seconds() {
  return std::chrono::duration<double>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::string host_name() {
  char name[256] = "host";
  ::gethostname(name, sizeof name - 1);
  return name;
}

fs::path free_path(const fs::path& folder, double now) {
  const std::string stem = cat("events.out.tfevents.", static_cast<int64_t>(now), ".",
                               host_name(), ".", ::getpid(), ".");
  int64_t number = 0;
  while (fs::exists(folder / cat(stem, number))) ++number;
  return folder / cat(stem, number);
}

detail::Scalars scalars(const StepDone& step) {
  detail::Scalars out = {{"train/loss", step.loss},
                         {"train/learning_rate", step.learning_rate},
                         {"train/gradient_norm", step.gradient_norm}};
  if (const double seconds = step.time.total(); seconds > 0) {
    out.emplace_back("train/samples_per_second",
                     static_cast<double>(step.samples) / seconds);
    out.emplace_back("device/busy", step.time.busy() / seconds);
  }
  return out;
}

detail::Scalars scalars(const EvaluationDone& evaluation) {
  return {{"eval/loss", evaluation.loss}, {"eval/accuracy", evaluation.accuracy}};
}

detail::Scalars scalars(const EpochDone& epoch) {
  constexpr double kMebibyte = 1 << 20;
  detail::Scalars out = {{"train/accuracy", epoch.accuracy},
                         {"memory/rss_mib", static_cast<double>(epoch.rss) / kMebibyte}};
  detail::visit_fields(epoch.time, [&](const char* part, double seconds) {
    out.emplace_back(cat("time/", part), seconds);
  });
  return out;
}
}  // namespace

/// One event file, from its first record on.
class TensorBoardWriter::File {
 public:
  File(const fs::path& folder, int64_t first_step) {
    fs::create_directories(folder);
    const double now = unix_seconds();
    path_ = free_path(folder, now);
    file_.open(path_, std::ios::binary);
    write(detail::version_event(now));
    if (first_step > 0) write(detail::purge_event(now, first_step + 1));
    flush();
  }
  template <typename Done>
  void write_scalars(const Done& done) {
    write(detail::scalar_event(unix_seconds(), done.step, scalars(done)));
  }
  void flush() {
    file_.flush();
    if (!file_) {
      throw Error(ErrorCode::kIo,
                  cat("[report] ", path_.string(), ": cannot write: ", system_reason()));
    }
  }

 private:
  void write(const std::string& event) { file_ << detail::tf_record(event); }

  fs::path path_;
  std::ofstream file_;
};

TensorBoardWriter::TensorBoardWriter(fs::path folder) : folder_(std::move(folder)) {}
TensorBoardWriter::~TensorBoardWriter() = default;

void TensorBoardWriter::on(const Event& event) {
  if (const auto* start = std::get_if<RunStarted>(&event)) {
    file_ = std::make_unique<File>(folder_, start->first_step);
  } else if (const auto* step = std::get_if<StepDone>(&event)) {
    file_->write_scalars(*step);
  } else if (const auto* evaluation = std::get_if<EvaluationDone>(&event)) {
    file_->write_scalars(*evaluation);
  } else if (const auto* epoch = std::get_if<EpochDone>(&event)) {
    file_->write_scalars(*epoch);
    file_->flush();
  } else if (std::holds_alternative<RunFinished>(event)) {
    file_->flush();
  }
}

}  // namespace stoker
