#pragma once

#include <stdexcept>

/// Assertions that release builds also check. The assertions check conditions that only a bug in Ambit can break. A
/// user's mistake is a Diagnostic (base/source.h), never an assertion.

namespace ambit {

/// The exception of a failed AMBIT_ASSERT. The command-line program catches this exception and exits with status 4.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Prints the failed condition with its source location and throws InternalError.
[[noreturn]] void assertion_failed(const char* expression, const char* file, int line);

}  // namespace ambit

#define AMBIT_ASSERT(expression) \
  (static_cast<bool>(expression) ? static_cast<void>(0) : ::ambit::assertion_failed(#expression, __FILE__, __LINE__))
