#pragma once

#include "stoker/cli/console.h"

namespace stoker::cli {

/// Each adds its command to the program; the command's exit status goes to `status`.
void add_train(CLI::App& app, Console& console, int& status);
void add_eval(CLI::App& app, Console& console, int& status);
void add_inspect(CLI::App& app, Console& console, int& status);
void add_list(CLI::App& app, Console& console, int& status);

}  // namespace stoker::cli
