#include "detector/causal_order.h"

#include <algorithm>
#include <utility>

namespace ambit::detector {
namespace {

std::uint64_t pair_of(std::uint32_t a, std::uint32_t b) { return (std::uint64_t{a} << 32U) | b; }

}  // namespace

// ---- a thread's clocks ----

template <typename Clocks>
typename CausalOrder<Clocks>::Clock3 CausalOrder<Clocks>::retained(const Clock3& clocks) {
  for (const ClockId clock : {clocks.h, clocks.p, clocks.k}) clocks_.retain(clock);
  return clocks;
}

template <typename Clocks>
void CausalOrder<Clocks>::release_clocks(const Clock3& clocks) {
  for (const ClockId clock : {clocks.h, clocks.p, clocks.k}) clocks_.release(clock);
}

template <typename Clocks>
void CausalOrder<Clocks>::learn_h(std::uint32_t thread, const ClockView& from) {
  ThreadState& own = threads_[thread];
  own.clocks.h = clocks_.joined(own.clocks.h, from);
}

template <typename Clocks>
void CausalOrder<Clocks>::learn_p(std::uint32_t thread, const ClockView& from) {
  ThreadState& own = threads_[thread];
  ++own.version;
  own.clocks.p = clocks_.joined(own.clocks.p, from);
  if (own.clocks.k != kZero) own.c = clocks_.joined(own.c, from);
}

template <typename Clocks>
void CausalOrder<Clocks>::learn_k(std::uint32_t thread, const ClockView& from) {
  ThreadState& own = threads_[thread];
  ++own.version;
  if (own.clocks.k == kZero) own.c = clocks_.retain(own.clocks.p);
  own.clocks.k = clocks_.joined(own.clocks.k, from);
  own.c = clocks_.joined(own.c, from);
}

template <typename Clocks>
void CausalOrder<Clocks>::learn(std::uint32_t thread, const Clock3& from, std::uint32_t owner, Epoch now) {
  learn_h(thread, {from.h, owner, now});
  learn_p(thread, {from.p});
  learn_k(thread, {from.k, owner, now});
}

// ---- accesses: rule (i) and the race check ----

template <typename Clocks>
void CausalOrder<Clocks>::learn_conflict(std::uint32_t thread, const Latest& latest) {
  const ReleaseRecord& record = latest[0].owner == thread ? latest[1] : latest[0];
  if (record.owner == kNoName) return;
  if (clocks_.at(threads_[thread].clocks.p, record.owner) < record.now) learn_p(thread, record.view());
}

template <typename Clocks>
void CausalOrder<Clocks>::learn_conflicts(const Action& action, const Section& section) {
  const auto learn_from = [&](std::uint32_t file) {
    const Conflicts* conflicts = conflicts_.find(pair_of(file, action.object));
    if (conflicts == nullptr) return;
    learn_conflict(action.thread, conflicts->write);
    if (action.is_write) learn_conflict(action.thread, conflicts->read);
  };
  if (options_.overlap == Overlap::Either) {
    for (const std::uint32_t file : groups_.files_of_acquire(section.lock, action.thread, section.scope)) {
      learn_from(file);
    }
  } else {
    for (std::uint32_t i = 0; i < section.file_count; ++i) learn_from(section.files[i]);
  }
}

/// An entry since the innermost section began stands for all sections that are open.
template <typename Clocks>
void CausalOrder<Clocks>::log_access(ThreadState& own, const Action& action) {
  std::size_t& position = logged_[(pair_of(action.thread, action.object) << 1U) + (action.is_write ? 1 : 0)];
  if (position > own.sections.back().log_begin && position <= own.log.size() &&
      own.log[position - 1].location == action.object && own.log[position - 1].is_write == action.is_write) {
    return;
  }
  own.log.push_back({action.object, action.is_write});
  position = own.log.size();
}

template <typename Clocks>
void CausalOrder<Clocks>::access(const Action& action, const SyncInference& inference) {
  ThreadState& own = threads_[action.thread];
  for (const Section& section : own.sections) learn_conflicts(action, section);
  if (!own.sections.empty()) log_access(own, action);
  Base::check(action, current(own), inference);
}

// ---- locks: rule (ii) ----

template <typename Clocks>
void CausalOrder<Clocks>::set_files(Section& section, const std::vector<std::uint32_t>& files) const {
  if (options_.overlap == Overlap::Either) return;  // may change while the section is open
  AMBIT_ASSERT(files.size() <= kMostFiles);
  std::copy(files.begin(), files.end(), section.files.begin());
  section.file_count = static_cast<std::uint32_t>(files.size());
}

template <typename Clocks>
void CausalOrder<Clocks>::widen(ThreadState& own, const Action& action) {
  for (Section& section : own.sections) {
    if (section.lock != action.object) continue;
    section.scope = action.scope;
    set_files(section, groups_.files_of_acquire(action.object, action.thread, action.scope));
  }
}

template <typename Clocks>
void CausalOrder<Clocks>::acquire(const Action& action) {
  ThreadState& own = threads_[action.thread];
  const std::vector<std::uint32_t>& files = groups_.files_of_acquire(action.object, action.thread, action.scope);
  for (const std::uint32_t id : files) {
    if (id >= files_.size()) continue;
    const File& file = files_[id];
    const ClockView& h = file.h;
    const bool is_known = h.thread == kNoName
                              ? h.clock == kZero
                              : h.thread == action.thread || clocks_.at(own.clocks.h, h.thread) >= h.now;
    if (is_known) continue;
    learn_h(action.thread, h);
    learn_p(action.thread, {file.p});
  }
  if (action.is_widening) return widen(own, action);
  Section section;
  section.lock = action.object;
  section.scope = action.scope;
  section.begin = times_.now(action.thread);
  section.log_begin = own.log.size();
  set_files(section, files);
  own.sections.push_back(section);
}

template <typename Clocks>
void CausalOrder<Clocks>::close_section(ThreadState& own, std::uint32_t lock) {
  for (std::size_t i = own.sections.size(); i-- > 0;) {
    if (own.sections[i].lock != lock) continue;
    own.sections.erase(own.sections.begin() + static_cast<std::ptrdiff_t>(i));
    break;
  }
  if (own.sections.empty()) own.log.clear();
}

template <typename Clocks>
bool CausalOrder<Clocks>::advance(std::uint32_t thread, std::uint32_t id) {
  if (id >= files_.size()) return false;
  const File& file = files_[id];
  const std::size_t end = file.dropped + file.releases.size();
  std::uint32_t& stored = positions_[pair_of(id, thread)];
  std::size_t position = std::max(stored, file.dropped);
  bool has_learned = false;
  for (; position < end; ++position) {
    const ReleaseRecord& record = file.releases[position - file.dropped];
    if (record.owner == thread) continue;
    const Epoch known = clocks_.at(threads_[thread].clocks.p, record.owner);
    if (known < record.begin) break;
    if (known >= record.now) continue;
    learn_p(thread, record.view());
    has_learned = true;
  }
  stored = static_cast<std::uint32_t>(position);
  return has_learned;
}

template <typename Clocks>
void CausalOrder<Clocks>::apply_rule_ii(std::uint32_t thread, std::uint32_t lock, Scope scope) {
  scratch_ = groups_.files_of_acquire(lock, thread, scope);
  for (bool has_learned = true; has_learned && !scratch_.empty();) {
    has_learned = false;
    for (const std::uint32_t file : scratch_) has_learned |= advance(thread, file);
    if (scratch_.size() == 1) return;
  }
}

template <typename Clocks>
void CausalOrder<Clocks>::release(const Action& action) {
  ThreadState& own = threads_[action.thread];
  const auto section = std::find_if(own.sections.rbegin(), own.sections.rend(),
                                    [&](const Section& s) { return s.lock == action.object; });
  AMBIT_ASSERT(section != own.sections.rend());
  apply_rule_ii(action.thread, action.object, action.section);
  const ReleaseRecord record{action.thread, section->begin, times_.now(action.thread), own.clocks.h};
  for (const std::uint32_t file : groups_.files_of_release(action.object, action.thread, action.section)) {
    publish(file, record, own.clocks.p);
    note_accesses(file, record, own, section->log_begin);
  }
  close_section(own, action.object);
  tick(action.thread);
}

template <typename Clocks>
void CausalOrder<Clocks>::publish(std::uint32_t id, const ReleaseRecord& record, ClockId p) {
  if (id >= files_.size()) files_.resize(std::max<std::size_t>(id + 1, groups_.files()));
  File& file = files_[id];
  clocks_.retain(record.h);
  file.releases.push_back(record);
  if (file.releases.size() >= file.drop_from) drop_passed(id);
  const ClockView& last = file.h;
  const bool is_covered = last.thread == kNoName
                              ? last.clock == kZero
                              : last.thread == record.owner || clocks_.at(record.h, last.thread) >= last.now;
  const ClockView old_h = file.h;
  const ClockId old_p = file.p;
  clocks_.retain(record.h);
  clocks_.retain(p);
  if (is_covered) {
    file.h = record.view();
    file.p = p;
  } else {
    file.h = {clocks_.raised(clocks_.joined(record.h, old_h), record.owner, record.now)};
    file.p = clocks_.joined(p, old_p);
  }
  clocks_.release(old_h.clock);
  clocks_.release(old_p);
}

/// Drops the releases that every thread which may look at the file has passed.
template <typename Clocks>
void CausalOrder<Clocks>::drop_passed(std::uint32_t id) {
  File& file = files_[id];
  const LaunchGeometry& launch = tables_.launch;
  const std::uint64_t threads = launch.blocks() * launch.threads_per_block() * launch.gpus;
  file.drop_from = 2 * file.releases.size() + threads_.size();
  if (launch.only_named_threads || threads != threads_.size()) return;  // others may come
  std::size_t passed = file.dropped + file.releases.size();
  for (std::uint32_t thread = 0; thread < threads_.size() && passed > file.dropped; ++thread) {
    if (threads_[thread].has_exited || !groups_.may_look_at(id, thread)) continue;
    const std::uint32_t* position = positions_.find(pair_of(id, thread));
    passed = std::min<std::size_t>(passed, position == nullptr ? 0 : *position);
  }
  if (passed <= file.dropped) return;
  const auto count = static_cast<std::ptrdiff_t>(passed - file.dropped);
  for (std::ptrdiff_t i = 0; i < count; ++i) clocks_.release(file.releases[static_cast<std::size_t>(i)].h);
  file.releases.erase(file.releases.begin(), file.releases.begin() + count);
  file.dropped = static_cast<std::uint32_t>(passed);
  file.drop_from = 2 * file.releases.size() + threads_.size() + 64;
}

template <typename Clocks>
void CausalOrder<Clocks>::note(Latest& latest, const ReleaseRecord& record) {
  clocks_.retain(record.h);
  if (latest[0].owner == record.owner) {
    clocks_.release(latest[0].h);
  } else {
    clocks_.release(latest[1].h);
    latest[1] = latest[0];
  }
  latest[0] = record;
}

template <typename Clocks>
void CausalOrder<Clocks>::note_accesses(std::uint32_t file, const ReleaseRecord& record, const ThreadState& own,
                                        std::size_t log_begin) {
  for (std::size_t i = log_begin; i < own.log.size(); ++i) {
    Conflicts& conflicts = conflicts_[pair_of(file, own.log[i].location)];
    note(own.log[i].is_write ? conflicts.write : conflicts.read, record);
  }
}

// ---- hard edges, barriers, threads ----

template <typename Clocks>
void CausalOrder<Clocks>::mark(std::uint32_t thread, std::uint32_t id) {
  if (id >= marks_.size()) marks_.resize(id + 1);
  const ThreadState& own = threads_[thread];
  marks_[id] = {retained(own.clocks), thread, times_.now(thread), !own.sections.empty()};
  tick(thread);
}

template <typename Clocks>
void CausalOrder<Clocks>::edge(std::uint32_t id, std::uint32_t thread) {
  const Mark& mark = marks_[id];
  if (mark.thread == thread) return;
  const ThreadState& own = threads_[thread];
  if (!mark.is_inside && own.sections.empty()) {
    if (clocks_.at(own.clocks.k, mark.thread) < mark.now) learn(thread, mark.clocks, mark.thread, mark.now);
  } else if (clocks_.at(own.clocks.p, mark.thread) < mark.now) {
    const ClockView h{mark.clocks.h, mark.thread, mark.now};
    learn_h(thread, h);
    learn_p(thread, h);
  }
}

template <typename Clocks>
void CausalOrder<Clocks>::barrier(const BarrierTracker::Completion& done) {
  for (const std::uint32_t thread : done.waiting) begin(thread);
  const auto is_inside = [&](std::uint32_t thread) { return !threads_[thread].sections.empty(); };
  const bool has_holder = std::ranges::any_of(done.waiting, is_inside) || std::ranges::any_of(done.exited, is_inside);
  if (options_.barrier == BarrierRule::Hard && !has_holder) {
    hard_barrier(done);
  } else {
    literal_barrier(done);
  }
  for (const std::uint32_t thread : done.waiting) ++threads_[thread].version;
}

template <typename Clocks>
const typename CausalOrder<Clocks>::Clock3& CausalOrder<Clocks>::last_clocks(std::uint32_t thread) {
  return threads_[thread].is_merged ? exited_[times_.warp(thread)] : threads_[thread].clocks;
}

template <typename Clocks>
void CausalOrder<Clocks>::hard_barrier(const BarrierTracker::Completion& done) {
  Clock3 joint;
  Clock3 last;
  const auto add = [&](ClockId& to, ClockId& previous, ClockId from) {
    if (from != previous) to = clocks_.joined(to, from);
    previous = from;
  };
  for (const auto* from : {&done.waiting, &done.exited}) {
    for (const std::uint32_t thread : *from) {
      const Clock3& source = last_clocks(thread);
      add(joint.h, last.h, source.h);
      add(joint.p, last.p, source.p);
      add(joint.k, last.k, source.k);
    }
  }
  joint.h = times_.with_members(clocks_, joint.h, done);
  joint.k = times_.with_members(clocks_, joint.k, done);
  times_.pass(done);
  const ClockId c = clocks_.joined(clocks_.retain(joint.p), joint.k);
  for (const std::uint32_t thread : done.waiting) {
    ThreadState& own = threads_[thread];
    release_clocks(std::exchange(own.clocks, retained(joint)));
    clocks_.release(std::exchange(own.c, clocks_.retain(c)));
  }
  release_clocks(joint);
  clocks_.release(c);
}

template <typename Clocks>
void CausalOrder<Clocks>::literal_barrier(const BarrierTracker::Completion& done) {
  std::vector<std::uint32_t> sources = done.waiting;
  sources.insert(sources.end(), done.exited.begin(), done.exited.end());
  const auto h_of = [&](std::uint32_t thread) -> ClockView {
    return {last_clocks(thread).h, thread, times_.now(thread)};
  };
  // after[i]: join of the H of the sources from i on. Each member learns those of all others but not its own.
  std::vector<ClockId> after(sources.size() + 1, kZero);
  for (std::size_t i = sources.size(); i-- > 0;) {
    after[i] = clocks_.joined(clocks_.retain(after[i + 1]), h_of(sources[i]));
  }
  ClockId before = kZero;
  for (std::size_t i = 0; i < done.waiting.size(); ++i) {
    const std::uint32_t thread = sources[i];
    const ClockView own{clocks_.retain(threads_[thread].clocks.h), thread, times_.now(thread)};
    for (const ClockId from : {before, after[i + 1]}) {
      learn_h(thread, {from});
      learn_p(thread, {from});
    }
    before = clocks_.joined(before, own);
    clocks_.release(own.clock);
    times_.tick(thread);
  }
  clocks_.release(before);
  for (const ClockId clock : after) clocks_.release(clock);
}

template <typename Clocks>
void CausalOrder<Clocks>::fork(std::uint32_t parent, std::uint32_t child) {
  const ClockView h{threads_[parent].clocks.h, parent, times_.now(parent)};
  learn_h(child, h);
  learn_p(child, h);
}

template <typename Clocks>
void CausalOrder<Clocks>::join(std::uint32_t parent, std::uint32_t child) {
  const ClockView h{last_clocks(child).h, child, times_.now(child)};
  learn_h(parent, h);
  learn_p(parent, h);
}

/// A barrier that includes one thread of a warp that exited since the last barrier includes all of them, so their
/// clocks become one. A thread that is joined keeps its own clock.
template <typename Clocks>
void CausalOrder<Clocks>::exit(std::uint32_t thread) {
  ThreadState& own = threads_[thread];
  own.has_exited = true;
  if (has_forks_ || tables_.launch.only_named_threads) return;
  const std::uint32_t warp = times_.warp(thread);
  if (warp >= exited_.size()) exited_.resize(warp + 1);
  Clock3& all = exited_[warp];
  const Epoch now = times_.now(thread);
  all.h = clocks_.joined(all.h, ClockView{own.clocks.h, thread, now});
  all.p = clocks_.joined(all.p, own.clocks.p);
  all.k = clocks_.joined(all.k, ClockView{own.clocks.k, thread, now});
  release_clocks(std::exchange(own.clocks, {}));
  clocks_.release(std::exchange(own.c, kZero));
  own.is_merged = true;
}

template <typename Clocks>
std::size_t CausalOrder<Clocks>::memory() const {
  std::size_t bytes = clocks_.memory() + history_.memory() + positions_.memory() + conflicts_.memory() +
                      logged_.memory() + threads_.capacity() * sizeof(ThreadState) + marks_.capacity() * sizeof(Mark);
  for (const File& file : files_) bytes += sizeof(File) + file.releases.capacity() * sizeof(ReleaseRecord);
  for (const ThreadState& own : threads_) {
    bytes += own.sections.capacity() * sizeof(Section) + own.log.capacity() * sizeof(Logged);
  }
  return bytes;
}

template class CausalOrder<PlainClocks>;
template class CausalOrder<CompressedClocks>;

namespace {

struct GwcpOptions : CausalOptions {
  bool compresses = false;
};

}  // namespace

DetectorDescription gwcp() {
  OptionTable<GwcpOptions> options;
  add_overlap_option(options, &GwcpOptions::overlap)
      .choice("barrier", &GwcpOptions::barrier, {{"hard", BarrierRule::Hard}, {"literal", BarrierRule::Literal}},
              "a barrier orders events like program order, or as the printed rule does");
  add_clock_options(options);
  return {.name = "gwcp",
          .source = "PreDataR",
          .summary = "weak causal precedence with scopes and barriers: predicts races of other schedules",
          .options = options.described(),
          .claims = Claims::FirstRace,
          .make = clock_maker<CausalOrder>(options)};
}

DetectorDescription wcp() {
  return {.name = "wcp",
          .source = "Kini, Mathur, Viswanathan, PLDI 2017",
          .summary = "weak causal precedence of CPU programs: ignores scopes",
          .claims = Claims::FirstRace,
          .make = [](const TraceTables& tables, const GivenOptions& /*given*/) {
            return std::make_unique<CausalOrder<PlainClocks>>(tables, CausalOptions{.overlap = Overlap::All});
          }};
}

}  // namespace ambit::detector
