#include <CLI/CLI.hpp>
#include <exception>

#include "stoker/cli/commands.h"
#include "stoker/cli/console.h"

namespace {
/// The exit status for an error: 1 the work failed, 2 the request was wrong, 130
/// interrupted.
int exit_status(const stoker::Error& error) {
  switch (error.code()) {
    case stoker::ErrorCode::kInvalid:
      return 2;
    case stoker::ErrorCode::kInterrupted:
      return 130;
    case stoker::ErrorCode::kIo:
    case stoker::ErrorCode::kData:
    case stoker::ErrorCode::kNumeric:
      return 1;
  }
  return 1;
}
}  // namespace

int main(int argc, char** argv) {
  using namespace stoker::cli;  // NOLINT
  CLI::App app{"stoker: efficient training of neural networks, with the proof", "stoker"};
  app.set_version_flag("--version", STOKER_VERSION);
  app.require_subcommand(1);
  app.fallthrough();
  Console console;
  console.add_options(app);
  int status = 0;
  add_train(app, console, status);
  add_eval(app, console, status);
  add_inspect(app, console, status);
  add_list(app, console, status);
  for (CLI::App* command : app.get_subcommands(nullptr)) {
    command->footer(command->get_footer() + "\nAlso --json, -v, -q: see stoker --help");
  }
  try {
    app.parse(argc, argv);
    // A training is done when its files are; of all else the output is the work.
    const bool must_print = console.json() || !app.got_subcommand("train");
    if (status == 0 && must_print && console.lost_output()) {
      console.error("[output] standard output: cannot write");
      return 1;
    }
    return status;
  } catch (const CLI::ParseError& error) {
    return report_usage(app, error);
  } catch (const stoker::Error& error) {
    console.error(error.what());
    return exit_status(error);
  } catch (const std::bad_alloc&) {
    console.error(
        "[memory] there was not enough (hint: a smaller train.micro_batch or "
        "train.eval_batch)");
    return 1;
  } catch (const std::exception& error) {
    console.error(first_line(error.what()));
    return 1;
  }
}
