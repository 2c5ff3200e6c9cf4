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
  /// True if the search has visited every state. Then, without `run` and `has_deadlock`, every weakly fair run ends.
  bool is_complete = false;
  bool has_deadlock = false;  ///< in some state, no thread can continue and some thread has not exited
  std::string why_not;        ///< if not complete, the reason
};

/// The usual limit of find_endless_run().
inline constexpr std::size_t kMostStates = 100'000;

/// Searches the interleavings of a program (sequential consistency) for a run that never ends although its schedule is
/// weakly fair: a thread that can take a step from some point on takes a step (justice: Lehmann, Pnueli, Stavi,
/// "Impartiality, justice and fairness", ICALP 1981). Such a run exists in a finite graph of states if and only if
/// some strongly connected component with a step contains, for each thread that has not exited, a step of the thread or
/// a state in which the thread cannot take a step. A thread waits in a loop if its last iteration has changed nothing
/// and would repeat; this thread cannot take a step until another thread has changed a cell. Repetitions of this
/// iteration change no state, so they make the run fair for the thread.
///
/// Visits at most `most_states` states. Errors: operations that the simulator does not support.
Result<EndlessRunSearch> find_endless_run(const std::shared_ptr<const Program>& program, std::size_t most_states,
                                          Context& context);

}  // namespace ambit::sim
