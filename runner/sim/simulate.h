#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/context.h"
#include "base/source.h"
#include "core/histogram.h"
#include "core/program.h"
#include "core/trace.h"
#include "runner/sim/simulator_options.h"

namespace ambit::sim {

/// The end of a run.
enum class RunEnd : std::uint8_t {
  Complete,
  Deadlock,   ///< some thread could not continue
  StepBound,  ///< stopped at Options::max_steps
  Dropped,    ///< an assume() or the filter was not met
};

/// One run, which is the argument of OnRun. The references are valid until the call returns.
struct Run {
  std::uint64_t number;  ///< from 0
  RunEnd end;
  const Trace& trace;                 ///< a trace with values and with sites of the form "file:line"
  std::vector<Value> outcome;         ///< final values of Program::observables; empty unless the run's end is Complete
  std::vector<std::string> schedule;  ///< lines of a schedule file that replays the run
};

/// The results of all runs.
struct Simulation {
  Histogram histogram;
  /// True if the runs covered every outcome and, if runs are shown, every order of conflicting accesses. Always false
  /// unless the schedule is Exhaustive.
  bool is_exhaustive = false;
  std::string why_not;        ///< why the result is not exhaustive, such as the bound that was reached
  bool is_cancelled = false;  ///< `on_run` or the context stopped the simulation early
};

/// Called with each run. If the function returns false, the simulation stops.
using OnRun = std::function<bool(const Run&)>;

/// Runs a program as `options` specify. If `on_run` is empty, makes no traces. Equal arguments give equal results.
/// Errors: operations that the memory does not support (in `gpu`, proxies other than the generic proxy, asynchronous
/// operations, and accesses with a wider scope than their transaction).
Result<Simulation> simulate(std::shared_ptr<const Program> program, const Options& options, Context& context,
                            const OnRun& on_run = {});

}  // namespace ambit::sim
