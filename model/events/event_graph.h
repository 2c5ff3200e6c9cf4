#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/context.h"
#include "core/mappings.h"
#include "core/program.h"
#include "core/vocabulary.h"
#include "model/events/relation.h"
#include "model/events/value_graph.h"

namespace ambit::events {

/// The kind of an event. A Choice is not an event of the program and is never executed. A Choice represents a value
/// that the execution chooses, such as the order in which threads arrive at barriers. An AsyncStep is the issue of an
/// asynchronous operation, the commit of a group, or a wait for groups.
enum class EventKind : std::uint8_t { InitialWrite, Read, Write, Fence, ProxyFence, Barrier, Choice, AsyncStep };

inline constexpr std::uint32_t kNoThread = 0xffffffffU;
inline constexpr std::uint32_t kNoTransaction = 0xffffffffU;

/// One memory action of the unrolled program. The event is executed iff its guard is not 0 in the execution.
struct Event {
  EventKind kind = EventKind::Fence;
  std::uint32_t thread = kNoThread;  ///< index into Program::threads; kNoThread for initial writes
  Order order = Order::Weak;
  Scope scope = Scope::System;
  bool has_scope = false;  ///< the event has a scope tag: atomic, volatile, fence, barrier
  bool is_atomic = false;
  bool is_volatile = false;
  bool is_reduction = false;
  bool is_rmw = false;                  ///< the event is half of a read-modify-write (or a failed compare-exchange)
  bool is_await = false;                ///< the event is the read of the last iteration of a spin loop
  bool is_alias_fence = false;          ///< ProxyFence: fence.proxy.alias; `proxy` is meaningless
  bool is_mbarrier_init_fence = false;  ///< ProxyFence: fence.mbarrier_init; `proxy` is meaningless
  bool is_shared_only = false;          ///< Fence: sync_restrict
  ProxyFence::Direction direction = ProxyFence::Direction::Both;  ///< ProxyFence
  /// For an access of an asynchronous operation, the AsyncStep that issued it. The access is not in program order.
  EventId issue = kNoEvent;
  Proxy proxy = Proxy::Generic;    ///< used only for accesses and proxy fences
  EventId rmw_partner = kNoEvent;  ///< the other half of a read-modify-write: for a read, its write, or vice versa
  ScalarType type;                 ///< type of the access
  NodeId guard = ValueGraph::kTrue;
  NodeId address = ValueGraph::kFalse;  ///< for accesses, the address value (make_address)
  /// For accesses, the address after the resolution of aliases. Two cells are equal only if their locations are equal.
  NodeId cell = ValueGraph::kFalse;
  /// For a read, the ValueGraph::read node; for a write, the written value; for a barrier, the received value
  /// (ValueExchange).
  NodeId value = ValueGraph::kFalse;
  NodeId phase = ValueGraph::kFalse;  ///< for an operation on an mbarrier, the phase before the operation
  bool is_mbarrier = false;           ///< the event is an access by an mbarrier operation
  bool is_arrival = false;            ///< the event is the read or the write of an arrival at an mbarrier
  std::vector<LocationId> locations;  ///< for accesses, all locations that the access may touch, in ascending order
  std::uint32_t instruction = 0;      ///< index into Thread::code
  std::uint32_t alternatives = 0;     ///< for a Choice, the number of alternatives: `value` is 0 .. alternatives - 1
  std::uint32_t transaction = kNoTransaction;  ///< index into EventGraph::transactions
  SourceSpan span;

  bool is_access() const { return kind == EventKind::Read || is_write(); }
  bool is_write() const { return kind == EventKind::Write || kind == EventKind::InitialWrite; }
  bool is_read() const { return kind == EventKind::Read; }
  bool is_async() const { return issue != kNoEvent; }
  bool is_unconditional() const { return guard == ValueGraph::kTrue; }
};

/// A set with members that may depend on the values of the execution. Only executed events are members.
struct ConditionalSet {
  struct Member {
    EventId event;
    NodeId condition;
  };
  EventSet always;                ///< events that are members whenever they are executed
  std::vector<Member> sometimes;  ///< events that are members if they are executed and their condition is not 0
};

/// A relation with pairs that may depend on the values of the execution. Both events of each pair are executed.
struct ConditionalRelation {
  struct Pair {
    EventId from;
    EventId to;
    NodeId condition;
  };
  Relation always;
  std::vector<Pair> sometimes;
};

/// An error that can occur in an execution, regardless of the model. A separate verdict covers incidents.
struct Incident {
  enum class Kind : std::uint8_t {
    AssertionFailed,
    OutOfBounds,
    BarrierDivergence,
    Misuse
  } kind = Kind::AssertionFailed;
  NodeId condition = ValueGraph::kFalse;  ///< the incident happens if this node is not 0
  std::uint32_t thread = kNoThread;
  SourceSpan span;
  std::string message;  ///< a sentence that does not name the place
};

/// Returns "assertion failed", "out of bounds", "barrier divergence" or "undefined".
std::string_view to_string(Incident::Kind kind);

/// A place where a thread may wait forever: a phase of a barrier that never completes.
struct BarrierWait {
  EventId event = kNoEvent;           ///< the arrival that waits
  NodeId stays = ValueGraph::kFalse;  ///< not 0 iff the thread waits at this place forever
  std::string barrier;                ///< "barrier 1 of block 0"
  /// The number of threads for which the barrier waits; absent if this number depends on the execution.
  std::optional<std::uint32_t> needed;
  std::vector<std::uint32_t> threads;  ///< the threads that can arrive at the barrier, or must arrive
  struct Mate {
    EventId arrival;
    /// Not 0 iff this arrival is in the phase for which the thread waits, if both arrivals are executed.
    NodeId condition;
  };
  std::vector<Mate> mates;  ///< the arrivals of other threads
};

/// A remark on the program that is not a verdict.
struct Remark {
  SourceSpan span;
  std::string message;
  friend bool operator==(const Remark&, const Remark&) = default;
};

/// The name of a register whose final value is not 0 if its thread has stopped without an exit. Barriers still wait for
/// a thread without an exit. In a program with this register, a barrier in conditional code does not complete if other
/// threads have passed the barrier without arriving (definitions/events.md 2.6). Only the termination check creates
/// registers of this name.
inline constexpr std::string_view kStopRegister = "%stop";

/// A run of an `atomic` block. The executed events of the run are one transaction. In a transaction that aborts, writes
/// are not executed. Later reads of the written cells in the transaction return the written values, and are not
/// executed either.
struct TransactionRun {
  std::uint32_t thread = 0;
  Scope scope = Scope::Device;
  NodeId begins = ValueGraph::kTrue;   ///< not 0 iff control reaches the transaction
  NodeId commits = ValueGraph::kTrue;  ///< not 0 iff the transaction does not abort, if it begins
  SourceSpan span;
};

/// A spin loop. For each occurrence of the loop, the graph contains only the last iteration (spin.cpp).
struct SpinLoop {
  std::uint32_t thread = 0;
  std::uint32_t first = 0;  ///< the target of the loop's backward jumps, as an index into Thread::code
  std::uint32_t last = 0;   ///< the last of these jumps, as an index into Thread::code
  friend bool operator==(const SpinLoop&, const SpinLoop&) = default;
};

inline constexpr unsigned kMaxEvents = 8192;

/// Options of the conversion of a program to events.
struct GraphOptions {
  unsigned unroll = 3;               ///< maximum number of iterations of a loop that is not a spin loop
  Mappings mappings = {};            ///< the model's options (rules::Rules::mappings)
  unsigned max_events = kMaxEvents;  ///< a program with more events causes an error
  friend bool operator==(const GraphOptions&, const GraphOptions&) = default;
};

/// A program, converted to events, and the relations that do not depend on the execution's choices. Event i is the
/// initial write of location i. The events of the threads follow, thread by thread in program order. The accesses of an
/// asynchronous operation follow its issue.
struct EventGraph {
  std::shared_ptr<const Program> program;
  GraphOptions options;
  std::vector<Event> events;
  ValueGraph values;

  std::array<ConditionalSet, kBaseSets.size()> sets;
  /// The relations that an execution chooses (rf, co, fr) are empty.
  std::array<ConditionalRelation, kBaseRelations.size()> relations;

  std::vector<NodeId> requirements;  ///< nodes that must not be 0: exits of spin loops, assume()
  /// Not 0 iff some loop exceeds the bound. The execution is then incomplete.
  NodeId bound_reached = ValueGraph::kFalse;
  struct Bound {
    std::uint32_t thread;
    NodeId reached;
  };
  std::vector<Bound> bounds;          ///< the disjuncts of bound_reached, one for each loop
  std::optional<SourceSpan> endless;  ///< the place of a loop without an exit that some thread can enter
  /// Not 0 iff some thread waits at a barrier forever. The execution then has no final state.
  NodeId stuck = ValueGraph::kFalse;
  std::vector<BarrierWait> waits;  ///< the places where threads can wait forever
  std::vector<Incident> incidents;
  std::vector<TransactionRun> transactions;  ///< thread by thread, in program order
  std::vector<SpinLoop> spin_loops;          ///< in increasing order of thread and first instruction
  std::vector<NodeId> observables;           ///< for each observable, its final value if it is a register; else kFalse

  /// If set, a limit was reached, and the graph has only the initial writes. In this case, the other properties of the
  /// program are unknown.
  std::optional<Stopped> unfinished;

  std::vector<Remark> remarks;

  std::size_t size() const { return events.size(); }
  const ConditionalSet& set(BaseSet s) const { return sets[static_cast<std::size_t>(s)]; }
  const ConditionalRelation& relation(BaseRelation r) const { return relations[static_cast<std::size_t>(r)]; }
  std::string thread_name(EventId e) const;
  /// Returns the name of the cell that an access touches at `location`: "x", or "x as t" if the access uses the alias
  /// t.
  std::string cell_name(EventId e, LocationId location) const;
  /// Returns a description of the event: "W x", "R.relaxed.gpu flag", "R.texture x as t", "fence.proxy.texture",
  /// "F.sc.gpu", "bar 0". The description contains no values, and the scopes have their names in PTX.
  std::string describe(EventId e) const;
  bool is_choice(EventId e) const { return events[e].kind == EventKind::Choice; }
};

/// Returns whether `thread` has arrived at the phase for which the waiting thread waits. `nodes` has the values of the
/// graph's nodes in the execution.
bool has_arrived(const EventGraph& graph, std::span<const Value> nodes, const BarrierWait& wait, std::uint32_t thread);
/// Describes a wait: "P0 waits at barrier 1 of block 0 (line 5) with 1 of 2 arrivals".
std::string describe_wait(const EventGraph& graph, std::span<const Value> nodes, const BarrierWait& wait);

/// Unrolls loops, finds spin loops (language/statements.md "Loops"), infers critical sections (definitions 4.4 #12),
/// and numbers barrier instances. If a limit of `context` is reached, or threads can meet at barriers in too many ways,
/// EventGraph::unfinished is set. Returns an error if the program has more than GraphOptions::max_events events, or has
/// a jump into the middle of a loop.
Result<EventGraph> build(std::shared_ptr<const Program> program, const GraphOptions& options, Context& context);
/// Like build() above, without limits.
Result<EventGraph> build(std::shared_ptr<const Program> program, const GraphOptions& options);

}  // namespace ambit::events
