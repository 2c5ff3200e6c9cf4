#pragma once

#include <algorithm>
#include <utility>

#include "detector/algorithms/causal_order.h"

// Definitions of CausalOrder's member functions for operations of whole warps.
//
// When each lane of a warp takes its own lock, all 32 lanes often have equivalent state: equal clocks (perhaps with
// lane-relative entries), and locks, queues, locations and releases that are shifted by the lane number. Then the state
// is "collapsed", so only lane 0's state is stored: sections and log (ThreadState::is_collapsed), the queue of its lock
// (ReleaseQueue::is_collapsed) and the queue's conflicts for each location (Conflicts::is_collapsed). The state is
// expanded as soon as one lane acts alone. If no clock comparison differs between lanes, lane 0 joins clocks, and the
// other lanes copy lane 0's clocks.
namespace ambit::detector {

// ---- threads ----

/// Collapses the sections of the warp with the given first thread. Returns false if the lanes' states differ.
template <typename Clocks, typename History>
bool CausalOrder<Clocks, History>::collapse_warp(std::uint32_t first) {
  ThreadState& one = threads_[first];
  if (one.is_collapsed) return true;
  if (options_.overlap == Overlap::Either || !are_lanes_alike(first) || !are_sections_alike(first)) return false;
  for (std::uint32_t lane = 1; lane < 32; ++lane) {
    threads_[first + lane].sections.clear();
    threads_[first + lane].log.clear();
  }
  one.is_collapsed = true;
  ++collapsed_warps_;
  return true;
}

/// Expands the collapsed sections of the thread's warp into one copy for each lane.
template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::expand_warp(std::uint32_t thread) {
  const std::uint32_t first = thread - clocks_.lane_of(thread);
  ThreadState& one = threads_[first];
  if (!one.is_collapsed) return;
  end_collapse(one);
  for (std::uint32_t lane = 1; lane < 32; ++lane) {
    ThreadState& own = threads_[first + lane];
    own.sections = one.sections;
    for (Section& section : own.sections) {
      section.lock += lane;
      for (std::uint32_t i = 0; i < section.queue_count; ++i) section.queues[i] += lane;
    }
    own.log = one.log;
    for (Logged& logged : own.log) logged.location += lane;
  }
}

template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::end_collapse(ThreadState& first) {
  first.is_collapsed = false;
  --collapsed_warps_;
}

template <typename Clocks, typename History>
bool CausalOrder<Clocks, History>::are_sections_alike(std::uint32_t first) const {
  const ThreadState& one = threads_[first];
  for (std::uint32_t lane = 1; lane < 32; ++lane) {
    const ThreadState& other = threads_[first + lane];
    if (other.sections.size() != one.sections.size() || other.log.size() != one.log.size()) return false;
    for (std::size_t i = 0; i < one.sections.size(); ++i) {
      const Section& a = one.sections[i];
      const Section& b = other.sections[i];
      if (b.lock != a.lock + lane || b.scope != a.scope || b.begin != a.begin || b.log_begin != a.log_begin)
        return false;
      if (b.queue_count != a.queue_count) return false;
      for (std::uint32_t queue = 0; queue < a.queue_count; ++queue) {
        if (b.queues[queue] != a.queues[queue] + lane) return false;
      }
    }
    for (std::size_t i = 0; i < one.log.size(); ++i) {
      const bool is_moved = other.log[i].location == one.log[i].location + lane;
      if (!is_moved || other.log[i].is_write != one.log[i].is_write) return false;
    }
  }
  return true;
}

// ---- release queues ----

template <typename Clocks, typename History>
bool CausalOrder<Clocks, History>::ReleaseQueue::is_moved(const ReleaseQueue& first, std::uint32_t lane) const {
  if (group != first.group || h != first.h.moved(lane) || p != first.p.moved(lane)) return false;
  if (releases.size() != first.releases.size()) return false;
  for (std::size_t i = 0; i < releases.size(); ++i) {
    if (releases[i] != first.releases[i].moved(lane)) return false;
  }
  return true;
}

template <typename Clocks, typename History>
typename CausalOrder<Clocks, History>::ReleaseQueue CausalOrder<Clocks, History>::ReleaseQueue::moved(
    std::uint32_t lane) const {
  ReleaseQueue made = *this;
  for (ReleaseRecord& record : made.releases) record = record.moved(lane);
  made.h = h.moved(lane);
  made.p = p.moved(lane);
  return made;
}

/// Collapses the 32 consecutive queues that begin with `first`. Returns false if the queues differ by more than the
/// lane number.
template <typename Clocks, typename History>
bool CausalOrder<Clocks, History>::collapse_queues(std::uint32_t first) {
  if (first + 31 >= queues_.size()) queues_.resize(std::max<std::size_t>(first + 32, groups_.queues()));
  ReleaseQueue& one = queues_[first];
  if (one.group != kNoName && one.group != first) return false;
  if (one.is_collapsed) return true;
  for (std::uint32_t lane = 1; lane < 32; ++lane) {
    if (!queues_[first + lane].is_moved(one, lane)) return false;
  }
  one.group = first;
  // The lanes may have made different numbers of releases. So the remaining releases get new, higher numbers, and no
  // reader has passed these numbers.
  one.dropped += static_cast<std::uint32_t>(one.releases.size());
  for (std::uint32_t lane = 1; lane < 32; ++lane) {
    ReleaseQueue& other = queues_[first + lane];
    one.dropped = std::max(one.dropped, other.dropped + static_cast<std::uint32_t>(other.releases.size()));
    for (const ReleaseRecord& record : other.releases) clocks_.release(record.h.clock);
    clocks_.release(other.h.clock);
    clocks_.release(other.p.clock);
    other = {};
    other.group = first;
  }
  one.is_collapsed = true;
  return true;
}

/// Collapses the queues of the lanes' locks. Stores the first lane's queues in scratch_.
template <typename Clocks, typename History>
bool CausalOrder<Clocks, History>::collapse_queues(const Action& action, Scope scope) {
  // A queue gets its number on first use. This call creates the queues of all lanes level by level, so that the queues
  // have consecutive numbers.
  if (!groups_.has_queues(action.object, action.thread, scope)) {
    groups_.are_queues_moved(action.object, action.thread, scope);
  }
  scratch_ = groups_.queues_of_acquire(action.object, action.thread, scope);
  const auto is_group = [&](std::uint32_t id) { return id < queues_.size() && queues_[id].group == id; };
  if (!std::ranges::all_of(scratch_, is_group) && !groups_.are_queues_moved(action.object, action.thread, scope)) {
    return false;
  }
  return std::ranges::all_of(scratch_, [&](std::uint32_t id) { return collapse_queues(id); });
}

/// Expands the queue's group, so that each queue stores its own releases.
template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::expand_queues(std::uint32_t queue) {
  if (queue >= queues_.size() || queues_[queue].group == kNoName) return;
  const std::uint32_t first = queues_[queue].group;
  ReleaseQueue& one = queues_[first];
  if (!one.is_collapsed) return;
  one.is_collapsed = false;
  for (const ReleaseRecord& record : one.releases) clocks_.retain(record.h.clock, 31);
  clocks_.retain(one.h.clock, 31);
  clocks_.retain(one.p.clock, 31);
  for (std::uint32_t lane = 1; lane < 32; ++lane) queues_[first + lane] = one.moved(lane);
}

/// Returns the lane that owns the queue, if the queue's group is collapsed; otherwise 0.
template <typename Clocks, typename History>
std::uint32_t CausalOrder<Clocks, History>::lane_of_queue(std::uint32_t queue) const {
  const std::uint32_t first = queues_[queue].group;
  return first != kNoName && queues_[first].is_collapsed ? queue - first : 0;
}

// ---- conflicts per queue and location ----

template <typename Clocks, typename History>
typename CausalOrder<Clocks, History>::Conflicts CausalOrder<Clocks, History>::Conflicts::moved(
    std::uint32_t lane) const {
  return {{read[0].moved(lane), read[1].moved(lane)}, {write[0].moved(lane), write[1].moved(lane)}};
}

/// Collapses the conflicts of a group of queues at 32 consecutive locations. `queue` is the first queue of the group.
/// Returns null if the conflicts differ by more than the lane number.
template <typename Clocks, typename History>
typename CausalOrder<Clocks, History>::Conflicts* CausalOrder<Clocks, History>::collapse_conflicts(
    std::uint32_t queue, std::uint32_t location) {
  Conflicts& one = conflicts_[pair_of(queue, location)];
  if (one.is_collapsed) return &one;
  std::array<Conflicts*, 32> lanes{};
  for (std::uint32_t lane = 1; lane < 32; ++lane) {
    lanes[lane] = conflicts_.find(pair_of(queue + lane, location + lane));
    if ((lanes[lane] == nullptr ? Conflicts{} : *lanes[lane]) != one.moved(lane)) return nullptr;
  }
  for (Conflicts* other : lanes) {
    if (other == nullptr) continue;
    for (const Latest* latest : {&other->read, &other->write}) {
      for (const ReleaseRecord& record : *latest) clocks_.release(record.h.clock);
    }
    *other = {};
  }
  one.is_collapsed = true;
  return &one;
}

/// Expands the conflicts of the queue's group, so that each queue stores its own conflicts.
template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::expand_conflicts(std::uint32_t queue, std::uint32_t location) {
  if (queue >= queues_.size() || queues_[queue].group == kNoName) return;
  const std::uint32_t first = queues_[queue].group;
  if (location < queue - first) return;
  const std::uint32_t first_location = location - (queue - first);
  Conflicts* known = conflicts_.find(pair_of(first, first_location));
  if (known == nullptr || !known->is_collapsed) return;
  known->is_collapsed = false;
  const Conflicts one = *known;
  for (const Latest* latest : {&one.read, &one.write}) {
    for (const ReleaseRecord& record : *latest) clocks_.retain(record.h.clock, 31);
  }
  for (std::uint32_t lane = 1; lane < 32; ++lane) {
    conflicts_[pair_of(first + lane, first_location + lane)] = one.moved(lane);
  }
}

// ---- clock updates of lanes ----

/// All lanes share `clock`. The first lane joins the releases of sources_ into `clock` one after the other. Returns
/// whether each clock comparison in these joins has the same result for all lanes.
template <typename Clocks, typename History>
bool CausalOrder<Clocks, History>::can_join_alike(std::uint32_t first, ClockId clock) const {
  for (const ReleaseRecord& from : sources_) {
    if (from.h.thread == kNoName || from.h.thread == first) continue;
    const auto distinguishes = [&](ClockId known) {
      return clocks_.distinguishes_lanes(known, from.h.thread, from.h.now) ||
             clocks_.distinguishes_lanes(known, from.h.thread, from.begin);
    };
    if (clocks_.lane_of(from.h.thread) != 0 || distinguishes(clock)) return false;
    for (const ReleaseRecord& other : sources_) {
      if (distinguishes(other.h.clock)) return false;
    }
  }
  return true;
}

/// Copies the clocks that the first lane has updated to the other lanes.
template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::spread_clocks(std::uint32_t first) {
  const ThreadState& one = threads_[first];
  const Clock3 before = threads_[first + 1].clocks;
  const ClockId c = threads_[first + 1].c;
  const auto spread = [&](ClockId from, ClockId to, const auto& clock_of) {
    if (from == to) return;
    for (std::uint32_t thread = first + 1; thread < first + 32; ++thread) clock_of(threads_[thread]) = to;
    clocks_.retain(to, 31);
    clocks_.release(from, 31);
  };
  spread(before.h, one.clocks.h, [](ThreadState& own) -> ClockId& { return own.clocks.h; });
  spread(before.p, one.clocks.p, [](ThreadState& own) -> ClockId& { return own.clocks.p; });
  spread(c, one.c, [](ThreadState& own) -> ClockId& { return own.c; });
  if (one.precedes_self == threads_[first + 1].precedes_self) return;
  for (std::uint32_t lane = 1; lane < 32; ++lane) threads_[first + lane].precedes_self = one.precedes_self;
}

// ---- actions ----

template <typename Clocks, typename History>
bool CausalOrder<Clocks, History>::act_alike(const Action& action) {
  if (action.kind == ActionKind::Acquire) return acquire_alike(action);
  return action.kind == ActionKind::Release && release_alike(action);
}

template <typename Clocks, typename History>
bool CausalOrder<Clocks, History>::acquire_alike(const Action& action) {
  const std::uint32_t first = action.thread;
  if (action.is_widening || !collapse_warp(first) || !collapse_queues(action, action.scope)) return false;
  sources_.clear();
  for (const std::uint32_t id : scratch_) sources_.push_back({queues_[id].h});
  if (!can_join_alike(first, threads_[first].clocks.h)) return false;
  const std::uint32_t before = clocks_.lane_independent_copies();
  join_queues(first, scratch_);
  if (clocks_.lane_independent_copies() == before) {
    spread_clocks(first);
    open_section(action, scratch_);
    return true;
  }
  expand_warp(first);
  open_section(action.of_lane(0), scratch_);
  for (std::uint32_t lane = 1; lane < 32; ++lane) acquire(action.of_lane(lane));
  return true;
}

template <typename Clocks, typename History>
bool CausalOrder<Clocks, History>::begin_access_alike(const Action& action) {
  const std::uint32_t first = action.thread;
  const auto has_none = [](const ThreadState& lane) { return lane.sections.empty(); };
  if (std::all_of(&threads_[first], &threads_[first] + 32, has_none)) return true;
  if (!collapse_warp(first)) return false;
  sources_.clear();
  for (const Section& section : threads_[first].sections) {
    for (std::uint32_t i = 0; i < section.queue_count; ++i) {
      const std::uint32_t queue = section.queues[i];
      if (queue >= queues_.size() || queues_[queue].group != queue) return false;
      const Conflicts* known = collapse_conflicts(queue, action.object);
      if (known == nullptr) return false;
      sources_.insert(sources_.end(), known->write.begin(), known->write.end());
      if (action.is_write) sources_.insert(sources_.end(), known->read.begin(), known->read.end());
    }
  }
  if (!can_join_alike(first, threads_[first].clocks.p)) return false;
  const std::uint32_t before = clocks_.lane_independent_copies();
  join_and_log(action);
  if (clocks_.lane_independent_copies() == before) {
    spread_clocks(first);
    return true;
  }
  expand_warp(first);
  for (std::uint32_t lane = 1; lane < 32; ++lane) begin_access(action.of_lane(lane));
  return true;
}

/// Adds to sources_ the releases that rule (ii) checks. Returns false if there are many such releases and one of them
/// may change a clock.
template <typename Clocks, typename History>
bool CausalOrder<Clocks, History>::add_fresh_releases(std::uint32_t id, std::uint32_t first) {
  constexpr std::size_t kFew = 8;
  const ReleaseQueue& queue = queues_[id];
  const std::uint32_t* stored = positions_.find(pair_of(id, first));
  const std::uint32_t position = std::max(stored == nullptr ? 0 : *stored, queue.dropped);
  std::span<const ReleaseRecord> fresh = std::span(queue.releases).subspan(position - queue.dropped);
  const ClockId p = threads_[first].clocks.p;
  if (fresh.size() > kFew && releases_cover_earlier()) {
    // A release that precedes every lane covers all earlier releases.
    const auto precedes_all = [&](const ReleaseRecord& one) {
      return one.h.thread != first && clocks_.lane_of(one.h.thread) == 0 &&
             (times_.common(one.h.thread, first, &CommonPast::p) >= one.h.now ||
              clocks_.covers_warp(p, one.h.thread, one.h.now));
    };
    const auto last = std::find_if(fresh.rbegin(), fresh.rend(), precedes_all);
    fresh = fresh.subspan(static_cast<std::size_t>(fresh.rend() - last));
  }
  if (fresh.size() <= kFew) {
    sources_.insert(sources_.end(), fresh.begin(), fresh.end());
    return true;
  }
  const auto next = std::ranges::find_if(fresh, [&](const ReleaseRecord& one) { return one.h.thread != first; });
  if (next == fresh.end()) return true;
  // Later releases cover this release. So if the start of this release's section precedes no lane, all lanes stop here
  // and cannot pass a later release.
  return releases_cover_earlier() && clocks_.lane_of(next->h.thread) == 0 &&
         !clocks_.distinguishes_lanes(p, next->h.thread, next->begin) &&
         precedes(next->h.thread, first, p) < next->begin;
}

template <typename Clocks, typename History>
bool CausalOrder<Clocks, History>::release_alike(const Action& action) {
  const std::uint32_t first = action.thread;
  if (!collapse_warp(first) || !collapse_queues(action, action.section)) return false;
  sources_.clear();
  for (const std::uint32_t id : scratch_) {
    if (!add_fresh_releases(id, first)) return false;
  }
  if (!can_join_alike(first, threads_[first].clocks.p)) return false;
  const std::uint32_t before = clocks_.lane_independent_copies();
  apply_rule_ii(first, action.object, action.section);
  if (clocks_.lane_independent_copies() == before) {
    spread_clocks(first);
    publish_alike(action);
    return true;
  }
  expand_warp(first);
  publish_section(action.of_lane(0));
  for (std::uint32_t lane = 1; lane < 32; ++lane) release(action.of_lane(lane));
  return true;
}

/// Like publish_section(), for all lanes. The queues of the lanes are collapsed and in scratch_.
template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::publish_alike(const Action& action) {
  const std::uint32_t first = action.thread;
  ThreadState& own = threads_[first];
  const auto section = std::find_if(own.sections.rbegin(), own.sections.rend(),
                                    [&](const Section& s) { return s.lock == action.object; });
  AMBIT_ASSERT(section != own.sections.rend());
  const ReleaseRecord record{published_h(first), section->begin};
  const ClockView before = p_of(first);
  const std::uint32_t lane_independent_copies = clocks_.lane_independent_copies();
  const ClockId p = precedence_of(before);
  const bool is_alike =
      (before.warp | before.block) == 0 && clocks_.acts_as_warp() &&
      clocks_.lane_independent_copies() == lane_independent_copies &&
      std::ranges::all_of(scratch_, [&](std::uint32_t id) { return is_covered(queues_[id], record); });
  if (!is_alike) {
    clocks_.release(p);
    expand_warp(first);
    for (std::uint32_t lane = 0; lane < 32; ++lane) publish_section(action.of_lane(lane));
    return;
  }
  for (const std::uint32_t id : scratch_) {
    publish(id, record, p);
    note_accesses_alike(id, record, section->log_begin);
  }
  clocks_.release(p);
  close_section(own, action.object);
  if (own.sections.empty()) end_collapse(own);
  times_.tick_warp(first);
}

/// Like note_accesses(), for all lanes of a collapsed warp.
template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::note_accesses_alike(std::uint32_t queue, const ReleaseRecord& record,
                                                       std::size_t log_begin) {
  const ThreadState& own = threads_[record.h.thread];
  for (std::size_t i = log_begin; i < own.log.size(); ++i) {
    const Logged& logged = own.log[i];
    const auto note_in = [&](Conflicts& conflicts, std::uint32_t lane) {
      note(logged.is_write ? conflicts.write : conflicts.read, record.moved(lane));
    };
    if (Conflicts* collapsed = collapse_conflicts(queue, logged.location)) {
      note_in(*collapsed, 0);
      continue;
    }
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      note_in(conflicts_[pair_of(queue + lane, logged.location + lane)], lane);
    }
  }
}

}  // namespace ambit::detector
