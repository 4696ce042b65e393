#pragma once

#include <functional>
#include <string>

namespace stoker {

enum class LogLevel { kDebug, kInfo, kWarning };

/// Where the library's messages go; nothing is printed unless a program sets a sink.
using LogSink = std::function<void(LogLevel, const std::string&)>;
void set_log_sink(LogSink sink);

/// Hands a message to the sink. Safe from any thread.
void log(LogLevel level, const std::string& message);

}  // namespace stoker
