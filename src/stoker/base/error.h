#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

namespace stoker {

/// What went wrong, which also decides the exit status of the program.
enum class ErrorCode {
  kInvalid,  ///< The request was wrong: recipe, option, argument. Exit 2.
  kIo,       ///< A file, disk or network failed. Exit 1.
  kData,     ///< Content is not what it should be: image, archive, checkpoint. Exit 1.
  kNumeric,  ///< The arithmetic left the finite numbers. Exit 1.
  kInterrupted,  ///< Stopped on request. Exit 130.
};

/// Thrown for errors of the user, of input and output, and of collectives.
///
/// The message has the form `[component] place: expected ..., got ... (hint)`.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message)
      : std::runtime_error(message), code_(code) {}
  ErrorCode code() const { return code_; }

 private:
  ErrorCode code_;
};

/// Why one item (a record, an image) could not be had.
struct Failure {
  std::string reason;
};

/// A value, or why there is none: for what goes wrong per item and is counted.
template <typename T>
class Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT
  Result(Failure failure)
      : state_(std::in_place_index<1>, std::move(failure)) {}  // NOLINT

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() { return std::get<0>(state_); }
  const T& value() const { return std::get<0>(state_); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  const std::string& reason() const { return std::get<1>(state_).reason; }

 private:
  std::variant<T, Failure> state_;
};

/// Success without a value: `return Ok{};`
struct Ok {};
using Status = Result<Ok>;

}  // namespace stoker
