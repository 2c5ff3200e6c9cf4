#include "detector/inference/sync_inference.h"

#include <algorithm>

namespace ambit::detector {
namespace {

/// Returns whether the event is a store or exchange that may have written 0.
bool may_unlock(const TraceEvent& event) {
  const bool is_exchange =
      event.op == TraceOp::Rmw && (event.rmw == TraceRmw::Exchange || event.rmw == TraceRmw::Generic);
  return (event.op == TraceOp::Write || is_exchange) && (!event.has_value || event.value == 0);
}

/// Returns the scope of an access. A plain store gets the widest scope, so that only the preceding fence limits it.
Scope scope_of(const TraceEvent& event) { return event.order == Order::Weak ? Scope::System : event.scope; }

}  // namespace

bool may_take_lock(const TraceEvent& event) {
  return event.op == TraceOp::Rmw && event.rmw == TraceRmw::CompareExchange && !event.is_failed &&
         (!event.has_old_value || event.old_value == 0) && (!event.has_value || event.value != 0);
}

void SyncInference::add_threads(std::uint32_t id) {
  const std::size_t threads = std::max<std::size_t>(id + 1, tables_.threads().size());
  threads_.resize((threads + kChunk - 1) / kChunk);
  brief_.resize(threads_.size() * kChunk);  // one element for each possible thread
  seen_.resize(brief_.size());
}

void SyncInference::add_locations(std::uint32_t id) {
  const std::size_t named = tables_.locations().size();
  if (id >= named) reserve_for(locations_, id + 1);  // the tables do not contain locations of a launch
  locations_.resize(std::max<std::size_t>(id + 1, named));
}

SyncInference::ThreadState& SyncInference::new_state(std::uint32_t id) {
  brief(id);
  auto& chunk = threads_[id / kChunk];
  if (chunk == nullptr) chunk = std::make_unique<ThreadState[]>(kChunk);
  return chunk[id % kChunk];
}

Action& SyncInference::emit(ActionKind kind, std::uint32_t thread, std::uint32_t object) {
  // Fill the action in place. Copying a value just after writing its parts stalls the processor.
  Action& action = actions_.emplace_back();
  action.kind = kind;
  action.thread = thread;
  action.object = object;
  action.site = site_;
  action.event = event_;
  action.is_of_warp = lanes_ != 1;
  return action;
}

Action& SyncInference::emit_addition(std::uint32_t thread, MarkId mark, MarkId added, std::uint32_t marker,
                                     bool is_first) {
  Action& action = emit(ActionKind::AddToMark, thread, mark);
  action.added = added;
  action.marker = marker;
  action.is_first = is_first;
  return action;
}

void SyncInference::interpret(const TraceEvent& event) {
  if (!event.is_access()) {
    on_synchronization(event);
  } else if (has_operations_ && tables_.threads()[event.thread].is_operation()) {
    on_operation_access(event);
  } else {
    on_access(event);
  }
  ++event_;
}

std::span<const Action> SyncInference::on(const TraceEvent& event) {
  actions_.clear();
  tracked_.clear();
  end_event();
  site_ = event.site;
  const auto error = barriers_.on(event, tables_, tracked_);
  AMBIT_ASSERT(!error);  // readers and simulators make only traces with consistent barriers
  completions_ = tracked_;
  if (!completions_.empty()) on_completions(event.arrive_only ? event.thread : kNoName);
  interpret(event);
  return actions_;
}

std::span<const Action> SyncInference::on_meaning(const TraceEvent& event) {
  actions_.clear();
  completions_ = {};
  end_event();
  site_ = event.site;
  expand_state(event);
  interpret(event);
  note_whether_busy(event.thread);
  return actions_;
}

void SyncInference::on_synchronization(const TraceEvent& event) {
  switch (event.op) {
    case TraceOp::Issue: on_issue(event); break;
    case TraceOp::Commit: on_commit(event); break;
    case TraceOp::GroupWait: on_group_wait(event); break;
    case TraceOp::Complete: on_complete(event); break;
    case TraceOp::ProxyFence: on_proxy_fence(event); break;
    case TraceOp::MbarrierInit: on_mbarrier_init(event); break;
    case TraceOp::MbarrierArrive: on_mbarrier_arrive(event); break;
    case TraceOp::MbarrierWait: on_mbarrier_wait(event); break;
    case TraceOp::Read:
    case TraceOp::Write:
    case TraceOp::Rmw:
    case TraceOp::Reduction: break;  // accesses
    case TraceOp::Fence: on_fence(event); break;
    case TraceOp::LockAcquire:
    case TraceOp::LockRelease: on_explicit_lock(event); break;
    case TraceOp::Fork: emit(ActionKind::Fork, event.thread, event.object); break;
    case TraceOp::Join: emit(ActionKind::Join, event.thread, event.object); break;
    case TraceOp::Barrier:
      if (is_whole_ && event.arrive_only && !has_completed(event.thread)) {
        thread(event.thread).arrival = new_mark(event.thread);
        if (has_seq_cst_) note_arrival(event.thread);
      }
      break;
    case TraceOp::WarpBarrier:
    case TraceOp::TransactionBegin:  // a replay replaces transactions by sections (transaction_sections.h)
    case TraceOp::TransactionCommit:
    case TraceOp::TransactionAbort: break;
    case TraceOp::Exit:
      thread(event.thread);
      defeat_acquires(event.thread, kNoName);
      emit(ActionKind::Exit, event.thread, kNoName);
      break;
  }
}

std::span<const Action> SyncInference::finish() {
  actions_.clear();
  for (std::uint32_t t = 0; t < brief_.size(); ++t) {
    if (!has_state(t)) continue;
    expand_warp(t);
    defeat_acquires(t, kNoName);
  }
  return actions_;
}

void SyncInference::on_completions(std::uint32_t arriving) {
  for (std::uint32_t i = 0; i < completions_.size(); ++i) {
    const BarrierTracker::Completion& done = completions_[i];
    for (const std::uint32_t from : done.arrived_only) {
      MarkId mark = std::exchange(thread(from).arrival, kNoName);
      if (mark == kNoName && is_whole_ && from == arriving) mark = new_mark(from);
      if (mark == kNoName) continue;
      for (const std::uint32_t to : done.waiting) emit(ActionKind::Edge, to, mark);
      release(mark, from);
    }
    const std::uint32_t first = done.waiting.empty() ? 0 : done.waiting.front();
    if (!done.waiting.empty()) emit(ActionKind::Barrier, first, i);
    if (has_seq_cst_) share_fences(done);
  }
}

// ---- accesses and locks ----

void SyncInference::describe_access(const TraceEvent& event, const ThreadState& state, Action& action) const {
  action.kind = ActionKind::Access;
  action.scope = scope_of(event);
  action.is_write = event.is_write();
  action.is_atomic = is_atomic(event);
  action.is_volatile = event.is_volatile;
  action.thread = event.thread;
  action.object = event.object;
  action.site = event.site;
  action.event = event_;
  action.is_of_warp = lanes_ != 1;
  if (!state.sections.empty()) {
    const Section& section = state.sections.back();
    action.lock = section.lock;
    action.lock_scope = section.scope;
    action.lock_is_bare = section.is_bare;
  }
}

void SyncInference::emit_access(const TraceEvent& event, const ThreadState& state) {
  if (is_whole_ && !locations_[event.object].is_lock) describe_access(event, state, actions_.emplace_back());
}

void SyncInference::on_access(const TraceEvent& event) {
  ThreadState& state = thread(event.thread);
  location(event.object);
  const LocationState& at = locations_[event.object];
  before_ = {event.object, event.thread, lanes_, {at.writer, at.writes, at.writer_scope, at.is_broken}};
  if (event.rmw == TraceRmw::CompareExchange) return on_compare_exchange(event);
  if (!state.acquires.empty() && event.is_write()) {
    for (std::size_t i = 0; i < state.acquires.size(); ++i) {
      if (state.acquires[i].lock != event.object) continue;
      defeat(event.thread, state.acquires[i]);  // no fence has made the acquire effective before this write
      state.acquires.erase(state.acquires.begin() + static_cast<std::ptrdiff_t>(i));
      break;
    }
  }
  if (!state.sections.empty() && may_unlock(event) && on_unlock(event)) return;
  if (!state.acquires.empty()) defeat_acquires(event.thread, event.object);
  for (Section& section : state.sections) section.may_widen = false;
  if (!can_release(event.order)) brief_[event.thread].ready = Scope::Thread;
  emit_access(event, state);
  if (!is_atomic(event) || !is_whole_) return;
  if (event.is_read()) read_flag(event, event.op == TraceOp::Rmw);
  if (event.is_write()) write_flag(event);
}

void SyncInference::on_compare_exchange(const TraceEvent& event) {
  ThreadState& state = known(event.thread);
  LocationState& at = locations_[event.object];
  brief_[event.thread].ready = Scope::Thread;
  if (event.is_failed) {
    if (at.is_lock || !is_whole_) return;
    emit_access(event, state);
    read_flag(event, false);
    return;
  }
  if (!may_take_lock(event)) {
    defeat_acquires(event.thread, event.object);
    if (!is_whole_) return;
    emit_access(event, state);
    read_flag(event, false);
    write_flag(event);
    return;
  }
  PendingAcquire taken{event.object, event.scope, {}, at.is_release, {}};
  if (is_whole_) {
    if (!spare_seen_.empty()) {
      taken.seen.swap(spare_seen_.back());
      spare_seen_.pop_back();
    }
    taken.seen = visible_messages(event);
    for (const Message& message : taken.seen) retain(message);
    if (!at.is_release) observe_fences(event);
    describe_access(event, state, taken.access);
    write_flag(event);
  }
  if (can_acquire(event.order)) return take_lock(event.thread, taken, event.scope);
  state.acquires.push_back(std::move(taken));
}

void SyncInference::take_lock(std::uint32_t id, const PendingAcquire& taken, Scope effective) {
  for (const Message& message : taken.seen) {
    if (!taken.reads_release) receive(id, message);
    release(message, id);
  }
  begin_section(id, taken.lock, taken.scope, effective, false);
}

bool SyncInference::on_unlock(const TraceEvent& event) {
  ThreadState& state = known(event.thread);
  const auto held = std::find_if(state.sections.rbegin(), state.sections.rend(),
                                 [&](const Section& section) { return section.lock == event.object; });
  if (held == state.sections.rend()) return false;
  const auto index = static_cast<std::size_t>(state.sections.rend() - held - 1);
  const bool is_bare = held->is_bare;
  LocationState& at = locations_[event.object];
  std::optional<Scope> published;
  if (can_release(event.order)) {
    published = event.scope;
  } else if (brief_[event.thread].ready != Scope::Thread) {
    published = narrower(scope_of(event), brief_[event.thread].ready);
  }
  if (is_bare) {
    // A section whose acquire never took effect has no release, so the event is an ordinary access.
    state.sections.erase(state.sections.begin() + static_cast<std::ptrdiff_t>(index));
    if (!published) at.abandoned_by = event.thread;
    return false;
  }
  end_section(event.thread, index, published);
  if (!is_whole_) return true;
  if (published)
    drop_messages(at, event.thread);  // a hand-over of a lock is not a flag; earlier messages belong to the lock
  if (is_atomic(event)) {
    write_flag(event);
  } else {
    at.value = event.value;
    at.has_value = event.has_value;
  }
  at.is_release = published.has_value();
  return true;
}

void SyncInference::begin_section(std::uint32_t id, std::uint32_t lock, Scope operation, Scope effective,
                                  bool is_explicit) {
  location(lock + lanes_ - 1);
  for (std::uint32_t i = 0; i < lanes_; ++i) {
    if (locations_[lock + i].collapsed != kNoName && (lanes_ == 1 || locations_[lock].collapsed != lock)) {
      expand_location(lock + i);
    }
    locations_[lock + i].is_lock = true;
  }
  has_locks_ = true;
  emit(ActionKind::Acquire, id, lock).scope = effective;
  thread(id).sections.push_back({lock, operation, effective, !is_explicit, false});
}

void SyncInference::end_section(std::uint32_t id, std::size_t index, std::optional<Scope> published) {
  ThreadState& state = known(id);
  const Section section = state.sections[index];
  state.sections.erase(state.sections.begin() + static_cast<std::ptrdiff_t>(index));
  Action& action = emit(published ? ActionKind::Release : ActionKind::Abandon, id, section.lock);
  action.scope = published.value_or(Scope::Thread);
  action.section = narrower(section.scope, action.scope);
  locations_[section.lock].abandoned_by = published ? kNoName : id;
}

void SyncInference::on_explicit_lock(const TraceEvent& event) {
  ThreadState& state = thread(event.thread);
  location(event.object);
  if (event.op == TraceOp::LockAcquire) {
    return begin_section(event.thread, event.object, event.scope, event.scope, true);
  }
  for (std::size_t i = state.sections.size(); i-- > 0;) {
    if (state.sections[i].lock == event.object) return end_section(event.thread, i, event.scope);
  }
}

void SyncInference::defeat(std::uint32_t id, PendingAcquire& acquire) {
  if (is_whole_ && !locations_[acquire.lock].is_lock) actions_.push_back(acquire.access);
  for (const Message& message : acquire.seen) {
    await_fence(id, message);
    release(message, id);
  }
  // The program treats the lock as held, although no fence makes the acquire effective.
  known(id).sections.push_back({acquire.lock, acquire.scope, acquire.scope, false, true});
}

void SyncInference::defeat_acquires(std::uint32_t id, std::uint32_t except) {
  auto& acquires = known(id).acquires;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < acquires.size(); ++i) {
    if (acquires[i].lock == except && except != kNoName) {
      std::swap(acquires[kept++], acquires[i]);
    } else {
      defeat(id, acquires[i]);
    }
  }
  acquires.resize(kept);
}

// ---- marks ----

MarkId SyncInference::take_mark() {
  MarkId mark = 0;
  if (free_marks_.empty()) {
    mark = static_cast<MarkId>(mark_uses_.size());
    mark_uses_.push_back(lanes_);
  } else {
    mark = free_marks_.back();
    free_marks_.pop_back();
    mark_uses_[mark] = lanes_;
  }
  return mark;
}

MarkId SyncInference::new_mark(std::uint32_t id) {
  const MarkId mark = take_mark();
  emit(ActionKind::Mark, id, mark);
  return mark;
}

void SyncInference::release(MarkId mark, std::uint32_t id, std::uint32_t uses) {
  if (is_of_lanes(mark)) {
    std::uint32_t& left = lane_messages_[mark & ~kOfLanes].uses;
    left -= uses * lanes_;
    if (left == 0) release_lane_messages(mark, id);
    return;
  }
  mark_uses_[mark] -= uses * lanes_;
  if (mark_uses_[mark] != 0) return;
  emit(ActionKind::DropMark, id, mark).is_of_warp = false;
  free_marks_.push_back(mark);
}

void SyncInference::drop_fences(std::uint32_t id, Scope scope) {
  ThreadState& state = known(id);
  // Usually, all levels have one common mark.
  for (std::size_t level = 1; level <= static_cast<std::size_t>(scope);) {
    const MarkId mark = state.fence[level];
    std::uint32_t uses = 0;
    for (; level <= static_cast<std::size_t>(scope) && state.fence[level] == mark; ++level, ++uses) {
      state.fence[level] = kNoName;
    }
    if (mark != kNoName) release(mark, id, uses);
  }
}

// ---- explanations for reports ----

bool SyncInference::awaits_fence(std::uint32_t writer, std::uint32_t reader) const {
  if (!has_state(reader)) return false;
  const std::uint32_t lane = lane_in_collapsed(reader);
  if (awaits_joint(writer, known(reader))) return true;
  return std::ranges::any_of(known(reader - lane).pending, [&](const std::vector<Message>& pending) {
    return std::ranges::find(pending, writer - lane, &Message::thread) != pending.end();
  });
}

std::optional<RaceKind> SyncInference::failed_sync(std::uint32_t writer, std::uint32_t reader) const {
  if (reader >= brief_.size()) return std::nullopt;
  if (awaits_fence(writer, reader)) return RaceKind::MissingFence;
  if (brief_[reader].failed_with == writer) return brief_[reader].failure;
  return std::nullopt;
}

bool SyncInference::was_abandoned(std::uint32_t lock, std::uint32_t id) const {
  if (lock >= locations_.size()) return false;
  const std::uint32_t first = locations_[lock].collapsed;
  if (first == kNoName) return locations_[lock].abandoned_by == id;
  return locations_[first].abandoned_by == id - (lock - first);
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> SyncInference::open_sections() const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> open;
  for (std::uint32_t t = 0; t < brief_.size(); ++t) {
    if (!has_state(t)) continue;
    const std::uint32_t lane = lane_in_collapsed(t);
    for (const Section& section : known(t - lane).sections) {
      if (!section.is_bare) open.emplace_back(t, section.lock + lane);
    }
  }
  return open;
}

}  // namespace ambit::detector
