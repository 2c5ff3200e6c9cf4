#include "tests/unit/detector/reordering_brute_force.h"

#include <algorithm>
#include <map>
#include <unordered_set>

namespace ambit::detector {
namespace {

constexpr std::uint8_t kNobody = 0xff;

/// The progress of each thread, and the last writer of each location.
struct RunState {
  std::vector<std::uint8_t> done;    ///< for each thread, the number of its events that have run
  std::vector<std::uint8_t> writer;  ///< for each location, the event or kNobody
  std::string key() const {
    std::string bytes(done.begin(), done.end());
    bytes.append(writer.begin(), writer.end());
    return bytes;
  }
};

class BruteForce {
 public:
  BruteForce(const Trace& trace, const BruteForceOptions& options) : trace_(trace), options_(options) {
    AMBIT_ASSERT(trace.events.size() < kNobody);
    of_thread_.resize(trace.tables.threads().size());
    position_.resize(trace.events.size());
    found_.assign(trace.events.size(), kNobody);
    std::vector<std::uint8_t> writer(trace.tables.locations().size(), kNobody);
    for (std::uint8_t e = 0; e < count(); ++e) {
      const TraceEvent& event = trace.events[e];
      position_[e] = of_thread_[event.thread].size();
      of_thread_[event.thread].push_back(e);
      if (!event.is_access()) continue;
      found_[e] = writer[event.object];
      if (event.is_write()) writer[event.object] = e;
    }
    met_.resize(trace.events.size());
    for (std::uint8_t e = 0; e < count(); ++e) {
      const TraceEvent& event = trace.events[e];
      if (event.is_barrier()) met_[e] = met_at(e);
      if (event.op == TraceOp::Fork) forks_.push_back(e);
      if (event.op == TraceOp::LockAcquire && !sections_.contains(event.object)) {
        sections_[event.object] = sections_of(event.object);
      }
    }
  }

  BruteForceResult run() {
    visit(start());
    return std::move(result_);
  }

  std::optional<std::string> judge(const std::vector<std::uint64_t>& witness, EventPair pair) const {
    RunState state = start();
    for (const std::uint64_t e : witness) {
      const std::uint32_t thread = trace_.events[e].thread;
      if (position_[e] != state.done[thread]) return "event " + std::to_string(e) + " is not the thread's next";
      if (!is_reached(state, thread)) return "event " + std::to_string(e) + " is held back";
      if (!can_run(state, thread)) return "event " + std::to_string(e) + " cannot run";
      state = after(state, thread);
    }
    for (const std::uint64_t e : {pair.first, pair.second}) {
      const std::uint32_t thread = trace_.events[e].thread;
      if (position_[e] != state.done[thread] || !is_reached(state, thread)) {
        return "event " + std::to_string(e) + " is not next at the end";
      }
    }
    return std::nullopt;
  }

 private:
  RunState start() const {
    return {std::vector<std::uint8_t>(of_thread_.size(), 0),
            std::vector<std::uint8_t>(trace_.tables.locations().size(), kNobody)};
  }
  std::uint8_t count() const { return static_cast<std::uint8_t>(trace_.events.size()); }  // below kNobody
  const ThreadPlace& place(std::uint32_t thread) const { return trace_.tables.threads()[thread].place; }
  bool is_finished(const RunState& state, std::uint32_t thread) const {
    return state.done[thread] == of_thread_[thread].size();
  }
  std::uint8_t next(const RunState& state, std::uint32_t thread) const {
    return of_thread_[thread][state.done[thread]];
  }
  bool is_done(const RunState& state, std::uint8_t e) const {
    return position_[e] < state.done[trace_.events[e].thread];
  }

  bool is_in_mask(std::uint32_t thread, std::uint32_t mask) const {
    return ((mask >> static_cast<std::uint32_t>(place(thread).lane)) & 1U) != 0;
  }
  bool meet(std::uint8_t arrival, std::uint32_t thread) const {
    const TraceEvent& event = trace_.events[arrival];
    if (!same_instance(place(event.thread), place(thread), Scope::Block)) return false;
    return event.op == TraceOp::Barrier ||
           (place(event.thread).warp == place(thread).warp && is_in_mask(thread, event.count));
  }
  /// Returns the arrivals of `thread` at the barrier of `arrival`, in program order.
  std::vector<std::uint8_t> like(std::uint8_t arrival, std::uint32_t thread) const {
    const TraceEvent& event = trace_.events[arrival];
    std::vector<std::uint8_t> found;
    for (const std::uint8_t e : of_thread_[thread]) {
      const TraceEvent& other = trace_.events[e];
      if (other.op == event.op && other.object == event.object && other.count == event.count) found.push_back(e);
    }
    return found;
  }

  /// Returns the events that must happen before the thread of `arrival` can continue. Each participating thread has one
  /// event: its arrival with the same number, or its exit. If the barrier has a count, the events are the arrivals of
  /// the same phase in the trace. For a thread that never arrives, the event is kNobody.
  std::vector<std::uint8_t> met_at(std::uint8_t arrival) const {
    const TraceEvent& event = trace_.events[arrival];
    std::vector<std::uint8_t> met;
    if (event.op == TraceOp::Barrier && event.count != 0) {
      std::vector<std::uint8_t> all;
      for (std::uint32_t t = 0; t < of_thread_.size(); ++t) {
        if (!meet(arrival, t)) continue;
        const auto own = like(arrival, t);
        all.insert(all.end(), own.begin(), own.end());
      }
      std::ranges::sort(all);
      const auto at = static_cast<std::size_t>(std::ranges::find(all, arrival) - all.begin());
      const std::size_t first = at / event.count * event.count;
      for (std::size_t i = first; i < first + event.count; ++i) met.push_back(i < all.size() ? all[i] : kNobody);
      return met;
    }
    const auto own = like(arrival, event.thread);
    const auto number = static_cast<std::size_t>(std::ranges::find(own, arrival) - own.begin());
    for (std::uint32_t t = 0; t < of_thread_.size(); ++t) {
      if (!meet(arrival, t)) continue;
      const auto theirs = like(arrival, t);
      const bool exits = !of_thread_[t].empty() && trace_.events[of_thread_[t].back()].op == TraceOp::Exit;
      met.push_back(number < theirs.size() ? theirs[number] : exits ? of_thread_[t].back() : kNobody);
    }
    return met;
  }

  /// Returns the threads that the barrier still needs before `thread` can continue; nothing if `thread` does not wait.
  std::vector<std::uint32_t> missing_at_barrier(const RunState& state, std::uint32_t thread) const {
    std::vector<std::uint32_t> missing;
    if (state.done[thread] == 0) return missing;
    const std::uint8_t last = of_thread_[thread][state.done[thread] - 1U];
    if (!trace_.events[last].is_barrier() || trace_.events[last].arrive_only) return missing;
    for (const std::uint8_t e : met_[last]) {
      if (e == kNobody || !is_done(state, e)) missing.push_back(e == kNobody ? thread : trace_.events[e].thread);
    }
    return missing;
  }

  /// Returns whether the thread can run its next event: another thread has forked it, and its barriers are complete.
  bool is_reached(const RunState& state, std::uint32_t thread) const {
    for (const std::uint8_t e : forks_) {
      if (trace_.events[e].object == thread && !is_done(state, e)) return false;
    }
    return missing_at_barrier(state, thread).empty();
  }

  struct Section {
    std::uint8_t acquire;
    std::uint8_t release;  ///< kNobody if no release ends the section
    Scope scope;
  };
  std::vector<Section> sections_of(std::uint32_t lock) const {
    std::vector<Section> sections;
    for (std::uint8_t a = 0; a < count(); ++a) {
      const TraceEvent& acquire = trace_.events[a];
      if (acquire.op != TraceOp::LockAcquire || acquire.object != lock) continue;
      Section section{a, kNobody, acquire.scope};
      for (std::uint8_t r = a; r < count() && section.release == kNobody; ++r) {
        const TraceEvent& release = trace_.events[r];
        if (release.op != TraceOp::LockRelease || release.object != lock || release.thread != acquire.thread) continue;
        section.release = r;
        section.scope = narrower(acquire.scope, release.scope);
      }
      sections.push_back(section);
    }
    return sections;
  }
  bool overlap(const Section& a, const Section& b) const {
    const ThreadPlace& p = place(trace_.events[a.acquire].thread);
    const ThreadPlace& q = place(trace_.events[b.acquire].thread);
    switch (options_.overlap) {
      case Overlap::Mutual: return same_instance(p, q, a.scope) && same_instance(p, q, b.scope);
      case Overlap::Either: return same_instance(p, q, a.scope) || same_instance(p, q, b.scope);
      case Overlap::Exact: return a.scope == b.scope && same_instance(p, q, a.scope);
      case Overlap::All: return true;
    }
    return false;
  }

  /// Returns the threads that must leave their critical sections before event `a` can take the lock.
  std::vector<std::uint32_t> holders(const RunState& state, std::uint8_t a) const {
    std::vector<std::uint32_t> found;
    const std::vector<Section>& sections = sections_.at(trace_.events[a].object);
    const auto own = std::ranges::find(sections, a, &Section::acquire);
    for (const Section& other : sections) {
      const bool is_open =
          is_done(state, other.acquire) && (other.release == kNobody || !is_done(state, other.release));
      if (trace_.events[other.acquire].thread != trace_.events[a].thread && is_open && overlap(*own, other)) {
        found.push_back(trace_.events[other.acquire].thread);
      }
    }
    return found;
  }
  bool comes_too_late(const RunState& state, std::uint8_t a) const {
    const std::vector<Section>& sections = sections_.at(trace_.events[a].object);
    const auto own = std::ranges::find(sections, a, &Section::acquire);
    return std::ranges::any_of(sections, [&](const Section& other) {
      return other.acquire > a && trace_.events[other.acquire].thread != trace_.events[a].thread &&
             is_done(state, other.acquire) && overlap(*own, other);
    });
  }

  bool can_run(const RunState& state, std::uint32_t thread) const {
    const std::uint8_t e = next(state, thread);
    const TraceEvent& event = trace_.events[e];
    if (event.op == TraceOp::LockAcquire) {
      return holders(state, e).empty() && !(options_.keeps_section_order && comes_too_late(state, e));
    }
    if (event.op == TraceOp::Join) return is_finished(state, event.object);
    if (!event.is_read() || (options_.frees_atomic_reads && event.is_atomic())) return true;
    const std::uint8_t now = state.writer[event.object];
    if (!options_.by_value) return now == found_[e];
    const auto value = [&](std::uint8_t w) { return w == kNobody ? Value{0} : trace_.events[w].value; };
    return value(now) == value(found_[e]);
  }

  RunState after(RunState state, std::uint32_t thread) const {
    const std::uint8_t e = next(state, thread);
    if (trace_.events[e].is_write()) state.writer[trace_.events[e].object] = e;
    ++state.done[thread];
    return state;
  }

  void visit(const RunState& first) {
    std::vector<RunState> work{first};
    std::unordered_set<std::string> seen{first.key()};
    while (!work.empty()) {
      const RunState state = std::move(work.back());
      work.pop_back();
      note_races(state);
      result_.has_deadlock |= is_deadlocked(state);
      for (std::uint32_t t = 0; t < of_thread_.size(); ++t) {
        if (is_finished(state, t) || !is_reached(state, t) || !can_run(state, t)) continue;
        RunState following = after(state, t);
        if (seen.insert(following.key()).second) work.push_back(std::move(following));
      }
    }
  }

  void note_races(const RunState& state) {
    for (std::uint32_t t = 0; t < of_thread_.size(); ++t) {
      for (std::uint32_t u = t + 1; u < of_thread_.size(); ++u) {
        if (is_finished(state, t) || is_finished(state, u)) continue;
        const std::uint8_t a = std::min(next(state, t), next(state, u));
        const std::uint8_t b = std::max(next(state, t), next(state, u));
        if (conflict(a, b) && is_reached(state, t) && is_reached(state, u)) result_.races.emplace(a, b);
      }
    }
  }
  bool conflict(std::uint8_t a, std::uint8_t b) const {
    const TraceEvent& x = trace_.events[a];
    const TraceEvent& y = trace_.events[b];
    if (!x.is_access() || !y.is_access() || x.object != y.object || !(x.is_write() || y.is_write())) return false;
    return !(x.is_atomic() && y.is_atomic() && same_instance(place(x.thread), place(y.thread), x.scope) &&
             same_instance(place(x.thread), place(y.thread), y.scope));
  }

  /// In this state, returns the threads for which `thread` waits.
  std::vector<std::uint32_t> awaited(const RunState& state, std::uint32_t thread) const {
    if (is_finished(state, thread)) return {};
    std::vector<std::uint32_t> found = missing_at_barrier(state, thread);
    const std::uint8_t e = next(state, thread);
    if (found.empty() && trace_.events[e].op == TraceOp::LockAcquire) found = holders(state, e);
    std::erase(found, thread);  // a wait for a thread that never arrives is not part of a cycle
    return found;
  }
  bool is_deadlocked(const RunState& state) const {
    for (std::uint32_t start = 0; start < of_thread_.size(); ++start) {
      std::vector<bool> reached(of_thread_.size(), false);
      std::vector<std::uint32_t> work = awaited(state, start);
      while (!work.empty()) {
        const std::uint32_t thread = work.back();
        work.pop_back();
        if (thread == start) return true;
        if (reached[thread]) continue;
        reached[thread] = true;
        const auto more = awaited(state, thread);
        work.insert(work.end(), more.begin(), more.end());
      }
    }
    return false;
  }

  const Trace& trace_;
  BruteForceOptions options_;
  std::vector<std::vector<std::uint8_t>> of_thread_;
  std::vector<std::size_t> position_;           ///< for each event, its position in its thread
  std::vector<std::uint8_t> found_;             ///< for each event, the writer of the location's value
  std::vector<std::vector<std::uint8_t>> met_;  ///< for each event, the result of met_at()
  std::vector<std::uint8_t> forks_;
  std::map<std::uint32_t, std::vector<Section>> sections_;  ///< for each lock, the result of sections_of()
  BruteForceResult result_;
};

}  // namespace

BruteForceResult reorder_by_brute_force(const Trace& trace, const BruteForceOptions& options) {
  return BruteForce(trace, options).run();
}

std::optional<std::string> judge_witness(const Trace& trace, const BruteForceOptions& options,
                                         const std::vector<std::uint64_t>& witness, EventPair pair) {
  return BruteForce(trace, options).judge(witness, pair);
}

}  // namespace ambit::detector
