#pragma once

/// Assertions that stay on in release builds: what only a bug in Ambit can cause. What a user can cause is a
/// Diagnostic (core/source.h), never an assertion.

namespace ambit {

/// Prints the broken invariant with its place and throws InternalError, which only the command line catches (exit 4).
[[noreturn]] void assertion_failed(const char* expression, const char* file, int line);

}  // namespace ambit

#define AMBIT_ASSERT(expression) \
  (static_cast<bool>(expression) ? static_cast<void>(0) : ::ambit::assertion_failed(#expression, __FILE__, __LINE__))
