#include "detector/happens_before.h"

#include <algorithm>

namespace ambit::detector {

HappensBefore::HappensBefore(const TraceTables& tables, bool polling_acquires)
    : tables_(tables),
      polling_acquires_(polling_acquires),
      groups_(tables, Overlap::Mutual),
      history_(tables, clocks_),
      log_(tables) {}

void HappensBefore::on(const Observation& observation) {
  for (const Action& action : observation.actions) apply(action, observation.inference);
}

void HappensBefore::finish(std::span<const Action> rest, const SyncInference& inference) {
  for (const Action& action : rest) apply(action, inference);
}

void HappensBefore::apply(const Action& action, const SyncInference& inference) {
  switch (action.kind) {
    case ActionKind::Access: {
      const ThreadState& own = state(action.thread);
      history_.check(action, own.clock, own.now, own.version,
                     [&](const RaceSide& first) { log_.add(first, RaceSide::of(action), action.object, inference); });
      break;
    }
    case ActionKind::Acquire: acquire(action); break;
    case ActionKind::Release: release(action); break;
    case ActionKind::Mark: mark(action.thread, action.object); break;
    case ActionKind::DropMark: drop_mark(action.object); break;
    case ActionKind::Edge:
      if (!action.is_polled || polling_acquires_) edge(action.object, action.thread);
      break;
    case ActionKind::Barrier: barrier(inference.completions()[action.object]); break;
    case ActionKind::Fork:
      state(action.object);
      learn(action.object, state(action.thread).clock);
      tick(action.thread);
      break;
    case ActionKind::Join:
      state(action.thread);
      learn(action.thread, state(action.object).clock);
      break;
    case ActionKind::Abandon:
    case ActionKind::Exit: break;
  }
}

HappensBefore::ThreadState& HappensBefore::state(std::uint32_t thread) {
  if (thread >= threads_.size()) {
    threads_.resize(std::max<std::size_t>(thread + 1, tables_.threads().size()));
    clocks_.reserve_threads(threads_.size());
  }
  ThreadState& own = threads_[thread];
  if (own.clock == kNoClock) {
    own.clock = clocks_.create();
    clocks_.row(own.clock)[thread] = own.now;
  }
  return own;
}

void HappensBefore::tick(std::uint32_t thread) {
  ThreadState& own = threads_[thread];
  clocks_.row(own.clock)[thread] = ++own.now;
  ++own.version;
}

void HappensBefore::before_learning(std::uint32_t thread) {
  ThreadState& own = threads_[thread];
  ++own.version;
  for (const std::uint32_t id : own.lazy_marks) {
    marks_[id].clock = clocks_.copy(own.clock);
    clocks_.row(marks_[id].clock)[thread] = marks_[id].now;
  }
  own.lazy_marks.clear();
}

void HappensBefore::learn(std::uint32_t thread, ClockId from) {
  before_learning(thread);
  const ThreadState& own = threads_[thread];
  clocks_.join(own.clock, from);
  clocks_.row(own.clock)[thread] = own.now;
}

void HappensBefore::acquire(const Action& action) {
  const ClockId clock = state(action.thread).clock;
  for (const std::uint32_t file : groups_.files_of_acquire(action.object, action.thread, action.scope)) {
    if (file >= published_.size()) continue;
    const Published& from = published_[file];
    if (from.clock == kNoClock || (from.owner != kNoName && clocks_.at(clock, from.owner) >= from.now)) continue;
    learn(action.thread, from.clock);
  }
}

void HappensBefore::release(const Action& action) {
  ThreadState& own = state(action.thread);
  const ClockId snapshot = clocks_.copy(own.clock);
  for (const std::uint32_t file : groups_.files_of_release(action.object, action.thread, action.scope)) {
    if (file >= published_.size()) published_.resize(std::max<std::size_t>(file + 1, groups_.files()));
    Published& to = published_[file];
    const bool is_covered = to.clock == kNoClock || (to.owner != kNoName && clocks_.at(snapshot, to.owner) >= to.now);
    const ClockId old = to.clock;
    if (is_covered) {
      clocks_.retain(snapshot);
      to = {snapshot, action.thread, own.now};
    } else {
      to = {clocks_.copy(old), kNoName, 0};
      clocks_.join(to.clock, snapshot);
    }
    clocks_.release(old);
  }
  clocks_.release(snapshot);
  tick(action.thread);
}

void HappensBefore::mark(std::uint32_t thread, std::uint32_t id) {
  ThreadState& own = state(thread);
  if (id >= marks_.size()) marks_.resize(id + 1);
  marks_[id] = {kNoClock, thread, own.now};
  own.lazy_marks.push_back(id);
  tick(thread);
}

void HappensBefore::drop_mark(std::uint32_t id) {
  Mark& mark = marks_[id];
  if (mark.clock == kNoClock) {
    std::erase(threads_[mark.thread].lazy_marks, id);
  } else {
    clocks_.release(mark.clock);
    mark.clock = kNoClock;
  }
}

void HappensBefore::edge(std::uint32_t id, std::uint32_t thread) {
  const Mark& mark = marks_[id];
  if (mark.thread == thread) return;
  const ClockId clock = state(thread).clock;
  const Epoch known = clocks_.at(clock, mark.thread);
  if (known >= mark.now) return;
  learn(thread, mark.clock != kNoClock ? mark.clock : threads_[mark.thread].clock);
  clocks_.row(clock)[mark.thread] = mark.now;
}

void HappensBefore::barrier(const BarrierTracker::Completion& done) {
  for (const std::uint32_t thread : done.waiting) state(thread);
  for (const std::uint32_t thread : done.exited) state(thread);
  const ClockId joint = clocks_.create();
  for (const std::uint32_t thread : done.waiting) clocks_.join(joint, threads_[thread].clock);
  for (const std::uint32_t thread : done.exited) clocks_.join(joint, threads_[thread].clock);
  for (const std::uint32_t thread : done.waiting) {
    learn(thread, joint);
    tick(thread);
  }
  clocks_.release(joint);
}

}  // namespace ambit::detector
