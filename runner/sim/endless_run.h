#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/context.h"
#include "base/source.h"
#include "core/endless_run.h"
#include "core/program.h"

namespace ambit::sim {

/// The result of a search for a run that never ends.
struct EndlessRunSearch {
  std::optional<EndlessRun> run;
  /// True if the search has visited all states. Without a `run` or deadlock, every weakly fair run then ends.
  bool is_complete = false;
  bool has_deadlock = false;  ///< in some state, no thread can continue and some thread has not exited
  std::string why_not;        ///< if not complete, the reason
};

/// The usual limit of find_endless_run().
inline constexpr std::size_t kMostStates = 100'000;

/// Searches the interleavings of a program (sequential consistency) for a run that never ends although its schedule is
/// weakly fair. Weakly fair: a thread that can always take a step from some point on does take a step (justice:
/// Lehmann, Pnueli, Stavi, "Impartiality, justice and fairness", ICALP 1981). A finite graph of states has such a run
/// if and only if a strongly connected component meets two conditions. The component contains a step. For each thread
/// that has not exited, the component has a step of the thread or a state that blocks the thread. A thread waits in a
/// loop if its last iteration has changed nothing and would repeat. This thread cannot step until another thread has
/// changed a cell. A run that repeats the iteration is fair for the thread and visits the same states.
///
/// Visits at most `most_states` states. Errors: operations that the simulator does not support.
Result<EndlessRunSearch> find_endless_run(const std::shared_ptr<const Program>& program, std::size_t most_states,
                                          Context& context);

}  // namespace ambit::sim
