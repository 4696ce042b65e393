#pragma once

#include <string>

#include "stoker/base/error.h"

namespace stoker::config {

/// What `work` refuses with, or why that was not it.
template <typename Work>
std::string message_of(Work work) {
  try {
    work();
  } catch (const Error& error) {
    return error.code() == ErrorCode::kInvalid ? error.what() : "another error code";
  }
  return "no error";
}

}  // namespace stoker::config
