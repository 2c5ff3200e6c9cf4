#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/program.h"
#include "runner/sim/engine.h"
#include "server/request.h"

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
  std::vector<sim::Choice> next;   ///< what can happen then; empty: the run has ended
  bool is_left_out = false;        ///< ended: an assume() was not met
  bool computes_for_ever = false;  ///< ended: a thread goes round a loop without memory

  bool all_exited() const { return engine->all_exited(state); }
};

/// Steps along the request's choices.
///
/// Request: "memory" (sc|gpu), "warps" (independent|lockstep), "choices" (names, in order); "finish": true goes on to
/// the end at random, the same way for the same "seed". At most 2000 steps. Throws BadRequest where a choice is not
/// possible.
SteppedRun stepped_run(const Request& request);

}  // namespace ambit::server
