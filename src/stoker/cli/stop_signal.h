#pragma once

#include <atomic>

namespace stoker::cli {

/// From now on SIGINT, SIGTERM and SIGUSR1 (SLURM's warning) set the flag that is
/// returned to their number; the second one ends the program at once.
const std::atomic<int>& catch_stop_signals();

}  // namespace stoker::cli
