#pragma once

#include <atomic>

namespace stoker::cli {

/// From now on SIGINT, SIGTERM and SIGUSR1 (SLURM's warning) set the flag that is
/// returned to their number; the second one ends the program at once.
const std::atomic<int>& catch_stop_signals();

/// A reader of the output that goes away, or a file that may not grow further, is an
/// error of that write and not the end of the program.
void outlive_lost_output();

}  // namespace stoker::cli
