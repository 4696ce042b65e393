#include "stoker/cli/console.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "stoker/base/log.h"
#include "stoker/base/strings.h"

namespace stoker::cli {

Console::Console() : terminal_(::isatty(STDOUT_FILENO) == 1) {
  set_log_sink([this](LogLevel level, const std::string& message) {
    if (level == LogLevel::kDebug && !verbose_) return;
    if (level == LogLevel::kInfo && quiet_) return;
    error(message);
  });
}

void Console::add_options(CLI::App& app) {
  app.add_flag("--json", json_, "Print what a program would read, as JSON");
  app.add_flag("-v,--verbose", verbose_, "Say more");
  app.add_flag("-q,--quiet", quiet_, "Say only the result and what went wrong");
}

int Console::columns() const {
  struct winsize size {};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return size.ws_col;
  return 100;
}

void Console::write(const std::string& text) const {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (std::fflush(stdout) != 0 || !written) lost_output_ = true;
}

void Console::line(const std::string& text) const { write(text + "\n"); }

void Console::error(const std::string& message) const {
  std::fflush(stdout);
  const std::string text = cat("stoker: ", message, "\n");
  std::fwrite(text.data(), 1, text.size(), stderr);
}

int report_usage(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return app.exit(error);
  std::vector<std::string> commands;
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    commands.push_back(command->get_name());
  }
  std::string message = error.what();
  const auto unknown = app.remaining(/*recurse=*/true);
  if (!unknown.empty() && app.get_subcommands().empty()) {
    message = cat("unknown command '", unknown.front(), "'",
                  suggestion(unknown.front(), commands));
  }
  const auto chosen = app.get_subcommands();
  const std::string help = chosen.empty()
                               ? "stoker --help"
                               : cat("stoker ", chosen.front()->get_name(), " --help");
  const std::string text = cat("stoker: ", message, " (see ", help, ")\n");
  std::fwrite(text.data(), 1, text.size(), stderr);
  return 2;
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

}  // namespace stoker::cli
