#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/context.h"
#include "core/mappings.h"
#include "core/program.h"
#include "core/vocabulary.h"
#include "model/events/relation.h"
#include "model/events/value_graph.h"

namespace ambit::events {

/// Choice: not of the program, and never executed; it stands for a value that an execution chooses freely, such as the
/// order in which threads arrive at barriers. AsyncStep: the issue of an asynchronous operation, the commit of a group,
/// or a wait for groups.
enum class EventKind : std::uint8_t { InitialWrite, Read, Write, Fence, ProxyFence, Barrier, Choice, AsyncStep };

inline constexpr std::uint32_t kNoThread = 0xffffffffU;
inline constexpr std::uint32_t kNoTransaction = 0xffffffffU;

/// One memory action of the unrolled program. It takes place in an execution iff its guard is not 0 there.
struct Event {
  EventKind kind = EventKind::Fence;
  std::uint32_t thread = kNoThread;  ///< index into Program::threads; kNoThread for initial writes
  Order order = Order::Weak;
  Scope scope = Scope::System;
  bool has_scope = false;  ///< atomic, volatile, fence, barrier: carries a scope tag
  bool is_atomic = false;
  bool is_volatile = false;
  bool is_reduction = false;
  bool is_rmw = false;                  ///< half of a read-modify-write (or a failed compare-exchange)
  bool is_await = false;                ///< the read of the last iteration of a spin loop
  bool is_alias_fence = false;          ///< ProxyFence: fence.proxy.alias, then `proxy` means nothing
  bool is_mbarrier_init_fence = false;  ///< ProxyFence: fence.mbarrier_init, then `proxy` means nothing
  bool is_shared_only = false;          ///< Fence: sync_restrict
  ProxyFence::Direction direction = ProxyFence::Direction::Both;  ///< ProxyFence
  EventId issue =
      kNoEvent;  ///< accesses of asynchronous operations: the AsyncStep that issued them; in no program order
  Proxy proxy = Proxy::Generic;    ///< accesses and proxy fences
  EventId rmw_partner = kNoEvent;  ///< the other half: write of a read, read of a write
  ScalarType type;                 ///< of the access
  NodeId guard = ValueGraph::kTrue;
  NodeId address = ValueGraph::kFalse;  ///< accesses: address value (make_address)
  NodeId cell = ValueGraph::kFalse;     ///< accesses: the address with aliases resolved; equal for equal locations only
  /// Reads: the ValueGraph::read node; writes: what is written; barriers: what the thread receives (ValueExchange).
  NodeId value = ValueGraph::kFalse;
  NodeId phase = ValueGraph::kFalse;  ///< operations on mbarriers: the phase before the operation
  bool is_mbarrier = false;           ///< an access by an mbarrier operation
  bool is_arrival = false;            ///< half of an arrival at an mbarrier
  std::vector<LocationId> locations;  ///< accesses: every location it may touch, ascending
  std::uint32_t instruction = 0;      ///< index into Thread::code
  std::uint32_t alternatives = 0;     ///< Choice: its value is one of 0 .. alternatives - 1, and `value` is its node
  std::uint32_t transaction = kNoTransaction;  ///< index into EventGraph::transactions
  SourceSpan span;

  bool is_access() const { return kind == EventKind::Read || is_write(); }
  bool is_write() const { return kind == EventKind::Write || kind == EventKind::InitialWrite; }
  bool is_read() const { return kind == EventKind::Read; }
  bool is_async() const { return issue != kNoEvent; }
  bool is_unconditional() const { return guard == ValueGraph::kTrue; }
};

/// A set whose members may depend on the values of the execution. Membership always also needs the event to be
/// executed.
struct ConditionalSet {
  struct Member {
    EventId event;
    NodeId condition;
  };
  EventSet always;                ///< members whenever executed
  std::vector<Member> sometimes;  ///< members when, besides, the condition is not 0
};

/// A relation whose pairs may depend on the values of the execution. A pair always also needs both ends executed.
struct ConditionalRelation {
  struct Pair {
    EventId from;
    EventId to;
    NodeId condition;
  };
  Relation always;
  std::vector<Pair> sometimes;
};

/// Something wrong that an execution can run into whatever the model; reported as a verdict of its own.
struct Incident {
  enum class Kind : std::uint8_t {
    AssertionFailed,
    OutOfBounds,
    BarrierDivergence,
    Misuse
  } kind = Kind::AssertionFailed;
  NodeId condition = ValueGraph::kFalse;  ///< not 0: it happens
  std::uint32_t thread = kNoThread;
  SourceSpan span;
  std::string message;  ///< a sentence without the place
};

/// "assertion failed", "out of bounds", "barrier divergence", "undefined".
std::string_view to_string(Incident::Kind kind);

/// Where a thread may wait for ever: at a phase of a barrier that never completes.
struct BarrierWait {
  EventId event = kNoEvent;             ///< the arrival that waits
  NodeId stays = ValueGraph::kFalse;    ///< not 0: the thread waits there for ever
  std::string barrier;                  ///< "barrier 1 of block 0"
  std::optional<std::uint32_t> needed;  ///< threads that the barrier waits for; absent: that depends on the execution
  std::vector<std::uint32_t> threads;   ///< those that can arrive there, or must
  struct Mate {
    EventId arrival;
    NodeId condition;  ///< given that both are executed: the arrival is one of the phase that the thread waits for
  };
  std::vector<Mate> mates;  ///< arrivals of other threads
};

/// A remark on the program that is not a verdict.
struct Remark {
  SourceSpan span;
  std::string message;
  friend bool operator==(const Remark&, const Remark&) = default;
};

/// The name of a register that marks a thread that has stopped without an exit: the register's final value is not 0.
/// Barriers still wait for such a thread. In a program with such a register, a barrier in conditional code does not
/// complete while other threads have gone past it (definitions.md 2.6). Only the termination check creates these
/// registers.
inline constexpr std::string_view kStopRegister = "%stop";

/// A run of an `atomic` block. Its events that are executed make one transaction; the writes of one that aborts are not
/// executed, and its later reads of their cells return what they would have written without being executed.
struct TransactionRun {
  std::uint32_t thread = 0;
  Scope scope = Scope::Device;
  NodeId begins = ValueGraph::kTrue;   ///< not 0: control gets to it
  NodeId commits = ValueGraph::kTrue;  ///< given that it begins, not 0: it does not abort
  SourceSpan span;
};

/// A loop that was replaced by its last iteration wherever it was met (spin.cpp).
struct SpinLoop {
  std::uint32_t thread = 0;
  std::uint32_t first = 0;  ///< index into Thread::code: the target of its backward jumps
  std::uint32_t last = 0;   ///< the last of those jumps
  friend bool operator==(const SpinLoop&, const SpinLoop&) = default;
};

inline constexpr unsigned kMaxEvents = 8192;

/// How a program is turned into events.
struct GraphOptions {
  unsigned unroll = 3;               ///< iterations kept of a loop that is not a spin loop
  Mappings mappings = {};            ///< what the model asks for (rules::Rules::mappings)
  unsigned max_events = kMaxEvents;  ///< a program with more is an error
  friend bool operator==(const GraphOptions&, const GraphOptions&) = default;
};

/// A program as events and the relations that are known before an execution is chosen. Events are numbered: initial
/// writes first (event i is the initial write of location i), then thread by thread in program order; the accesses of
/// an asynchronous operation follow its issue.
struct EventGraph {
  std::shared_ptr<const Program> program;
  GraphOptions options;
  std::vector<Event> events;
  ValueGraph values;

  std::array<ConditionalSet, kBaseSets.size()> sets;
  /// Empty for the chosen ones (rf, co, fr).
  std::array<ConditionalRelation, kBaseRelations.size()> relations;

  std::vector<NodeId> requirements;           ///< must not be 0: exits of spin loops, assume()
  NodeId bound_reached = ValueGraph::kFalse;  ///< not 0: some loop would run past the bound; not a complete execution
  struct Bound {
    std::uint32_t thread;
    NodeId reached;
  };
  std::vector<Bound> bounds;          ///< bound_reached, loop by loop
  std::optional<SourceSpan> endless;  ///< a loop without an exit that some thread can enter
  NodeId stuck = ValueGraph::kFalse;  ///< not 0: some thread waits at a barrier for ever; no final state
  std::vector<BarrierWait> waits;     ///< of those threads
  std::vector<Incident> incidents;
  std::vector<TransactionRun> transactions;  ///< thread by thread, in program order
  std::vector<SpinLoop> spin_loops;          ///< by rising thread and first instruction
  std::vector<NodeId> observables;  ///< registers among Program::observables: their final value; memory: kFalse

  /// Set: a limit was reached, and the graph has the initial writes only. Nothing is known of the program.
  std::optional<Stopped> unfinished;

  std::vector<Remark> remarks;

  std::size_t size() const { return events.size(); }
  const ConditionalSet& set(BaseSet s) const { return sets[static_cast<std::size_t>(s)]; }
  const ConditionalRelation& relation(BaseRelation r) const { return relations[static_cast<std::size_t>(r)]; }
  std::string thread_name(EventId e) const;
  /// The cell that an access touches, at `location`: "x", or "x as t" where it does so under the alias t.
  std::string cell_name(EventId e, LocationId location) const;
  /// "W x", "R.relaxed.gpu flag", "R.texture x as t", "fence.proxy.texture", "F.sc.gpu", "bar 0": without values, in
  /// the PTX spelling of scopes.
  std::string describe(EventId e) const;
  bool is_choice(EventId e) const { return events[e].kind == EventKind::Choice; }
};

/// In an execution that gives the graph's nodes the values `nodes`: the thread, other than the one that waits, has
/// arrived at the phase that is waited for.
bool has_arrived(const EventGraph& graph, std::span<const Value> nodes, const BarrierWait& wait, std::uint32_t thread);
/// "P0 waits at barrier 1 of block 0 (line 5) with 1 of 2 arrivals".
std::string describe_wait(const EventGraph& graph, std::span<const Value> nodes, const BarrierWait& wait);

/// Unrolls, finds spin loops (language.md "Loops"), infers critical sections (definitions 4.4 #12), numbers barrier
/// instances. Where the limits of `context` are reached, or there are more ways for threads to meet at barriers than
/// can be followed, the graph is EventGraph::unfinished. Errors: a program with more than GraphOptions::max_events
/// events; a jump into the middle of a loop.
Result<EventGraph> build(std::shared_ptr<const Program> program, const GraphOptions& options, Context& context);
/// The same without limits.
Result<EventGraph> build(std::shared_ptr<const Program> program, const GraphOptions& options);

}  // namespace ambit::events
