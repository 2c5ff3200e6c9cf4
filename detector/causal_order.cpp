#include "detector/causal_order.h"

#include <algorithm>
#include <utility>

namespace ambit::detector {
namespace {

std::uint64_t pair_of(std::uint32_t a, std::uint32_t b) { return (std::uint64_t{a} << 32U) | b; }

}  // namespace

CausalOrder::CausalOrder(const TraceTables& tables, const CausalOptions& options)
    : tables_(tables), options_(options), groups_(tables, options.overlap), history_(tables, clocks_), log_(tables) {}

void CausalOrder::on(const Observation& observation) {
  for (const Action& action : observation.actions) apply(action, observation.inference);
}

void CausalOrder::finish(std::span<const Action> rest, const SyncInference& inference) {
  for (const Action& action : rest) apply(action, inference);
}

void CausalOrder::apply(const Action& action, const SyncInference& inference) {
  switch (action.kind) {
    case ActionKind::Access: access(action, inference); break;
    case ActionKind::Acquire: acquire(action); break;
    case ActionKind::Release: release(action); break;
    case ActionKind::Abandon: close_section(state(action.thread), action.object); break;
    case ActionKind::Mark: mark(action.thread, action.object); break;
    case ActionKind::DropMark: drop_mark(action.object); break;
    case ActionKind::Edge:
      if (!action.is_polled || options_.polling_acquires) edge(action.object, action.thread);
      break;
    case ActionKind::Barrier: barrier(inference.completions()[action.object]); break;
    case ActionKind::Fork: fork(action.thread, action.object); break;
    case ActionKind::Join: join(action.thread, action.object); break;
    case ActionKind::Exit: break;
  }
}

// ---- a thread's clocks ----------------------------------------------------------------------------------------------

CausalOrder::ThreadState& CausalOrder::state(std::uint32_t thread) {
  if (thread >= threads_.size()) {
    threads_.resize(std::max<std::size_t>(thread + 1, tables_.threads().size()));
    clocks_.reserve_threads(threads_.size());
  }
  ThreadState& own = threads_[thread];
  if (own.h == kNoClock) {
    own.h = clocks_.create();
    own.p = clocks_.create();
    own.c = own.p;
    clocks_.row(own.h)[thread] = own.now;
    clocks_.row(own.p)[thread] = own.now;
  }
  return own;
}

void CausalOrder::tick(std::uint32_t thread) {
  ThreadState& own = threads_[thread];
  ++own.now;
  ++own.version;
  for (const ClockId clock : {own.h, own.p, own.k, own.c}) {
    if (clock != kNoClock) clocks_.row(clock)[thread] = own.now;
  }
}

CausalOrder::Snapshot CausalOrder::snapshot(std::uint32_t thread, Epoch now) {
  const ThreadState& own = threads_[thread];
  Snapshot taken;
  taken.h = clocks_.copy(own.h);
  clocks_.row(taken.h)[thread] = now;
  taken.p = clocks_.copy(own.p);
  clocks_.row(taken.p)[thread] = own.own_p;
  if (own.k != kNoClock) {
    taken.k = clocks_.copy(own.k);
    clocks_.row(taken.k)[thread] = now;
  }
  return taken;
}

void CausalOrder::release_snapshot(const Snapshot& clocks) {
  clocks_.release(clocks.h);
  clocks_.release(clocks.p);
  clocks_.release(clocks.k);
}

void CausalOrder::before_learning(std::uint32_t thread) {
  ThreadState& own = threads_[thread];
  ++own.version;
  for (const std::uint32_t id : own.lazy_marks) {
    marks_[id].clocks = snapshot(thread, marks_[id].now);
    marks_[id].is_lazy = false;
  }
  own.lazy_marks.clear();
}

void CausalOrder::learn_h(std::uint32_t thread, ClockId from) {
  before_learning(thread);
  const ThreadState& own = threads_[thread];
  clocks_.join(own.h, from);
  clocks_.row(own.h)[thread] = own.now;
}

void CausalOrder::learn_p(std::uint32_t thread, ClockId from) {
  before_learning(thread);
  ThreadState& own = threads_[thread];
  own.own_p = std::max(own.own_p, clocks_.at(from, thread));
  clocks_.join(own.p, from);
  clocks_.row(own.p)[thread] = own.now;
  if (own.c == own.p) return;
  clocks_.join(own.c, from);
  clocks_.row(own.c)[thread] = own.now;
}

void CausalOrder::make_k(std::uint32_t thread) {
  ThreadState& own = threads_[thread];
  if (own.k != kNoClock) return;
  own.k = clocks_.create();
  own.c = clocks_.copy(own.p);
}

void CausalOrder::learn_k(std::uint32_t thread, ClockId from, std::uint32_t owner, Epoch now) {
  before_learning(thread);
  make_k(thread);
  const ThreadState& own = threads_[thread];
  for (const ClockId into : {own.k, own.c}) {
    if (from != kNoClock) clocks_.join(into, from);
    Epoch* row = clocks_.row(into);
    if (owner != kNoName) row[owner] = std::max(row[owner], now);
    row[thread] = own.now;
  }
}

// ---- accesses: rule (i) and the race check --------------------------------------------------------------------------

void CausalOrder::learn_conflict(std::uint32_t thread, const Latest& latest) {
  const ReleaseRecord& record = latest[0].owner == thread ? latest[1] : latest[0];
  if (record.owner == kNoName) return;
  if (clocks_.at(threads_[thread].p, record.owner) < record.now) learn_p(thread, record.h);
}

void CausalOrder::access(const Action& action, const SyncInference& inference) {
  ThreadState& own = state(action.thread);
  for (const Section& section : own.sections) {
    for (const std::uint32_t file : groups_.files_of_acquire(section.lock, action.thread, section.scope)) {
      const Conflicts* conflicts = conflicts_.find(pair_of(file, action.object));
      if (conflicts == nullptr) continue;
      learn_conflict(action.thread, conflicts->write);
      if (action.is_write) learn_conflict(action.thread, conflicts->read);
    }
  }
  if (!own.sections.empty()) {
    // An entry since the innermost section began stands for all sections that are open.
    std::size_t& position = logged_[(pair_of(action.thread, action.object) << 1U) + (action.is_write ? 1 : 0)];
    if (position <= own.sections.back().log_begin || position > own.log.size() ||
        own.log[position - 1].location != action.object || own.log[position - 1].is_write != action.is_write) {
      own.log.push_back({action.object, action.is_write});
      position = own.log.size();
    }
  }
  history_.check(action, own.c, own.now, own.version,
                 [&](const RaceSide& first) { log_.add(first, RaceSide::of(action), action.object, inference); });
}

// ---- locks: rule (ii) -----------------------------------------------------------------------------------------------

void CausalOrder::acquire(const Action& action) {
  ThreadState& own = state(action.thread);
  for (const std::uint32_t id : groups_.files_of_acquire(action.object, action.thread, action.scope)) {
    if (id >= files_.size()) continue;
    const File& file = files_[id];
    if (file.h == kNoClock || (file.owner != kNoName && clocks_.at(own.h, file.owner) >= file.now)) continue;
    learn_h(action.thread, file.h);
    learn_p(action.thread, file.p);
  }
  if (action.is_widening) {
    for (Section& section : own.sections) {
      if (section.lock == action.object) section.scope = action.scope;
    }
    return;
  }
  own.sections.push_back({action.object, action.scope, own.now, own.log.size()});
}

void CausalOrder::close_section(ThreadState& own, std::uint32_t lock) {
  for (std::size_t i = own.sections.size(); i-- > 0;) {
    if (own.sections[i].lock != lock) continue;
    own.sections.erase(own.sections.begin() + static_cast<std::ptrdiff_t>(i));
    break;
  }
  if (own.sections.empty()) own.log.clear();
}

bool CausalOrder::advance(std::uint32_t thread, std::uint32_t id) {
  if (id >= files_.size()) return false;
  const std::vector<ReleaseRecord>& releases = files_[id].releases;
  std::uint32_t& stored = positions_[pair_of(id, thread)];
  std::uint32_t position = stored;
  bool has_learned = false;
  for (; position < releases.size(); ++position) {
    const ReleaseRecord& record = releases[position];
    if (record.owner == thread) continue;
    const Epoch known = clocks_.at(threads_[thread].p, record.owner);
    if (known < record.begin) break;
    if (known >= record.now) continue;
    learn_p(thread, record.h);
    has_learned = true;
  }
  stored = position;
  return has_learned;
}

void CausalOrder::apply_rule_ii(std::uint32_t thread, std::uint32_t lock, Scope scope) {
  scratch_ = groups_.files_of_acquire(lock, thread, scope);
  for (bool has_learned = true; has_learned && !scratch_.empty();) {
    has_learned = false;
    for (const std::uint32_t file : scratch_) has_learned |= advance(thread, file);
    if (scratch_.size() == 1) return;
  }
}

void CausalOrder::release(const Action& action) {
  ThreadState& own = state(action.thread);
  const auto section = std::find_if(own.sections.rbegin(), own.sections.rend(),
                                    [&](const Section& s) { return s.lock == action.object; });
  AMBIT_ASSERT(section != own.sections.rend());
  apply_rule_ii(action.thread, action.object, action.section);
  const ClockId h = clocks_.copy(own.h);
  const ClockId p = clocks_.copy(own.p);
  clocks_.row(p)[action.thread] = own.own_p;
  const ReleaseRecord record{action.thread, section->begin, own.now, h};
  for (const std::uint32_t file : groups_.files_of_release(action.object, action.thread, action.section)) {
    publish(action.thread, file, record, p);
    note_accesses(file, record, own, section->log_begin);
  }
  clocks_.release(h);
  clocks_.release(p);
  close_section(own, action.object);
  tick(action.thread);
}

void CausalOrder::publish(std::uint32_t thread, std::uint32_t id, const ReleaseRecord& record, ClockId p) {
  if (id >= files_.size()) files_.resize(std::max<std::size_t>(id + 1, groups_.files()));
  File& file = files_[id];
  clocks_.retain(record.h);
  file.releases.push_back(record);
  const bool is_covered = file.h == kNoClock || (file.owner != kNoName && clocks_.at(record.h, file.owner) >= file.now);
  const ClockId old_h = file.h;
  const ClockId old_p = file.p;
  if (is_covered) {
    clocks_.retain(record.h);
    clocks_.retain(p);
    file.h = record.h;
    file.p = p;
    file.owner = thread;
    file.now = record.now;
  } else {
    file.h = clocks_.copy(old_h);
    file.p = clocks_.copy(old_p);
    clocks_.join(file.h, record.h);
    clocks_.join(file.p, p);
    file.owner = kNoName;
  }
  clocks_.release(old_h);
  clocks_.release(old_p);
}

void CausalOrder::note(Latest& latest, const ReleaseRecord& record) {
  clocks_.retain(record.h);
  if (latest[0].owner == record.owner) {
    clocks_.release(latest[0].h);
  } else {
    clocks_.release(latest[1].h);
    latest[1] = latest[0];
  }
  latest[0] = record;
}

void CausalOrder::note_accesses(std::uint32_t file, const ReleaseRecord& record, const ThreadState& own,
                                std::size_t log_begin) {
  for (std::size_t i = log_begin; i < own.log.size(); ++i) {
    Conflicts& conflicts = conflicts_[pair_of(file, own.log[i].location)];
    note(own.log[i].is_write ? conflicts.write : conflicts.read, record);
  }
}

// ---- hard edges -----------------------------------------------------------------------------------------------------

void CausalOrder::mark(std::uint32_t thread, std::uint32_t id) {
  ThreadState& own = state(thread);
  if (id >= marks_.size()) marks_.resize(id + 1);
  marks_[id] = {true, thread, own.now, {}};
  own.lazy_marks.push_back(id);
  tick(thread);
}

void CausalOrder::drop_mark(std::uint32_t id) {
  Mark& mark = marks_[id];
  if (mark.is_lazy) {
    std::erase(threads_[mark.thread].lazy_marks, id);
  } else {
    release_snapshot(std::exchange(mark.clocks, {}));
  }
}

void CausalOrder::edge(std::uint32_t id, std::uint32_t thread) {
  const Mark& mark = marks_[id];
  if (mark.thread == thread) return;
  const ThreadState& own = state(thread);
  if (own.k != kNoClock && clocks_.at(own.k, mark.thread) >= mark.now) return;
  const Snapshot from = mark.is_lazy ? snapshot(mark.thread, mark.now) : mark.clocks;
  learn_h(thread, from.h);
  learn_p(thread, from.p);
  learn_k(thread, from.k, mark.thread, mark.now);
  if (mark.is_lazy) release_snapshot(from);
}

void CausalOrder::barrier(const BarrierTracker::Completion& done) {
  for (const std::uint32_t thread : done.waiting) state(thread);
  for (const std::uint32_t thread : done.exited) state(thread);
  if (options_.barrier == BarrierRule::Hard) {
    hard_barrier(done);
  } else {
    literal_barrier(done);
  }
  for (const std::uint32_t thread : done.waiting) tick(thread);
}

void CausalOrder::hard_barrier(const BarrierTracker::Completion& done) {
  const ClockId h = clocks_.create();
  const ClockId p = clocks_.create();
  const ClockId k = clocks_.create();
  for (const auto* from : {&done.waiting, &done.exited}) {
    for (const std::uint32_t thread : *from) {
      const ThreadState& source = threads_[thread];
      clocks_.join(h, source.h);
      const Epoch own_p = std::max(clocks_.at(p, thread), source.own_p);
      clocks_.join(p, source.p);
      clocks_.row(p)[thread] = own_p;
      if (source.k != kNoClock) clocks_.join(k, source.k);
      clocks_.row(k)[thread] = source.now;
    }
  }
  for (const std::uint32_t thread : done.waiting) {
    learn_h(thread, h);
    learn_p(thread, p);
    learn_k(thread, k, kNoName, 0);
  }
  clocks_.release(h);
  clocks_.release(p);
  clocks_.release(k);
}

void CausalOrder::literal_barrier(const BarrierTracker::Completion& done) {
  // after[i]: join of the H of the sources from i on. Each member learns those of all others but not its own.
  std::vector<std::uint32_t> sources = done.waiting;
  sources.insert(sources.end(), done.exited.begin(), done.exited.end());
  std::vector<ClockId> after(sources.size() + 1);
  after[sources.size()] = clocks_.create();
  for (std::size_t i = sources.size(); i-- > 0;) {
    after[i] = clocks_.copy(after[i + 1]);
    clocks_.join(after[i], threads_[sources[i]].h);
  }
  const ClockId before = clocks_.create();
  for (std::size_t i = 0; i < done.waiting.size(); ++i) {
    const std::uint32_t thread = sources[i];
    const ClockId own = clocks_.copy(threads_[thread].h);
    for (const ClockId from : {before, after[i + 1]}) {
      learn_h(thread, from);
      learn_p(thread, from);
    }
    clocks_.join(before, own);
    clocks_.release(own);
  }
  clocks_.release(before);
  for (const ClockId clock : after) clocks_.release(clock);
}

void CausalOrder::fork(std::uint32_t parent, std::uint32_t child) {
  state(parent);
  state(child);
  learn_h(child, threads_[parent].h);
  learn_p(child, threads_[parent].h);
  tick(parent);
}

void CausalOrder::join(std::uint32_t parent, std::uint32_t child) {
  state(parent);
  state(child);
  learn_h(parent, threads_[child].h);
  learn_p(parent, threads_[child].h);
}

}  // namespace ambit::detector
