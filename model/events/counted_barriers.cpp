// Handles barriers with counted phases (PTX ISA, bar): a phase completes after a fixed number of arrivals by any
// threads. The next arrival begins the next phase. So the order of arrivals decides which threads share a phase.
//
// This file explores all orders of the barrier events. The result of an order is called an end: the phase of each
// event, and the set of threads that wait forever. The execution has a choice with one value for each end. If an event
// is conditional, or its barrier or thread count is computed, the search explores each possibility under the
// corresponding condition. An execution may choose an end only if the conditions of the end hold.
//
// Exits of threads can complete phases (definitions/events.md 2.6). If exits can complete phases of some barrier of the
// system, the search includes the exits of all threads, even of threads that use no barrier. A thread exits after its
// last barrier use if its code ends after this use.

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "model/events/barrier_system.h"
#include "model/events/common_code.h"

namespace ambit::events {
namespace {

constexpr std::size_t kMaxEnds = 4000;
constexpr std::size_t kMaxStates = 200000;
constexpr Value kNever = std::numeric_limits<Value>::max();  ///< a thread count that no phase can reach

/// One possibility for a barrier use: an arrival (or wait) at one of the barriers, or no action.
struct Option {
  NodeId condition;
  std::optional<std::size_t> group;
  Value count = 0;
};

/// The barrier and phase in which an event took place.
struct Place {
  std::uint32_t group = kNowhere;
  std::uint32_t phase = 0;
  static constexpr std::uint32_t kNowhere = 0xffffffffU;
  friend auto operator<=>(const Place&, const Place&) = default;
};

/// The result of one order of the barrier events of all threads.
struct End {
  std::vector<Place> places;                      ///< the place of each use
  std::vector<NodeId> conditions;                 ///< for each thread of the system, its steps' condition
  std::vector<std::optional<std::size_t>> stays;  ///< for each thread of the system, the use at which it waits forever
  std::vector<bool> exited;  ///< for each thread of the system, whether it has exited; empty if exits are irrelevant
  /// The uses of split barriers at which arrivals and waits do not alternate, in the order of occurrence.
  std::vector<std::size_t> misuses;
  friend std::strong_ordering operator<=>(const End&, const End&) = default;
};

class OrderSearch {
 public:
  OrderSearch(Draft& draft, const BarrierSystem& system) : draft_(draft), system_(system) {
    for (std::size_t u = 0; u < system.uses.size(); ++u) {
      if (u == 0 || system.uses[u].thread != system.uses[u - 1].thread) first_use_.push_back(u);
      if (u == 0 || system.uses[u].thread != system.uses[u - 1].thread) threads_.push_back(system.uses[u].thread);
      options_.push_back(options_of(system.uses[u]));
    }
    for (const BarrierGroup& group : system.groups) {
      released_.push_back(group.released());
      for (const std::uint32_t thread : released_.back()) add_thread(thread);
    }
    first_use_.push_back(system.uses.size());
  }

  std::size_t thread_count() const { return first_use_.size() - 1; }
  /// Returns the threads of the system. Threads that use no barrier come last.
  const std::vector<std::uint32_t>& threads() const { return threads_; }

  /// Returns the ends in sorted order. Throws Stopped if there are too many ends.
  std::vector<End> ends() {
    State start;
    start.end.places.resize(system_.uses.size());
    start.end.conditions.assign(thread_count(), ValueGraph::kTrue);
    start.end.stays.resize(thread_count());
    for (std::size_t t = 0; t < thread_count(); ++t) start.threads.push_back({.next = first_use_[t]});
    start.groups.resize(system_.groups.size());
    std::vector<State> open = {std::move(start)};
    while (!open.empty()) {
      State state = std::move(open.back());
      open.pop_back();
      expand(std::move(state), open);
      if (ends_.size() > kMaxEnds || seen_.size() > kMaxStates) {
        throw Stopped{UnknownReason::Barriers,
                      fmt::format("threads can meet at the barriers in more than {} ways", kMaxEnds)};
      }
      draft_.context.poll(10 * system_.uses.size());
    }
    return std::vector<End>(ends_.begin(), ends_.end());
  }

 private:
  struct ThreadState {
    std::size_t next = 0;            ///< the next use
    const Option* chosen = nullptr;  ///< the possibility chosen for `next`
    bool waits = false;              ///< whether the thread waits at `next` for the phase in which it arrived
    enum class Fate : std::uint8_t { Open, Exited, Stopped } fate = Fate::Open;
    friend auto operator<=>(const ThreadState&, const ThreadState&) = default;
  };
  struct GroupState {
    std::uint32_t phase = 0;
    Value arrived = 0;
    Value expected = 0;
    /// True if arrivals of the phase have different thread counts (undefined in PTX). The phase never completes.
    bool is_broken = false;
    friend auto operator<=>(const GroupState&, const GroupState&) = default;
  };
  struct State {
    End end;
    std::vector<ThreadState> threads;
    std::vector<GroupState> groups;
    friend std::strong_ordering operator<=>(const State&, const State&) = default;
  };

  ValueGraph& values() { return draft_.graph.values; }
  const Barrier& barrier(std::size_t use) const { return barrier_of(draft_.graph, system_.uses[use].event); }

  void add_thread(std::uint32_t thread) {
    if (std::ranges::find(threads_, thread) != threads_.end()) return;
    threads_.push_back(thread);
    first_use_.push_back(system_.uses.size());
  }

  std::vector<Option> options_of(const BarrierUse& use) {
    const NodeId guard = draft_.graph.events[use.event].guard;
    std::vector<Option> options;
    NodeId nothing = values().negation(guard);
    NodeId elsewhere = guard;  // an out-of-range number is reported, and the thread continues
    for (const BarrierUse::Place& place : use.places) {
      const NodeId here = values().conjunction(guard, place.condition);
      elsewhere = values().conjunction(elsewhere, values().negation(place.condition));
      add_counts(use, place.group, here, options);
    }
    nothing = values().disjunction(nothing, elsewhere);
    options.push_back({nothing, std::nullopt});
    std::erase_if(options, [](const Option& option) { return option.condition == ValueGraph::kFalse; });
    return options;
  }

  void add_counts(const BarrierUse& use, std::size_t group, NodeId here, std::vector<Option>& options) {
    const BarrierGroup& of = system_.groups[group];
    if (barrier_of(draft_.graph, use.event).wait_only) return options.push_back({here, group, 0});
    const NodeId count = of.count_of(use.event);
    if (values().is_constant(count)) {
      const Value expected = values()[count].constant;
      return options.push_back({here, group, expected < 1 ? kNever : expected});
    }
    NodeId other = here;
    for (Value expected = 1; expected <= static_cast<Value>(of.arrivals()); ++expected) {
      const NodeId is_it = values().equal(count, values().constant(expected, kLongLong), kLongLong);
      options.push_back({values().conjunction(here, is_it), group, expected});
      other = values().conjunction(other, values().negation(is_it));
    }
    options.push_back({other, group, kNever});
  }

  /// If some thread has not yet chosen a possibility for its next use, chooses a possibility. Otherwise executes the
  /// next use of a thread.
  void expand(State state, std::vector<State>& open) {
    for (std::size_t t = 0; t < thread_count(); ++t) {
      const ThreadState& thread = state.threads[t];
      if (thread.waits || thread.chosen != nullptr || thread.fate != ThreadState::Fate::Open) continue;
      if (thread.next != first_use_[t + 1]) return choose(state, t, open);
      if (exits_can_matter()) return choose_fate(state, t, open);
    }
    std::vector<std::size_t> movers;
    for (std::size_t t = 0; t < thread_count(); ++t) {
      const ThreadState& thread = state.threads[t];
      if (thread.waits || thread.chosen == nullptr) continue;
      // Only the order of arrivals at counted barriers has an effect.
      const bool is_free = !thread.chosen->group || barrier(thread.next).wait_only ||
                           system_.groups[*thread.chosen->group].kind() != BarrierGroup::Kind::Counted;
      if (is_free) {
        movers = {t};
        break;
      }
      movers.push_back(t);
    }
    if (movers.empty()) return finish(std::move(state));
    for (const std::size_t t : movers) {
      State next = state;
      act(next, t);
      if (movers.size() == 1 || seen_.insert(next).second) open.push_back(std::move(next));
    }
  }

  void choose(const State& state, std::size_t t, std::vector<State>& open) {
    for (const Option& option : options_[state.threads[t].next]) {
      const NodeId condition = values().conjunction(state.end.conditions[t], option.condition);
      if (condition == ValueGraph::kFalse) continue;
      State next = state;
      next.end.conditions[t] = condition;
      next.threads[t].chosen = &option;
      open.push_back(std::move(next));
    }
  }

  bool exits_can_matter() const {
    return std::ranges::any_of(released_, [](const auto& threads) { return !threads.empty(); });
  }

  /// Decides whether a thread without further uses exits or stops without exiting.
  void choose_fate(const State& state, std::size_t t, std::vector<State>& open) {
    const NodeId ends = draft_.ends[threads_[t]];
    for (const bool exits : {true, false}) {
      const NodeId holds = exits ? ends : values().negation(ends);
      const NodeId condition = values().conjunction(state.end.conditions[t], holds);
      if (condition == ValueGraph::kFalse) continue;
      State next = state;
      next.end.conditions[t] = condition;
      next.threads[t].fate = exits ? ThreadState::Fate::Exited : ThreadState::Fate::Stopped;
      for (std::uint32_t group = 0; group < system_.groups.size() && exits; ++group) complete(next, group);
      open.push_back(std::move(next));
    }
  }

  static void go_on(ThreadState& thread) {
    ++thread.next;
    thread.chosen = nullptr;
    thread.waits = false;
  }

  void act(State& state, std::size_t t) {
    ThreadState& thread = state.threads[t];
    const std::size_t use = thread.next;
    if (!thread.chosen->group) return go_on(thread);
    const auto group = static_cast<std::uint32_t>(*thread.chosen->group);
    if (barrier(use).wait_only) return wait(state, t, group);
    if (arrives_again(state, t, group)) state.end.misuses.push_back(use);
    Place& place = state.end.places[use];
    place = {group, state.groups[group].phase};
    arrive(state, group, system_.uses[use].thread, thread.chosen->count);
    const bool is_over = state.groups[group].phase > place.phase;
    if (barrier(use).arrive_only || is_over) {
      go_on(thread);
    } else {
      thread.waits = true;
    }
  }

  void arrive(State& state, std::uint32_t group, std::uint32_t thread, Value expected) {
    if (!system_.groups[group].counts_arrival_of(thread)) return;
    GroupState& of = state.groups[group];
    if (of.arrived > 0 && of.expected != expected) of.is_broken = true;
    of.expected = expected;
    ++of.arrived;
    complete(state, group);
  }

  /// If the open phase is complete, begins the next phase.
  void complete(State& state, std::uint32_t group) {
    GroupState& of = state.groups[group];
    if (of.arrived == 0 || of.is_broken || !has_all(state, group)) return;
    const Place over{group, of.phase};
    ++of.phase;
    of.arrived = 0;
    for (ThreadState& other : state.threads) {
      if (other.waits && state.end.places[other.next] == over) go_on(other);
    }
  }

  bool has_all(const State& state, std::uint32_t group) const {
    using Release = BarrierGroup::Release;
    const BarrierGroup& barrier = system_.groups[group];
    const GroupState& of = state.groups[group];
    if (barrier.release() == Release::None) return of.arrived >= of.expected;
    if (barrier.release() == Release::WholeWarps) return of.arrived + lanes_without(state, group) >= of.expected;
    return !barrier.needs_vanished() && std::ranges::all_of(released_[group], [&](std::uint32_t thread) {
      const std::size_t t = index_of(thread);
      if (has_arrived(state, t, group)) return true;
      const bool is_needed = barrier.release() == Release::NotLeaders && barrier.is_leader(thread);
      return state.threads[t].fate == ThreadState::Fate::Exited && !is_needed;
    });
  }

  std::size_t index_of(std::uint32_t thread) const {
    return static_cast<std::size_t>(std::ranges::find(threads_, thread) - threads_.begin());
  }

  /// Returns whether the thread has arrived at the open phase.
  bool has_arrived(const State& state, std::size_t t, std::uint32_t group) const {
    const Place here{group, state.groups[group].phase};
    for (std::size_t u = first_use_[t]; u < first_use_[t + 1] && u <= state.threads[t].next; ++u) {
      if (state.end.places[u] == here) return true;
    }
    return false;
  }

  /// In warps with an arrival at the open phase, counts the lanes that have exited or do not exist.
  Value lanes_without(const State& state, std::uint32_t group) const {
    constexpr Value kLanes = 32;
    struct WarpState {
      Value existing = 0;
      Value exited = 0;
      bool arrives = false;
    };
    std::map<int, WarpState> warps;
    for (const std::uint32_t thread : released_[group]) {
      const std::size_t t = index_of(thread);
      WarpState& warp = warps[draft_.program().threads[thread].place.warp];
      const bool arrives = has_arrived(state, t, group);
      ++warp.existing;
      warp.exited += !arrives && state.threads[t].fate == ThreadState::Fate::Exited ? 1 : 0;
      warp.arrives = warp.arrives || arrives;
    }
    Value sum = 0;
    for (const auto& [number, warp] : warps) sum += warp.arrives ? kLanes - warp.existing + warp.exited : 0;
    return sum;
  }

  /// Returns whether the barrier is split and the thread has not yet waited for the phase of its last arrival.
  bool arrives_again(const State& state, std::size_t t, std::uint32_t group) const {
    if (barrier(state.threads[t].next).kind != BarrierKind::Cluster) return false;
    for (std::size_t u = state.threads[t].next; u-- > first_use_[t];) {
      if (state.end.places[u].group == group) return barrier(u).arrive_only;
    }
    return false;
  }

  /// For a split barrier, waits for the phase of the thread's last arrival.
  void wait(State& state, std::size_t t, std::uint32_t group) {
    ThreadState& thread = state.threads[t];
    for (std::size_t u = thread.next; u-- > first_use_[t];) {
      const Place place = state.end.places[u];
      if (place.group != group || barrier(u).wait_only) continue;
      state.end.places[thread.next] = place;
      if (state.groups[group].phase > place.phase) return go_on(thread);
      thread.waits = true;
      return;
    }
    state.end.misuses.push_back(thread.next);
    thread.waits = true;
  }

  void finish(State state) {
    for (std::size_t t = 0; t < thread_count(); ++t) {
      if (state.threads[t].waits) state.end.stays[t] = state.threads[t].next;
      state.end.exited.push_back(state.threads[t].fate == ThreadState::Fate::Exited);
    }
    std::ranges::sort(state.end.misuses);
    ends_.insert(std::move(state.end));
  }

  Draft& draft_;
  const BarrierSystem& system_;
  /// The threads of the system. Threads with barrier uses come first, in the order of their uses.
  std::vector<std::uint32_t> threads_;
  std::vector<std::size_t> first_use_;                ///< each thread's first index in the uses, and the number of uses
  std::vector<std::vector<std::uint32_t>> released_;  ///< for each barrier, the threads whose exit may complete a phase
  std::vector<std::vector<Option>> options_;          ///< the options of each use
  std::set<State> seen_;
  std::set<End> ends_;
};

/// Adds to the execution a choice between the ends.
class EndChoice {
 public:
  EndChoice(Draft& draft, const BarrierSystem& system, OrderSearch search)
      : draft_(draft), system_(system), ends_(search.ends()), threads_(search.threads()) {
    if (ends_.size() > 1) choice_ = add_choice();
  }

  BarrierFates fates() {
    require_conditions();
    add_pairs();
    BarrierFates fates;
    for (std::size_t u = 0; u < system_.uses.size(); ++u) {
      report_misuse(u);
      note_stay(u, fates);
    }
    for (std::uint32_t group = 0; group < system_.groups.size(); ++group) note_exits(group);
    return fates;
  }

 private:
  ValueGraph& values() { return draft_.graph.values; }
  const Barrier& barrier(std::size_t use) const { return barrier_of(draft_.graph, system_.uses[use].event); }

  void report_misuse(std::size_t use) {
    if (barrier(use).kind != BarrierKind::Cluster) return;
    const NodeId happens = is_one([&](const End& end) { return std::ranges::binary_search(end.misuses, use); });
    const BarrierGroup& group = system_.groups[system_.uses[use].places.front().group];
    const std::string& name = draft_.program().threads[system_.uses[use].thread].name;
    group.report(happens, system_.uses[use].event,
                 barrier(use).wait_only
                     ? fmt::format("{} waits for {} without having arrived at it", name, group.name())
                     : fmt::format("{} arrives again at {} without having waited for it", name, group.name()));
  }

  NodeId add_choice() {
    Event event;
    event.kind = EventKind::Choice;
    event.guard = ValueGraph::kFalse;
    event.alternatives = static_cast<std::uint32_t>(ends_.size());
    event.value = values().read(static_cast<EventId>(draft_.graph.size()), kInt);
    draft_.graph.events.push_back(event);
    draft_.notes.emplace_back();
    return event.value;
  }

  /// Returns the condition under which `holds` is true for the chosen end.
  template <typename Holds>
  NodeId is_one(Holds holds) {
    NodeId some = ValueGraph::kFalse;
    NodeId all = ValueGraph::kTrue;
    for (std::size_t i = 0; i < ends_.size(); ++i) {
      if (!holds(ends_[i])) {
        all = ValueGraph::kFalse;
      } else if (ends_.size() > 1) {
        some = values().disjunction(some, values().equal(choice_, values().constant(static_cast<Value>(i)), kInt));
      }
    }
    return all == ValueGraph::kTrue ? all : some;
  }

  void require_conditions() {
    for (std::size_t t = 0; t < ends_.front().conditions.size(); ++t) {
      std::set<NodeId> conditions;
      for (const End& end : ends_) conditions.insert(end.conditions[t]);
      for (const NodeId condition : conditions) {
        if (condition == ValueGraph::kTrue) continue;
        const NodeId chosen = is_one([&](const End& end) { return end.conditions[t] == condition; });
        const NodeId requirement = values().disjunction(values().negation(chosen), condition);
        if (requirement != ValueGraph::kTrue) draft_.graph.requirements.push_back(requirement);
      }
    }
  }

  static bool is_there(const End& end, std::size_t use) { return end.places[use].group != Place::kNowhere; }

  bool stays(const End& end, std::size_t use) const {
    return std::ranges::find(end.stays, std::optional(use)) != end.stays.end();
  }

  void add_pairs() {
    for (std::size_t a = 0; a < system_.uses.size(); ++a) {
      if (barrier(a).wait_only) continue;
      for (std::size_t b = 0; b < system_.uses.size(); ++b) {
        if (system_.uses[a].thread == system_.uses[b].thread) continue;
        if (!barrier(b).arrive_only) {
          add_pair(relation_of(barrier(a)), a, b, [&](const End& end) {
            return is_there(end, a) && end.places[a] == end.places[b] && !stays(end, b);
          });
        }
        if (!barrier(b).wait_only) {
          add_pair(BaseRelation::BarrierOrder, a, b, [&](const End& end) {
            return is_there(end, a) && end.places[a].group == end.places[b].group &&
                   end.places[a].phase < end.places[b].phase;
          });
        }
      }
    }
  }

  template <typename Holds>
  void add_pair(BaseRelation relation, std::size_t a, std::size_t b, Holds holds) {
    const NodeId condition = is_one(holds);
    if (condition == ValueGraph::kFalse) return;
    draft_.meetings.push_back({relation, system_.uses[a].event, system_.uses[b].event, condition});
  }

  void note_stay(std::size_t use, BarrierFates& fates) {
    const NodeId stays = is_one([&](const End& end) { return this->stays(end, use); });
    if (stays == ValueGraph::kFalse) return;
    fates.stays.push_back({system_.uses[use].event, stays});
    for (const BarrierUse::Place& at : system_.uses[use].places) {
      const auto group = static_cast<std::uint32_t>(at.group);
      const BarrierGroup& of = system_.groups[group];
      BarrierWait wait;
      wait.stays = is_one([&](const End& end) { return this->stays(end, use) && end.places[use].group == group; });
      if (wait.stays == ValueGraph::kFalse) continue;
      NodeId& diverges = fates.divergences[group].condition;
      diverges = values().disjunction(diverges, wait.stays);
      wait.event = system_.uses[use].event;
      wait.barrier = of.name();
      if (const auto count = of.count(); count && *count > 0) wait.needed = static_cast<std::uint32_t>(*count);
      for (const Participant& participant : of.participants()) wait.threads.push_back(participant.thread);
      for (std::size_t other = 0; other < system_.uses.size(); ++other) {
        if (system_.uses[other].thread == system_.uses[use].thread || barrier(other).wait_only) continue;
        const NodeId together = is_one(
            [&](const End& end) { return end.places[use].group == group && end.places[use] == end.places[other]; });
        if (together != ValueGraph::kFalse) wait.mates.push_back({system_.uses[other].event, together});
      }
      fates.waits.push_back(std::move(wait));
    }
  }

  // ---- threads that have exited ----

  /// Like JointBarriers::note_exits.
  void note_exits(std::uint32_t group) {
    using Release = BarrierGroup::Release;
    const BarrierGroup& of = system_.groups[group];
    if (of.release() != Release::Exited && of.release() != Release::NotLeaders) return;
    std::vector<std::uint32_t> gone;
    std::vector<std::uint32_t> passing;
    NodeId divergent = ValueGraph::kFalse;
    for (const std::uint32_t thread : of.required()) {
      const auto t = static_cast<std::size_t>(std::ranges::find(threads_, thread) - threads_.begin());
      for (const auto& [phase, ends] : phases_missed(group, t)) {
        const NodeId missed = is_one([&ends = ends](const End& end) { return ends.contains(&end); });
        order_after_exit(group, phase, thread, ends, missed);
        const NodeId passes = values().conjunction(missed, passes_by(group, phase, thread, **ends.begin()));
        if (passes != ValueGraph::kFalse) passing.push_back(thread);
        if (passes != missed) gone.push_back(thread);
        divergent = values().disjunction(divergent, passes);
      }
    }
    const auto drop_repeated = [](std::vector<std::uint32_t>& threads) {
      threads.erase(std::unique(threads.begin(), threads.end()), threads.end());
    };
    drop_repeated(gone);
    drop_repeated(passing);
    of.report_passing(divergent, passing);
    of.remark_exits(gone);
  }

  /// Returns the ends in which the thread has exited and a later phase completes without this thread. The key is the
  /// first phase that completes without the thread.
  std::map<std::uint32_t, std::set<const End*>> phases_missed(std::uint32_t group, std::size_t t) const {
    std::map<std::uint32_t, std::set<const End*>> result;
    for (const End& end : ends_) {
      if (!end.exited[t]) continue;
      std::uint32_t own = 0;
      std::uint32_t complete = 0;
      for (std::size_t u = 0; u < system_.uses.size(); ++u) {
        if (end.places[u].group != group) continue;
        if (system_.uses[u].thread == threads_[t]) own = std::max(own, end.places[u].phase + 1);
        if (!barrier(u).arrive_only && !stays(end, u)) complete = std::max(complete, end.places[u].phase + 1);
      }
      if (own < complete) result[own].insert(&end);
    }
    return result;
  }

  /// Like JointBarriers::order_after_exit, but for the first phase that completes without the thread.
  void order_after_exit(std::uint32_t group, std::uint32_t phase, std::uint32_t thread,
                        const std::set<const End*>& ends, NodeId missed) {
    for (const EventId last : last_events(draft_, thread, missed)) {
      for (std::size_t u = 0; u < system_.uses.size(); ++u) {
        if (barrier(u).arrive_only || system_.uses[u].thread == thread) continue;
        const NodeId here = is_one([&](const End& end) {
          return ends.contains(&end) && end.places[u] == Place{group, phase};
        });
        if (here == ValueGraph::kFalse) continue;
        draft_.meetings.push_back({BaseRelation::BarrierOrder, last, system_.uses[u].event, here});
      }
    }
  }

  NodeId passes_by(std::uint32_t group, std::uint32_t phase, std::uint32_t thread, const End& end) {
    const auto since = [&](std::uint32_t of) {
      EventId first = draft_.first_event[of];
      for (std::size_t u = 0; u < system_.uses.size() && phase > 0; ++u) {
        if (system_.uses[u].thread == of && end.places[u] == Place{group, phase - 1}) first = system_.uses[u].event + 1;
      }
      return first;
    };
    std::vector<PhaseArrival> arrivals;
    for (std::size_t u = 0; u < system_.uses.size(); ++u) {
      if (barrier(u).wait_only || end.places[u] != Place{group, phase}) continue;
      arrivals.push_back({system_.uses[u].event, since(system_.uses[u].thread)});
    }
    return CommonCode(draft_, arrivals).executed_by(draft_, thread, since(thread));
  }

  Draft& draft_;
  const BarrierSystem& system_;
  std::vector<End> ends_;
  std::vector<std::uint32_t> threads_;  ///< threads of the system
  NodeId choice_ = ValueGraph::kFalse;
};

}  // namespace

BarrierFates meet_in_every_order(Draft& draft, const BarrierSystem& system) {
  return EndChoice(draft, system, OrderSearch(draft, system)).fates();
}

}  // namespace ambit::events
