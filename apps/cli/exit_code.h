#pragma once

#include "core/source.h"

namespace ambit::cli {

/// Exit status of the program (docs/cli.md). When several apply: InternalError, BadInput, Failed, Unknown in this
/// order.
enum ExitCode : int {
  kOk = 0,             ///< all expectations met, or none given and the run completed
  kFailed = 1,         ///< an expectation failed
  kBadInput = 2,       ///< bad input or usage
  kUnknown = 3,        ///< an Unknown where an answer was expected, an interrupted run included
  kInternalError = 4,  ///< a bug in Ambit
};

/// Prints errors on standard error. Returns kBadInput.
int bad_input(const Diagnostics& errors);

}  // namespace ambit::cli
