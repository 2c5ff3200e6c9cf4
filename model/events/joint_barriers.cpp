// Handles barriers in which phase k consists of the k-th arrival of each thread (definitions.md 3.2, 4.3 (iii)).
//
// Phase k of a barrier is complete when every thread that must arrive has arrived k + 1 times or has exited
// (definitions/events.md 2.6). A thread arrives, or exits, only if all its earlier waits end. So completion is a least
// fixed point over all barriers: threads that wait for each other in a cycle do not continue. Conditions are nodes of
// the value graph. Booleans have a normal form, so comparing nodes is enough to detect the fixed point.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "model/events/barrier_system.h"
#include "model/events/common_code.h"

namespace ambit::events {
namespace {

/// An event that belongs to a phase iff `condition` is true, provided that the event is executed.
struct Visit {
  std::size_t use;  ///< index into BarrierSystem::uses
  NodeId condition;
};

class JointBarriers {
 public:
  JointBarriers(Draft& draft, const BarrierSystem& system)
      : draft_(draft),
        system_(system),
        has_stops_(std::ranges::any_of(draft.program().threads,
                                       [](const Thread& thread) {
                                         return std::ranges::any_of(thread.registers, [](const Register& one) {
                                           return one.name == kStopRegister;
                                         });
                                       })),
        phases_(system.groups.size()),
        visits_of_(system.uses.size()) {}

  BarrierFates meet() {
    for (std::size_t g = 0; g < system_.groups.size(); ++g) number(g);
    for (const auto& phases : phases_) completed_.emplace_back(phases.size(), ValueGraph::kFalse);
    do {
      follow_threads();
    } while (complete_more());
    BarrierFates fates;
    for (std::size_t u = 0; u < system_.uses.size(); ++u) {
      note_stay(u, fates);
      if (barrier(u).exchange) fates.gatherings.push_back(gathering_of(u));
    }
    for (std::size_t g = 0; g < phases_.size(); ++g) note_exits(g);
    add_meetings();
    return fates;
  }

 private:
  /// The progress of a thread at a barrier.
  struct Progress {
    std::vector<NodeId> exactly = {ValueGraph::kTrue};  ///< for each k, whether the thread has arrived exactly k times
    std::size_t lowest = 0;                             ///< for smaller k, `exactly` is false
    NodeId pending = ValueGraph::kFalse;  ///< for a split barrier, the thread has not waited for its last arrival
  };

  ValueGraph& values() { return draft_.graph.values; }
  const Event& event(std::size_t use) const { return draft_.graph.events[system_.uses[use].event]; }
  const Barrier& barrier(std::size_t use) const { return barrier_of(draft_.graph, system_.uses[use].event); }
  std::string_view name_of(std::size_t use) const { return draft_.program().threads[event(use).thread].name; }
  std::size_t index_of(EventId e) const {
    const auto at = std::ranges::lower_bound(system_.uses, e, {}, &BarrierUse::event);
    return static_cast<std::size_t>(at - system_.uses.begin());
  }

  // ---- phases ----

  /// Let c(k) be "the thread has arrived exactly k times so far". The thread's next executed arrival is at phase k iff
  /// c(k). The thread's next executed wait is for phase k iff c(k + 1).
  void number(std::size_t group) {
    for (const Participant& participant : system_.groups[group].participants()) {
      Progress progress;
      for (const Participant::Use& use : participant.uses) {
        const std::size_t u = index_of(use.event);
        if (barrier(u).wait_only) {
          wait(group, u, use.condition, progress);
        } else {
          arrive(group, u, use.condition, progress);
        }
      }
    }
  }

  void arrive(std::size_t group, std::size_t use, NodeId is_here, Progress& progress) {
    std::vector<NodeId>& exactly = progress.exactly;
    const NodeId happens = values().conjunction(event(use).guard, is_here);
    for (std::size_t k = progress.lowest; k < exactly.size(); ++k) visit(group, k, use, is_here, exactly[k]);
    if (barrier(use).kind == BarrierKind::Cluster) {
      const BarrierGroup& of = system_.groups[group];
      of.report(values().conjunction(happens, progress.pending), system_.uses[use].event,
                fmt::format("{} arrives again at {} without having waited for it", name_of(use), of.name()));
      const NodeId others = values().conjunction(progress.pending, values().negation(happens));
      progress.pending = barrier(use).arrive_only ? values().disjunction(others, happens) : others;
    }
    exactly.push_back(ValueGraph::kFalse);
    for (std::size_t k = exactly.size(); k-- > progress.lowest;) {
      const NodeId before = k > 0 ? values().conjunction(exactly[k - 1], happens) : ValueGraph::kFalse;
      exactly[k] = values().disjunction(values().conjunction(exactly[k], values().negation(happens)), before);
    }
    while (exactly[progress.lowest] == ValueGraph::kFalse) ++progress.lowest;
  }

  void wait(std::size_t group, std::size_t use, NodeId is_here, Progress& progress) {
    const NodeId happens = values().conjunction(event(use).guard, is_here);
    const BarrierGroup& of = system_.groups[group];
    of.report(values().conjunction(happens, progress.exactly[0]), system_.uses[use].event,
              fmt::format("{} waits for {} without having arrived at it", name_of(use), of.name()));
    for (std::size_t k = std::max<std::size_t>(progress.lowest, 1); k < progress.exactly.size(); ++k) {
      visit(group, k - 1, use, is_here, progress.exactly[k]);
    }
    progress.pending = values().conjunction(progress.pending, values().negation(happens));
  }

  void visit(std::size_t group, std::size_t k, std::size_t use, NodeId is_here, NodeId is_kth) {
    const NodeId condition = values().given(values().conjunction(is_kth, is_here), event(use).guard);
    if (condition == ValueGraph::kFalse) return;
    if (phases_[group].size() <= k) phases_[group].resize(k + 1);
    phases_[group][k].push_back({use, condition});
    visits_of_[use].push_back({group, k, condition});
  }

  // ---- completion ----

  /// Computes for each event whether its thread reaches the event, and whether the thread waits forever at the event.
  /// Uses only the phases that are known to complete.
  void follow_threads() {
    reached_.assign(system_.uses.size(), ValueGraph::kFalse);
    stays_.assign(system_.uses.size(), ValueGraph::kFalse);
    ended_.assign(draft_.program().threads.size(), ValueGraph::kFalse);
    for (std::size_t u = 0; u < system_.uses.size(); ++u) {
      NodeId& thread_ended = ended_[event(u).thread];
      reached_[u] = values().conjunction(event(u).guard, values().negation(thread_ended));
      if (barrier(u).arrive_only || reached_[u] == ValueGraph::kFalse) continue;
      NodeId elsewhere = ValueGraph::kTrue;  // an out-of-range number is reported, and the thread continues
      for (const BarrierUse::Place& place : system_.uses[u].places) {
        elsewhere = values().conjunction(elsewhere, values().negation(place.condition));
      }
      NodeId passes = elsewhere;
      for (const PhaseVisit& visit : visits_of_[u]) {
        const NodeId completed = completed_[visit.group][visit.k];
        passes = values().disjunction(passes, values().conjunction(visit.condition, completed));
      }
      stays_[u] = values().conjunction(reached_[u], values().negation(passes));
      thread_ended = values().disjunction(thread_ended, stays_[u]);
    }
  }

  /// Updates the conditions under which phases complete. Returns whether some condition has become weaker.
  bool complete_more() {
    bool changed = false;
    for (std::size_t g = 0; g < phases_.size(); ++g) {
      for (std::size_t k = 0; k < phases_[g].size(); ++k) {
        if (completed_[g][k] == ValueGraph::kTrue) continue;
        const NodeId now = completes(g, k);
        changed = changed || now != completed_[g][k];
        completed_[g][k] = now;
      }
    }
    return changed;
  }

  NodeId completes(std::size_t group, std::size_t k) {
    const BarrierGroup& of = system_.groups[group];
    if (of.kind() == BarrierGroup::Kind::Hopeless || of.needs_vanished()) return ValueGraph::kFalse;
    const std::vector<NodeId> arrives = arrivals_at(group, k);
    NodeId all = ValueGraph::kTrue;
    for (const std::uint32_t t : of.required()) {
      all = values().conjunction(all, values().disjunction(arrives[t], is_done_without(group, k, t, arrives[t])));
      if (all == ValueGraph::kFalse) return all;
    }
    return of.release() == BarrierGroup::Release::WholeWarps ? values().conjunction(all, all_warps_arrive(of, arrives))
                                                             : all;
  }

  /// Returns, for each thread, the condition under which it is known to arrive at the phase.
  std::vector<NodeId> arrivals_at(std::size_t group, std::size_t k) {
    std::vector<NodeId> arrives(draft_.program().threads.size(), ValueGraph::kFalse);
    for (const Visit& visit : phases_[group][k]) {
      if (barrier(visit.use).wait_only) continue;
      NodeId& known = arrives[event(visit.use).thread];
      known = values().disjunction(known, values().conjunction(reached_[visit.use], visit.condition));
    }
    return arrives;
  }

  // ---- threads that have exited ----

  NodeId has_exited(std::uint32_t thread) {
    return values().conjunction(draft_.ends[thread], values().negation(ended_[thread]));
  }

  /// Returns the condition under which the thread has exited and the phase does not need the thread's arrival.
  NodeId is_done_without(std::size_t group, std::size_t k, std::uint32_t thread, NodeId arrives) {
    const BarrierGroup& of = system_.groups[group];
    if (arrives == ValueGraph::kTrue || of.release() == BarrierGroup::Release::None) return ValueGraph::kFalse;
    if (of.release() == BarrierGroup::Release::NotLeaders && of.is_leader(thread)) return ValueGraph::kFalse;
    const NodeId exits = has_exited(thread);
    if (exits == ValueGraph::kFalse || !has_stops_) return exits;
    return values().conjunction(exits, values().negation(passes_by(group, k, thread)));
  }

  NodeId all_warps_arrive(const BarrierGroup& of, const std::vector<NodeId>& arrives) {
    std::map<int, NodeId> warps;
    for (const std::uint32_t t : of.required()) {
      NodeId& some = warps.try_emplace(draft_.program().threads[t].place.warp, ValueGraph::kFalse).first->second;
      some = values().disjunction(some, arrives[t]);
    }
    NodeId all = ValueGraph::kTrue;
    for (const auto& [warp, some] : warps) all = values().conjunction(all, some);
    return all;
  }

  /// Returns the condition under which the thread does not arrive at the phase but executes code that other threads
  /// execute only after the phase.
  NodeId passes_by(std::size_t group, std::size_t k, std::uint32_t thread) {
    const auto [known, is_new] = passes_by_.try_emplace({group, k, thread}, ValueGraph::kFalse);
    if (!is_new) return known->second;
    // A thread that skips the barrier does not arrive. So the thread's own arrivals must not contribute code.
    const bool can_arrive =
        std::ranges::any_of(phases_[group][k], [&](const Visit& visit) { return event(visit.use).thread == thread; });
    const auto key = std::tuple(group, k, can_arrive ? thread : kNoThread);
    auto code = code_after_.find(key);
    if (code == code_after_.end()) code = code_after_.emplace(key, code_after(group, k, thread)).first;
    return known->second = code->second.executed_by(draft_, thread, since(group, k, thread));
  }

  CommonCode code_after(std::size_t group, std::size_t k, std::uint32_t without) const {
    std::vector<PhaseArrival> arrivals;
    for (const Visit& visit : phases_[group][k]) {
      const std::uint32_t thread = event(visit.use).thread;
      if (barrier(visit.use).wait_only || thread == without) continue;
      arrivals.push_back({system_.uses[visit.use].event, since(group, k, thread)});
    }
    return {draft_, arrivals};
  }

  /// Returns the first event that may come after the thread's arrival at phase k - 1.
  EventId since(std::size_t group, std::size_t k, std::uint32_t thread) const {
    EventId result = draft_.first_event[thread];
    if (k == 0) return result;
    EventId first = kNoEvent;
    for (const Visit& visit : phases_[group][k - 1]) {
      if (event(visit.use).thread == thread) first = std::min(first, system_.uses[visit.use].event);
    }
    return first == kNoEvent ? result : first + 1;
  }

  /// Returns whether the condition is independent of the values that reads return. Read values can be correlated: for
  /// example, all threads of a block leave because of one flag that they all read.
  bool is_known(NodeId condition) {
    if (condition == ValueGraph::kFalse) return false;
    EventSet reads(draft_.graph.size());
    values().collect_reads(condition, reads);
    return reads.empty();
  }

  /// Reports threads that exit while others wait for a phase. If the exited threads have skipped the barrier in
  /// conditional code, reports a divergence. Otherwise, only adds a remark.
  void note_exits(std::size_t group) {
    const BarrierGroup& of = system_.groups[group];
    if (of.release() == BarrierGroup::Release::None) return;
    std::vector<std::uint32_t> gone;
    std::vector<std::uint32_t> surely_gone;
    std::vector<std::uint32_t> passing;
    NodeId divergent = ValueGraph::kFalse;
    bool completes = false;
    for (std::size_t k = 0; k < phases_[group].size(); ++k) {
      if (completed_[group][k] == ValueGraph::kFalse) continue;
      completes = true;
      const std::vector<NodeId> arrives = arrivals_at(group, k);
      std::optional<NodeId> others_pass;
      for (const std::uint32_t t : of.required()) {
        const NodeId without =
            values().conjunction(is_done_without(group, k, t, arrives[t]), values().negation(arrives[t]));
        if (without == ValueGraph::kFalse) continue;
        if (!others_pass) others_pass = values().conjunction(completed_[group][k], some_arrives(arrives));
        const NodeId missing = values().conjunction(*others_pass, without);
        if (missing == ValueGraph::kFalse) continue;
        order_after_exit(group, k, t, missing);
        const NodeId passes = values().conjunction(missing, passes_by(group, k, t));
        if (passes != ValueGraph::kFalse) passing.push_back(t);
        const NodeId exits = values().conjunction(missing, values().negation(passes));
        if (exits != ValueGraph::kFalse) gone.push_back(t);
        if (is_known(exits)) surely_gone.push_back(t);
        divergent = values().disjunction(divergent, passes);
      }
    }
    of.report_passing(divergent, distinct(std::move(passing)));
    gone = distinct(std::move(gone));
    // If read values decide whether threads leave, and every thread may leave, then all threads may leave together.
    if (gone.size() == of.required().size()) gone = distinct(std::move(surely_gone));
    if (completes) of.remark_exits(gone);
  }

  /// Orders the exit of `thread` before the waits of the threads that pass the phase without `thread`. An exit does not
  /// synchronise, so the relation is bar-order, as between arrivals at different phases.
  void order_after_exit(std::size_t group, std::size_t k, std::uint32_t thread, NodeId condition) {
    for (const EventId last : last_events(draft_, thread, condition)) {
      for (const Visit& visit : phases_[group][k]) {
        if (barrier(visit.use).arrive_only || event(visit.use).thread == thread) continue;
        const NodeId both = values().conjunction(condition, visit.condition);
        if (both == ValueGraph::kFalse) continue;
        draft_.meetings.push_back({BaseRelation::BarrierOrder, last, system_.uses[visit.use].event, both});
      }
    }
  }

  NodeId some_arrives(const std::vector<NodeId>& arrives) {
    NodeId some = ValueGraph::kFalse;
    for (const NodeId one : arrives) some = values().disjunction(some, one);
    return some;
  }

  static std::vector<std::uint32_t> distinct(std::vector<std::uint32_t> threads) {
    std::ranges::sort(threads);
    const auto rest = std::ranges::unique(threads);
    threads.erase(rest.begin(), rest.end());
    return threads;
  }

  // ---- results ----

  void note_stay(std::size_t u, BarrierFates& fates) {
    if (stays_[u] == ValueGraph::kFalse) return;
    fates.stays.push_back({system_.uses[u].event, stays_[u]});
    for (const BarrierUse::Place& place : system_.uses[u].places) {
      NodeId stays = ValueGraph::kFalse;  // a wait without an earlier arrival is reported separately
      BarrierWait wait;
      for (const PhaseVisit& visit : visits_of_[u]) {
        if (visit.group != place.group) continue;
        stays = values().disjunction(stays, values().conjunction(stays_[u], visit.condition));
        add_mates(u, visit, wait);
      }
      if (stays == ValueGraph::kFalse) continue;
      const BarrierGroup& of = system_.groups[place.group];
      const auto [diverges, is_first] = fates.divergences.try_emplace(place.group);
      diverges->second.condition = values().disjunction(diverges->second.condition, stays);
      if (is_first) diverges->second.missing = missing_at(of);
      wait.event = system_.uses[u].event;
      wait.stays = stays;
      wait.barrier = of.name();
      if (const auto count = of.count(); count && *count > 0) wait.needed = static_cast<std::uint32_t>(*count);
      wait.threads = of.required();
      fates.waits.push_back(std::move(wait));
    }
  }

  /// Returns the threads that must arrive at the barrier but have no arrival.
  std::vector<std::uint32_t> missing_at(const BarrierGroup& of) {
    std::vector<std::uint32_t> missing;
    for (const std::uint32_t t : of.required()) {
      const bool arrives = std::ranges::any_of(of.participants(),
                                               [t](const Participant& participant) { return participant.thread == t; });
      const bool is_needed = of.release() == BarrierGroup::Release::None ||
                             (of.release() == BarrierGroup::Release::NotLeaders && of.is_leader(t));
      if (!arrives && (is_needed || has_exited(t) != ValueGraph::kTrue)) missing.push_back(t);
    }
    return missing;
  }

  struct PhaseVisit {
    std::size_t group;
    std::size_t k;
    NodeId condition;
  };

  void add_mates(std::size_t u, const PhaseVisit& here, BarrierWait& wait) {
    for (const Visit& other : phases_[here.group][here.k]) {
      if (event(other.use).thread == event(u).thread || barrier(other.use).wait_only) continue;
      wait.mates.push_back({system_.uses[other.use].event, values().conjunction(here.condition, other.condition)});
    }
  }

  Gathering gathering_of(std::size_t u) {
    Gathering result{.receiver = system_.uses[u].event};
    for (const PhaseVisit& here : visits_of_[u]) {
      if (completed_[here.group][here.k] == ValueGraph::kFalse) continue;
      for (const Visit& other : phases_[here.group][here.k]) {
        if (barrier(other.use).wait_only) continue;
        const NodeId condition = values().conjunction(here.condition, other.condition);
        if (condition != ValueGraph::kFalse) result.givers.push_back({system_.uses[other.use].event, condition});
      }
    }
    return result;
  }

  /// Relates each arrival at a completed phase to each event by which another thread waits for this phase.
  void add_meetings() {
    for (std::size_t g = 0; g < phases_.size(); ++g) {
      for (std::size_t k = 0; k < phases_[g].size(); ++k) {
        if (completed_[g][k] == ValueGraph::kFalse) continue;
        for (const Visit& from : phases_[g][k]) {
          if (barrier(from.use).wait_only) continue;
          for (const Visit& to : phases_[g][k]) add_meeting(from, to, completed_[g][k]);
        }
      }
    }
  }

  void add_meeting(const Visit& from, const Visit& to, NodeId completed) {
    if (event(from.use).thread == event(to.use).thread || barrier(to.use).arrive_only) return;
    const NodeId both = values().conjunction(from.condition, to.condition);
    draft_.meetings.push_back({relation_of(barrier(from.use)), system_.uses[from.use].event, system_.uses[to.use].event,
                               values().conjunction(completed, both)});
  }

  Draft& draft_;
  const BarrierSystem& system_;
  bool has_stops_;                                       ///< barriers in conditional code never end (kStopRegister)
  std::vector<std::vector<std::vector<Visit>>> phases_;  ///< the visits of each phase of each group
  std::vector<std::vector<PhaseVisit>> visits_of_;       ///< the visits of each use
  std::vector<std::vector<NodeId>> completed_;           ///< for each group and phase, whether it is complete
  std::vector<NodeId> reached_;                          ///< for each use, whether it is executed
  std::vector<NodeId> stays_;  ///< for each use, whether it is executed and its thread waits at it forever
  std::vector<NodeId> ended_;  ///< for each thread, whether it waits forever at some barrier
  /// Cache of code_after(). The key is the group, the phase, and the thread whose arrivals are excluded.
  std::map<std::tuple<std::size_t, std::size_t, std::uint32_t>, CommonCode> code_after_;
  std::map<std::tuple<std::size_t, std::size_t, std::uint32_t>, NodeId> passes_by_;
};

}  // namespace

BarrierFates meet_jointly(Draft& draft, const BarrierSystem& system) { return JointBarriers(draft, system).meet(); }

}  // namespace ambit::events
