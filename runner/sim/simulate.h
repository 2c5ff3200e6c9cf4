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

/// The end of a run.
enum class RunEnd : std::uint8_t {
  Complete,
  Deadlock,   ///< some thread could not continue
  StepBound,  ///< stopped at Options::max_steps
  Dropped,    ///< an assume() or the filter was not met
};

/// One run, as passed to OnRun. References are valid until the call returns.
struct Run {
  std::uint64_t number;  ///< from 0
  RunEnd end;
  const Trace& trace;                 ///< with values, and sites "file:line"
  std::vector<Value> outcome;         ///< final values of Program::observables; empty unless Complete
  std::vector<std::string> schedule;  ///< lines of a schedule file that replays the run
};

/// The results of all runs.
struct Simulation {
  Histogram histogram;
  bool is_exhaustive = false;  ///< Exhaustive: every outcome (and every order of conflicting accesses) was covered
  std::string why_not;         ///< otherwise the reason: the bound that was reached
  bool is_cancelled = false;   ///< stopped early by `on_run` or the context
};

/// Called with each run; returning false stops the simulation.
using OnRun = std::function<bool(const Run&)>;

/// Runs a program as `options` specify. Without `on_run`, traces are not made. Equal arguments give equal results.
/// Errors: operations that the memory does not support (in `gpu` proxies other than the generic one, asynchronous
/// operations, and accesses that are wider than their transaction).
Result<Simulation> simulate(std::shared_ptr<const Program> program, const Options& options, Context& context,
                            const OnRun& on_run = {});

}  // namespace ambit::sim
