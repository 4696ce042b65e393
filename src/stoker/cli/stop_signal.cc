#include "stoker/cli/stop_signal.h"

#include <unistd.h>

#include <csignal>

namespace stoker::cli {

namespace {
std::atomic<int> stop_signal{0};
static_assert(std::atomic<int>::is_always_lock_free);

void on_signal(int number) {
  if (stop_signal.exchange(number) != 0) ::_exit(128 + number);
}
}  // namespace

const std::atomic<int>& catch_stop_signals() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  for (const int number : {SIGINT, SIGTERM, SIGUSR1})
    ::sigaction(number, &action, nullptr);
  return stop_signal;
}

void outlive_lost_output() {
  for (const int number : {SIGPIPE, SIGXFSZ}) std::signal(number, SIG_IGN);
}

}  // namespace stoker::cli
