#pragma once

#include "apps/cli/command_line.h"
#include "base/source.h"

namespace ambit::cli {

/// Exit status of the program (docs/reference/cli.md). If several values apply, the order of precedence is
/// InternalError, BadInput, Failed, Unknown.
enum ExitCode : int {
  kOk = 0,             ///< all expectations are met or, without expectations, the run is complete
  kFailed = 1,         ///< an expectation failed
  kBadInput = 2,       ///< bad input or usage
  kUnknown = 3,        ///< an answer to an expectation is unknown, or the run was interrupted
  kInternalError = 4,  ///< a bug in Ambit
};

/// Prints errors on standard error. Returns kBadInput.
int bad_input(const Diagnostics& errors);

/// Each function declares the options of one command of docs/reference/cli.md on `command`, and returns the command's
/// action. `command` must outlive the action.
Action declare_check(Command command);
Action declare_outcomes(Command command);
Action declare_run(Command command);
Action declare_explain(Command command);
Action declare_fix(Command command);
Action declare_relax(Command command);
Action declare_judge(Command command);
Action declare_generate(Command command);
Action declare_distinguish(Command command);
Action declare_exhaust(Command command);
Action declare_graph(Command command);
Action declare_compare(Command command);
Action declare_map(Command command);
Action declare_emit(Command command);
Action declare_devices(Command command);
Action declare_crossval(Command command);
Action declare_merge(Command command);
Action declare_campaign(Command command);
Action declare_models(Command command);
Action declare_detect(Command command);
Action declare_exec(Command command);
Action declare_nvcc(Command command);
Action declare_validate(Command command);
Action declare_scoreboard(Command command);
Action declare_plugin(Command command);
Action declare_trace(Command command);
Action declare_help(Command command);
Action declare_lsp(Command command);
Action declare_mcp(Command command);
Action declare_serve(Command command);
Action declare_serve_worker(Command command);

}  // namespace ambit::cli
