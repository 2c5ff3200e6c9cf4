#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/context.h"
#include "base/source.h"
#include "core/program.h"
#include "runner/sim/simulate.h"

namespace ambit::sim {

/// The schedule of one run, as in a schedule file. The file contains `ambit-schedule 1`, the options that determine the
/// choices, `steps N`, and N lines. Each of these lines names a choice in the format of Engine::name. `#` begins a
/// comment line.
struct Schedule {
  SourceFilePtr source;
  Options options;  ///< the options memory, warps, blocks_per_multiprocessor, store_buffer and warm_caches
  std::string test;
  struct Step {
    std::string text;
    std::uint32_t line = 0;  ///< 1-based
  };
  std::vector<Step> steps;
};

/// Returns the text of a schedule file that replays a run of `program` under `options`.
std::string schedule_text(const Program& program, const Options& options, const std::vector<std::string>& steps);

/// Reads a schedule. `defaults` gives the values of options that the file omits. Errors: the text is not a schedule, or
/// is truncated.
Result<Schedule> read_schedule(SourceFilePtr source, const Options& defaults);

/// Replays a schedule. If the schedule ends before the run ends, the run counts as StepBound. `on_run` may be empty.
/// Errors: the errors of simulate(); a line names an impossible choice (the message lists the possible choices).
Result<Simulation> replay(std::shared_ptr<const Program> program, const Schedule& schedule, const OnRun& on_run = {});

}  // namespace ambit::sim
