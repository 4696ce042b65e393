#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace stoker::cli {

/// The folder of a new run: `wanted`, made if it does not exist and refused when it holds
/// a run, or the next free `runs/<name>-NNN`. Two programs at once get two folders.
std::filesystem::path make_run_folder(const std::string& name,
                                      const std::optional<std::filesystem::path>& wanted);

/// The newest `runs/<name>-NNN` that has a checkpoint.
std::optional<std::filesystem::path> newest_run(const std::string& name);

}  // namespace stoker::cli
