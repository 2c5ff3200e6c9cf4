#include "detector/algorithms/happens_before.h"

#include <algorithm>
#include <utility>

namespace ambit::detector {

template <typename Clocks, typename History>
bool HappensBefore<Clocks, History>::covers(std::uint32_t thread, const ClockView& view) const {
  if (view.thread == kNoName) return view.clock == Clocks::kZero;
  return view.thread == thread || times_.at(clocks_, this->view(thread), view.thread) >= view.now;
}

template <typename Clocks, typename History>
void HappensBefore<Clocks, History>::join_view(std::uint32_t thread, const ClockView& from) {
  ThreadState& own = threads_[thread];
  own.clock = times_.joined(clocks_, own.clock, from, thread, &CommonPast::h);
  ++own.version;
}

template <typename Clocks, typename History>
void HappensBefore<Clocks, History>::acquire(const Action& action) {
  for (const std::uint32_t queue : groups_.queues_of_acquire(action.object, action.thread, action.scope)) {
    if (queue < releases_.size() && !covers(action.thread, releases_[queue]))
      join_view(action.thread, releases_[queue]);
  }
}

template <typename Clocks, typename History>
void HappensBefore<Clocks, History>::release(const Action& action) {
  const ClockView own = published(action.thread);
  for (const std::uint32_t queue : groups_.queues_of_release(action.object, action.thread, action.scope)) {
    if (queue >= releases_.size()) releases_.resize(std::max<std::size_t>(queue + 1, groups_.queues()));
    ClockView& to = releases_[queue];
    if (covers(action.thread, to)) {
      store(queue, own);
    } else {
      ClockId joint = clocks_.lane_independent(clocks_.retain(own.clock), action.thread);
      joint = times_.joined(clocks_, joint, to, kNoName, &CommonPast::h);
      joint = times_.joined(clocks_, joint, own, kNoName, &CommonPast::h);
      clocks_.release(to.clock);
      to = {joint};
    }
  }
  tick(action.thread);
}

template <typename Clocks, typename History>
bool HappensBefore<Clocks, History>::act_alike(const Action& action) {
  const std::uint32_t first = action.thread;
  const bool is_acquire = action.kind == ActionKind::Acquire;
  if (!is_acquire && action.kind != ActionKind::Release) return false;
  if (!times_.are_lanes_equal(first) || !lanes_share_clock(first)) return false;
  if (!groups_.are_queues_moved(action.object, first, action.scope)) return false;
  const ClockId clock = threads_[first].clock;
  const auto& queues = groups_.queues_of_release(action.object, first, action.scope);
  for (const std::uint32_t queue : queues) {
    if (queue + 31 >= releases_.size()) return false;
    const ClockView& release = releases_[queue];
    for (std::uint32_t lane = 1; lane < 32; ++lane) {
      if (releases_[queue + lane] != release.moved(lane)) return false;
    }
    if (release.thread != kNoName && release.thread != first) {
      const auto distinguishes = [&](ClockId known) {
        return clocks_.distinguishes_lanes(known, release.thread, release.now);
      };
      if (clocks_.lane_of(release.thread) != 0 || distinguishes(clock)) return false;
      // The lanes also join the clocks of the other queues. So the clocks of these queues must not distinguish lanes.
      for (const std::uint32_t other : queues) {
        if (other < releases_.size() && distinguishes(releases_[other].clock)) return false;
      }
    }
    if (!is_acquire && !covers(first, release)) return false;
  }
  if (!is_acquire) {
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      const ClockView own = published(first + lane);
      for (const std::uint32_t queue : queues) store(queue + lane, own);
      tick(first + lane);
    }
    return true;
  }
  const std::uint32_t before = clocks_.lane_independent_copies();
  for (const std::uint32_t queue : queues) {
    if (!covers(first, releases_[queue])) join_view(first, releases_[queue]);
  }
  for (std::uint32_t thread = first + 1; thread < first + 32; ++thread) {
    if (clocks_.lane_independent_copies() != before) {
      acquire(action.of_lane(thread - first));
    } else if (threads_[thread].clock != threads_[first].clock) {
      clocks_.release(std::exchange(threads_[thread].clock, clocks_.retain(threads_[first].clock)));
    }
  }
  return true;
}

template <typename Clocks, typename History>
void HappensBefore<Clocks, History>::store(std::uint32_t queue, const ClockView& made) {
  clocks_.retain(made.clock);
  clocks_.release(releases_[queue].clock);
  releases_[queue] = made;
}

template <typename Clocks, typename History>
void HappensBefore<Clocks, History>::mark(std::uint32_t thread, std::uint32_t id) {
  ClockView& made = marks_.make(id);
  made = published(thread);
  clocks_.retain(made.clock);
  tick(thread);
}

template <typename Clocks, typename History>
void HappensBefore<Clocks, History>::mark_warp(std::uint32_t first, std::uint32_t id) {
  if (times_.are_lanes_equal(first) && lanes_share_clock(first)) {
    const ClockView made = marks_.make_alike(id) = view(first);
    clocks_.retain(made.clock);
  } else {
    auto& lanes = marks_.make_lanes(id);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      lanes[lane] = view(first + lane);
      clocks_.retain(lanes[lane].clock);
    }
  }
  for (std::uint32_t lane = 0; lane < 32; ++lane) tick(first + lane);
}

template <typename Clocks, typename History>
void HappensBefore<Clocks, History>::add_to_mark(const Action& action) {
  const ClockView added = marks_.of(action.added, action.marker);
  if (action.is_first) marks_.make(action.object) = {};
  ClockId& joint = marks_.made(action.object).clock;
  joint = times_.joined(clocks_, joint, added, kNoName, &CommonPast::h);
}

template <typename Clocks, typename History>
void HappensBefore<Clocks, History>::mark_operation(std::uint32_t operation, std::uint32_t id, Epoch moment) {
  marks_.make(id) = {Clocks::kZero, operation, moment};
}

template <typename Clocks, typename History>
void HappensBefore<Clocks, History>::edge(const Action& action) {
  if (const ClockView* mark = marks_.of_one_thread(action.object)) {
    if (!covers(action.thread, *mark)) join_view(action.thread, *mark);
    return;
  }
  const ClockView mark = marks_.of(action.object, action.marker);
  if (!covers(action.thread, mark)) join_view(action.thread, mark);
}

template <typename Clocks, typename History>
bool HappensBefore<Clocks, History>::pass_as_one(const BarrierTracker::Completion& done) {
  if constexpr (!kIsOfLaunches) return false;
  if (done.op != TraceOp::WarpBarrier || done.waiting.size() != 32) return false;
  const std::uint32_t first = done.waiting.front();
  if (done.waiting.back() != first + 31 || !lanes_share_clock(first)) return false;
  if (!times_.begin_warp_barrier(clocks_, done)) return false;
  const ClockId clock = threads_[first].clock;
  const ClockId joint = times_.joined_member(clocks_, Clocks::kZero, clock, done);
  times_.pass_warp(first, {&CommonPast::h});
  if (joint != clock) {
    clocks_.retain(joint, 32);
    clocks_.release(clock, 32);
    for (std::uint32_t thread = first; thread < first + 32; ++thread) threads_[thread].clock = joint;
  }
  clocks_.release(joint);
  return true;
}

template <typename Clocks, typename History>
void HappensBefore<Clocks, History>::barrier(const BarrierTracker::Completion& done) {
  begin_members(done.waiting);
  if (pass_as_one(done)) return;
  times_.begin_barrier(clocks_, done);
  ClockId joint = Clocks::kZero;
  const auto clock_of = [&](std::uint32_t thread) { return threads_[thread].clock; };
  const auto add = [&](ClockId clock) { joint = times_.joined_member(clocks_, joint, clock, done); };
  visit_clocks(done.waiting, clock_of, add);
  joint = times_.with_members(clocks_, joint, done, &CommonPast::h);
  times_.pass(done, {&CommonPast::h});
  set_clocks(done.waiting, joint, [&](std::uint32_t thread) -> ClockId& { return threads_[thread].clock; });
  for (const std::uint32_t thread : done.waiting) ++threads_[thread].version;
  clocks_.release(joint);
}

/// After a thread's exit, only threads that join the thread read its clock.
template <typename Clocks, typename History>
void HappensBefore<Clocks, History>::exit(std::uint32_t thread) {
  times_.exit(thread);
  if (has_forks_ || tables_.launch.only_named_threads) return;
  clocks_.release(std::exchange(threads_[thread].clock, Clocks::kZero));
}

template <typename Clocks, typename History>
std::vector<std::uint32_t> HappensBefore<Clocks, History>::clock_of(std::uint32_t thread) const {
  std::vector<std::uint32_t> clock(std::max<std::size_t>(threads_.size(), thread + 1), 0);
  const bool is_known = thread < threads_.size() && times_.has_acted(thread);
  for (std::uint32_t t = 0; is_known && t < threads_.size(); ++t) clock[t] = times_.at(clocks_, view(thread), t);
  clock[thread] = is_known ? std::max(times_.now(thread), Epoch{1}) : 1;
  return clock;
}

template <typename Clocks, typename History>
std::size_t HappensBefore<Clocks, History>::memory() const {
  return clocks_.memory() + history_.memory() + threads_.capacity() * sizeof(ThreadState) + marks_.memory() +
         releases_.capacity() * sizeof(ClockView);
}

template class HappensBefore<PlainClocks>;
template class HappensBefore<CompressedClocks>;
template class HappensBefore<PatchedClocks, LaunchHistory>;

namespace {

struct BarracudaOptions : HappensBeforeOptions {
  bool compresses = false;
};

}  // namespace

DetectorDescription barracuda() {
  OptionTable<BarracudaOptions> options;
  add_clock_options(options);
  return {.name = "barracuda",
          .source = "Eizenberg et al., PLDI 2017, as extended by PreDataR",
          .summary = "scoped happens-before with vector clocks",
          .options = options.described(),
          .claims = Claims::FirstRace,
          .orders_operations = true,
          .make = clock_maker<HappensBefore>(options)};
}

}  // namespace ambit::detector
