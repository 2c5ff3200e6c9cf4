// Finds explicit and inferred critical sections (definitions.md 4.4 #12, traces.md "Locks"):
//
//  - An acquire is a successful compare-exchange that replaces 0 by another value. The compare-exchange is an acquire
//    operation, or the thread's next fence makes the acquire effective and no data access comes between. With a fence,
//    the acquire has the scope of the compare-exchange or of the fence, whichever is narrower.
//  - A release is an exchange or store of 0 to a lock that the thread has acquired, after a fence and without an access
//    in between. A release operation needs no fence. With a fence, the release has the scope of the write or of the
//    fence, whichever is narrower.
//  - A section extends from an acquire to the thread's next write of 0 to the same lock. The section has the scope of
//    the acquire or of the release, whichever is narrower.
//
// "Next" refers to executed events, not to the source text. So each acquire and each release has a condition.

#include <algorithm>

#include "model/events/conditional.h"

namespace ambit::events {
namespace {

bool can_acquire(Order order) { return order == Order::Acquire || order == Order::AcqRel || order == Order::SeqCst; }
bool can_release(Order order) { return order == Order::Release || order == Order::AcqRel || order == Order::SeqCst; }

/// The condition under which an acquire or release is effective at `scope`. At most one such condition is true for each
/// operation.
struct Effect {
  Scope scope;
  NodeId condition;
};

struct LockOperation {
  EventId event;   ///< the read half of an acquire, or the write of a release
  EventId access;  ///< the write by the acquire or release, which gives the lock's cell
  std::vector<Effect> effects = {};
  NodeId is_open = ValueGraph::kFalse;      ///< for acquires: it is effective, and no release has closed its section
  NodeId has_section = ValueGraph::kFalse;  ///< for acquires: a release has closed the section
};

class ThreadLocks {
 public:
  ThreadLocks(Draft& draft, std::uint32_t thread)
      : draft_(draft), graph_(draft.graph), first_(draft.first_event[thread]), end_(draft.first_event[thread + 1]) {}

  void fill() {
    for (EventId e = first_; e < end_; ++e) {
      if (is_acquire_candidate(e)) acquires_.push_back({e, graph_.events[e].rmw_partner});
    }
    if (acquires_.empty()) return;
    for (LockOperation& acquire : acquires_) {
      find_acquire_effects(acquire);
      for (const Effect& effect : acquire.effects) acquire.is_open = either(acquire.is_open, effect.condition);
    }
    for (EventId e = first_; e < end_; ++e) {
      if (is_release_candidate(e)) match({e, e});
    }
    for (const LockOperation& acquire : acquires_) {
      for (const Effect& effect : acquire.effects) {
        add_tag(acquire.event, BaseSet::LockAcquire, effect.condition);
        tag(acquire.event, effect.scope, without(effect.condition, acquire.has_section));
      }
    }
    for (const Tag& found : tags_) add_member(graph_, found.set, found.event, found.condition);
  }

 private:
  struct Tag {
    EventId event;
    BaseSet set;
    NodeId condition;
  };

  NodeId both(NodeId a, NodeId b) { return graph_.values.conjunction(a, b); }
  NodeId either(NodeId a, NodeId b) { return graph_.values.disjunction(a, b); }
  NodeId without(NodeId a, NodeId b) { return graph_.values.conjunction(a, graph_.values.negation(b)); }

  const Operation& operation(EventId e) const {
    const Event& event = graph_.events[e];
    return draft_.program().threads[event.thread].code[event.instruction].operation;
  }
  LockRole role(EventId e) const {
    if (const auto* rmw = std::get_if<Rmw>(&operation(e))) return rmw->lock;
    if (const auto* store = std::get_if<Store>(&operation(e))) return store->lock;
    return LockRole::None;
  }

  bool is_acquire_candidate(EventId e) const {
    const Event& event = graph_.events[e];
    if (!event.is_read() || event.rmw_partner == kNoEvent) return false;
    const auto* rmw = std::get_if<Rmw>(&operation(e));
    if (rmw == nullptr) return false;
    if (rmw->lock == LockRole::Acquire) return true;
    if (rmw->op != RmwOp::CompareExchange || rmw->takes_either_way) return false;
    const ValueGraph& values = graph_.values;
    const ValueNode& expected = values[draft_.notes[event.rmw_partner].compare];
    const ValueNode& desired = values[draft_.notes[event.rmw_partner].desired];
    return expected.op == Op::Const && expected.constant == 0 && !(desired.op == Op::Const && desired.constant == 0);
  }

  /// Returns whether the event is a store or exchange of 0 to a lock that the thread may have acquired before.
  bool is_release_candidate(EventId e) {
    const Event& event = graph_.events[e];
    if (event.kind != EventKind::Write) return false;
    if (role(e) != LockRole::Release) {
      const ValueNode& value = graph_.values[event.value];
      if (value.op != Op::Const || value.constant != 0) return false;
      const auto* rmw = std::get_if<Rmw>(&operation(e));
      if (rmw != nullptr && rmw->op != RmwOp::Exchange) return false;
    }
    return std::any_of(acquires_.begin(), acquires_.end(), [&](const LockOperation& acquire) {
      return acquire.event < e && same_lock(acquire.access, e) != ValueGraph::kFalse;
    });
  }

  NodeId same_lock(EventId a, EventId b) {
    const Event& x = graph_.events[a];
    const Event& y = graph_.events[b];
    if (x.locations.size() == 1 && x.locations == y.locations) return ValueGraph::kTrue;
    return graph_.values.equal(x.cell, y.cell, kLongLong);
  }

  /// Returns whether the event belongs to a compare-exchange that may acquire a lock, or is an access to this lock.
  /// These events are not accesses of data.
  bool is_lock_access(EventId e, EventId lock) {
    const EventId read = graph_.events[e].is_write() ? graph_.events[e].rmw_partner : e;
    if (read != kNoEvent && is_acquire_candidate(read)) return true;
    return same_lock(e, lock) == ValueGraph::kTrue;
  }

  void find_acquire_effects(LockOperation& acquire) {
    const Event& write = graph_.events[acquire.access];
    const EventNote& note = draft_.notes[acquire.access];
    const NodeId succeeds = both(write.guard, note.succeeds);
    // A successful compare-exchange that writes 0 does not acquire a lock.
    NodeId waiting = both(succeeds, graph_.values.truth(note.desired));
    if (can_acquire(write.order)) {
      acquire.effects.push_back({write.scope, waiting});
      return;
    }
    for (EventId e = acquire.access + 1; e < end_ && waiting != ValueGraph::kFalse; ++e) {
      const Event& event = graph_.events[e];
      if (event.kind == EventKind::Fence && can_acquire(event.order)) {
        add_effect(acquire, narrower(write.scope, event.scope), both(waiting, event.guard));
        waiting = without(waiting, event.guard);
      } else if (event.is_access() && !is_lock_access(e, acquire.access)) {
        waiting = without(waiting, event.guard);
      }
    }
    if (acquire.effects.empty() && role(acquire.event) == LockRole::Acquire) {
      acquire.effects.push_back({write.scope, succeeds});
    }
  }

  void find_release_effects(LockOperation& release) {
    const Event& write = graph_.events[release.access];
    // A plain store has no scope, so only the fence determines the release's scope.
    const Scope scope = write.has_scope ? write.scope : Scope::System;
    if (can_release(write.order)) {
      release.effects.push_back({scope, write.guard});
      return;
    }
    NodeId waiting = write.guard;
    for (EventId e = release.access; e-- > first_ && waiting != ValueGraph::kFalse;) {
      const Event& event = graph_.events[e];
      if (event.kind == EventKind::Fence && can_release(event.order)) {
        add_effect(release, narrower(scope, event.scope), both(waiting, event.guard));
        waiting = without(waiting, event.guard);
      } else if (event.is_access() && !is_release_access(e)) {
        waiting = without(waiting, event.guard);
      }
    }
    if (release.effects.empty() && role(release.access) == LockRole::Release) {
      release.effects.push_back({scope, write.guard});
    }
  }

  /// Returns whether the event is half of an access that zeroes a lock. One fence may precede several such accesses.
  bool is_release_access(EventId e) {
    const EventId write = graph_.events[e].is_write() ? e : graph_.events[e].rmw_partner;
    return write != kNoEvent && is_release_candidate(write);
  }

  void add_effect(LockOperation& operation, Scope scope, NodeId condition) {
    if (condition == ValueGraph::kFalse) return;
    for (Effect& effect : operation.effects) {
      if (effect.scope != scope) continue;
      effect.condition = either(effect.condition, condition);
      return;
    }
    operation.effects.push_back({scope, condition});
  }

  /// Closes the open sections of the lock that `release` sets to 0. Starts with the latest section.
  void match(LockOperation release) {
    find_release_effects(release);
    std::vector<Effect> left = release.effects;
    const NodeId executed = graph_.events[release.access].guard;
    for (auto acquire = acquires_.rbegin(); acquire != acquires_.rend(); ++acquire) {
      if (acquire->event > release.event) continue;
      const NodeId same = same_lock(acquire->access, release.access);
      const NodeId closes = both(both(executed, same), acquire->is_open);
      if (closes == ValueGraph::kFalse) continue;
      NodeId section = ValueGraph::kFalse;
      for (Effect& released : left) {
        for (const Effect& acquired : acquire->effects) {
          const NodeId condition = both(closes, both(released.condition, acquired.condition));
          if (condition == ValueGraph::kFalse) continue;
          const Scope scope = narrower(released.scope, acquired.scope);
          tag(acquire->event, scope, condition);
          tag(release.event, scope, condition);
          section = either(section, condition);
        }
        released.condition = without(released.condition, closes);
      }
      add_pair(graph_, BaseRelation::CriticalSection, acquire->event, release.event, section);
      if (section != ValueGraph::kFalse) add_tag(release.event, BaseSet::LockRelease, section);
      acquire->has_section = either(acquire->has_section, section);
      acquire->is_open = without(acquire->is_open, closes);
    }
  }

  void tag(EventId e, Scope scope, NodeId condition) {
    switch (scope) {
      case Scope::Thread: return;  // no other thread can hold the lock
      case Scope::Block: return add_tag(e, BaseSet::LockBlock, condition);
      case Scope::Cluster: return add_tag(e, BaseSet::LockCluster, condition);
      case Scope::Device: return add_tag(e, BaseSet::LockDevice, condition);
      case Scope::System: return add_tag(e, BaseSet::LockSystem, condition);
    }
  }

  /// Combines all conditions for an event in a set, so that the event becomes a single member of the set.
  void add_tag(EventId e, BaseSet set, NodeId condition) {
    for (Tag& known : tags_) {
      if (known.event != e || known.set != set) continue;
      known.condition = either(known.condition, condition);
      return;
    }
    tags_.push_back({e, set, condition});
  }

  Draft& draft_;
  EventGraph& graph_;
  EventId first_;
  EventId end_;
  std::vector<LockOperation> acquires_;
  std::vector<Tag> tags_;
};

}  // namespace

void fill_locks(Draft& draft) {
  for (std::uint32_t t = 0; t < draft.program().threads.size(); ++t) ThreadLocks(draft, t).fill();
}

}  // namespace ambit::events
