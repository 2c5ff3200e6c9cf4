#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/program.h"
#include "runner/sim/engine.h"
#include "runner/sim/simulator_options.h"

namespace ambit::api {

/// A run of the simulator that ends with the last step that the user chose.
struct SteppedRun {
  struct Step {
    sim::Choice choice;
    sim::StepEvent event;  ///< action of a thread
    bool is_thread() const { return choice.kind == sim::Choice::Kind::Step; }
  };
  std::shared_ptr<const Program> program;
  std::unique_ptr<sim::Engine> engine;
  std::vector<Step> steps;
  sim::State before;               ///< state before the last step
  sim::State state;                ///< state after the last step
  std::vector<sim::Choice> next;   ///< possible next choices
  bool is_left_out = false;        ///< whether the run ended because an assume() was not met
  bool computes_for_ever = false;  ///< whether the run ended because a thread repeats a loop without memory accesses
  bool is_cut = false;             ///< whether kMostSteps ended the run although further steps are possible

  bool all_exited() const { return engine->all_exited(state); }
  /// Returns whether no further step is possible.
  bool has_ended() const { return next.empty() && !is_cut; }
};
inline constexpr std::size_t kMostSteps = 2000;

/// Returns the reason if a stopped run is incomplete or is not an execution of the test. Returns nothing for a run that
/// can continue and for a complete execution.
std::optional<std::string> why_stopped(const SteppedRun& run);
/// Returns the errors of the run so far: "assertion failed", "out of bounds".
std::vector<std::string> incidents_of(const SteppedRun& run);

struct StepRequest {
  std::shared_ptr<const Program> program;
  sim::Options options = {};
  std::vector<std::string> choices = {};  ///< names of the choices to make, in order
  bool finish = false;                    ///< whether to continue to the end with random choices (Options::seed)
};

/// Runs the simulator with these choices, for at most kMostSteps steps. Errors: errors of sim::Engine::create; a choice
/// that is not possible; too many choices (this error has no place).
Result<SteppedRun> step_along(const StepRequest& request);

}  // namespace ambit::api
