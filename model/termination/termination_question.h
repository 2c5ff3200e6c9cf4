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

/// Returns an int expression that is 1 if `a` is 0, and 0 otherwise.
inline Expr negated(Expr a) { return Expr::make(Op::LogicalNot, kInt, {std::move(a)}); }

/// Registers of the thread that record what an iteration of a loop read from one cell.
struct CellProbe {
  LocationId location = 0;
  RegisterId was_read = 0;
  RegisterId value = 0;
};

struct LoopProbe {
  events::Loop loop;
  std::size_t position = 0;  ///< position of the loop's first instruction in the rewritten code
  bool is_spin = false;      ///< whether repeated iterations change nothing, according to events::build
  std::vector<CellProbe> cells;
  std::optional<RegisterId> conflict;  ///< whether the iteration read two different values from one cell
  std::optional<RegisterId> changed;   ///< if not is_spin: whether the iteration changed memory or arrived at a barrier
  std::vector<RegisterId> saved;       ///< if not is_spin: values of loop.carried at the iteration's beginning
};

struct DivergenceProbe {
  Divergence divergence;
  RegisterId inside = 0;
  RegisterId direction = 0;
  RegisterId passed = 0;  ///< number of times that the thread has continued after the divergence
};

/// A place where a thread may stop without exiting.
struct Stop {
  enum class Kind : std::uint8_t { Loop, Barrier, NotStarted, Reconvergence, Suspended, NeverStarted };
  Kind kind = Kind::Loop;
  std::size_t index = 0;  ///< index into ThreadProbe::loops or ThreadProbe::divergences
  SourceSpan span;
};

/// Describes the registers that are added to a thread.
struct ThreadProbe {
  RegisterId stop = 0;  ///< 0 if the thread has ended; n if it has stopped at stops[n - 1]
  std::vector<Stop> stops;
  std::vector<LoopProbe> loops;
  std::vector<DivergenceProbe> divergences;
};

/// A program in which threads may stop at places where they would wait forever. The program's filter requires
/// that the scheduler and fair memory allow all stops of the execution, and that at least one thread is truly
/// stuck.
struct TerminationQuestion {
  std::shared_ptr<const Program> program;
  std::vector<ThreadProbe> threads;     ///< one probe for each thread of the checked program
  std::vector<std::size_t> code_sizes;  ///< size of the code of each thread of the checked program
};

/// Returns whether the thread's code has a backward jump.
bool has_loop(const Thread& thread);
/// Returns whether some thread has a loop or waits at a barrier. Without loops and waits, the program terminates.
bool can_wait(const Program& program);

/// Returns the program without accesses to idle cells. An idle cell has only weak accesses, and its values reach no
/// branch, no address and no other cell. Accesses to idle cells do not order events. So executions with and without
/// these accesses correspond to each other: each omitted access can be inserted at its place in program order.
/// Instructions keep their numbers.
std::shared_ptr<const Program> without_idle_data(const events::EventGraph& graph);

/// Makes the question. `graph` belongs to the checked program.
TerminationQuestion make_question(const events::EventGraph& graph, Scheduler scheduler);

// ---- parts ----

/// Threads that are scheduled together: the threads of one block, or of all blocks of one cluster, because these blocks
/// run at the same time. The units of a gpu are in increasing order.
struct SchedulingUnit {
  int gpu = 0;
  int first_block = 0;
  std::vector<std::uint32_t> threads;
};
std::vector<SchedulingUnit> scheduling_units(const Program& program);

/// The input for the rewriting of a thread.
struct RewriteRequest {
  const events::EventGraph* graph = nullptr;
  std::uint32_t thread = 0;
  bool may_be_suspended = false;
  bool may_never_start = false;
  std::vector<Divergence> divergences;
};
/// A rewritten thread. The thread reads the choice of its stop from a new cell in a new object. The new cell and object
/// are numbered after the program's cells and objects.
struct RewrittenThread {
  Thread thread;
  ThreadProbe probe;
  Value choices = 0;  ///< the thread uses the values 1..choices of the cell; 0 if it does not read the cell
};
RewrittenThread rewrite_thread(const RewriteRequest& request);

/// Adds to `program` the observables that the condition needs, and the condition as the program's filter.
void add_demand(Program& program, const TerminationQuestion& question, Scheduler scheduler);

}  // namespace ambit::termination
