#pragma once

#include <string>

#include "stoker/base/error.h"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace stoker::cli {

/// Where the program talks to a person or to another program.
class Console {
 public:
  Console();
  /// --json, -v, -q: for all commands.
  void add_options(CLI::App& app);

  bool json() const { return json_; }
  bool quiet() const { return quiet_; }
  bool verbose() const { return verbose_; }
  bool is_terminal() const { return terminal_; }
  /// Characters in a line of the terminal.
  int columns() const;

  /// To standard output as it is.
  void write(const std::string& text) const;
  void line(const std::string& text) const;
  /// Something could not be written to standard output.
  bool lost_output() const { return lost_output_; }
  /// To standard error, as "stoker: ...".
  void error(const std::string& message) const;

 private:
  bool json_ = false;
  bool quiet_ = false;
  bool verbose_ = false;
  bool terminal_ = false;
  mutable bool lost_output_ = false;
};

/// Prints help or what was wrong with the command line, with the nearest known command;
/// gives the exit status: 0 for help, else 2.
int report_usage(const CLI::App& app, const CLI::ParseError& error);

std::string first_line(const std::string& text);

}  // namespace stoker::cli
