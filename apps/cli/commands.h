#pragma once

#include <functional>

#include "core/source.h"

namespace CLI {
// Their header costs seconds a file, so only files that declare options include it.
class App;
class Option;
}  // namespace CLI

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

/// Runs a command after the command line was read; returns the exit status (ExitCode).
using Action = std::function<int()>;

/// Each declares the options of one command of docs/cli.md on `command`, which outlives the action.
Action declare_check(CLI::App& command);
Action declare_outcomes(CLI::App& command);
Action declare_run(CLI::App& command);
Action declare_explain(CLI::App& command);
Action declare_graph(CLI::App& command);
Action declare_compare(CLI::App& command);
Action declare_map(CLI::App& command);
Action declare_emit(CLI::App& command);
Action declare_devices(CLI::App& command);
Action declare_crossval(CLI::App& command);
Action declare_merge(CLI::App& command);
Action declare_models(CLI::App& command);
Action declare_detect(CLI::App& command);
Action declare_validate(CLI::App& command);
Action declare_trace(CLI::App& command);
Action declare_help(CLI::App& command);
Action declare_lsp(CLI::App& command);
Action declare_serve(CLI::App& command);
Action declare_serve_worker(CLI::App& command);

}  // namespace ambit::cli
