// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ambit/export.h>
#include <ambit/limits.h>
#include <ambit/model.h>
#include <ambit/outcomes.h>
#include <ambit/test.h>

#include <cstdint>
#include <string>
#include <vector>

namespace AMBIT_NAMESPACE {

enum class Memory : std::uint8_t {
  Sc,   ///< one memory; each access takes effect immediately
  Gpu,  ///< store buffers and incoherent caches (docs/reference/simulator.md)
};

enum class Schedule : std::uint8_t {
  Random,      ///< each step runs a random thread that can proceed, all with equal probability
  RoundRobin,  ///< the threads take turns
  Pct,         ///< runs the thread of highest priority; priorities change a few times (Burckhardt et al., ASPLOS 2010)
  Exhaustive,  ///< all schedules
};

/// How the lanes of one warp execute.
enum class Warps : std::uint8_t {
  Independent,  ///< each lane executes on its own (Volta and later)
  Lockstep,     ///< all lanes execute together, with a reconvergence stack (before Volta)
};

/// How the simulator runs a test. Two simulations with equal options have equal results.
struct Simulating {
  Memory memory = Memory::Gpu;
  Schedule schedule = Schedule::Random;
  Warps warps = Warps::Independent;
  std::uint64_t seed = 1;
  std::uint64_t runs = 1000;         ///< number of runs, unless the schedule is exhaustive
  std::uint64_t max_runs = 100'000;  ///< limit on the runs of an exhaustive search
  std::uint64_t max_steps = 10'000;  ///< limit on the steps of one run
};

/// An outcome and how often it occurred.
struct CountedOutcome {
  Outcome outcome;
  std::uint64_t runs = 0;  ///< number of runs; 0 for an exhaustive search, which does not count runs
};

/// The results of the runs.
struct SimulationResult {
  std::vector<std::string> observables;
  std::vector<std::string> models;
  std::vector<CountedOutcome> outcomes;  ///< sorted by values
  std::uint64_t runs = 0;
  std::uint64_t deadlocks = 0;           ///< runs in which some thread could not proceed
  std::uint64_t bound_hits = 0;          ///< runs that reached max_steps
  std::uint64_t dropped = 0;             ///< runs that violated an assumption or the test's filter
  std::uint64_t assertion_failures = 0;  ///< runs with a failed assertion
  std::uint64_t out_of_bounds = 0;       ///< runs with an access out of bounds
  bool is_exhaustive = false;            ///< the search was exhaustive: no other outcome exists
  std::string incomplete;                ///< for an exhaustive search, why there may be more outcomes; otherwise empty
  bool is_stopped = false;               ///< Limits::stop ended the runs early; the counts cover the runs so far
  std::string text;                      ///< the results as a table
  std::string json;                      ///< the output of `ambit run --json` (docs/reference/json.md)
};

struct SimulateOptions {
  Simulating simulating = {};
  Limits limits = {};  ///< `stop` applies to the whole simulation; time and memory apply to each answer of a model
};

/// Runs a test on the simulator, and marks the outcomes that the models forbid. Throws Error.
AMBIT_API SimulationResult simulate(const Test& test, const std::vector<Model>& models = {},
                                    const SimulateOptions& options = {});

}  // namespace AMBIT_NAMESPACE
