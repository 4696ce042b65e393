#pragma once

#include <cstdint>
#include <string>

#include "stoker/events/events.h"

namespace stoker::detail {

/// Where a training stands.
struct Status {
  int64_t epoch = 0;  ///< From 1.
  int64_t epochs = 0;
  double done = 0;  ///< 0..1 of the epoch's steps.
  double samples_per_second = 0;
  double loss = 0;
  double busy = 0;          ///< 0..1
  double left_seconds = 0;  ///< Until the end of the training.
  bool evaluating = false;  ///< The steps of the epoch are done, the evaluation is not.
};

/// `epoch 3/10  [=====>    ]  62%  1,234 img/s  loss 1.234  busy 98%  left 0:45`, in at
/// most `columns` - 1 characters: the bar shrinks first, then fields go, the least wanted
/// first.
std::string status_line(const Status& status, int columns);

/// The same for a log file: no bar.
std::string status_record(const Status& status);

/// The line of an epoch that has ended; what does not fit into `room` characters is left
/// out.
std::string epoch_line(const EpochDone& epoch, int64_t epochs, size_t room = SIZE_MAX);

/// Seconds of the future as "0:45", "12:03" or "2:03:04".
std::string format_left(double seconds);

}  // namespace stoker::detail
