#pragma once

#include <algorithm>
#include <utility>

#include "detector/algorithms/causal_order.h"

// Definitions of CausalOrder's member functions for thread clocks, critical sections, releases and marks.
namespace ambit::detector {

// ---- a thread's clocks ----
template <typename Clocks, typename History>
typename CausalOrder<Clocks, History>::Clock3 CausalOrder<Clocks, History>::retained(const Clock3& clocks) {
  for (const ClockId clock : {clocks.h, clocks.p, clocks.k}) clocks_.retain(clock);
  return clocks;
}

template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::release_clocks(const Clock3& clocks) {
  for (const ClockId clock : {clocks.h, clocks.p, clocks.k}) clocks_.release(clock);
}

template <typename Clocks, typename History>
ClockId CausalOrder<Clocks, History>::with_precedence(ClockId into, const ClockView& p) {
  const ClockId own = clocks_.lane_independent(clocks_.retain(p.clock), p.thread);
  into = clocks_.joined(into, own);
  clocks_.release(own);
  if (p.block != 0) into = clocks_.raised_rest_of_block(into, p.thread, p.block);
  if (p.warp > p.block) into = clocks_.raised_rest_of_warp(into, p.thread, p.warp);
  return p.now == 0 ? into : clocks_.raised(into, p.thread, p.now);
}

template <typename Clocks, typename History>
ClockId CausalOrder<Clocks, History>::precedence_of(const ClockView& p) {
  if (!clocks_.acts_as_warp() || (p.block | p.warp) != 0) return with_precedence(kZero, p);
  const ClockId own = clocks_.retain(p.clock);
  return p.now == 0 ? own : clocks_.joined_lane(own, {kZero, p.thread, 0, 0, p.now}, p.thread);
}

template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::join_p(std::uint32_t thread, const ClockView& from) {
  ThreadState& own = threads_[thread];
  ++own.version;
  own.clocks.p = times_.joined(clocks_, own.clocks.p, from, thread, &CommonPast::p);
  if (own.clocks.k != kZero) own.c = times_.joined(clocks_, own.c, from, thread, &CommonPast::p);
  if (from.thread != kNoName && (from.warp | from.block) != 0) {
    own.precedes_self =
        std::max(own.precedes_self, times_.at(clocks_, {kZero, from.thread, 0, from.warp, from.block}, thread));
  }
}

template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::join_k(std::uint32_t thread, const ClockView& from) {
  ThreadState& own = threads_[thread];
  ++own.version;
  if (own.clocks.k == kZero) own.c = clocks_.retain(own.clocks.p);
  own.clocks.k = times_.joined(clocks_, own.clocks.k, from, thread, &CommonPast::k);
  own.c = times_.joined(clocks_, own.c, from, thread, &CommonPast::k);
}

template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::join_mark(std::uint32_t thread, const Mark& from) {
  join_h(thread, from.h);
  const ClockId p = precedence_of(from.p);
  join_p(thread, {p, from.p.thread});
  clocks_.release(p);
  join_k(thread, from.k);
}

// ---- accesses: rule (i) and the race check ----

template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::join_conflict(std::uint32_t thread, const Latest& latest) {
  const ClockView& h = (latest[0].h.thread == thread ? latest[1] : latest[0]).h;
  if (h.thread == kNoName) return;
  const ClockId p = threads_[thread].clocks.p;
  if (clocks_.at(p, h.thread, thread) < h.now && precedes(h.thread, thread, p) < h.now) join_p(thread, h);
}

template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::join_conflicts(const Action& action, const Section& section) {
  const auto join_from = [&](std::uint32_t queue) {
    const Conflicts* conflicts = conflicts_.find(pair_of(queue, action.object));
    if (conflicts == nullptr) return;
    join_conflict(action.thread, conflicts->write);
    if (action.is_write) join_conflict(action.thread, conflicts->read);
  };
  if (options_.overlap == Overlap::Either) {
    for (const std::uint32_t queue : groups_.queues_of_acquire(section.lock, action.thread, section.scope)) {
      join_from(queue);
    }
  } else {
    for (std::uint32_t i = 0; i < section.queue_count; ++i) join_from(section.queues[i]);
  }
}

/// Logs an access if the innermost critical section has not yet logged the same access. An entry for the innermost
/// section also applies to all enclosing sections.
template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::log_access(ThreadState& own, const Action& action) {
  // Most critical sections have few accesses. Duplicate entries in the log are harmless.
  const std::size_t begin = own.sections.back().log_begin;
  if (own.log.size() - begin <= kShortLog) {
    const auto is_it = [&](const Logged& one) {
      return one.location == action.object && one.is_write == action.is_write;
    };
    if (std::none_of(own.log.begin() + static_cast<std::ptrdiff_t>(begin), own.log.end(), is_it)) {
      own.log.push_back({action.object, action.is_write});
    }
    return;
  }
  std::size_t& position = logged_[(pair_of(action.thread, action.object) << 1U) + (action.is_write ? 1 : 0)];
  if (position > own.sections.back().log_begin && position <= own.log.size() &&
      own.log[position - 1].location == action.object && own.log[position - 1].is_write == action.is_write) {
    return;
  }
  own.log.push_back({action.object, action.is_write});
  position = own.log.size();
}

template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::begin_access(const Action& action) {
  for (const Section& section : threads_[action.thread].sections) {
    for (std::uint32_t i = 0; i < section.queue_count; ++i) expand_conflicts(section.queues[i], action.object);
  }
  join_and_log(action);
}

/// If the thread is not the first lane, the location's conflicts in the thread's queues must not be collapsed.
template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::join_and_log(const Action& action) {
  ThreadState& own = threads_[action.thread];
  for (const Section& section : own.sections) join_conflicts(action, section);
  if (!own.sections.empty()) log_access(own, action);
}

// ---- locks: rule (ii) ----

template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::set_queues(Section& section, const std::vector<std::uint32_t>& queues) const {
  if (options_.overlap == Overlap::Either) return;  // the queues may still change before the section ends
  AMBIT_ASSERT(queues.size() <= kMostQueues);
  std::copy(queues.begin(), queues.end(), section.queues.begin());
  section.queue_count = static_cast<std::uint32_t>(queues.size());
}

template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::widen(ThreadState& own, const Action& action) {
  for (Section& section : own.sections) {
    if (section.lock != action.object) continue;
    section.scope = action.scope;
    set_queues(section, groups_.queues_of_acquire(action.object, action.thread, action.scope));
  }
}

template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::join_queues(std::uint32_t thread, const std::vector<std::uint32_t>& queues) {
  for (const std::uint32_t id : queues) {
    if (id >= queues_.size()) continue;
    const std::uint32_t lane = lane_of_queue(id);
    const ReleaseQueue& queue = queues_[id - lane];
    const ClockView h = queue.h.moved(lane);
    const bool is_known = h.thread == kNoName
                              ? h.clock == kZero
                              : h.thread == thread || times_.at(clocks_, h_of(thread), h.thread) >= h.now;
    if (is_known) continue;
    join_h(thread, h);
    join_p(thread, queue.p.moved(lane));
  }
}

template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::acquire(const Action& action) {
  const std::vector<std::uint32_t>& queues = groups_.queues_of_acquire(action.object, action.thread, action.scope);
  join_queues(action.thread, queues);
  if (action.is_widening) return widen(threads_[action.thread], action);
  open_section(action, queues);
}

template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::open_section(const Action& action, const std::vector<std::uint32_t>& queues) {
  ThreadState& own = threads_[action.thread];
  Section section;
  section.lock = action.object;
  section.scope = action.scope;
  section.begin = times_.now(action.thread);
  section.log_begin = own.log.size();
  set_queues(section, queues);
  own.sections.push_back(section);
}

template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::close_section(ThreadState& own, std::uint32_t lock) {
  for (std::size_t i = own.sections.size(); i-- > 0;) {
    if (own.sections[i].lock != lock) continue;
    own.sections.erase(own.sections.begin() + static_cast<std::ptrdiff_t>(i));
    break;
  }
  if (own.sections.empty()) own.log.clear();
}

/// Searches the releases from `position` on. Returns the position of the first release by another thread that is not in
/// the thread's P. The thread has passed all earlier releases.
template <typename Clocks, typename History>
std::size_t CausalOrder<Clocks, History>::first_not_covered(const ReleaseQueue& queue, std::uint32_t thread,
                                                            std::size_t position) const {
  const ClockId p = threads_[thread].clocks.p;
  std::size_t end = queue.releases.size();
  while (position < end) {
    const std::size_t middle = position + (end - position) / 2;
    std::size_t other = middle + 1;  // 1 + position of another thread's last release, up to `middle`
    while (other > position && queue.releases[other - 1].h.thread == thread) --other;
    if (other == position ||
        clocks_.at(p, queue.releases[other - 1].h.thread, thread) >= queue.releases[other - 1].h.now) {
      position = middle + 1;
    } else {
      end = other - 1;
    }
  }
  return position;
}

template <typename Clocks, typename History>
bool CausalOrder<Clocks, History>::advance(std::uint32_t thread, std::uint32_t id) {
  if (id >= queues_.size()) return false;
  const ReleaseQueue& queue = queues_[id];
  const std::span<const ReleaseRecord> releases = queue.releases;
  std::uint32_t& stored = positions_[pair_of(id, thread)];
  std::size_t position = std::max(stored, queue.dropped) - queue.dropped;
  constexpr std::size_t kFew = 8;
  if (releases.size() > position + kFew && releases_cover_earlier())
    position = first_not_covered(queue, thread, position);
  // The last release that the thread must join. A release is not joined if the next release to join covers it.
  const ReleaseRecord* last = nullptr;
  bool has_joined = false;
  ClockId p = threads_[thread].clocks.p;
  for (; position < releases.size(); ++position) {
    const ReleaseRecord& record = releases[position];
    const std::uint32_t owner = record.h.thread;
    if (owner == thread) continue;
    if (clocks_.at(p, owner, thread) >= record.h.now) continue;
    Epoch known = precedes(owner, thread, p);
    if (last != nullptr) known = std::max(known, times_.at(clocks_, last->h, owner));
    if (known < record.begin) break;
    if (known >= record.h.now) continue;
    if (last != nullptr && times_.at(clocks_, record.h, last->h.thread) < last->h.now) {
      join_p(thread, last->h);
      p = threads_[thread].clocks.p;
    }
    last = &record;
    has_joined = true;
  }
  if (last != nullptr) join_p(thread, last->h);
  stored = queue.dropped + static_cast<std::uint32_t>(position);
  return has_joined;
}

template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::apply_rule_ii(std::uint32_t thread, std::uint32_t lock, Scope scope) {
  scratch_ = groups_.queues_of_acquire(lock, thread, scope);
  for (bool has_joined = true; has_joined && !scratch_.empty();) {
    has_joined = false;
    for (const std::uint32_t queue : scratch_) has_joined |= advance(thread, queue);
    if (scratch_.size() == 1) return;
  }
}

template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::release(const Action& action) {
  for (const std::uint32_t queue : groups_.queues_of_acquire(action.object, action.thread, action.section)) {
    expand_queues(queue);
  }
  apply_rule_ii(action.thread, action.object, action.section);
  publish_section(action);
}

template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::publish_section(const Action& action) {
  ThreadState& own = threads_[action.thread];
  const auto section = std::find_if(own.sections.rbegin(), own.sections.rend(),
                                    [&](const Section& s) { return s.lock == action.object; });
  AMBIT_ASSERT(section != own.sections.rend());
  const ReleaseRecord record{published_h(action.thread), section->begin};
  const ClockId p = precedence_of(p_of(action.thread));
  for (const std::uint32_t queue : groups_.queues_of_release(action.object, action.thread, action.section)) {
    expand_queues(queue);
    publish(queue, record, p);
    note_accesses(queue, record, own, section->log_begin);
  }
  clocks_.release(p);
  close_section(own, action.object);
  tick(action.thread);
}

/// Returns whether the release happens after all releases in the queue.
template <typename Clocks, typename History>
bool CausalOrder<Clocks, History>::is_covered(const ReleaseQueue& queue, const ReleaseRecord& record) const {
  const ClockView& last = queue.h;
  if (last.thread == kNoName) return last.clock == kZero;
  return last.thread == record.h.thread || times_.at(clocks_, record.h, last.thread) >= last.now;
}

template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::publish(std::uint32_t id, const ReleaseRecord& record, ClockId p) {
  if (id >= queues_.size()) queues_.resize(std::max<std::size_t>(id + 1, groups_.queues()));
  ReleaseQueue& queue = queues_[id];
  clocks_.retain(record.h.clock);
  queue.releases.push_back(record);
  if (queue.releases.size() >= queue.drop_from) drop_passed(id);
  const ClockView old_h = queue.h;
  const ClockView old_p = queue.p;
  const std::uint32_t owner = record.h.thread;
  clocks_.retain(record.h.clock);
  clocks_.retain(p);
  if (is_covered(queue, record)) {
    queue.h = record.h;
    queue.p = {p, owner};
  } else {
    const ClockId joint =
        times_.joined(clocks_, clocks_.lane_independent(record.h.clock, owner), old_h, kNoName, &CommonPast::h);
    queue.h = {times_.joined(clocks_, joint, {kZero, owner, record.h.now, record.h.warp, record.h.block}, kNoName,
                             &CommonPast::h)};
    queue.p = {times_.joined(clocks_, clocks_.lane_independent(p, owner), old_p, kNoName, &CommonPast::p)};
  }
  clocks_.release(old_h.clock);
  clocks_.release(old_p.clock);
}

/// Returns the number of releases of the queue that the thread has passed, up to `most`. A thread has passed a release
/// if the release is before the thread's stored position or in the thread's P. A release in P covers the earlier
/// releases of the queue.
template <typename Clocks, typename History>
std::size_t CausalOrder<Clocks, History>::passed_by(std::uint32_t id, std::uint32_t thread, std::size_t most) {
  const ReleaseQueue& queue = queues_[id];
  const auto release_at = [&](std::size_t number) -> const ClockView& {
    return queue.releases[number - queue.dropped].h;
  };
  const bool may_precede = thread < threads_.size() && releases_cover_earlier();
  const ClockId p = thread < threads_.size() ? threads_[thread].clocks.p : kZero;
  const auto precedes = [&](const ClockView& h) {
    return may_precede && h.thread != thread && clocks_.at(p, h.thread, thread) >= h.now;
  };
  std::size_t passed = most;
  if (passed > queue.dropped && !precedes(release_at(passed - 1))) {
    const std::uint32_t* position = positions_.find(pair_of(id, thread));
    const std::size_t before = std::max<std::size_t>(position == nullptr ? 0 : *position, queue.dropped);
    if (!may_precede) return std::min(before, most);
    while (passed > before && !precedes(release_at(passed - 1))) --passed;
  }
  while (passed < most && release_at(passed).thread == thread) ++passed;
  return std::min(passed, most);
}

/// Returns a number of releases, up to `most`, that the thread has passed in each of the collapsed queues. The result
/// may be too small.
template <typename Clocks, typename History>
std::size_t CausalOrder<Clocks, History>::passed_by_each(const ReleaseQueue& collapsed, std::uint32_t thread,
                                                         std::size_t most) const {
  if (thread >= threads_.size() || !releases_cover_earlier()) return collapsed.dropped;
  const auto precede = [&](const ClockView& h) {
    return clocks_.covers_warp(threads_[thread].clocks.p, h.thread, h.now);
  };
  while (most > collapsed.dropped && !precede(collapsed.releases[most - 1 - collapsed.dropped].h)) --most;
  return most;
}

/// Drops the releases that all possible readers of the queue have passed.
template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::drop_passed(std::uint32_t id) {
  ReleaseQueue& queue = queues_[id];
  const std::vector<std::uint32_t>* readers = groups_.readers(id);
  const std::size_t more = readers == nullptr ? threads_.size() : readers->size();
  queue.drop_from = 2 * queue.releases.size() + more;
  if (readers == nullptr) return;  // the readers are not known yet
  std::size_t passed = queue.dropped + queue.releases.size();
  for (std::size_t i = 0; i < readers->size() && passed > queue.dropped; ++i) {
    const std::uint32_t thread = (*readers)[i];
    if (thread < threads_.size() && threads_[thread].has_exited) continue;
    passed = queue.is_collapsed ? passed_by_each(queue, thread, passed) : passed_by(id, thread, passed);
  }
  if (passed <= queue.dropped) return;
  const auto count = static_cast<std::ptrdiff_t>(passed - queue.dropped);
  for (std::ptrdiff_t i = 0; i < count; ++i) clocks_.release(queue.releases[static_cast<std::size_t>(i)].h.clock);
  queue.releases.erase(queue.releases.begin(), queue.releases.begin() + count);
  queue.dropped = static_cast<std::uint32_t>(passed);
  queue.drop_from = 2 * queue.releases.size() + more + 64;
}

template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::note(Latest& latest, const ReleaseRecord& record) {
  clocks_.retain(record.h.clock);
  if (latest[0].h.thread == record.h.thread) {
    clocks_.release(latest[0].h.clock);
  } else {
    clocks_.release(latest[1].h.clock);
    latest[1] = latest[0];
  }
  latest[0] = record;
}

template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::note_accesses(std::uint32_t queue, const ReleaseRecord& record,
                                                 const ThreadState& own, std::size_t log_begin) {
  for (std::size_t i = log_begin; i < own.log.size(); ++i) {
    expand_conflicts(queue, own.log[i].location);
    Conflicts& conflicts = conflicts_[pair_of(queue, own.log[i].location)];
    note(own.log[i].is_write ? conflicts.write : conflicts.read, record);
  }
}

// ---- hard edges, barriers, threads ----

template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::fill_in(Mark& made, std::uint32_t thread) {
  const ThreadState& own = threads_[thread];
  retained(own.clocks);
  // Fill the mark in place. Copying a value just after writing its parts stalls the processor.
  made.h = published_h(thread);
  made.p = p_of(thread);
  made.k = times_.published(clocks_, thread, own.clocks.k, &CommonPast::k);
  made.is_inside = !own.sections.empty();
}

template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::mark(std::uint32_t thread, std::uint32_t id) {
  fill_in(marks_.make(id), thread);
  tick(thread);
}

/// Returns whether one mark can represent all lanes of the warp: they must have the same clocks and local times.
template <typename Clocks, typename History>
bool CausalOrder<Clocks, History>::are_lanes_alike(std::uint32_t first) const {
  const ThreadState& one = threads_[first];
  std::uint32_t different = 0;
  for (std::uint32_t thread = first + 1; thread < first + 32; ++thread) {
    const ThreadState& other = threads_[thread];
    different |= (one.clocks.h ^ other.clocks.h) | (one.clocks.p ^ other.clocks.p) | (one.clocks.k ^ other.clocks.k) |
                 (one.precedes_self ^ other.precedes_self);
    // The clock C is compared separately: two threads with equal P and K can store C in different forms.
    if (one.clocks.k != kZero) different |= one.c ^ other.c;
    if (one.sections.empty() != other.sections.empty()) return false;
  }
  return different == 0 && times_.are_lanes_equal(first);
}

template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::mark_warp(std::uint32_t first, std::uint32_t id) {
  if (threads_[first].is_collapsed || are_lanes_alike(first)) {
    fill_in(marks_.make_alike(id), first);
  } else {
    auto& lanes = marks_.make_lanes(id);
    for (std::uint32_t lane = 0; lane < 32; ++lane) fill_in(lanes[lane], first + lane);
  }
  times_.tick_warp(first);
}

template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::add_to_mark(const Action& action) {
  const Mark added = marks_.of(action.added, action.marker);
  if (action.is_first) marks_.make(action.object) = {{}, {}, {}, added.is_inside};
  Mark& made = marks_.made(action.object);
  made.h.clock = times_.joined(clocks_, made.h.clock, added.h, kNoName, &CommonPast::h);
  made.p.clock = with_precedence(made.p.clock, added.p);
  made.k.clock = times_.joined(clocks_, made.k.clock, added.k, kNoName, &CommonPast::k);
}

template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::edge(const Action& action) {
  const std::uint32_t thread = action.thread;
  const Mark mark = marks_.of(action.object, action.marker);
  const std::uint32_t from = mark.h.thread;
  const bool is_inside = mark.is_inside || !threads_[thread].sections.empty();
  if (from == kNoName) {  // a joint mark of several threads
    if (!is_inside) return join_mark(thread, mark);
    join_h(thread, mark.h);
    return join_p(thread, mark.h);
  }
  if (from == thread) return;
  if (!is_inside) {
    if (times_.at(clocks_, k_of(thread), from) < mark.h.now) join_mark(thread, mark);
  } else if (precedes(from, thread) < mark.h.now) {
    join_h(thread, mark.h);
    join_p(thread, mark.h);
  }
}

template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::fork(std::uint32_t parent, std::uint32_t child) {
  const ClockView h = h_of(parent);
  join_h(child, h);
  join_p(child, h);
}

template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::join(std::uint32_t parent, std::uint32_t child) {
  const ClockView h = h_of(child);
  join_h(parent, h);
  join_p(parent, h);
}

template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::make_lane_independent(std::span<const std::uint32_t> threads) {
  Clock3 lane_independent;  // lane-independent clocks of the previous thread
  ClockId lane_independent_c = kZero;
  for (const std::uint32_t thread : threads) {
    ThreadState& own = threads_[thread];
    if (own.clocks == lane_independent && own.c == lane_independent_c) continue;
    for (ClockId* clock : {&own.clocks.h, &own.clocks.p, &own.clocks.k, &own.c}) {
      *clock = clocks_.lane_independent(*clock, thread);
    }
    lane_independent = own.clocks;
    lane_independent_c = own.c;
  }
}

/// After a thread's exit, only threads that join the thread read its clocks.
template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::exit(std::uint32_t thread) {
  threads_[thread].has_exited = true;
  times_.exit(thread);
  if (has_forks_ || tables_.launch.only_named_threads) return;
  forget(thread);
}

template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::forget(std::uint32_t thread) {
  ThreadState& own = threads_[thread];
  own.has_exited = true;
  release_clocks(std::exchange(own.clocks, {}));
  clocks_.release(std::exchange(own.c, kZero));
}

}  // namespace ambit::detector
