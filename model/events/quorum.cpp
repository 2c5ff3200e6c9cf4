// Handles a quorum: a barrier at which each arrival waits for the same number of arrivals by any threads.
//
// The execution chooses the phase of each arrival. These choices are possible iff
//  - each phase except the open phase has the required number of arrivals, and no phase is skipped;
//  - the open phase, which comes last and does not complete, has fewer arrivals;
//  - phases increase in the program order of a thread, strictly after an arrival that waits;
//  - an event has a phase iff it is executed: its guard is true, and its thread does not wait in the open
//    phase at an earlier event.
// Under these conditions, the arrivals can occur phase by phase. Within a phase, the arrivals can have any order that
// agrees with program order. Conversely, the arrivals of each run have phases that satisfy the conditions. So this file
// need not enumerate the orders of arrivals.

#include <algorithm>
#include <array>
#include <map>

#include "model/events/barrier_system.h"

namespace ambit::events {
namespace {

class Quorum {
 public:
  Quorum(Draft& draft, const BarrierSystem& system)
      : draft_(draft), uses_(system.uses), group_(system.groups.front()), needed_(*group_.count()) {
    const auto count = static_cast<Value>(uses_.size());
    phases_ = needed_ < 1 ? 0 : count / needed_;
    can_stay_open_ = needed_ < 1 || count % needed_ != 0 || !each_arrives_once();
    for (std::size_t u = 0; u < uses_.size(); ++u) add_choice(u);
  }

  BarrierFates fates() {
    for (Value phase = 0; phase < phases_; ++phase) fill(phase);
    if (can_stay_open_ && needed_ >= 1) keep_few(open());
    for (std::size_t u = 0; u < uses_.size(); ++u) follow_thread(u);
    add_meetings();
    BarrierFates fates;
    for (std::size_t u = 0; u < uses_.size() && can_stay_open_; ++u) note_stay(u, fates);
    return fates;
  }

 private:
  ValueGraph& values() { return draft_.graph.values; }
  const Barrier& barrier(std::size_t use) const { return barrier_of(draft_.graph, uses_[use].event); }
  NodeId guard(std::size_t use) const { return draft_.graph.events[uses_[use].event].guard; }
  bool begins_thread(std::size_t use) const { return use == 0 || uses_[use - 1].thread != uses_[use].thread; }

  /// Returns the value of a choice for an arrival in the phase that does not complete: the number that follows the
  /// numbers of all other phases.
  Value open() const { return phases_; }
  /// Returns the value of a choice for an event that is not executed: the number that follows the numbers of all
  /// phases, including a possible open phase.
  Value absent() const { return phases_ + (can_stay_open_ ? 1 : 0); }

  bool each_arrives_once() const {
    for (std::size_t u = 0; u < uses_.size(); ++u) {
      if (!begins_thread(u) || guard(u) != ValueGraph::kTrue) return false;
    }
    return true;
  }

  // ---- choices ----

  void add_choice(std::size_t use) {
    const bool follows_wait = !begins_thread(use) && (can_be_absent_[use - 1] || !barrier(use - 1).arrive_only);
    can_be_absent_.push_back(guard(use) != ValueGraph::kTrue || (follows_wait && can_stay_open_));
    const Value alternatives = absent() + (can_be_absent_[use] ? 1 : 0);
    if (alternatives == 1) {
      phase_of_.push_back(values().constant(0));
      return;
    }
    Event event;
    event.kind = EventKind::Choice;
    event.guard = ValueGraph::kFalse;
    event.alternatives = static_cast<std::uint32_t>(alternatives);
    event.value = values().read(static_cast<EventId>(draft_.graph.size()), kInt);
    draft_.graph.events.push_back(event);
    draft_.notes.emplace_back();
    phase_of_.push_back(event.value);
  }

  NodeId is(std::size_t use, Value choice) { return values().equal(phase_of_[use], values().constant(choice), kInt); }
  NodeId is_absent(std::size_t use) { return can_be_absent_[use] ? is(use, absent()) : ValueGraph::kFalse; }
  NodeId is_open(std::size_t use) { return can_stay_open_ ? is(use, open()) : ValueGraph::kFalse; }

  void require(NodeId node) {
    if (node != ValueGraph::kTrue) draft_.graph.requirements.push_back(node);
  }
  NodeId implied(NodeId a, NodeId b) { return values().disjunction(values().negation(a), b); }

  // ---- requirements of choices ----

  /// Requires that the phase is either empty or full, and that the preceding phase is full if this phase is full. A
  /// full phase has all of its arrivals.
  void fill(Value phase) {
    const std::vector<NodeId> counts = keep_at_most(phase, static_cast<std::size_t>(needed_));
    const NodeId is_full = counts.back();
    require(values().disjunction(counts.front(), is_full));
    if (phase > 0) require(implied(is_full, full_.back()));
    full_.push_back(is_full);
  }

  void keep_few(Value phase) { keep_at_most(phase, static_cast<std::size_t>(needed_) - 1); }

  /// Requires that at most `most` arrivals are in the phase. Also requires this limit for each prefix of the arrivals,
  /// so that a search stops early. Returns, for each k, the condition that exactly k arrivals are in the phase.
  std::vector<NodeId> keep_at_most(Value phase, std::size_t most) {
    most = std::min(most, uses_.size());
    std::vector<NodeId> exactly(most + 1, ValueGraph::kFalse);
    exactly.front() = ValueGraph::kTrue;
    NodeId more = ValueGraph::kFalse;
    for (std::size_t u = 0; u < uses_.size(); ++u) {
      const NodeId here = is(u, phase);
      more = values().disjunction(more, values().conjunction(here, exactly.back()));
      for (std::size_t k = most + 1; k-- > 0;) {
        const NodeId before = k > 0 ? exactly[k - 1] : ValueGraph::kFalse;
        exactly[k] = values().select(here, before, exactly[k], kInt);
      }
      require(values().negation(more));
    }
    return exactly;
  }

  void follow_thread(std::size_t use) {
    if (begins_thread(use)) ended_ = ValueGraph::kFalse;
    if (can_be_absent_[use]) {
      const NodeId takes_place = values().conjunction(guard(use), values().negation(ended_));
      require(values().select(takes_place, values().negation(is_absent(use)), is_absent(use), kInt));
    }
    if (!barrier(use).arrive_only) ended_ = values().disjunction(ended_, is_open(use));
    for (std::size_t left = use; left > 0 && uses_[left - 1].thread == uses_[use].thread; --left) {
      const std::size_t before = left - 1;
      const NodeId rises =
          barrier(before).arrive_only ? values().negation(is_before(use, before)) : is_before(before, use);
      const NodeId some_absent = values().disjunction(is_absent(before), is_absent(use));
      require(values().disjunction(some_absent, rises));
      if (guard(before) == ValueGraph::kTrue) break;  // `before` has already been compared with all earlier uses
    }
  }

  /// Returns the condition under which the phase of `a` comes before the phase of `b`, if both events are executed.
  NodeId is_before(std::size_t a, std::size_t b) {
    return values().make(Op::Less, kInt, std::array{phase_of_[a], phase_of_[b]});
  }

  // ---- results ----

  /// Adds the meetings. The condition of a meeting is valid only if both events are executed.
  void add_meetings() {
    for (std::size_t a = 0; a < uses_.size(); ++a) {
      for (std::size_t b = 0; b < uses_.size(); ++b) {
        if (uses_[a].thread == uses_[b].thread) continue;
        if (!barrier(b).arrive_only) {
          add_meeting(relation_of(barrier(a)), a, b, values().conjunction(meet(a, b), values().negation(is_open(b))));
        }
        add_meeting(BaseRelation::BarrierOrder, a, b, is_before(a, b));
      }
    }
  }

  NodeId meet(std::size_t a, std::size_t b) { return values().equal(phase_of_[a], phase_of_[b], kInt); }

  void add_meeting(BaseRelation relation, std::size_t a, std::size_t b, NodeId condition) {
    if (condition == ValueGraph::kFalse) return;
    draft_.meetings.push_back({relation, uses_[a].event, uses_[b].event, condition});
  }

  void note_stay(std::size_t use, BarrierFates& fates) {
    const NodeId stays = is_open(use);
    if (barrier(use).arrive_only || stays == ValueGraph::kFalse) return;
    fates.stays.push_back({uses_[use].event, stays});
    NodeId& diverges = fates.divergences[0].condition;
    diverges = values().disjunction(diverges, stays);
    BarrierWait wait;
    wait.event = uses_[use].event;
    wait.stays = stays;
    wait.barrier = group_.name();
    if (needed_ > 0) wait.needed = static_cast<std::uint32_t>(needed_);
    for (const Participant& participant : group_.participants()) wait.threads.push_back(participant.thread);
    for (std::size_t other = 0; other < uses_.size(); ++other) {
      if (uses_[other].thread != uses_[use].thread) wait.mates.push_back({uses_[other].event, meet(use, other)});
    }
    fates.waits.push_back(std::move(wait));
  }

  Draft& draft_;
  const std::vector<BarrierUse>& uses_;
  const BarrierGroup& group_;
  Value needed_;                       ///< the number of arrivals that complete a phase
  Value phases_ = 0;                   ///< the number of phases that can complete
  bool can_stay_open_ = true;          ///< whether some execution has arrivals in an open phase
  std::vector<bool> can_be_absent_;    ///< for each use, whether it may remain unexecuted
  std::vector<NodeId> phase_of_;       ///< the choice of each use
  std::vector<NodeId> full_;           ///< for each phase, whether it is full
  NodeId ended_ = ValueGraph::kFalse;  ///< whether the current thread waits in the open phase
};

}  // namespace

/// For a barrier with a thread count in warps, returns whether all 32 lanes of each warp exist and arrive
/// unconditionally. Otherwise returns true.
static bool has_whole_warps(const EventGraph& graph, const BarrierGroup& group) {
  if (group.release() != BarrierGroup::Release::WholeWarps) return true;
  std::map<int, std::size_t> lanes;
  for (const Participant& participant : group.participants()) {
    for (const Participant::Use& use : participant.uses) {
      if (graph.events[use.event].guard != ValueGraph::kTrue) return false;
    }
    ++lanes[graph.program->threads[participant.thread].place.warp];
  }
  return std::ranges::all_of(lanes, [](const auto& warp) { return warp.second == 32; });
}

bool is_quorum(const EventGraph& graph, const BarrierSystem& system) {
  if (system.groups.size() != 1 || !system.groups.front().count()) return false;
  if (!has_whole_warps(graph, system.groups.front())) return false;
  return std::ranges::all_of(system.uses, [&](const BarrierUse& use) {
    return barrier_of(graph, use.event).kind != BarrierKind::Cluster &&
           use.places.front().condition == ValueGraph::kTrue && system.groups.front().counts_arrival_of(use.thread);
  });
}

BarrierFates meet_in_quorum(Draft& draft, const BarrierSystem& system) { return Quorum(draft, system).fates(); }

}  // namespace ambit::events
