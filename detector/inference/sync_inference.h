#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/barrier_tracker.h"
#include "core/race_report.h"
#include "core/trace.h"
#include "detector/inference/action.h"
#include "detector/inference/fence_set.h"
#include "detector/inference/large_allocator.h"
#include "detector/inference/places.h"
#include "detector/inference/sync_state.h"

namespace ambit::detector {

inline bool can_acquire(Order order) {
  return order == Order::Acquire || order == Order::AcqRel || order == Order::SeqCst;
}
inline bool can_release(Order order) {
  return order == Order::Release || order == Order::AcqRel || order == Order::SeqCst;
}
/// Returns whether the event is a compare-exchange that may have replaced 0 by another value.
bool may_take_lock(const TraceEvent& event);

/// Infers critical sections and synchronisation for all detectors at once, from the events of each thread in program
/// order (definitions 4.4, choices 12 and 13).
///
///  * Acquire: a successful compare-exchange that replaces 0 by another value. An acquire operation takes effect at
///    once. Other compare-exchanges take effect at the thread's next acquire fence, if the thread does not access data
///    before this fence. The acquire has the scope of the compare-exchange or of the fence, whichever is narrower. A
///    wider fence before the next access widens the scope.
///  * Release of a lock that the thread holds: a fence and then, without another access between, an exchange or store
///    of 0; or a release operation that stores 0. The release has the scope of the access or of the widest fence,
///    whichever is narrower.
///  * Synchronisation without a lock: an acquire pattern reads from a release pattern through a chain of
///    read-modify-writes. A release pattern is a fence and then an atomic write, or a release write. An acquire pattern
///    is an atomic read and then a fence, or an acquire read. The scopes of these operations must include each other's
///    threads. A hand-over of a lock ends a chain. A failed compare-exchange of a lock reads nothing.
///  * Asynchronous operations (docs/reference/async.md): everything that happens before the issue of an operation
///    happens before the operation. If the issuer waits for the operation's group, the wait adds an edge that starts at
///    the operation. A wait by any thread for the mbarrier phase in which the operation completed adds such an edge,
///    too. A wait for an mbarrier phase also acquires the releases of all arrivals in the phase.
///  * Fences of order seq_cst: if a read observes a write, a fence before the write comes before a fence after the read
///    (docs/detectors/order.md). Barriers and synchronisation may come between a fence and its access.
///  * A read-modify-write other than compare-exchange also adds an edge, marked is_polled, without a fence: polling
///    with an atomic is an acquire in ScoR, but not in PTX.
class SyncInference {
 public:
  /// The part of the inference that a detector needs.
  enum class Depth : std::uint8_t {
    Sections,  ///< barriers and critical sections: only the actions Barrier, Acquire, Release and Abandon
    All,
  };
  /// The rules for cases in which the published detectors order less than PTX (docs/detectors/order.md).
  enum class Rules : std::uint8_t {
    Papers,
    /// Volatile accesses are relaxed, at system scope (8.5). After a read, accesses follow the observed write (8.9.5).
    Ptx,
  };
  /// `tables` must outlive this object and contain every name of the events.
  explicit SyncInference(const TraceTables& tables, Depth depth = Depth::All, Rules rules = Rules::Papers)
      : tables_(tables), is_whole_(depth == Depth::All), rules_(rules) {}

  /// Returns the actions of the trace's next event, valid until the next call.
  std::span<const Action> on(const TraceEvent& event);
  /// Like on(), but the caller detects the completion of barriers and calls on_completion(). This function does not
  /// complete or check barriers.
  std::span<const Action> on_meaning(const TraceEvent& event);
  /// Like on_meaning(), for fences by all lanes of a warp, one after the other. `event` is the first lane's fence. The
  /// fences create one mark of the warp. The threads of a warp must have consecutive numbers.
  std::span<const Action> on_fence_of_warp(TraceEvent event);
  /// Like on_meaning(), for accesses of one kind by the lanes of a whole warp to consecutive locations. `event` is the
  /// first lane's access. All lanes must read the same old value, and a compare-exchange must fail for all lanes or for
  /// no lane. `is_one_value` is true if all lanes write or read the same value. The result has actions of the warp
  /// (Action::is_of_warp). If the lanes' states differ by more than the lane number, returns std::nullopt and changes
  /// nothing.
  std::optional<std::span<const Action>> on_access_of_warp(TraceEvent event, bool is_one_value);
  /// Returns the actions of a completing barrier. completions() returns `done` until the next call. So `done` must not
  /// change before the next call.
  std::span<const Action> on_completion(const BarrierTracker::Completion& done);
  /// Returns whether a plain access by the thread can only be an access of data: the thread must hold no lock and have
  /// no pending acquire. Records that the thread makes an access.
  bool accesses_only(std::uint32_t thread) {
    end_event();
    if (thread >= brief_.size()) return true;
    if (brief_[thread].is_busy) return false;  // the access may release a lock
    brief_[thread].ready = Scope::Thread;
    return true;
  }
  /// Returns the lanes for which accesses_only() returns true. `first` is the first thread of the warp.
  std::uint32_t access_only_lanes(std::uint32_t first, std::uint32_t lanes) {
    std::uint32_t only = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
      if (accesses_only(first + static_cast<std::uint32_t>(std::countr_zero(lanes)))) only |= lanes & -lanes;
    }
    return only;
  }
  /// Returns whether the access is atomic. Under the rules of PTX, volatile accesses are atomic.
  bool is_atomic(const TraceEvent& event) const {
    return event.is_atomic() || (event.is_access() && event.is_volatile && rules_ == Rules::Ptx);
  }
  bool has_locks() const { return has_locks_; }
  /// Returns whether the thread holds a lock or has a pending acquire, after the events that on_meaning() has handled.
  bool is_busy(std::uint32_t thread) const { return thread < brief_.size() && brief_[thread].is_busy; }
  /// Returns whether is_busy() is true for at least one of the lanes. `first` is the first thread of the warp.
  bool has_busy_lane(std::uint32_t first, std::uint32_t lanes) const {
    bool is_some = false;
    for (; lanes != 0; lanes &= lanes - 1) {
      is_some |= is_busy(first + static_cast<std::uint32_t>(std::countr_zero(lanes)));
    }
    return is_some;
  }
  /// Handles a relaxed atomic access that is only an access of data: the thread must have executed no fence and hold no
  /// lock, and no thread may have published a message at the location. For any other access, does nothing and returns
  /// false; the caller must then call on_meaning().
  bool takes_relaxed(const TraceEvent& event) {
    if (!is_relaxed(event) || !may_take_relaxed(event.thread, event.object)) return false;
    take_relaxed(event);
    return true;
  }
  /// The next four functions are the parts of takes_relaxed(): the check of the instruction, the checks of the thread
  /// and the location, and the effect of the event.
  bool is_relaxed(const TraceEvent& event) const {
    return event.order == Order::Relaxed && is_atomic(event) && event.rmw != TraceRmw::CompareExchange;
  }
  bool may_take_relaxed(std::uint32_t thread) {
    const Brief& own = brief(thread);
    return !own.is_busy && !own.has_fences;
  }
  bool may_take_relaxed(std::uint32_t thread, std::uint32_t object) {
    if (!may_take_relaxed(thread)) return false;
    if (location(object).collapsed != kNoName) expand_location(object);
    const LocationState& at = locations_[object];
    return !at.is_lock && at.messages.empty();
  }
  void take_relaxed(const TraceEvent& event);
  /// Prefetch hint before an event at the location.
  void fetch_location(std::uint32_t object) const {
    if (object < locations_.size()) __builtin_prefetch(&locations_[object]);
  }
  /// From now on, joins many threads' messages at one location if the join does not change the races. For launches.
  void join_flags() { joins_flags_ = tables_.launch.gpus == 1; }
  /// Must be called after the last event. Returns the actions that could be decided only at the end of the trace.
  std::span<const Action> finish();
  /// Returns the barriers that completed at the last event. The `object` of a Barrier action is an index of this list.
  std::span<const BarrierTracker::Completion> completions() const { return completions_; }
  const TraceTables& tables() const { return tables_; }

  /// Returns whether the location is known to be a lock.
  bool is_lock(std::uint32_t location) const { return location < locations_.size() && locations_[location].is_lock; }
  /// Returns the reason why the last attempt of `reader` to synchronise with `writer` through a flag failed. Returns
  /// nothing if no attempt failed.
  std::optional<RaceKind> failed_sync(std::uint32_t writer, std::uint32_t reader) const;
  /// Returns whether `reader` has read a flag that `writer` set after a fence, and has not executed a fence since then.
  bool awaits_fence(std::uint32_t writer, std::uint32_t reader) const;
  /// Returns whether a read by `thread` before the current event has observed the location's last atomic write, which
  /// `writer` made with `scope`. After this read, further accesses of the location by `thread` come after the write
  /// (PTX 8.9.5, causality order), even without synchronisation. The result true is always right; the result false may
  /// be wrong.
  bool has_observed(std::uint32_t thread, std::uint32_t location, std::uint32_t writer, Scope scope) const {
    if (rules_ == Rules::Papers || location >= locations_.size() || thread >= seen_.size()) return false;
    const Writes now = writes_before(location);
    // If the writes form several chains, only the last write is certain to be in the last chain.
    if (now.is_broken && (now.writer != writer || now.scope != scope)) return false;
    return now.count != 0 && seen_of(thread, location) == now.count;
  }
  /// Returns whether the current event is an access of the location by the thread. has_observed() ignores this access.
  bool looks_at(std::uint32_t thread, std::uint32_t location) const {
    const std::uint32_t lane = location - before_.location;
    return lane < before_.lanes && before_.thread + lane == thread;
  }
  /// Returns whether the lock's last release was by this thread and had no release fence.
  bool was_abandoned(std::uint32_t lock, std::uint32_t thread) const;
  /// Returns the open critical sections, as (thread, lock).
  std::vector<std::pair<std::uint32_t, std::uint32_t>> open_sections() const;

 private:
  static constexpr std::size_t kLevels = sync::kLevels;
  /// The locations whose last write a thread has observed. Each location comes with its number of writes at that time.
  /// The last observed location comes first.
  using Seen = std::array<std::pair<std::uint32_t, std::uint32_t>, 4>;

  /// The state of the atomic writes to a location.
  struct Writes {
    std::uint32_t writer = kNoName;  ///< last writer
    std::uint32_t count = 0;
    Scope scope = Scope::System;  ///< scope of the last write
    bool is_broken = false;       ///< LocationState::is_broken
  };

  using Message = sync::Message;
  using Operation = sync::Operation;
  using MbarrierPhase = sync::MbarrierPhase;
  using JointMessages = sync::JointMessages;
  using Joint = sync::Joint;
  using PendingAcquire = sync::PendingAcquire;
  using Section = sync::Section;
  using ThreadState = sync::ThreadState;
  using LocationState = sync::LocationState;
  using Brief = sync::Brief;

  Brief& brief(std::uint32_t id) {
    if (id >= brief_.size()) add_threads(id);
    return brief_[id];
  }
  ThreadState& thread(std::uint32_t id) { return has_state(id) ? known(id) : new_state(id); }
  void note_whether_busy(std::uint32_t id) {
    if (!has_state(id)) return;
    const ThreadState& state = known(id);
    brief_[id].is_busy = !state.sections.empty() || !state.acquires.empty();
  }
  void add_threads(std::uint32_t id);
  ThreadState& new_state(std::uint32_t id);
  bool has_state(std::uint32_t id) const { return id / kChunk < threads_.size() && threads_[id / kChunk] != nullptr; }
  /// Returns the state of a thread, which must exist.
  ThreadState& known(std::uint32_t id) { return threads_[id / kChunk][id % kChunk]; }
  const ThreadState& known(std::uint32_t id) const { return threads_[id / kChunk][id % kChunk]; }
  inline void interpret(const TraceEvent& event);
  /// Returns whether the current event, an arrival by the thread, completed the barrier.
  bool has_completed(std::uint32_t thread) const {
    return !completions_.empty() &&
           std::ranges::find(completions_.back().arrived_only, thread) != completions_.back().arrived_only.end();
  }
  LocationState& location(std::uint32_t id) {
    if (id >= locations_.size()) add_locations(id);
    return locations_[id];
  }
  void add_locations(std::uint32_t id);
  Action& emit(ActionKind kind, std::uint32_t thread, std::uint32_t object);
  /// Emits an AddToMark action that adds mark `added` to the joint mark `mark`. `marker` is the thread of `added`;
  /// kNoName if `added` is a joint mark.
  Action& emit_addition(std::uint32_t thread, MarkId mark, MarkId added, std::uint32_t marker, bool is_first);
  /// `acquire_scope` is the scope of the acquiring fence if this fence has order seq_cst; otherwise Thread.
  void receive(std::uint32_t thread, const Message& message, Scope acquire_scope = Scope::Thread) {
    emit_edge(thread, message);
    const bool may_have_sets = message.fences != kNoName || is_of_lanes(message.mark);
    if (may_have_sets || message.fence > acquire_scope) inherit_fences(thread, message, acquire_scope);
  }
  void emit_edge(std::uint32_t thread, const Message& message, bool is_polled = false) {
    if (is_of_lanes(message.mark)) return emit_edges_of_lanes(thread, message, is_polled);
    Action& action = emit(ActionKind::Edge, thread, message.mark);
    action.marker = message.thread;
    action.is_polled = is_polled;
  }
  void emit_access(const TraceEvent& event, const ThreadState& state);
  /// `state` is the state of the event's thread.
  void describe_access(const TraceEvent& event, const ThreadState& state, Action& action) const;

  void on_synchronization(const TraceEvent& event);
  void on_access(const TraceEvent& event);
  void on_compare_exchange(const TraceEvent& event);
  bool on_unlock(const TraceEvent& event);
  void on_fence(const TraceEvent& event);
  void on_explicit_lock(const TraceEvent& event);
  /// `arriving` is the event's thread if the event is an arrival without waiting, which may complete a barrier.
  void on_completions(std::uint32_t arriving);
  void begin_section(std::uint32_t thread, std::uint32_t lock, Scope operation, Scope effective, bool is_explicit);
  void end_section(std::uint32_t thread, std::size_t index, std::optional<Scope> published);
  void defeat_acquires(std::uint32_t thread, std::uint32_t except);
  void defeat(std::uint32_t thread, PendingAcquire& acquire);
  void take_lock(std::uint32_t thread, const PendingAcquire& taken, Scope effective);
  /// Handles a fence, but does not create the fence's mark.
  void pass_fence(const TraceEvent& event);
  void acquire_by_fence(const TraceEvent& event);
  /// Records a fence. The caller retains the mark once for each level up to the fence's scope. `sections` is the state
  /// that holds the thread's critical sections.
  void remember_fence(ThreadState& state, const TraceEvent& event, MarkId mark, std::uint64_t number,
                      const ThreadState& sections) {
    const auto levels = static_cast<std::uint8_t>((2U << static_cast<unsigned>(event.scope)) - 2);
    for (std::size_t level = 1; level <= static_cast<std::size_t>(event.scope); ++level) {
      state.fence[level] = mark;
      state.fence_event[level] = number;
    }
    const auto set = [&](std::uint8_t& bits, bool is) {
      bits = static_cast<std::uint8_t>(is ? bits | levels : bits & ~levels);
    };
    const bool is_seq_cst = event.order == Order::SeqCst;
    set(state.seq_cst, is_seq_cst);
    set(state.inside, is_inside(sections));
    if (is_seq_cst) state.unshared = std::max(state.unshared, event.scope);
    has_seq_cst_ |= is_seq_cst;
  }
  void receive_pending(const TraceEvent& event);

  void read_flag(const TraceEvent& event, bool is_polled);
  void read_messages(const TraceEvent& event, bool is_polled);
  void write_flag(const TraceEvent& event);
  /// Returns whether the event and the location's last atomic write have scopes that include each other's thread.
  /// Returns false if the location has no atomic write.
  bool is_near_last_writer(const TraceEvent& event, const LocationState& at) const {
    if (at.writer == kNoName) return false;
    return at.writer == event.thread || distance(at.writer, event.thread) <= narrower(at.writer_scope, event.scope);
  }
  /// Returns whether the event reads from a write before the last write.
  static bool reads_older(const TraceEvent& event, const LocationState& at) {
    const Value read = event.op == TraceOp::Read ? event.value : event.old_value;
    const bool has_read = event.op == TraceOp::Read ? event.has_value : event.has_old_value;
    return has_read && at.has_value && read != at.value;
  }
  /// Returns those messages read by `event` whose scopes include its thread. The result is valid until the next call.
  /// Records why the other messages are excluded.
  const std::vector<Message>& visible_messages(const TraceEvent& event);
  void await_fence(std::uint32_t thread, const Message& message);
  /// Returns the narrowest scope that includes both threads.
  Scope distance(std::uint32_t a, std::uint32_t b) const {
    const ThreadPlace& x = tables_.threads()[a].place;
    const ThreadPlace& y = tables_.threads()[b].place;
    if (x.gpu != y.gpu) return Scope::System;
    if (x.block == y.block) return Scope::Block;
    return x.cluster == y.cluster ? Scope::Cluster : Scope::Device;
  }

  // async_inference.cpp
  void on_operation_access(const TraceEvent& event);
  void on_issue(const TraceEvent& event);
  void on_commit(const TraceEvent& event);
  void on_group_wait(const TraceEvent& event);
  void on_complete(const TraceEvent& event);
  void on_proxy_fence(const TraceEvent& event);
  void on_mbarrier_init(const TraceEvent& event);
  void on_mbarrier_arrive(const TraceEvent& event);
  void on_mbarrier_wait(const TraceEvent& event);
  void emit_mbarrier_access(const TraceEvent& event, bool is_init);
  MarkId mark_operation(std::uint32_t operation, bool reads_only);
  std::vector<Message>& arrivals_of(std::uint32_t mbarrier, Value phase);
  std::uint8_t space_of(std::uint32_t location) const;

  // fence_inference.cpp
  FenceSetId set_of(std::uint32_t thread) const {
    return thread < sets_by_thread_.size() ? sets_by_thread_[thread] : kNoName;
  }
  bool has_some_set(std::uint32_t first, std::uint32_t lanes) const {
    for (; lanes != 0; lanes &= lanes - 1) {
      if (set_of(first + static_cast<std::uint32_t>(std::countr_zero(lanes))) != kNoName) return true;
    }
    return false;
  }
  FenceSetId retain_set(FenceSetId set) {
    if (set != kNoName) ++fence_sets_[set].uses;
    return set;
  }
  void release_set(FenceSetId set, std::uint32_t thread, std::uint32_t uses = 1);
  FenceSetId new_set(std::span<const KnownFence> fences);
  void give_set(std::uint32_t thread, FenceSetId set);
  void add_to_set(std::uint32_t thread, std::span<const KnownFence> fences);
  static void drop_older(std::vector<KnownFence>& fences);
  void join_marks(std::span<const KnownFence> from, KnownFence& joined);
  void compact(FenceSetId set);
  static bool is_inside(const ThreadState& state) {
    return std::ranges::any_of(state.sections, [](const Section& section) { return !section.is_bare; });
  }
  /// Returns the scope, or Device if the launch has only one gpu and the scope is wider.
  Scope reach(Scope scope) const { return tables_.launch.gpus == 1 ? narrower(scope, Scope::Device) : scope; }
  Scope scope_of_fence(const ThreadState& state, std::size_t level) const;
  Message message_of_fence(std::uint32_t thread, std::size_t level, Scope scope) const;
  /// Returns whether messages wait for a fence of the thread. In a collapsed warp, only the state of the first lane is
  /// current.
  bool has_pending_messages(std::uint32_t thread) const {
    const ThreadState& first = threads_[thread / kChunk][0];
    return (first.is_collapsed ? first : known(thread)).has_pending;
  }
  void gather_last(std::uint32_t thread, bool is_of_warp, std::vector<KnownFence>& into) const;
  bool gather_warp(std::uint32_t first, std::vector<KnownFence>& into) const;
  void gather_own(std::uint32_t thread, std::vector<KnownFence>& into);
  void gather_set(FenceSetId set, std::vector<KnownFence>& into) const;
  void gather_waiting(std::span<const std::uint32_t> waiting, std::vector<KnownFence>& into);
  /// Returns whether the first 32 threads are the lanes of one warp, in order.
  static bool is_warp(std::span<const std::uint32_t> threads) {
    if (threads.size() < kChunk || threads[0] % kChunk != 0) return false;
    for (std::uint32_t lane = 1; lane < kChunk; ++lane) {
      if (threads[lane] != threads[0] + lane) return false;
    }
    return true;
  }
  void gather_fences_of(const Message& message, std::vector<KnownFence>& into) const;
  bool is_of_block(const BarrierTracker::Completion& done) const;
  void drop_ordered(const BarrierTracker::Completion& done, std::vector<KnownFence>& fences) const;
  void share_fences(const BarrierTracker::Completion& done);
  void move_own_fences(std::uint32_t thread);
  void keep_fences(std::uint32_t thread, Scope scope);
  void note_fences(std::uint32_t thread);
  void note_arrival(std::uint32_t thread);
  void publish_fences(const TraceEvent& event, LocationState& at);
  void observe_fences(const TraceEvent& event);
  void observe_fences_of(std::uint32_t first, std::uint32_t location, std::uint32_t lane, bool is_near_only);
  /// Returns the narrowest scope that includes the thread and the threads of the fence.
  Scope distance(const KnownFence& fence, std::uint32_t thread) const {
    return fence.chain != 0 ? Scope::Device : distance(fence.thread, thread);
  }
  void add_observed(std::uint32_t thread, const std::vector<KnownFence>& found);
  const std::vector<KnownFence>& unobserved_of(FenceSetId set);
  void inherit_fences(std::uint32_t thread, const Message& message, Scope acquire_scope);
  void pass_fences(std::uint32_t thread, Scope scope);
  void fill_in_passed(FenceSetId set, std::uint32_t thread, Scope scope);
  bool observes_last(const TraceEvent& event) const;
  /// Returns the number of writes that the location had when the thread last observed it. Returns 0 if the thread has
  /// not observed the location, or has observed too many other locations since then.
  std::uint32_t seen_of(std::uint32_t thread, std::uint32_t location) const {
    for (const auto& [seen, writes] : seen_[thread]) {
      if (seen == location) return writes;
    }
    return 0;
  }
  Writes writes_before(std::uint32_t location) const;
  void note_observation(LocationState& at, const TraceEvent& event, bool observes);
  void end_event() {
    before_.lanes = 0;
    if (observed_now_.lanes != 0) remember_observed();
  }
  void remember_observed();

  // joint_flags.cpp
  /// The last joint messages of a location.
  struct JointFlag {
    Joint latest;
    bool is_current = false;  ///< the location has no newer messages than `latest`
    /// Joint marks of fences that the location's writes publish without a mark. The first mark joins the fences outside
    /// critical sections; the second mark joins the fences inside critical sections.
    std::array<MarkId, 2> fences{kNoName, kNoName};
    std::uint64_t chain = 0;        ///< value for KnownFence::chain; 0 before the first chain
    std::uint64_t added = 0;        ///< number of joined fences
    std::uint64_t until = 0;        ///< all messages before this event have been joined
    bool has_narrow_fence = false;  ///< a fence of the location has a narrower scope than the device
  };
  void release_joint(Joint& joint, std::uint32_t thread);
  bool join_fences(JointFlag& flag, const LocationState& at, std::uint32_t thread);
  bool observe_jointly(const TraceEvent& event);
  void forget_joint(const LocationState& at, std::uint32_t thread);
  void outdate_joint(const LocationState& at) {
    if (joints_.empty()) return;
    const auto found = joints_.find(static_cast<std::uint32_t>(&at - locations_.data()));
    if (found != joints_.end()) found->second.is_current = false;
  }
  bool may_join(const Message& message) const;
  void join_messages(JointMessages& made, MarkId before, std::size_t first);
  Joint joint_messages(std::uint32_t location, std::uint32_t thread);
  bool read_joint(const TraceEvent& event, bool is_polled);
  void emit_joint_edge(std::uint32_t thread, const JointMessages& joint, bool is_polled);
  void receive_joint(std::uint32_t thread, const JointMessages& joint, Scope acquire_scope);
  void await_joint(std::uint32_t thread, const Joint& joint);
  void split_joint(std::uint32_t thread, std::size_t index);
  void receive_joints(const TraceEvent& event);
  void gather_joints(const ThreadState& own, std::vector<KnownFence>& into);
  bool awaits_joint(std::uint32_t writer, const ThreadState& reader) const;

  // launch_inference.cpp
  /// The messages of a collapsed warp's lanes, if these messages differ by more than the lane number. In a collapsed
  /// state, the mark of a message is then kOfLanes | index of the LaneMessages.
  struct LaneMessages {
    std::array<Message, 32> messages{};
    std::uint32_t uses = 0;
  };
  static constexpr MarkId kOfLanes = 0x80000000U;
  static bool is_of_lanes(MarkId mark) { return mark != kNoName && (mark & kOfLanes) != 0; }
  Message of_lanes(const std::array<Message, 32>& messages);
  Message gather_fences(std::uint32_t first);
  void take_newer(Message& known, const Message& message);
  void release_lane_messages(MarkId mark, std::uint32_t first);
  void emit_edges_of_lanes(std::uint32_t first, const Message& message, bool is_polled);
  bool lanes_have_fenced(std::uint32_t first) const;
  bool lanes_share_fence_set(std::uint32_t first) const;
  Message of_lane(const Message& message, std::uint32_t lane) const;
  void give_lanes(std::vector<Message>& messages, std::uint32_t first);
  bool are_lanes_alike(std::uint32_t first);
  void collapse_warp(std::uint32_t first);
  void expand_warp(std::uint32_t thread);
  bool are_locations_alike(std::uint32_t first);
  void collapse_locations(std::uint32_t first);
  void expand_location(std::uint32_t id);
  void expand_state(const TraceEvent& event);
  /// Returns the lane number of a thread in a collapsed warp; 0 for other threads.
  std::uint32_t lane_in_collapsed(std::uint32_t id) const {
    return threads_[id / kChunk][0].is_collapsed ? id % kChunk : 0;
  }
  void fence_collapsed(const TraceEvent& event);
  void fence_expanded(TraceEvent event);
  bool are_fences_alike(std::uint32_t first, Scope scope) const;
  void drop_fences_of_warp(std::uint32_t first, Scope scope);
  static bool is_moved(const Message& of_lane, const Message& of_first, std::uint32_t lane);
  static bool is_moved(const PendingAcquire& of_lane, const PendingAcquire& of_first, std::uint32_t lane);
  static bool is_moved(const Section& of_lane, const Section& of_first, std::uint32_t lane);
  template <typename T>
  static bool is_moved(const std::vector<T>& of_lane, const std::vector<T>& of_first, std::uint32_t lane);
  static bool is_moved(const ThreadState& of_lane, const ThreadState& of_first, std::uint32_t lane);
  static bool is_moved(const LocationState& of_lane, const LocationState& of_first, std::uint32_t lane);
  void move(Message& message, std::uint32_t lane) const { message = of_lane(message, lane); }
  void move(PendingAcquire& acquire, std::uint32_t lane) const;
  void move(Section& section, std::uint32_t lane) const { section.lock += lane; }

  bool is_fence_covered(const Message& known, const Message& message) const;
  void add_message(LocationState& at, const Message& message);
  void drop_messages(LocationState& at, std::uint32_t thread);
  MarkId new_mark(std::uint32_t thread);
  MarkId take_mark();
  void retain(MarkId mark, std::uint32_t uses = 1) {
    (is_of_lanes(mark) ? lane_messages_[mark & ~kOfLanes].uses : mark_uses_[mark]) += uses * lanes_;
  }
  void release(MarkId mark, std::uint32_t thread, std::uint32_t uses = 1);
  /// Retains the mark and the set of a message.
  void retain(const Message& message) {
    if (message.mark != kNoName) retain(message.mark);
    if (message.fences != kNoName) fence_sets_[message.fences].uses += lanes_;
  }
  void release(const Message& message, std::uint32_t thread) {
    if (message.mark != kNoName) release(message.mark, thread);
    release_set(message.fences, thread, lanes_);
  }
  void drop_fences(std::uint32_t thread, Scope scope);

  const TraceTables& tables_;
  bool is_whole_;  ///< the depth is Depth::All
  Rules rules_;
  BarrierTracker barriers_;
  std::vector<BarrierTracker::Completion> tracked_;  ///< barriers that barriers_ found complete at the last event
  std::span<const BarrierTracker::Completion> completions_;
  static constexpr std::uint32_t kChunk = 32;
  std::vector<std::unique_ptr<ThreadState[]>> threads_;  ///< chunks of 32 threads; null for chunks without state
  std::vector<Brief> brief_;                             ///< for each thread
  bool has_locks_ = false;
  std::vector<LocationState, LargeAllocator<LocationState>> locations_;
  std::vector<Action> actions_;
  std::vector<std::uint32_t> mark_uses_;
  std::vector<MarkId> free_marks_;
  std::vector<LaneMessages> lane_messages_;
  std::vector<std::uint32_t> free_lane_messages_;
  std::vector<Message> visible_;
  /// For each writer, the place of its message at the last search. The next search starts there.
  std::vector<std::uint32_t> pending_places_;
  std::vector<std::vector<Message>> spare_seen_;  ///< empty vectors, reused for PendingAcquire::seen
  std::uint32_t lanes_ = 1;                       ///< number of lanes that the current change affects
  bool has_operations_ = false;
  std::vector<Operation> operations_;                  ///< all issued operations, in the order of issue
  std::vector<std::array<std::uint32_t, 7>> commits_;  ///< for each thread and AsyncGroup, the number of commits
  std::vector<MbarrierPhase> phases_;
  bool has_seq_cst_ = false;  ///< the trace has contained a seq_cst fence so far
  /// The state of the writes to the current event's location, before the event.
  struct Before {
    std::uint32_t location = 0;
    std::uint32_t thread = 0;
    std::uint32_t lanes = 0;  ///< number of consecutive threads and locations; 0 without an event
    Writes writes;
  };
  Before before_;
  /// Records that the current event has observed a write. The record takes effect after the event.
  struct Observed {
    std::uint32_t location = 0;
    std::uint32_t thread = 0;
    std::uint32_t lanes = 0;
    std::uint32_t count = 0;
  };
  Observed observed_now_;
  std::vector<Seen> seen_;  ///< for each thread
  std::vector<FenceSet> fence_sets_;
  std::vector<FenceSetId> free_sets_;
  std::vector<FenceSetId> sets_by_thread_;
  /// For each thread, a location and an event. The thread has observed the location's fence sets up to the event.
  std::vector<std::pair<std::uint32_t, std::uint64_t>> observed_;
  std::vector<KnownFence> gathered_;
  ObservedFences last_observed_;
  std::vector<FenceSetId> spare_sets_;  ///< sets to be released
  bool joins_flags_ = false;
  std::unordered_map<std::uint32_t, JointFlag> joints_;  ///< for each location
  std::uint64_t last_joint_ = 0;                         ///< last value of JointMessages::number and JointFlag::chain
  std::vector<std::uint64_t> gathered_joints_;           ///< joint messages gathered for the current barrier
  std::uint64_t event_ = 0;
  std::uint32_t site_ = kNoName;
};

}  // namespace ambit::detector
