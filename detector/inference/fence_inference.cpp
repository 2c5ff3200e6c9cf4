// Infers the order of seq_cst fences from the reads of a run (docs/detectors/order.md has the proof).
//
// Suppose that, in base causality order, fence F1 comes before a write and fence F2 comes after a read that observes
// the write. If F1 and F2 are morally strong, F1 comes before F2 in the Fence-SC order, and so synchronizes with F2.
// The FenceSet of the thread that executes F2 contains each such F1. An "unobserved" fence of the set comes before all
// further actions of the thread. An "observed" fence comes only before the thread's next fence, because the thread has
// merely observed a write after the "observed" fence.

#include <algorithm>
#include <functional>
#include <iterator>
#include <tuple>

#include "detector/inference/sync_inference.h"

namespace ambit::detector {
namespace {

/// If a set has more edges than this number, one joint mark replaces the edges, which every thread of a block needs.
constexpr std::size_t kFewEdges = 2;

}  // namespace

// ---- sets ----

void SyncInference::release_set(FenceSetId set, std::uint32_t id, std::uint32_t uses) {
  if (set == kNoName || (fence_sets_[set].uses -= uses) != 0) return;
  const FenceSet gone = std::exchange(fence_sets_[set], {});
  free_sets_.push_back(set);
  const std::uint32_t lanes = std::exchange(lanes_, 1);
  for (const KnownFence& fence : gone.fences) release(fence.mark, id);
  for (const auto& [mark, marker] : gone.passed.edges) release(mark, id);
  lanes_ = lanes;
  release_set(gone.passed.rest, id);
}

/// Returns a new set, or kNoName without fences. The caller owns one reference to the set. Retains the marks.
FenceSetId SyncInference::new_set(std::span<const KnownFence> fences) {
  if (fences.empty()) return kNoName;
  auto set = static_cast<FenceSetId>(fence_sets_.size());
  if (free_sets_.empty()) {
    fence_sets_.emplace_back();
  } else {
    set = free_sets_.back();
    free_sets_.pop_back();
  }
  fence_sets_[set].fences.assign(fences.begin(), fences.end());
  fence_sets_[set].uses = 1;
  for (const KnownFence& fence : fences) ++mark_uses_[fence.mark];
  return set;
}

/// Replaces the thread's set. The thread takes over the caller's reference to `set`.
void SyncInference::give_set(std::uint32_t id, FenceSetId set) {
  if (id >= sets_by_thread_.size()) {
    if (set == kNoName) return;
    sets_by_thread_.resize(std::max<std::size_t>(id + 1, brief_.size()), kNoName);
  }
  if (set != kNoName) brief(id).has_fences = true;
  release_set(std::exchange(sets_by_thread_[id], set), id);
}

/// Keeps only the last fence of each thread, scope and kind. The last fence is enough, because all events before an
/// earlier fence are also before this fence.
void SyncInference::drop_older(std::vector<KnownFence>& fences) {
  const auto kind = [](const KnownFence& one) {
    const bool is_joined = one.marker == kNoName && one.chain == 0;
    return std::tuple(one.marker, one.chain, one.is_of_warp, one.scope, one.is_inside, one.is_observed,
                      is_joined ? one.mark : 0);
  };
  std::ranges::sort(fences, [&](const KnownFence& a, const KnownFence& b) {
    return std::tuple(kind(a), a.since, a.mark) < std::tuple(kind(b), b.since, b.mark);
  });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < fences.size(); ++i) {
    if (i + 1 < fences.size() && kind(fences[i]) == kind(fences[i + 1])) continue;
    fences[kept++] = fences[i];
  }
  fences.resize(kept);
}

void SyncInference::add_to_set(std::uint32_t id, std::span<const KnownFence> fences) {
  if (fences.empty()) return;
  std::vector<KnownFence> all(fences.begin(), fences.end());
  gather_set(set_of(id), all);
  drop_older(all);
  give_set(id, new_set(all));
}

/// Makes a new mark that joins the marks of the fences, and stores it in `joined`.
void SyncInference::join_marks(std::span<const KnownFence> from, KnownFence& joined) {
  joined = from.front();
  joined.mark = take_mark();
  joined.marker = kNoName;
  joined.is_of_warp = false;
  for (const KnownFence& one : from) {
    emit_addition(one.thread, joined.mark, one.mark, one.marker, &one == &from.front()).is_of_warp = one.is_of_warp;
  }
}

/// Calls compact() and returns the unobserved fences of a set.
const std::vector<KnownFence>& SyncInference::unobserved_of(FenceSetId id) {
  compact(id);
  FenceSet& set = fence_sets_[id];
  if (!std::exchange(set.has_unobserved, true)) {
    set.unobserved.clear();
    std::ranges::copy_if(set.fences, std::back_inserter(set.unobserved), std::logical_not{}, &KnownFence::is_observed);
  }
  return set.unobserved;
}

/// Joins the fences of one block that have the same scope, because this scope includes the same threads for each fence.
void SyncInference::compact(FenceSetId id) {
  if (fence_sets_[id].is_compact) return;
  fence_sets_[id].is_compact = true;
  std::vector<KnownFence> all = std::move(fence_sets_[id].fences);
  const auto group = [&](const KnownFence& one) {
    const ThreadPlace& place = tables_.threads()[one.thread].place;
    return std::tuple(one.chain, place.gpu, place.block, one.scope, one.is_inside, one.is_observed);
  };
  std::ranges::stable_sort(all, [&](const KnownFence& a, const KnownFence& b) { return group(a) < group(b); });
  std::vector<KnownFence> made;
  for (std::size_t i = 0; i < all.size();) {
    std::size_t end = i + 1;
    while (end < all.size() && group(all[end]) == group(all[i])) ++end;
    made.push_back(all[i]);
    if (end - i > 1) {
      join_marks(std::span(all).subspan(i, end - i), made.back());
      for (std::size_t k = i; k < end; ++k) release(all[k].mark, all[k].thread);
    }
    i = end;
  }
  fence_sets_[id].fences = std::move(made);
  fence_sets_[id].has_unobserved = false;
}

// ---- a thread's own fences ----

/// Returns the scope of the last fence at `level`.
Scope SyncInference::scope_of_fence(const ThreadState& state, std::size_t level) const {
  const MarkId mark = state.fence[level];
  while (level + 1 < kLevels && state.fence[level + 1] == mark) ++level;
  return reach(static_cast<Scope>(level));
}

/// Returns the message of the last fence at `level`. Readers of a later write of scope `scope` receive this message.
SyncInference::Message SyncInference::message_of_fence(std::uint32_t id, std::size_t level, Scope scope) const {
  const ThreadState& state = known(id);
  Message message{state.fence[level], id, scope, state.fence_event[level]};
  if ((state.seq_cst >> level & 1U) != 0) message.fence = scope_of_fence(state, level);
  message.is_inside = (state.inside >> level & 1U) != 0;
  // The fence at level 1 is the thread's last fence of any scope. ThreadState::fences is the set at that fence.
  if (state.fence[level] == state.fence[1]) message.fences = state.fences;
  return message;
}

/// Appends the thread's last fences of order seq_cst.
void SyncInference::gather_last(std::uint32_t id, bool is_of_warp, std::vector<KnownFence>& into) const {
  const ThreadState& own = known(id);
  MarkId last = kNoName;
  for (std::size_t level = kLevels - 1; level >= 1; --level) {
    if ((own.seq_cst >> level & 1U) == 0 || own.fence[level] == kNoName || own.fence[level] == last) continue;
    last = own.fence[level];
    const bool is_inside = (own.inside >> level & 1U) != 0;
    into.push_back({last, id, id, scope_of_fence(own, level), is_inside, is_of_warp, false, own.fence_event[level], 0});
  }
}

/// Like gather_last(), for all lanes of the warp that starts with thread `first`. One entry represents a fence by all
/// lanes. Returns false if the lanes differ, or if lanes have read messages.
bool SyncInference::gather_warp(std::uint32_t first, std::vector<KnownFence>& into) const {
  if (!has_state(first)) return false;
  for (std::uint32_t lane = 0; lane < kChunk; ++lane) {
    if (known(first + lane).unshared == Scope::Thread || has_pending_messages(first + lane)) return false;
  }
  if (!are_fences_alike(first, Scope::System)) return false;
  gather_last(first, true, into);
  return true;
}

/// Appends the thread's last fences of order seq_cst. If the thread has read writes of other threads since its last
/// fence, also appends the fences of these threads.
void SyncInference::gather_own(std::uint32_t id, std::vector<KnownFence>& into) {
  if (!has_state(id) || known(id).unshared == Scope::Thread) return;
  const ThreadState& own = known(id);
  gather_last(id, false, into);
  if (!has_pending_messages(id)) return;
  for (const std::vector<Message>& pending : own.pending) {
    for (const Message& one : pending) {
      if (one.fence == Scope::Thread) continue;
      into.push_back({one.mark, one.thread, one.thread, one.fence, one.is_inside, false, true, one.since, 0});
    }
  }
  gather_joints(own, into);
}

void SyncInference::gather_set(FenceSetId set, std::vector<KnownFence>& into) const {
  if (set == kNoName) return;
  const std::vector<KnownFence>& fences = fence_sets_[set].fences;
  into.insert(into.end(), fences.begin(), fences.end());
}

/// Moves the thread's own seq_cst fences to the thread's set, because a release operation publishes only the set.
void SyncInference::move_own_fences(std::uint32_t id) {
  if (!has_seq_cst_ || lanes_ != 1 || !has_state(id)) return;
  std::vector<KnownFence> own;
  gathered_joints_.clear();
  gather_own(id, own);
  add_to_set(id, own);
}

/// Moves the thread's seq_cst fences to the thread's set before a fence of another order replaces these fences.
void SyncInference::keep_fences(std::uint32_t id, Scope scope) {
  if (!has_seq_cst_ || !has_state(id)) return;
  const auto levels = (2U << static_cast<unsigned>(scope)) - 2;
  if ((known(id).seq_cst & levels) != 0) move_own_fences(id);
}

/// Records the thread's current set together with the thread's last fence. Readers of later writes get this set.
void SyncInference::note_fences(std::uint32_t id) {
  ThreadState& own = known(id);
  if (own.fences == set_of(id)) return;
  release_set(std::exchange(own.fences, retain_set(set_of(id))), id);
}

// ---- barriers ----

/// Records the fences of a thread that arrives at a barrier without waiting.
void SyncInference::note_arrival(std::uint32_t id) {
  expand_warp(id);
  std::vector<KnownFence> all;
  gathered_joints_.clear();
  gather_own(id, all);
  gather_set(set_of(id), all);
  drop_older(all);
  release_set(std::exchange(known(id).arrival_fences, new_set(all)), id);
}

/// Returns whether all threads of a block wait at the barrier.
bool SyncInference::is_of_block(const BarrierTracker::Completion& done) const {
  return done.op == TraceOp::Barrier && done.level == Scope::Block && done.arrived_only.empty() &&
         done.waiting.size() == tables_.launch.threads_per_block();
}

/// Drops the fences that are redundant after a barrier of all threads of a block. The block's own fences come before
/// all events of the block after the barrier. Fences of block scope have an effect only within the block.
void SyncInference::drop_ordered(const BarrierTracker::Completion& done, std::vector<KnownFence>& fences) const {
  if (!is_of_block(done)) return;
  std::erase_if(fences, [&](KnownFence& fence) {
    if (distance(fence, done.waiting.front()) != Scope::Block) return false;
    fence.is_observed = false;
    return fence.scope == Scope::Block;
  });
}

/// Appends the fences of threads that wait at a barrier. If several threads had the same set and one thread has
/// executed a seq_cst fence since, this fence replaces the earlier fences of the set.
void SyncInference::gather_waiting(std::span<const std::uint32_t> waiting, std::vector<KnownFence>& into) {
  std::vector<std::pair<FenceSetId, FenceSetId>> passed;
  for (const std::uint32_t member : waiting) {
    if (!has_state(member) || known(member).passed == kNoName) continue;
    passed.emplace_back(known(member).passed, known(member).rest);
  }
  std::ranges::sort(passed);
  FenceSetId last = kNoName;
  std::size_t end = 0;  // the fences of all threads before this index have been gathered
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    const std::uint32_t member = waiting[i];
    if (has_state(member) && threads_[member / kChunk][0].has_pending) expand_warp(member);
    if (i >= end && is_warp(waiting.subspan(i)) && gather_warp(member, into)) end = i + kChunk;
    if (i >= end) gather_own(member, into);
    if (set_of(member) == last) continue;
    last = set_of(member);
    const auto found = std::ranges::lower_bound(passed, std::pair(last, FenceSetId{0}));
    gather_set(found != passed.end() && found->first == last ? found->second : last, into);
  }
  for (const std::uint32_t member : waiting) {
    if (!has_state(member)) continue;
    release_set(std::exchange(known(member).passed, kNoName), member);
    release_set(std::exchange(known(member).rest, kNoName), member);
  }
}

/// Passes the fences of all threads that arrived at the barrier to the threads that waited.
void SyncInference::share_fences(const BarrierTracker::Completion& done) {
  // A barrier of all threads of a block already orders fences of block scope.
  const Scope ordered = is_of_block(done) ? Scope::Block : Scope::Thread;
  bool has_unshared = false;
  for (const std::uint32_t from : done.arrived_only) has_unshared |= has_state(from);
  const FenceSetId first = done.waiting.empty() ? kNoName : set_of(done.waiting.front());
  for (const std::uint32_t member : done.waiting) {
    has_unshared |= set_of(member) != first;
    if (!has_state(member)) continue;
    const ThreadState& lane0 = threads_[member / kChunk][0];
    has_unshared |= known(member).unshared > ordered || (lane0.is_collapsed && lane0.unshared > ordered);
  }
  if (!has_unshared) return;
  std::vector<KnownFence>& all = gathered_;
  all.clear();
  gathered_joints_.clear();
  gather_waiting(done.waiting, all);
  for (const std::uint32_t from : done.arrived_only) {
    if (!has_state(from)) continue;
    const FenceSetId arrived = std::exchange(known(from).arrival_fences, kNoName);
    if (arrived == kNoName) continue;
    gather_set(arrived, all);
    spare_sets_.push_back(arrived);
  }
  drop_ordered(done, all);
  drop_older(all);
  const FenceSetId joint = new_set(all);
  for (const std::uint32_t member : done.waiting) {
    give_set(member, retain_set(joint));
    if (has_state(member)) known(member).unshared = Scope::Thread;
  }
  release_set(joint, done.waiting.empty() ? 0 : done.waiting.front());
  for (const FenceSetId set : spare_sets_) release_set(set, 0);
  spare_sets_.clear();
}

// ---- writes and reads ----

/// Adds the thread's set to the location that `event` writes.
void SyncInference::publish_fences(const TraceEvent& event, LocationState& at) {
  if (!has_seq_cst_) return;
  const FenceSetId set = set_of(event.thread);
  if (set == kNoName) return;
  const auto is_unobserved = std::not_fn(&KnownFence::is_observed);
  if (std::ranges::none_of(fence_sets_[set].fences, is_unobserved)) return;
  std::erase_if(at.messages, [&](const Message& one) {
    if (one.mark != kNoName || (one.thread != event.thread && one.fences != set)) return false;
    spare_sets_.push_back(one.fences);
    return true;
  });
  Message message{kNoName, event.thread, event.scope, event_};
  message.fences = set;
  retain(message);
  at.messages.push_back(message);
  for (const FenceSetId gone : spare_sets_) release_set(gone, event.thread, lanes_);
  spare_sets_.clear();
}

/// Returns whether the read observes the last write to its location, and each scope includes the thread of the other
/// access.
bool SyncInference::observes_last(const TraceEvent& event) const {
  const LocationState& at = locations_[event.object];
  return is_near_last_writer(event, at) && !reads_older(event, at);
}

/// Returns the state of the location's atomic writes before the current event.
SyncInference::Writes SyncInference::writes_before(std::uint32_t location) const {
  const std::uint32_t lane = location - before_.location;
  if (lane < before_.lanes) {
    Writes writes = before_.writes;
    if (writes.writer != kNoName) writes.writer += lane;
    return writes;
  }
  const std::uint32_t first = locations_[location].collapsed;
  const LocationState& at = locations_[first == kNoName ? location : first];
  const bool is_moved = first != kNoName && at.writer != kNoName;
  return {is_moved ? at.writer + (location - first) : at.writer, at.writes, at.writer_scope, at.is_broken};
}

/// Counts a write, and records the observation of a read. `observes` is the result of observes_last(). Skips locks,
/// because the race check ignores accesses of locks.
void SyncInference::note_observation(LocationState& at, const TraceEvent& event, bool observes) {
  if (rules_ == Rules::Papers || at.is_lock) return;
  if (event.is_write()) {
    ++at.writes;
    if (!observes && at.writer != kNoName) at.is_broken = true;
  }
  if (observes && event.is_read()) observed_now_ = {event.object, event.thread, lanes_, at.writes};
}

void SyncInference::remember_observed() {
  for (std::uint32_t lane = 0; lane < observed_now_.lanes; ++lane) {
    const std::uint32_t location = observed_now_.location + lane;
    Seen& seen = seen_[observed_now_.thread + lane];
    std::size_t place = 0;
    while (place + 1 < seen.size() && seen[place].first != location) ++place;
    for (; place != 0; --place) seen[place] = seen[place - 1];
    seen.front() = {location, observed_now_.count};
  }
  observed_now_.lanes = 0;
}

/// Adds the fences before the observed write to the reader's set, because these fences precede the reader's next fence.
void SyncInference::observe_fences(const TraceEvent& event) {
  if (!has_seq_cst_) return;
  const LocationState& at = locations_[event.object];
  if (at.messages.empty() || !observes_last(event)) return;
  const bool is_joint = observe_jointly(event);
  const std::uint32_t lanes = std::exchange(lanes_, 1);
  for (std::uint32_t lane = 0; lane < lanes; ++lane) observe_fences_of(event.thread, event.object, lane, is_joint);
  lanes_ = lanes;
}

/// Like observe_fences(), for one lane of the warp that starts with the thread `first`. `location` is the first lane's
/// location. If `is_near_only` is true, skips fences by threads of other blocks.
void SyncInference::observe_fences_of(std::uint32_t first, std::uint32_t location, std::uint32_t lane,
                                      bool is_near_only) {
  const LocationState& at = locations_[location];
  const std::uint32_t id = first + lane;
  if (id >= observed_.size()) observed_.resize(std::max<std::size_t>(id + 1, brief_.size()), {kNoName, 0});
  auto& [object, until] = observed_[id];
  const std::uint64_t since = object == location + lane ? until : 0;
  const FenceSetId own = set_of(id);
  std::vector<KnownFence>& found = gathered_;
  found.clear();
  std::uint64_t last = since;
  for (auto message = at.messages.rbegin(); message != at.messages.rend(); ++message) {
    if (message->mark != kNoName || message->thread == first) continue;
    if (message->since + lane < since) break;
    last = std::max(last, message->since + lane + 1);
    if (message->fences == own) continue;
    for (KnownFence fence : unobserved_of(message->fences)) {
      if (is_near_only && distance(fence, id) != Scope::Block) continue;
      // Skip a fence that already precedes all further operations of the thread, including the thread's next fence.
      if (own != kNoName &&
          std::ranges::find(unobserved_of(own), fence.mark, &KnownFence::mark) != unobserved_of(own).end())
        continue;
      fence.is_observed = true;
      found.push_back(fence);
    }
  }
  object = location + lane;
  until = last;
  if (!found.empty()) add_observed(id, found);
}

/// Like add_to_set(), but lanes with equal sets and equal new fences share one new set.
void SyncInference::add_observed(std::uint32_t id, const std::vector<KnownFence>& found) {
  const FenceSetId before = set_of(id);
  if (last_observed_.found != kNoName && last_observed_.before == before &&
      fence_sets_[last_observed_.found].fences == found) {
    return give_set(id, retain_set(last_observed_.made));
  }
  ObservedFences made{retain_set(before), new_set(found), kNoName};
  add_to_set(id, found);
  made.made = retain_set(set_of(id));
  std::swap(made, last_observed_);
  for (const FenceSetId gone : {made.before, made.found, made.made}) release_set(gone, id);
}

/// Adds the fences of a message that the thread has acquired to the thread's set. receive() describes
/// `acquire_scope`.
void SyncInference::inherit_fences(std::uint32_t id, const Message& message, Scope acquire_scope) {
  const std::uint32_t lanes = std::exchange(lanes_, 1);
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    const Message own = lanes == 1 ? message : of_lane(message, lane);
    if (own.fences == kNoName && own.fence <= acquire_scope) continue;
    if (own.fences == set_of(id + lane) && own.fence == Scope::Thread) continue;
    std::vector<KnownFence> found;
    gather_fences_of(own, found);
    add_to_set(id + lane, found);
  }
  lanes_ = lanes;
}

void SyncInference::gather_fences_of(const Message& message, std::vector<KnownFence>& into) const {
  if (message.fence != Scope::Thread) {
    into.push_back({message.mark, message.thread, message.thread, message.fence, message.is_inside, false, false,
                    message.since, 0});
  }
  gather_set(message.fences, into);
}

// ---- fences ----

/// Applies a fence of order seq_cst. Emits edges from the observed fences whose threads the new fence's scope includes.
/// Drops the fences that the new fence replaces.
void SyncInference::pass_fences(std::uint32_t id, Scope scope) {
  const FenceSetId set = set_of(id);
  if (set == kNoName) return;
  const FenceSet::Passed& passed = fence_sets_[set].passed;
  const bool is_known =
      passed.thread != kNoName && passed.scope == reach(scope) && distance(passed.thread, id) == Scope::Block;
  if (!is_known) fill_in_passed(set, id, reach(scope));
  if (fence_sets_[set].passed.keeps_all) return;
  for (const auto& [mark, marker] : fence_sets_[set].passed.edges) {
    emit(ActionKind::Edge, id, mark).marker = marker;
  }
  const FenceSetId rest = fence_sets_[set].passed.rest;
  if (ThreadState& own = thread(id); own.passed == kNoName) {
    own.passed = retain_set(set);
    own.rest = retain_set(rest);
  }
  give_set(id, retain_set(rest));
}

void SyncInference::fill_in_passed(FenceSetId set, std::uint32_t id, Scope scope) {
  if (std::ranges::any_of(fence_sets_[set].fences, &KnownFence::is_observed)) compact(set);
  std::vector<KnownFence> before;
  std::vector<KnownFence> rest;
  for (KnownFence fence : fence_sets_[set].fences) {
    const Scope needed = distance(fence, id);
    if (fence.is_observed && needed <= narrower(fence.scope, scope)) {
      before.push_back(fence);
      fence.is_observed = false;
    }
    if (fence.is_observed || needed > scope || fence.scope > scope) rest.push_back(fence);
  }
  const bool keeps_all = before.empty() && rest.size() == fence_sets_[set].fences.size();
  FenceSet::Passed made{id, scope, keeps_all, {}, kNoName};
  if (!keeps_all) made.rest = new_set(rest);
  std::ranges::stable_sort(before, {}, &KnownFence::is_inside);
  const auto inside = std::ranges::find(before, true, &KnownFence::is_inside);
  const auto outside_count = static_cast<std::size_t>(inside - before.begin());
  for (const auto& part : {std::span(before).first(outside_count), std::span(before).subspan(outside_count)}) {
    const bool has_warps = std::ranges::any_of(part, &KnownFence::is_of_warp);
    if (part.size() <= kFewEdges && !has_warps) {
      for (const KnownFence& fence : part) {
        ++mark_uses_[fence.mark];
        made.edges.emplace_back(fence.mark, fence.marker);
      }
    } else {
      KnownFence joined;
      join_marks(part, joined);
      made.edges.emplace_back(joined.mark, kNoName);
    }
  }
  FenceSet::Passed gone = std::exchange(fence_sets_[set].passed, std::move(made));
  for (const auto& [mark, marker] : gone.edges) release(mark, id);
  release_set(gone.rest, id);
}

}  // namespace ambit::detector
