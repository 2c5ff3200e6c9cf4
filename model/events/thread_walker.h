#pragma once

#include <optional>
#include <vector>

#include "model/events/control_flow.h"
#include "model/events/draft.h"

namespace ambit::events {

/// Returns the value that a read-modify-write of `old` leaves in memory.
NodeId updated_value(ValueGraph& values, RmwOp op, ScalarType type, NodeId old, NodeId operand);

/// Executes one thread symbolically and merges states. A forward jump stores its state at the jump's target, where the
/// states are merged (guards by disjunction, registers by selection). So each instruction of the unrolled code is
/// executed symbolically once, and each event exists once.
class ThreadWalker {
 public:
  ThreadWalker(Draft& draft, std::uint32_t thread, ControlFlow flow);

  /// Adds the thread's events, and sets the thread's observables.
  std::optional<Diagnostic> walk();

 private:
  /// The state of control and registers at one point of the code. If iterations are being tried, the guard is relative
  /// to the innermost such iteration. If the guard is kFalse, control cannot be at this point.
  struct State {
    NodeId guard = ValueGraph::kFalse;
    std::vector<NodeId> registers;
  };
  struct Exit {
    std::size_t target;
    State state;
  };
  /// The code that is being executed: the whole thread, or one iteration of a loop.
  struct Region {
    std::size_t begin;
    std::size_t end;               ///< index after the last instruction
    bool is_loop;                  ///< a jump to `begin` ends the iteration, in the state `back`
    State back = {};               ///< state at the start of the loop's next iteration
    std::vector<Exit> exits = {};  ///< the states in which control leaves the region, one for each target
  };
  /// The sizes of the draft's lists at some point, to which the walker may roll back.
  struct Mark {
    std::size_t events;
    std::size_t control_points;
    std::size_t requirements;
    std::size_t incidents;
    std::size_t bound_points;
    std::size_t snapshots;
    std::size_t transactional_writes;
  };

  /// The results of all walks through a loop, including tried iterations.
  struct LoopFate {
    bool was_awaited = false;
    bool was_unrolled = false;
    unsigned counting_iterations = 0;  ///< number of consecutive tried iterations that changed a constant (a counter)
  };

  ValueGraph& values() { return draft_.graph.values; }
  const Thread& thread() const { return draft_.program().threads[thread_]; }
  bool stopped() const { return error_.has_value(); }
  void fail(SourceSpan span, std::string message, std::string hint);

  // Control (thread_walker.cpp).
  void run(Region& region, State state);
  void step(Region& region, std::size_t at, State& state);
  void branch(Region& region, std::size_t at, State& state, const Branch& branch);
  void deposit(Region& region, std::size_t at, std::size_t target, State state);
  void merge(State& into, State from);
  void merge_exit(std::vector<Exit>& exits, std::size_t target, State state);
  void observe(const State& end);
  NodeId exits(const State& end);
  void take_snapshot(EventId barrier, const State& state);
  /// Adds a Choice event, and returns a boolean that is chosen freely by the execution.
  NodeId choose();
  /// Returns a node that has the value of `chosen` but depends on the same reads as `condition`.
  NodeId either_way(NodeId condition, NodeId chosen) { return values().equal(values().truth(condition), chosen, kInt); }
  void add_incident(Incident::Kind kind, NodeId condition, std::size_t at, std::string message);
  void list_spin_loops();

  // Loops (loops.cpp). The state of a loop between two iterations is the state at the loop's cut (Loop::cut).
  std::vector<Exit> run_loop(const Loop& loop, State state);
  /// An iteration from cut to cut.
  struct Turn {
    State state;                       ///< state at the cut after the iteration
    NodeId back = ValueGraph::kFalse;  ///< guard of the jump back to the loop's start, before the next iteration's test
  };
  State pass_test(const Loop& loop, State state, std::vector<Exit>& exits);
  Turn iterate(const Loop& loop, State state, std::vector<Exit>& exits);
  std::size_t test_end(const Loop& loop) const;
  bool has_exit(const Loop& loop) const;
  void end_at_bound(const Loop& loop, State state, std::vector<Exit>& exits);

  // Iterations that may be omitted (spin.cpp).
  std::optional<Turn> try_spin(const Loop& loop, const State& state, std::vector<Exit>& exits);
  NodeId repeats(const Loop& loop, const Mark& before, const State& entry, const State& back);
  EventId joint_barrier(const Mark& before, NodeId repeats) const;
  NodeId same_when(NodeId now, NodeId then, ScalarType type, unsigned depth = 0);
  NodeId effect_of(EventId event, NodeId repeats, const EventSet& decisive);
  NodeId change_by(EventId write, NodeId repeats);
  bool depends_on_reads_since(const Mark& before, NodeId condition) const;
  void commit_iteration(const Mark& before, NodeId entry_guard, NodeId leaves);
  void place(State& state, NodeId entry_guard, NodeId leaves, bool is_certain);
  Mark mark() const;
  void roll_back(const Mark& to);

  // Waits with a limit (bounded_waits.cpp).
  bool skip_tries(const Loop& loop, State& state, std::vector<Exit>& exits);
  std::optional<RegisterId> changed_counter(const Loop& loop, const State& entry, const State& back) const;
  bool only_polls(const Mark& before, NodeId goes_on);

  // Instructions (instructions.cpp).
  NodeId lower(const Expr& expr, const State& state);
  bool is_too_complex();
  void set_register(State& state, RegisterId target, NodeId value);
  Event make_event(EventKind kind, std::size_t at, const State& state) const;
  EventId emit(Event event, const State& state);
  /// Returns an access with a resolved target, without adding it to the graph. Returns nothing if the access is always
  /// out of bounds.
  std::optional<Event> make_access(EventKind kind, std::size_t at, const State& state, const MemoryAccess& access);
  void emit_fence(std::size_t at, const State& state, Order order, Scope scope, bool is_shared_only = false);
  void set_loaded(State& state, RegisterId target, NodeId value, NodeId executed);
  void execute(const Assign& assign, std::size_t at, State& state);
  void execute(const Load& load, std::size_t at, State& state);
  void execute(const Store& store, std::size_t at, State& state);
  void execute(const Rmw& rmw, std::size_t at, State& state);
  void execute(const Fence& fence, std::size_t at, State& state);
  void execute(const ProxyFence& fence, std::size_t at, State& state);
  void execute(const Barrier& barrier, std::size_t at, State& state);
  void execute(const Assume& assume, std::size_t at, State& state);
  void execute(const Assert& assertion, std::size_t at, State& state);
  void execute(const AsyncStep& step, std::size_t at, State& state);
  /// Adds an access of the asynchronous operation that `issue` issued. Returns nothing if the access is always out of
  /// bounds.
  std::optional<EventId> emit_async(EventKind kind, const MemoryAccess& access, EventId issue, std::size_t at,
                                    const State& state);
  void emit_element(const AsyncElement& element, EventId issue, std::size_t at, const State& state);
  void emit_completion(const AsyncStep& step, std::size_t number, EventId issue, std::size_t at, State state);
  void note_phase(Event& event, const MemoryAccess& access, NodeId seen);

  // Transactions (transactions.cpp).
  /// A write in the current transaction. The write is executed only if the transaction commits.
  struct TransactionalWrite {
    NodeId guard;
    NodeId cell;
    NodeId value;
  };
  /// The transaction that contains the current instruction.
  struct OpenTransaction {
    std::uint32_t run = kNoTransaction;
    std::size_t begin = 0;  ///< index of the transaction's first instruction
    std::size_t end = 0;
    bool may_abort = false;
    std::vector<TransactionalWrite> writes = {};
  };
  void execute(const TransactionBegin& begin, std::size_t at, State& state);
  void execute(const TransactionEnd& end, std::size_t at, State& state);
  std::size_t transaction_end(std::size_t begin) const;
  /// Returns the value of a read. If the transaction aborts and has already written the cell, the read is not executed,
  /// and the result is the written value.
  NodeId value_in_transaction(Event& read);
  /// Adds to the guard of a write the condition that the transaction commits.
  void write_in_transaction(Event& write);
  MemoryAccess mapped(const MemoryAccess& access, Order strongest, std::size_t at, const State& state);

  Draft& draft_;
  std::uint32_t thread_;
  ControlFlow flow_;
  std::vector<LoopFate> fates_;                ///< one LoopFate for each element of flow_.loops
  std::vector<std::optional<State>> pending_;  ///< for each instruction, the merged state of the jumps to it
  unsigned trial_depth_ = 0;                   ///< number of iterations that are being tried; 0: guards are absolute
  std::optional<OpenTransaction> open_;        ///< the transaction that contains the current instruction
  NodeId facts_ = ValueGraph::kTrue;           ///< the unconditional requirements of this thread so far
  std::size_t steps_ = 0;
  std::optional<Diagnostic> error_;
};

}  // namespace ambit::events
