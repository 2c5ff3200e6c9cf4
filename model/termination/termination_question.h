#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/program.h"
#include "model/events/control_flow.h"
#include "model/events/event_graph.h"
#include "model/termination/warp_flow.h"

namespace ambit::termination {

/// Returns an int expression: 1 if `a` is 0, else 0.
inline Expr negated(Expr a) { return Expr::make(Op::LogicalNot, kInt, {std::move(a)}); }

/// The values that an iteration of a loop read from one cell, in registers of the thread.
struct CellProbe {
  LocationId location = 0;
  RegisterId was_read = 0;
  RegisterId value = 0;
};

struct LoopProbe {
  events::Loop loop;
  std::size_t position = 0;  ///< of the loop's first instruction in the rewritten code
  bool is_spin = false;      ///< a repeated iteration changes nothing, as events::build has found
  std::vector<CellProbe> cells;
  std::optional<RegisterId> conflict;  ///< the iteration read two values from one cell
  std::optional<RegisterId> changed;   ///< not is_spin: it changed memory or arrived at a barrier
  std::vector<RegisterId> saved;       ///< not is_spin: values of loop.carried at the iteration's beginning
};

struct DivergenceProbe {
  Divergence divergence;
  RegisterId inside = 0;
  RegisterId direction = 0;
  RegisterId passed = 0;  ///< how often the thread has gone on after it
};

/// A place where a thread may stop for good.
struct Stop {
  enum class Kind : std::uint8_t { Loop, Barrier, NotStarted, Reconvergence, Suspended, NeverStarted };
  Kind kind = Kind::Loop;
  std::size_t index = 0;  ///< into ThreadProbe::loops | divergences
  SourceSpan span;
};

/// The meaning of the registers added to a thread.
struct ThreadProbe {
  RegisterId stop = 0;  ///< 0: the thread ended; n: it stopped at stops[n - 1]
  std::vector<Stop> stops;
  std::vector<LoopProbe> loops;
  std::vector<DivergenceProbe> divergences;
};

/// A program in which threads may stop where they would wait forever. Its filter is the condition under which the
/// scheduler and fair memory allow the stops of an execution, at least one of them in vain.
struct TerminationQuestion {
  std::shared_ptr<const Program> program;
  std::vector<ThreadProbe> threads;     ///< by thread of the checked program
  std::vector<std::size_t> code_sizes;  ///< of the threads of the checked program
};

/// Returns whether the thread's code has a jump back.
bool has_loop(const Thread& thread);
/// Returns whether some thread has a loop or waits at a barrier; if not, the program terminates.
bool can_wait(const Program& program);

/// Returns the program without weak accesses to cells that have only weak accesses and whose values reach no branch, no
/// address and no other cell. They order nothing, so executions with and without them correspond: an added access takes
/// its place in its thread's order. Instructions keep their numbers.
std::shared_ptr<const Program> without_idle_data(const events::EventGraph& graph);

/// Makes the question. `graph`: that of the program to check.
TerminationQuestion make_question(const events::EventGraph& graph, Scheduler scheduler);

// ---- parts ----

/// Threads that are scheduled together, in each gpu by rising number: those of one block, or of all blocks of one
/// cluster, which run at the same time.
struct SchedulingUnit {
  int gpu = 0;
  int first_block = 0;
  std::vector<std::uint32_t> threads;
};
std::vector<SchedulingUnit> scheduling_units(const Program& program);

/// The parameters for rewriting a thread.
struct RewriteRequest {
  const events::EventGraph* graph = nullptr;
  std::uint32_t thread = 0;
  bool may_be_suspended = false;
  bool may_never_start = false;
  std::vector<Divergence> divergences;
};
/// The rewritten thread reads its stop from a cell and object after those of the program.
struct RewrittenThread {
  Thread thread;
  ThreadProbe probe;
  Value choices = 0;  ///< the thread uses the values 1..choices of the cell; 0: it does not read it
};
RewrittenThread rewrite_thread(const RewriteRequest& request);

/// Adds the observables that the condition needs to `program`, and the condition as its filter.
void add_demand(Program& program, const TerminationQuestion& question, Scheduler scheduler);

}  // namespace ambit::termination
