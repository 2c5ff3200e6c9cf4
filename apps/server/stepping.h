#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/server/request.h"
#include "core/program.h"
#include "runner/sim/engine.h"

namespace ambit::server {

/// A run of the simulator, as far as a request takes it.
struct SteppedRun {
  struct Step {
    sim::Choice choice;
    sim::StepEvent event;  ///< what a thread did
    bool is_thread() const { return choice.kind == sim::Choice::Kind::Step; }
  };
  std::shared_ptr<const Program> program;
  std::unique_ptr<sim::Engine> engine;
  std::vector<Step> steps;
  sim::State before;               ///< the last step
  sim::State state;                ///< after it
  std::vector<sim::Choice> next;   ///< what can happen then
  bool is_left_out = false;        ///< ended: an assume() was not met
  bool computes_for_ever = false;  ///< ended: a thread goes round a loop without memory
  bool is_cut = false;             ///< something could follow, but there are kMostSteps

  bool all_exited() const { return engine->all_exited(state); }
  /// Nothing can happen any more.
  bool has_ended() const { return next.empty() && !is_cut; }
};
inline constexpr std::size_t kMostSteps = 2000;

/// Why a run is no execution of the test, or not yet one, though nothing is to follow; nothing where something is, or
/// where it is one.
std::optional<std::string> why_stopped(const SteppedRun& run);
/// What has gone wrong so far: "assertion failed", "out of bounds".
std::vector<std::string> incidents_of(const SteppedRun& run);

/// Steps along the request's choices.
///
/// Request: "memory" (sc|gpu), "warps" (independent|lockstep), "choices" (names, in order); "finish": true goes on to
/// the end at random, the same way for the same "seed". At most kMostSteps. Throws BadRequest where a choice is not
/// possible.
SteppedRun stepped_run(const Request& request);

}  // namespace ambit::server
