#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/context.h"
#include "core/histogram.h"
#include "core/program.h"
#include "core/source.h"
#include "core/trace.h"
#include "runner/sim/simulator_options.h"

namespace ambit::sim {

/// What became of a run.
enum class RunEnd : std::uint8_t {
  Complete,
  Deadlock,   ///< some thread could not go on
  StepBound,  ///< stopped at Options::max_steps
  Dropped,    ///< an assume() or the filter was not met
};

/// One run, as it is shown to whoever asked for it. References hold until the call returns.
struct Run {
  std::uint64_t number;  ///< from 0
  RunEnd end;
  const Trace& trace;                 ///< with values, and sites "file:line"
  std::vector<Value> outcome;         ///< final values of Program::observables; empty unless Complete
  std::vector<std::string> schedule;  ///< lines of a schedule file that replays the run
};

/// All runs together.
struct Simulation {
  Histogram histogram;
  bool is_exhaustive = false;  ///< Exhaustive: every outcome (and every order of conflicting accesses) was covered
  std::string why_not;         ///< else, why not: the bound that was hit
  bool is_cancelled = false;   ///< stopped early by `on_run` or the context
};

/// Is shown each run; false stops the simulation.
using OnRun = std::function<bool(const Run&)>;

/// Runs a program as `options` say. Without `on_run`, traces are not made. Equal arguments give equal results. Errors:
/// what the memory cannot do (in `gpu` proxies other than the generic one, asynchronous operations, and accesses that
/// are wider than their transaction).
Result<Simulation> simulate(std::shared_ptr<const Program> program, const Options& options, Context& context,
                            const OnRun& on_run = {});

}  // namespace ambit::sim
