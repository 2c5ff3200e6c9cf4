// Infers synchronisation by fences and flags: release patterns, observation, acquire patterns (PTX 8.8, 8.9).

#include <algorithm>

#include "detector/inference/sync_inference.h"

namespace ambit::detector {

void SyncInference::on_fence(const TraceEvent& event) {
  pass_fence(event);
  if (!can_release(event.order) || !is_whole_) return;
  const MarkId mark = new_mark(event.thread);
  retain(mark, static_cast<std::uint32_t>(event.scope));
  remember_fence(known(event.thread), event, mark, event_, known(event.thread));
  release(mark, event.thread);
  note_fences(event.thread);
}

void SyncInference::pass_fence(const TraceEvent& event) {
  thread(event.thread);
  Brief& own = brief_[event.thread];
  own.has_fences = true;
  const bool publishes = can_release(event.order);
  if (publishes && is_whole_) {
    if (event.order != Order::SeqCst) keep_fences(event.thread, event.scope);
    drop_fences(event.thread, event.scope);
  }
  if (can_acquire(event.order)) acquire_by_fence(event);
  if (event.order == Order::SeqCst) pass_fences(event.thread, event.scope);
  if (publishes) own.ready = std::max(own.ready, event.scope);
}

void SyncInference::acquire_by_fence(const TraceEvent& event) {
  ThreadState& state = known(event.thread);
  if (is_whole_) receive_pending(event);
  for (Section& section : state.sections) {
    const Scope wider = narrower(section.operation, event.scope);
    if (!section.may_widen || wider <= section.scope) continue;
    section.scope = wider;
    Action& action = emit(ActionKind::Acquire, event.thread, section.lock);
    action.scope = wider;
    action.is_widening = true;
  }
  for (const PendingAcquire& acquire : state.acquires) {
    take_lock(event.thread, acquire, narrower(acquire.scope, event.scope));
  }
  for (PendingAcquire& acquire : state.acquires) {
    if (acquire.seen.capacity() != 0) spare_seen_.push_back(std::move(acquire.seen));
  }
  state.acquires.clear();
}

void SyncInference::receive_pending(const TraceEvent& event) {
  ThreadState& state = known(event.thread);
  if (!state.has_pending) return;
  if (!state.joints.empty()) receive_joints(event);
  for (std::size_t level = 1; level <= static_cast<std::size_t>(event.scope); ++level) {
    for (const Message& message : state.pending[level]) {
      receive(event.thread, message, event.order == Order::SeqCst ? reach(event.scope) : Scope::Thread);
      release(message, event.thread);
    }
    state.pending[level].clear();
  }
  state.has_pending = !std::ranges::all_of(state.pending, &std::vector<Message>::empty);
}

const std::vector<SyncInference::Message>& SyncInference::visible_messages(const TraceEvent& event) {
  LocationState& at = locations_[event.object];
  Brief& own = brief_[event.thread];
  std::vector<Message>& seen = visible_;
  seen.clear();
  if (at.writer == kNoName) return seen;
  if (reads_older(event, at)) return seen;
  const bool is_near = is_near_last_writer(event, at);
  bool has_writers = false;
  for (const Message& message : at.messages) {
    if (message.thread == event.thread || message.mark == kNoName) continue;
    has_writers |= message.thread == at.writer;
    const Scope needed = distance(message.thread, event.thread);
    if (is_near && needed <= narrower(message.scope, event.scope)) {
      seen.push_back(message);
    } else {
      own.failed_with = message.thread;
      own.failure = !is_near || needed > event.scope ? RaceKind::AtomicScopeTooNarrow : RaceKind::FenceScopeTooNarrow;
    }
  }
  if (!has_writers && at.writer != event.thread) {
    own.failed_with = at.writer;
    own.failure = RaceKind::MissingFence;
  }
  return seen;
}

void SyncInference::read_flag(const TraceEvent& event, bool is_polled) {
  const bool is_joint = read_joint(event, is_polled);
  if (!is_joint) read_messages(event, is_polled);
  LocationState& at = locations_[event.object];
  if (event.op == TraceOp::Read || event.is_failed) note_observation(at, event, observes_last(event));
  observe_fences(event);
}

void SyncInference::read_messages(const TraceEvent& event, bool is_polled) {
  for (const Message& message : visible_messages(event)) {
    if (can_acquire(event.order)) {
      receive(event.thread, message);
      if (message.fence != Scope::Thread) await_fence(event.thread, message);
      continue;
    }
    await_fence(event.thread, message);
    if (is_polled) emit_edge(event.thread, message, true);
  }
}

void SyncInference::await_fence(std::uint32_t id, const Message& message) {
  const Scope needed = message.is_completion ? Scope::Block : distance(message.thread, id);
  ThreadState& state = known(id);
  state.has_pending = true;
  state.unshared = std::max(state.unshared, message.fence);
  auto& pending = state.pending[static_cast<std::size_t>(needed)];
  std::uint32_t& place = at(pending_places_, message.thread);
  if (place >= pending.size() || pending[place].thread != message.thread) {
    const auto found = std::ranges::find(pending, message.thread, &Message::thread);
    place = static_cast<std::uint32_t>(found - pending.begin());
  }
  if (place == pending.size()) {
    retain(message);
    return pending.push_back(message);
  }
  Message& known = pending[place];
  if (is_of_lanes(known.mark) || is_of_lanes(message.mark)) return take_newer(known, message);
  if (known.since >= message.since) return;
  retain(message);
  release(known, id);
  known = message;
}

void SyncInference::write_flag(const TraceEvent& event) {
  LocationState& at = locations_[event.object];
  const ThreadState& state = known(event.thread);
  at.is_release = false;
  at.value = event.value;
  at.has_value = event.has_value;
  // A read-modify-write forwards the messages that it read, if it and the last write have scopes that include each
  // other's thread (PTX ISA 8.9: observation order).
  const bool carries_on = event.is_update() && is_near_last_writer(event, at);
  if (!carries_on) drop_messages(at, event.thread);
  note_observation(at, event, carries_on);
  at.writer = event.thread;
  at.writer_scope = event.scope;
  if (can_release(event.order)) {
    move_own_fences(event.thread);
    const MarkId mark = new_mark(event.thread);
    Message message{mark, event.thread, event.scope, event_};
    message.is_inside = is_inside(state);
    message.fences = set_of(event.thread);
    add_message(at, message);
    release(mark, event.thread);
    return publish_fences(event, at);
  }
  MarkId last = kNoName;
  for (auto level = static_cast<std::size_t>(event.scope); level >= 1; --level) {
    const MarkId mark = state.fence[level];
    if (mark == kNoName || mark == last) continue;
    last = mark;
    const Message message = message_of_fence(event.thread, level, static_cast<Scope>(level));
    const bool are_alike = lanes_ == 1 || are_fences_alike(event.thread, static_cast<Scope>(level));
    add_message(at, are_alike ? message : gather_fences(event.thread));
  }
  publish_fences(event, at);
}

void SyncInference::drop_messages(LocationState& at, std::uint32_t id) {
  if (!at.messages.empty()) forget_joint(at, id);
  for (const Message& message : at.messages) release(message, id);
  at.messages.clear();
}

/// Returns whether, in each lane, the fence of `message` has the same scope as the fence of `known` or a wider scope.
bool SyncInference::is_fence_covered(const Message& known, const Message& message) const {
  if (!is_of_lanes(known.mark) && !is_of_lanes(message.mark)) return known.fence <= message.fence;
  for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
    if (of_lane(known, lane).fence > of_lane(message, lane).fence) return false;
  }
  return true;
}

void SyncInference::add_message(LocationState& at, const Message& message) {
  // A thread that polls with an atomic addition of 0 publishes an equal message each time.
  if (std::ranges::find(at.messages, message) != at.messages.end()) return;
  outdate_joint(at);
  retain(message);
  std::size_t kept = 0;
  for (const Message& known : at.messages) {
    const bool is_of_kind = (known.mark == kNoName) == (message.mark == kNoName) && is_fence_covered(known, message);
    if (is_of_kind && known.thread == message.thread && known.scope <= message.scope && known.since <= message.since) {
      release(known, message.thread);
    } else {
      at.messages[kept++] = known;
    }
  }
  at.messages.resize(kept);
  at.messages.push_back(message);
}

}  // namespace ambit::detector
