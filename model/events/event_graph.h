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

/// Choice: not an event of the program, and never executed; it represents a value that an execution chooses freely,
/// such as the order in which threads arrive at barriers. AsyncStep: the issue of an asynchronous operation, the commit
/// of a group, or a wait for groups.
enum class EventKind : std::uint8_t { InitialWrite, Read, Write, Fence, ProxyFence, Barrier, Choice, AsyncStep };

inline constexpr std::uint32_t kNoThread = 0xffffffffU;
inline constexpr std::uint32_t kNoTransaction = 0xffffffffU;

/// One memory action of the unrolled program. It takes place in an execution iff its guard is not 0.
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
  bool is_alias_fence = false;          ///< ProxyFence: fence.proxy.alias; `proxy` is meaningless
  bool is_mbarrier_init_fence = false;  ///< ProxyFence: fence.mbarrier_init; `proxy` is meaningless
  bool is_shared_only = false;          ///< Fence: sync_restrict
  ProxyFence::Direction direction = ProxyFence::Direction::Both;  ///< ProxyFence
  EventId issue =
      kNoEvent;  ///< accesses of asynchronous operations: the AsyncStep that issued them; in no program order
  Proxy proxy = Proxy::Generic;    ///< accesses and proxy fences
  EventId rmw_partner = kNoEvent;  ///< the other half: write of a read, read of a write
  ScalarType type;                 ///< of the access
  NodeId guard = ValueGraph::kTrue;
  NodeId address = ValueGraph::kFalse;  ///< accesses: address value (make_address)
  NodeId cell = ValueGraph::kFalse;     ///< accesses: the address with aliases resolved; equal only for equal locations
  /// Reads: the ValueGraph::read node; writes: the value written; barriers: the value received (ValueExchange).
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

/// A set whose members may depend on the values of the execution. A member must also be executed.
struct ConditionalSet {
  struct Member {
    EventId event;
    NodeId condition;
  };
  EventSet always;                ///< members whenever executed
  std::vector<Member> sometimes;  ///< members when, in addition, the condition is not 0
};

/// A relation whose pairs may depend on the values of the execution. Both ends of a pair must also be executed.
struct ConditionalRelation {
  struct Pair {
    EventId from;
    EventId to;
    NodeId condition;
  };
  Relation always;
  std::vector<Pair> sometimes;
};

/// An error that an execution can run into under any model; reported as a separate verdict.
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

/// A place where a thread may wait forever: a phase of a barrier that never completes.
struct BarrierWait {
  EventId event = kNoEvent;             ///< the arrival that waits
  NodeId stays = ValueGraph::kFalse;    ///< not 0: the thread waits there forever
  std::string barrier;                  ///< "barrier 1 of block 0"
  std::optional<std::uint32_t> needed;  ///< threads that the barrier waits for; absent: that depends on the execution
  std::vector<std::uint32_t> threads;   ///< threads that can arrive there, or must
  struct Mate {
    EventId arrival;
    NodeId condition;  ///< given that both are executed, the arrival is in the phase for which the thread waits
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

/// A run of an `atomic` block. Its executed events are one transaction. The writes of a transaction that aborts are not
/// executed; its later reads of their cells return the values of these writes and are not executed either.
struct TransactionRun {
  std::uint32_t thread = 0;
  Scope scope = Scope::Device;
  NodeId begins = ValueGraph::kTrue;   ///< not 0: control reaches it
  NodeId commits = ValueGraph::kTrue;  ///< given that it begins, not 0: it does not abort
  SourceSpan span;
};

/// A loop that was replaced by its last iteration wherever it occurred (spin.cpp).
struct SpinLoop {
  std::uint32_t thread = 0;
  std::uint32_t first = 0;  ///< index into Thread::code: the target of its backward jumps
  std::uint32_t last = 0;   ///< the last of those jumps
  friend bool operator==(const SpinLoop&, const SpinLoop&) = default;
};

inline constexpr unsigned kMaxEvents = 8192;

/// Options of the conversion of a program to events.
struct GraphOptions {
  unsigned unroll = 3;               ///< iterations kept of a loop that is not a spin loop
  Mappings mappings = {};            ///< the model's choices (rules::Rules::mappings)
  unsigned max_events = kMaxEvents;  ///< a program with more is an error
  friend bool operator==(const GraphOptions&, const GraphOptions&) = default;
};

/// A program as events and the relations that are known before an execution is chosen. The numbers of events: initial
/// writes first (event i is the initial write of location i), then thread by thread in program order. The accesses of
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
  NodeId stuck = ValueGraph::kFalse;  ///< not 0: some thread waits at a barrier forever; no final state
  std::vector<BarrierWait> waits;     ///< of those threads
  std::vector<Incident> incidents;
  std::vector<TransactionRun> transactions;  ///< thread by thread, in program order
  std::vector<SpinLoop> spin_loops;          ///< by rising thread and first instruction
  std::vector<NodeId> observables;  ///< registers among Program::observables: their final value; memory: kFalse

  /// If set, a limit was reached, and the graph has only the initial writes. Nothing is known of the program.
  std::optional<Stopped> unfinished;

  std::vector<Remark> remarks;

  std::size_t size() const { return events.size(); }
  const ConditionalSet& set(BaseSet s) const { return sets[static_cast<std::size_t>(s)]; }
  const ConditionalRelation& relation(BaseRelation r) const { return relations[static_cast<std::size_t>(r)]; }
  std::string thread_name(EventId e) const;
  /// Returns the cell that an access touches at `location`: "x", or "x as t" if it uses the alias t.
  std::string cell_name(EventId e, LocationId location) const;
  /// Returns a description: "W x", "R.relaxed.gpu flag", "R.texture x as t", "fence.proxy.texture", "F.sc.gpu", "bar
  /// 0". It has no values and the PTX spelling of scopes.
  std::string describe(EventId e) const;
  bool is_choice(EventId e) const { return events[e].kind == EventKind::Choice; }
};

/// Returns whether `thread`, which is not the waiting one, has arrived at the phase that is waited for. `nodes`: the
/// values of the graph's nodes in the execution.
bool has_arrived(const EventGraph& graph, std::span<const Value> nodes, const BarrierWait& wait, std::uint32_t thread);
/// Returns "P0 waits at barrier 1 of block 0 (line 5) with 1 of 2 arrivals".
std::string describe_wait(const EventGraph& graph, std::span<const Value> nodes, const BarrierWait& wait);

/// Unrolls loops, finds spin loops (language.md "Loops"), infers critical sections (definitions 4.4 #12), and numbers
/// barrier instances. If a limit of `context` is reached, or threads can meet at barriers in too many ways, the graph
/// has EventGraph::unfinished. Errors: a program with more than GraphOptions::max_events events; a jump into the middle
/// of a loop.
Result<EventGraph> build(std::shared_ptr<const Program> program, const GraphOptions& options, Context& context);
/// Like build() above, without limits.
Result<EventGraph> build(std::shared_ptr<const Program> program, const GraphOptions& options);

}  // namespace ambit::events
