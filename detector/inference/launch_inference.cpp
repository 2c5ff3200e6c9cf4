#include <algorithm>
#include <utility>

#include "detector/inference/sync_inference.h"

/// Functions for launches: they handle accesses and fences by whole warps, and barriers that the caller completes.
namespace ambit::detector {

void SyncInference::take_relaxed(const TraceEvent& event) {
  LocationState& at = locations_[event.object];
  Brief& own = brief_[event.thread];
  own.ready = Scope::Thread;
  end_event();
  note_observation(at, event, event.is_read() && is_near_last_writer(event, at) && !reads_older(event, at));
  if (event.is_read() && at.writer != kNoName && at.writer != event.thread) {
    if (!reads_older(event, at)) {
      own.failed_with = at.writer;
      own.failure = RaceKind::MissingFence;
    }
  }
  if (event.is_write()) {
    at.is_release = false;
    at.value = event.value;
    at.has_value = event.has_value;
    at.writer = event.thread;
    at.writer_scope = event.scope;
  }
}

// ---- warps that act as one ----
//
// If each lane of a warp acquires its own lock, the states of the lanes often differ only by the lane number. The
// numbers of locations and threads in lane i's state are then the first lane's numbers plus i. Such a warp is
// collapsed: the inference stores only the first lane's state, which represents all lanes (ThreadState::is_collapsed).
// 32 consecutive locations are collapsed in the same way (LocationState::collapsed). A collapsed state is expanded as
// soon as an event concerns only one of the lanes or locations. Even then, each lane has its own Brief and fence marks,
// and each location has its own LocationState::is_lock. While a collapsed state changes, lanes_ is 32, and the emitted
// actions are actions of the warp.

namespace {

/// `of_lane` is a thread or location in a lane's state; `of_first` is its counterpart in the first lane's state.
/// Returns whether the numbers differ by `lane`, or both numbers are missing.
bool is_moved_number(std::uint32_t of_lane, std::uint32_t of_first, std::uint32_t lane) {
  return of_first == kNoName ? of_lane == kNoName : of_lane == of_first + lane;
}
/// Like is_moved_number(), for threads. The two threads must be lanes of one warp.
bool is_moved_thread(std::uint32_t of_lane, std::uint32_t of_first, std::uint32_t lane) {
  return is_moved_number(of_lane, of_first, lane) && (of_first == kNoName || of_first % 32 == 0);
}

}  // namespace

bool SyncInference::is_moved(const Message& of_lane, const Message& of_first, std::uint32_t lane) {
  return of_lane.mark == of_first.mark && is_moved_thread(of_lane.thread, of_first.thread, lane) &&
         of_lane.scope == of_first.scope && of_lane.fence == of_first.fence && of_lane.fences == of_first.fences &&
         of_lane.is_inside == of_first.is_inside && of_lane.since == of_first.since + lane && !of_lane.is_completion &&
         !of_first.is_completion;
}

bool SyncInference::is_moved(const PendingAcquire& of_lane, const PendingAcquire& of_first, std::uint32_t lane) {
  const Action& a = of_lane.access;
  const Action& b = of_first.access;
  return of_lane.lock == of_first.lock + lane && of_lane.scope == of_first.scope &&
         of_lane.reads_release == of_first.reads_release && is_moved(of_lane.seen, of_first.seen, lane) &&
         a.site == b.site && a.scope == b.scope && is_moved_number(a.lock, b.lock, lane) &&
         a.lock_scope == b.lock_scope && a.lock_is_bare == b.lock_is_bare && a.is_volatile == b.is_volatile;
}

bool SyncInference::is_moved(const Section& of_lane, const Section& of_first, std::uint32_t lane) {
  return of_lane.lock == of_first.lock + lane && of_lane.operation == of_first.operation &&
         of_lane.scope == of_first.scope && of_lane.may_widen == of_first.may_widen &&
         of_lane.is_bare == of_first.is_bare;
}

template <typename T>
bool SyncInference::is_moved(const std::vector<T>& of_lane, const std::vector<T>& of_first, std::uint32_t lane) {
  if (of_lane.size() != of_first.size()) return false;
  for (std::size_t i = 0; i < of_lane.size(); ++i) {
    if (!is_moved(of_lane[i], of_first[i], lane)) return false;
  }
  return true;
}

bool SyncInference::is_moved(const ThreadState& of_lane, const ThreadState& of_first, std::uint32_t lane) {
  if (!of_lane.joints.empty() || !of_first.joints.empty()) return false;
  if (of_lane.has_pending != of_first.has_pending || of_lane.arrival != kNoName || of_first.arrival != kNoName) {
    return false;
  }
  if (!is_moved(of_lane.acquires, of_first.acquires, lane) || !is_moved(of_lane.sections, of_first.sections, lane)) {
    return false;
  }
  if (!of_first.has_pending) return true;
  for (std::size_t level = 1; level < kLevels; ++level) {
    if (!is_moved(of_lane.pending[level], of_first.pending[level], lane)) return false;
  }
  return true;
}

bool SyncInference::is_moved(const LocationState& of_lane, const LocationState& of_first, std::uint32_t lane) {
  return is_moved_thread(of_lane.writer, of_first.writer, lane) && of_lane.writer_scope == of_first.writer_scope &&
         of_lane.is_lock == of_first.is_lock && of_lane.is_release == of_first.is_release &&
         of_lane.has_value == of_first.has_value && (!of_lane.has_value || of_lane.value == of_first.value) &&
         of_lane.writes == of_first.writes && of_lane.is_broken == of_first.is_broken &&
         is_moved_thread(of_lane.abandoned_by, of_first.abandoned_by, lane) &&
         is_moved(of_lane.messages, of_first.messages, lane);
}

/// Returns a lane's message from a message of a collapsed state.
SyncInference::Message SyncInference::of_lane(const Message& message, std::uint32_t lane) const {
  if (is_of_lanes(message.mark)) return lane_messages_[message.mark & ~kOfLanes].messages[lane];
  Message own = message;
  own.thread += lane;
  own.since += lane;
  return own;
}

void SyncInference::move(PendingAcquire& acquire, std::uint32_t lane) const {
  acquire.lock += lane;
  for (Message& message : acquire.seen) move(message, lane);
  acquire.access.thread += lane;
  acquire.access.object += lane;
  acquire.access.event += lane;
  if (acquire.access.lock != kNoName) acquire.access.lock += lane;
}

/// Replaces the messages of a collapsed state by the first lane's messages. The other lanes already have their own
/// copies.
void SyncInference::give_lanes(std::vector<Message>& messages, std::uint32_t first) {
  for (Message& message : messages) {
    if (!is_of_lanes(message.mark)) continue;
    const MarkId all = message.mark;
    for (std::uint32_t lane = 0; lane < kChunk; ++lane) retain(of_lane(message, lane));
    message = of_lane(message, 0);
    release(all, first, kChunk);
  }
}

/// Returns one message that represents the messages of all lanes. Retains the marks and sets of the messages. The
/// caller must retain the result.
SyncInference::Message SyncInference::of_lanes(const std::array<Message, 32>& messages) {
  auto number = static_cast<std::uint32_t>(lane_messages_.size());
  if (free_lane_messages_.empty()) {
    lane_messages_.emplace_back();
  } else {
    number = free_lane_messages_.back();
    free_lane_messages_.pop_back();
  }
  lane_messages_[number].messages = messages;
  Message made = messages[0];
  made.mark = number | kOfLanes;
  made.fences = kNoName;
  for (const Message& one : messages) {
    ++mark_uses_[one.mark];
    retain_set(one.fences);
    made.fence = std::max(made.fence, one.fence);
  }
  return made;
}

/// Returns one message for the last fences of all lanes. Readers of a later write of block scope receive this message.
SyncInference::Message SyncInference::gather_fences(std::uint32_t first) {
  constexpr auto kLevel = static_cast<std::size_t>(Scope::Block);
  std::array<Message, 32> messages{};
  for (std::uint32_t lane = 0; lane < kChunk; ++lane) {
    messages[lane] = message_of_fence(first + lane, kLevel, Scope::Block);
  }
  return of_lanes(messages);
}

/// For each lane, stores the later of the lane's messages in `known`. The two messages must come from the same thread.
void SyncInference::take_newer(Message& known, const Message& message) {
  std::array<Message, 32> messages{};
  for (std::uint32_t lane = 0; lane < kChunk; ++lane) {
    const Message a = of_lane(known, lane);
    const Message b = of_lane(message, lane);
    messages[lane] = a.since >= b.since ? a : b;
  }
  const Message made = of_lanes(messages);
  retain(made);
  release(known, known.thread);
  known = made;
}

void SyncInference::release_lane_messages(MarkId mark, std::uint32_t first) {
  const std::uint32_t number = mark & ~kOfLanes;
  const std::uint32_t lanes = std::exchange(lanes_, 1);
  for (const Message& message : lane_messages_[number].messages) release(message, first);
  lanes_ = lanes;
  free_lane_messages_.push_back(number);
}

void SyncInference::emit_edges_of_lanes(std::uint32_t first, const Message& message, bool is_polled) {
  for (std::uint32_t lane = 0; lane < kChunk; ++lane) {
    const Message own = of_lane(message, lane);
    Action& action = emit(ActionKind::Edge, first + lane, own.mark);
    action.is_of_warp = false;
    action.marker = own.thread;
    action.is_polled = is_polled;
  }
}

/// Returns whether each lane has executed a fence.
bool SyncInference::lanes_have_fenced(std::uint32_t first) const {
  for (std::uint32_t lane = 0; lane < kChunk; ++lane) {
    if (known(first + lane).fence[static_cast<std::size_t>(Scope::Block)] == kNoName) return false;
  }
  return true;
}

/// Returns whether all lanes have the same set of fences.
bool SyncInference::lanes_share_fence_set(std::uint32_t first) const {
  for (std::uint32_t lane = 1; lane < kChunk; ++lane) {
    if (set_of(first + lane) != set_of(first)) return false;
  }
  return true;
}

/// Returns whether the lanes of the warp that starts with thread `first` differ only by the lane number.
bool SyncInference::are_lanes_alike(std::uint32_t first) {
  if (first % kChunk != 0) return false;
  const ThreadState* states = &thread(first);
  brief(first + kChunk - 1);
  for (std::uint32_t lane = 1; lane < kChunk; ++lane) {
    if (brief_[first + lane].ready != brief_[first].ready) return false;
  }
  for (std::uint32_t lane = 1; lane < kChunk && !states[0].is_collapsed; ++lane) {
    if (!is_moved(states[lane], states[0], lane)) return false;
  }
  return true;
}

void SyncInference::collapse_warp(std::uint32_t first) {
  ThreadState& own = known(first);
  own.is_collapsed = true;
  for (PendingAcquire& acquire : own.acquires) acquire.access.is_of_warp = true;
}

/// Expands the collapsed state of the thread's warp into one state for each lane.
void SyncInference::expand_warp(std::uint32_t id) {
  if (!has_state(id)) return;
  ThreadState* states = threads_[id / kChunk].get();
  ThreadState& first = states[0];
  if (!first.is_collapsed) return;
  first.is_collapsed = false;
  for (PendingAcquire& acquire : first.acquires) acquire.access.is_of_warp = false;
  for (std::uint32_t lane = 1; lane < kChunk; ++lane) {
    ThreadState& own = states[lane];
    const auto take = [this, lane](auto& to, const auto& from) {
      to = from;
      for (auto& one : to) move(one, lane);
    };
    take(own.acquires, first.acquires);
    take(own.sections, first.sections);
    if (own.has_pending || first.has_pending) {
      for (std::size_t level = 1; level < kLevels; ++level) take(own.pending[level], first.pending[level]);
    }
    own.has_pending = first.has_pending;
    own.unshared = std::max(own.unshared, first.unshared);
  }
  for (PendingAcquire& acquire : first.acquires) give_lanes(acquire.seen, id / kChunk * kChunk);
  for (std::vector<Message>& pending : first.pending) give_lanes(pending, id / kChunk * kChunk);
}

/// Returns whether 32 consecutive locations differ only by their numbers.
bool SyncInference::are_locations_alike(std::uint32_t first) {
  location(first + kChunk - 1);
  if (locations_[first].collapsed == first) return true;
  for (std::uint32_t i = 0; i < kChunk; ++i) expand_location(first + i);
  for (std::uint32_t i = 1; i < kChunk; ++i) {
    if (!is_moved(locations_[first + i], locations_[first], i)) return false;
  }
  return true;
}

void SyncInference::collapse_locations(std::uint32_t first) {
  for (std::uint32_t i = 0; i < kChunk; ++i) forget_joint(locations_[first + i], 0);
  for (std::uint32_t i = 0; i < kChunk; ++i) locations_[first + i].collapsed = first;
}

/// Expands the collapsed state to which the location belongs.
void SyncInference::expand_location(std::uint32_t id) {
  const std::uint32_t first = location(id).collapsed;
  if (first == kNoName) return;
  const std::uint32_t lanes = std::exchange(lanes_, 1);  // each of the following calls concerns the marks of one lane
  const LocationState& from = locations_[first];
  for (std::uint32_t i = 0; i < kChunk; ++i) {
    LocationState& own = locations_[first + i];
    own.collapsed = kNoName;
    if (i == 0) continue;
    own = from;
    for (Message& message : own.messages) move(message, i);
    if (own.writer != kNoName) own.writer += i;
    if (own.abandoned_by != kNoName) own.abandoned_by += i;
  }
  give_lanes(locations_[first].messages, 0);
  lanes_ = lanes;
}

/// Expands the states of the event's thread and location.
void SyncInference::expand_state(const TraceEvent& event) {
  expand_warp(event.thread);
  if (event.is_access()) expand_location(event.object);
}

/// Returns whether, at each level up to `scope`, one instruction executed the last fences of all lanes, and these
/// fences have the same kind.
bool SyncInference::are_fences_alike(std::uint32_t first, Scope scope) const {
  for (std::size_t level = 1; level <= static_cast<std::size_t>(scope); ++level) {
    const MarkId mark = known(first).fence[level];
    const std::uint64_t event = known(first).fence_event[level];
    for (std::uint32_t lane = 1; lane < kChunk; ++lane) {
      const ThreadState& own = known(first + lane);
      if (((own.seq_cst ^ known(first).seq_cst) | (own.inside ^ known(first).inside)) != 0) return false;
      if (own.fences != known(first).fences) return false;
      if (own.fence[level] != mark || (mark != kNoName && own.fence_event[level] != event + lane)) return false;
    }
  }
  return true;
}

std::optional<std::span<const Action>> SyncInference::on_access_of_warp(TraceEvent event, bool is_one_value) {
  const std::uint32_t first = event.thread;
  if (!are_lanes_alike(first) || !are_locations_alike(event.object)) return std::nullopt;
  if (is_atomic(event) && event.is_write()) {
    // A release operation publishes the fences of its lane, and the fences of lanes may differ.
    if (has_seq_cst_ && (can_release(event.order) || !lanes_share_fence_set(first))) return std::nullopt;
    // For a write of block scope, only each lane's last fence is relevant.
    if (!are_fences_alike(first, event.scope) && (event.scope != Scope::Block || !lanes_have_fenced(first))) {
      return std::nullopt;
    }
  }
  // A pending acquire turns out to be a data access if no fence makes it a lock acquire and its location is not a lock.
  for (const PendingAcquire& acquire : known(first).acquires) {
    for (std::uint32_t lane = 1; lane < kChunk; ++lane) {
      if (is_lock(acquire.lock + lane) != is_lock(acquire.lock)) return std::nullopt;
    }
  }
  if (!is_one_value) {
    // The value of a plain access to data has no effect.
    const ThreadState& state = known(first);
    const bool may_be_lock =
        locations_[event.object].is_lock ||
        std::ranges::find(state.acquires, event.object, &PendingAcquire::lock) != state.acquires.end() ||
        std::ranges::find(state.sections, event.object, &Section::lock) != state.sections.end();
    if (is_atomic(event) || may_be_lock) return std::nullopt;
    event.value = 1;
  }
  collapse_warp(first);
  end_event();
  actions_.clear();
  collapse_locations(event.object);
  completions_ = {};
  site_ = event.site;
  Brief& own = brief_[first];
  const std::uint32_t failed_with = std::exchange(own.failed_with, kNoName);
  lanes_ = kChunk;
  on_access(event);
  lanes_ = 1;
  event_ += kChunk;
  note_whether_busy(first);
  const bool has_failed = own.failed_with != kNoName;
  for (std::uint32_t lane = 1; lane < kChunk; ++lane) {
    Brief& other = brief_[first + lane];
    other.ready = own.ready;
    other.is_busy = own.is_busy;
    if (!has_failed) continue;
    other.failed_with = own.failed_with + lane;
    other.failure = own.failure;
  }
  if (!has_failed) own.failed_with = failed_with;
  return actions_;
}

/// Like drop_fences(), for all lanes. Handles adjacent lanes with equal marks together.
void SyncInference::drop_fences_of_warp(std::uint32_t first, Scope scope) {
  const auto levels = static_cast<std::size_t>(scope);
  ThreadState* states = &known(first);
  for (std::uint32_t lane = 0; lane < kChunk;) {
    const MarkId* marks = &states[lane].fence[1];
    const auto has_same = [&](const ThreadState& other) {
      bool is_same = true;
      for (std::size_t level = 0; level < levels; ++level) is_same &= other.fence[level + 1] == marks[level];
      return is_same;
    };
    std::uint32_t end = lane + 1;
    for (; end < kChunk && has_same(states[end]); ++end) {
      for (std::size_t level = 1; level <= levels; ++level) states[end].fence[level] = kNoName;
    }
    lanes_ = end - lane;
    drop_fences(first + lane, scope);
    lane = end;
  }
  lanes_ = 1;
}

/// Like pass_fence(), for all lanes of a collapsed warp.
void SyncInference::fence_collapsed(const TraceEvent& event) {
  const std::uint32_t first = event.thread;
  const bool publishes = can_release(event.order);
  if (publishes && is_whole_) drop_fences_of_warp(first, event.scope);
  lanes_ = kChunk;
  if (can_acquire(event.order)) acquire_by_fence(event);
  lanes_ = 1;
  note_whether_busy(first);
  for (std::uint32_t lane = 0; lane < kChunk; ++lane) {
    Brief& own = brief_[first + lane];
    own.has_fences = true;
    own.is_busy = brief_[first].is_busy;
    if (publishes) own.ready = std::max(own.ready, event.scope);
  }
}

/// Like pass_fence(), for each lane of a warp that is not collapsed.
void SyncInference::fence_expanded(TraceEvent event) {
  const std::uint32_t first = event.thread;
  thread(first);
  thread(first + kChunk - 1);
  const bool publishes = can_release(event.order);
  if (publishes && is_whole_) drop_fences_of_warp(first, event.scope);
  for (; event.thread < first + kChunk; ++event.thread) {
    Brief& own = brief_[event.thread];
    own.has_fences = true;
    const ThreadState& state = known(event.thread);
    if (can_acquire(event.order) && (own.is_busy || state.has_pending)) {
      acquire_by_fence(event);
      note_whether_busy(event.thread);
    }
    if (publishes) own.ready = std::max(own.ready, event.scope);
  }
}

std::span<const Action> SyncInference::on_fence_of_warp(TraceEvent event) {
  actions_.clear();
  completions_ = {};
  site_ = event.site;
  const std::uint32_t first = event.thread;
  const bool is_seq_cst = event.order == Order::SeqCst;
  const bool keeps = has_seq_cst_ && !is_seq_cst && can_release(event.order);
  if (keeps) expand_warp(first);
  for (std::uint32_t lane = 0; keeps && lane < kChunk; ++lane) keep_fences(first + lane, event.scope);
  // A fence of another order may acquire different messages for each lane, so the lanes need separate states.
  if ((is_seq_cst || !has_seq_cst_) && are_lanes_alike(first)) {
    collapse_warp(first);
    fence_collapsed(event);
  } else {
    expand_warp(first);
    fence_expanded(event);
  }
  for (std::uint32_t lane = 0; is_seq_cst && has_some_set(first, ~0U) && lane < kChunk; ++lane) {
    pass_fences(first + lane, event.scope);
  }
  if (is_whole_ && can_release(event.order)) {
    const MarkId mark = new_mark(first);
    actions_.back().is_of_warp = true;
    retain(mark, kChunk * static_cast<std::uint32_t>(event.scope));
    for (std::uint32_t lane = 0; lane < kChunk; ++lane) {
      const std::uint32_t of_sections = known(first).is_collapsed ? first : first + lane;
      remember_fence(known(first + lane), event, mark, event_ + lane, known(of_sections));
      note_fences(first + lane);
    }
    release(mark, first);
  }
  event_ += 32;
  return actions_;
}

std::span<const Action> SyncInference::on_completion(const BarrierTracker::Completion& done) {
  actions_.clear();
  completions_ = {&done, 1};
  site_ = kNoName;
  on_completions(kNoName);
  return actions_;
}

}  // namespace ambit::detector
