#include "detector/inference/joint_flags.h"

#include <algorithm>
#include <utility>

#include "detector/inference/sync_inference.h"

namespace ambit::detector {
namespace {

/// The messages of a location are joined if the location has at least this number of messages.
constexpr std::size_t kManyMessages = 8;
/// Limit on the number of joint messages that wait for a fence of one thread. At the limit, the oldest joint message is
/// split into single messages.
constexpr std::size_t kMostJointPending = 4;

}  // namespace

void SyncInference::release_joint(Joint& joint, std::uint32_t id) {
  const Joint gone = std::exchange(joint, nullptr);
  if (gone == nullptr || gone.use_count() != 1) return;
  const std::uint32_t lanes = std::exchange(lanes_, 1);
  for (const Message& message : gone->messages) release(message, id);
  release(gone->mark, id);
  lanes_ = lanes;
}

/// Removes the joint messages of a location when the location's messages are dropped.
void SyncInference::forget_joint(const LocationState& at, std::uint32_t id) {
  if (joints_.empty()) return;
  const auto found = joints_.find(static_cast<std::uint32_t>(&at - locations_.data()));
  if (found == joints_.end()) return;
  release_joint(found->second.latest, id);
  const std::uint32_t lanes = std::exchange(lanes_, 1);
  for (const MarkId mark : found->second.fences) {
    if (mark != kNoName) release(mark, id);
  }
  lanes_ = lanes;
  joints_.erase(found);
}

/// Adds the fences of those new messages that have no mark to the flag's joint fences. Returns false if the fences
/// cannot be joined, because some fence of the location has a narrower scope than the device.
bool SyncInference::join_fences(JointFlag& flag, const LocationState& at, std::uint32_t id) {
  if (flag.has_narrow_fence) return false;
  std::vector<KnownFence> fresh;
  std::uint64_t until = flag.until;
  for (auto message = at.messages.rbegin(); message != at.messages.rend(); ++message) {
    if (message->mark != kNoName) continue;
    if (message->since < flag.until) break;
    until = std::max(until, message->since + 1);
    const std::vector<KnownFence>& fences = unobserved_of(message->fences);
    fresh.insert(fresh.end(), fences.begin(), fences.end());
  }
  flag.has_narrow_fence = std::ranges::any_of(fresh, [](const KnownFence& one) { return one.scope < Scope::Device; });
  if (flag.has_narrow_fence) return false;
  flag.until = until;
  flag.added += fresh.size();
  for (const KnownFence& one : fresh) {
    MarkId& joint = flag.fences[one.is_inside ? 1 : 0];
    const bool is_first = joint == kNoName;
    if (is_first) {
      joint = take_mark();
    } else if (mark_uses_[joint] > 1) {  // some threads have already observed this mark
      const MarkId before = std::exchange(joint, take_mark());
      emit_addition(one.thread, joint, before, kNoName, true);
      release(before, id);
    }
    emit_addition(one.thread, joint, one.mark, one.marker, is_first).is_of_warp = one.is_of_warp;
  }
  return true;
}

/// Like observe_fences(), for many messages at once. Handles only fences by threads of other blocks. Returns false if
/// the messages cannot be handled together.
bool SyncInference::observe_jointly(const TraceEvent& event) {
  if (!joins_flags_ || lanes_ != 1) return false;
  const LocationState& at = locations_[event.object];
  const auto known = joints_.find(event.object);
  const bool has_chain = known != joints_.end() && known->second.chain != 0;
  const auto is_set = [](const Message& one) { return one.mark == kNoName; };
  if (!has_chain && std::ranges::count_if(at.messages, is_set) < static_cast<std::ptrdiff_t>(kManyMessages)) {
    return false;
  }
  JointFlag& flag = has_chain ? known->second : joints_[event.object];
  if (flag.chain == 0) flag.chain = ++last_joint_;
  if (!join_fences(flag, at, event.thread)) return false;
  const auto is_known = [&](const KnownFence& one) { return one.chain == flag.chain && one.since == flag.added; };
  const FenceSetId own = set_of(event.thread);
  if (own != kNoName && std::ranges::any_of(fence_sets_[own].fences, is_known)) return true;
  std::vector<KnownFence> found;
  for (const bool is_inside : {false, true}) {
    const MarkId mark = flag.fences[is_inside ? 1 : 0];
    if (mark == kNoName) continue;
    found.push_back({mark, kNoName, event.thread, Scope::Device, is_inside, false, true, flag.added, flag.chain});
  }
  if (!found.empty()) add_observed(event.thread, found);
  return true;
}

/// Returns whether the message orders the same events before each reader in the launch. Readers with locks are ignored.
bool SyncInference::may_join(const Message& message) const {
  return !is_of_lanes(message.mark) && !message.is_inside && !message.is_completion && message.scope >= Scope::Device;
}

/// Sets the mark of `made` to the join of `before` and the marks of made.messages, from index `first` on.
void SyncInference::join_messages(JointMessages& made, MarkId before, std::size_t first) {
  made.mark = take_mark();
  const std::uint32_t thread = made.messages.front().thread;
  if (before != kNoName) emit_addition(thread, made.mark, before, kNoName, true);
  for (std::size_t i = first; i < made.messages.size(); ++i) {
    emit_addition(thread, made.mark, made.messages[i].mark, made.messages[i].thread, before == kNoName && i == 0);
  }
}

/// Returns the location's current messages as joint messages. Returns null if the messages are few or cannot be
/// joined.
SyncInference::Joint SyncInference::joint_messages(std::uint32_t location, std::uint32_t id) {
  JointFlag& flag = joints_[location];
  if (flag.is_current) return flag.latest;
  flag.is_current = true;
  Joint before = std::exchange(flag.latest, nullptr);
  std::size_t compared = 0;  // number of messages of `before` that have been compared; new messages are at the end
  std::size_t first_new = 0;
  auto made = std::make_shared<JointMessages>();
  for (const Message& message : locations_[location].messages) {
    if (message.mark == kNoName) continue;
    if (!may_join(message)) {
      made->messages.clear();
      break;
    }
    while (before != nullptr && compared < before->messages.size() && before->messages[compared] != message) ++compared;
    made->messages.push_back(message);
    if (before == nullptr || compared == before->messages.size()) continue;
    ++compared;
    first_new = made->messages.size();
  }
  if (made->messages.size() < kManyMessages) {
    release_joint(before, id);
    return nullptr;
  }
  made->location = location;
  made->number = ++last_joint_;
  for (const Message& message : made->messages) {
    retain(message);
    made->writers.push_back(message.thread);
    made->fence = std::max(made->fence, message.fence);
    made->has_sets |= message.fences != kNoName;
  }
  std::ranges::sort(made->writers);
  join_messages(*made, before == nullptr ? kNoName : before->mark, first_new);
  release_joint(before, id);
  flag.latest = made;
  return made;
}

/// Like read_flag(), for many messages at once. If the messages cannot be read together, changes nothing and returns
/// false, and the caller must read the messages one by one.
bool SyncInference::read_joint(const TraceEvent& event, bool is_polled) {
  const LocationState& at = locations_[event.object];
  const bool may_be_many = joins_flags_ && lanes_ == 1 && at.messages.size() >= kManyMessages;
  if (!may_be_many || at.writer == kNoName || event.scope < Scope::Device) return false;
  ThreadState& state = known(event.thread);
  if (!state.sections.empty() || !state.acquires.empty()) return false;
  if (reads_older(event, at) || !is_near_last_writer(event, at)) return false;
  const Joint joint = joint_messages(event.object, event.thread);
  if (joint == nullptr) return false;
  const JointMessages& all = *joint;
  if (at.writer != event.thread && !all.has_writer(at.writer)) {
    brief_[event.thread].failed_with = at.writer;
    brief_[event.thread].failure = RaceKind::MissingFence;
  }
  const bool acquires = can_acquire(event.order);
  if (acquires) receive_joint(event.thread, all, Scope::Thread);
  if (!acquires || all.fence != Scope::Thread) await_joint(event.thread, joint);
  if (!acquires && is_polled) emit_joint_edge(event.thread, all, true);
  return true;
}

void SyncInference::emit_joint_edge(std::uint32_t id, const JointMessages& joint, bool is_polled) {
  std::uint64_t& last = known(id).last_joint;
  if (last == joint.number && is_polled == known(id).is_joint_polled) return;
  last = joint.number;
  known(id).is_joint_polled = is_polled;
  emit(ActionKind::Edge, id, joint.mark).is_polled = is_polled;
}

/// Calls receive() for each of the joint messages.
void SyncInference::receive_joint(std::uint32_t id, const JointMessages& joint, Scope acquire_scope) {
  emit_joint_edge(id, joint, false);
  if (!joint.has_sets && joint.fence <= acquire_scope) return;
  std::vector<KnownFence> found;
  for (const Message& message : joint.messages) {
    const bool inherits = message.fences != kNoName || message.fence > acquire_scope;
    if (inherits && message.thread != id) gather_fences_of(message, found);
  }
  add_to_set(id, found);
}

/// Lets the messages wait for an acquire fence of the thread.
void SyncInference::await_joint(std::uint32_t id, const Joint& joint) {
  ThreadState& state = known(id);
  state.has_pending = true;
  state.unshared = std::max(state.unshared, joint->fence);
  for (Joint& pending : state.joints) {
    if (pending == joint) return;
    // The new joint messages replace pending joint messages of the same location if every writer of the pending
    // messages is also a writer of the new messages.
    if (pending->location != joint->location || !std::ranges::includes(joint->writers, pending->writers)) continue;
    release_joint(pending, id);
    pending = joint;
    return;
  }
  if (state.joints.size() == kMostJointPending) split_joint(id, 0);
  state.joints.push_back(joint);
}

/// Replaces one of the thread's pending joint messages by single messages.
void SyncInference::split_joint(std::uint32_t id, std::size_t index) {
  ThreadState& state = known(id);
  Joint joint = std::move(state.joints[index]);
  state.joints.erase(state.joints.begin() + static_cast<std::ptrdiff_t>(index));
  for (const Message& message : joint->messages) {
    if (message.thread != id) await_fence(id, message);
  }
  release_joint(joint, id);
}

/// Like receive_pending(), but for joint messages.
void SyncInference::receive_joints(const TraceEvent& event) {
  ThreadState& state = known(event.thread);
  const bool is_alone = event.scope < Scope::Device || !state.sections.empty() || !state.acquires.empty();
  while (is_alone && !state.joints.empty()) split_joint(event.thread, 0);
  for (Joint& joint : state.joints) {
    receive_joint(event.thread, *joint, event.order == Order::SeqCst ? reach(event.scope) : Scope::Thread);
    release_joint(joint, event.thread);
  }
  state.joints.clear();
}

/// Appends the seq_cst fences of the joint messages. A thread that reads a message observes the message's fence.
void SyncInference::gather_joints(const ThreadState& own, std::vector<KnownFence>& into) {
  for (const Joint& joint : own.joints) {
    // Most members of a barrier have read the same messages.
    if (std::ranges::find(gathered_joints_, joint->number) != gathered_joints_.end()) continue;
    gathered_joints_.push_back(joint->number);
    for (const Message& one : joint->messages) {
      if (one.fence == Scope::Thread) continue;
      into.push_back({one.mark, one.thread, one.thread, one.fence, one.is_inside, false, true, one.since, 0});
    }
  }
}

bool SyncInference::awaits_joint(std::uint32_t writer, const ThreadState& reader) const {
  return std::ranges::any_of(reader.joints, [&](const Joint& joint) { return joint->has_writer(writer); });
}

}  // namespace ambit::detector
