// Computes the relations of asynchronous operations. They relate the events of one operation, operations to the waits
// that cover them, arrivals to the waits that see the end of an mbarrier's phase, accesses to the proxy fences that
// affect them, and tcgen05 operations that form a pipeline.

#include <algorithm>
#include <string>
#include <string_view>

#include "model/events/draft.h"

namespace ambit::events {
namespace {

constexpr std::string_view kMultiplication = "tcgen05.mma";
constexpr std::string_view kTensorCopy = "tcgen05.cp";

class AsyncFiller {
 public:
  explicit AsyncFiller(Draft& draft) : draft_(draft), graph_(draft.graph) {
    for (EventId e = 0; e < graph_.size(); ++e) {
      if (graph_.events[e].kind == EventKind::AsyncStep) steps_.push_back(e);
      if (graph_.events[e].is_async()) accesses_.push_back(e);
      if (graph_.events[e].is_mbarrier) at_mbarriers_.push_back(e);
    }
  }

  void fill() {
    for (const EventId e : accesses_) {
      always(BaseRelation::Issue).insert(graph_.events[e].issue, e);
      home_block(is_completion(e) ? BaseRelation::MbarrierBlock : BaseRelation::HomeBlock, e);
    }
    operations();
    pipelines();
    for (const EventId e : steps_) {
      if (step(e).kind == AsyncStep::Kind::Wait) wait(e);
      if (step(e).kind == AsyncStep::Kind::Issue && step(e).tracks_earlier) track(e);
    }
    phases();
    spaces();
  }

 private:
  Relation& always(BaseRelation id) { return graph_.relations[static_cast<std::size_t>(id)].always; }
  const AsyncStep& step(EventId e) const {
    const Event& event = graph_.events[e];
    return std::get<AsyncStep>(draft_.program().threads[event.thread].code[event.instruction].operation);
  }
  bool is_completion(EventId e) const { return graph_.events[e].is_async() && graph_.events[e].is_mbarrier; }

  void insert(BaseRelation id, EventId from, EventId to, NodeId condition) {
    if (condition == ValueGraph::kFalse) return;
    if (condition == ValueGraph::kTrue) return always(id).insert(from, to);
    graph_.relations[static_cast<std::size_t>(id)].sometimes.push_back({from, to, condition});
  }

  void operations() {
    for (const EventId a : accesses_) {
      for (const EventId b : accesses_) {
        if (graph_.events[a].issue != graph_.events[b].issue || is_completion(a)) continue;
        const bool is_step = graph_.events[a].is_read() && graph_.events[b].is_write();
        if (is_completion(b) || is_step) always(BaseRelation::InOperation).insert(a, b);
      }
    }
  }

  /// Considers the asynchronous operations in the group that the thread issued before event `end`. Calls action(access)
  /// for each of their accesses.
  template <typename Action>
  void for_each_earlier(EventId end, AsyncGroup group, Action action) {
    for (const EventId e : accesses_) {
      const Event& event = graph_.events[e];
      if (event.thread != graph_.events[end].thread || event.issue >= end || is_completion(e)) continue;
      if (step(event.issue).group == group) action(e);
    }
  }

  /// A wait covers an operation if the thread has committed at least pending + 1 groups since the issue of the
  /// operation. The first of these groups is the operation's own group.
  void wait(EventId e) {
    const AsyncStep& wait = step(e);
    for_each_earlier(e, wait.group, [&](EventId access) {
      const Event& event = graph_.events[access];
      if (wait.reads_only && !event.is_read()) return;
      insert(BaseRelation::GroupWait, access, e, covers(event, e, wait));
    });
  }

  NodeId covers(const Event& access, EventId end, const AsyncStep& wait) {
    if (!wait.needs_commit) return ValueGraph::kTrue;
    ValueGraph& values = graph_.values;
    const NodeId care = values.conjunction(access.guard, graph_.events[end].guard);
    // at_least[k]: the thread has committed at least k groups.
    std::vector<NodeId> at_least(wait.pending + 2, ValueGraph::kFalse);
    at_least[0] = ValueGraph::kTrue;
    for (const EventId e : steps_) {
      if (e < access.issue || e > end || graph_.events[e].thread != access.thread) continue;
      if (step(e).kind != AsyncStep::Kind::Commit || step(e).group != wait.group) continue;
      const NodeId commits = values.given(graph_.events[e].guard, care);
      for (std::size_t n = at_least.size() - 1; n > 0; --n) {
        at_least[n] = values.disjunction(at_least[n], values.conjunction(commits, at_least[n - 1]));
      }
    }
    return at_least.back();
  }

  void track(EventId e) {
    for (const EventId completion : accesses_) {
      if (graph_.events[completion].issue != e || !is_completion(completion)) continue;
      for_each_earlier(e, step(e).group,
                       [&](EventId access) { always(BaseRelation::Tracking).insert(access, completion); });
    }
  }

  bool may_meet(const Event& a, const Event& b) const {
    return std::ranges::any_of(a.locations, [&](LocationId l) { return std::ranges::binary_search(b.locations, l); });
  }

  /// Relates each arrival in phase k to the waits that see the mbarrier in phase k + 1: for these waits, phase k has
  /// ended. If a wait sees phase k and returns true, also relates this wait to the arrivals in phase k: the wait has
  /// seen the end of phase k - 1.
  void phases() {
    ValueGraph& values = graph_.values;
    for (const EventId w : at_mbarriers_) {
      const Event& arrival = graph_.events[w];
      if (!arrival.is_write() || !arrival.is_rmw) continue;
      if (arrival.is_arrival) later_arrival(w);
      for (const EventId r : at_mbarriers_) {
        const Event& wait = graph_.events[r];
        if (!wait.is_read() || wait.is_rmw || !may_meet(arrival, wait)) continue;
        const NodeId next =
            values.make(Op::Add, arrival.type, std::array{arrival.phase, values.constant(1, arrival.type)});
        NodeId is_same = ValueGraph::kTrue;
        if (arrival.locations != wait.locations || arrival.locations.size() > 1) {
          is_same = values.equal(arrival.cell, wait.cell, kLongLong);
        }
        const NodeId ends = values.equal(next, wait.phase, arrival.type);
        insert(BaseRelation::MbarrierPhase, w, r, values.conjunction(ends, is_same));
        if (!arrival.is_arrival || arrival.phase == ValueGraph::kFalse) continue;
        const NodeId sees = values.conjunction(values.equal(arrival.phase, wait.phase, arrival.type), is_same);
        insert(BaseRelation::MbarrierSeen, r, w, values.conjunction(sees, draft_.notes[r].succeeds));
      }
    }
  }

  void later_arrival(EventId e) {
    ConditionalSet& later = graph_.sets[static_cast<std::size_t>(BaseSet::LaterArrival)];
    const NodeId is_later = graph_.values.truth(graph_.events[e].phase);
    if (is_later == ValueGraph::kTrue) later.always.insert(e);
    if (is_later != ValueGraph::kTrue && is_later != ValueGraph::kFalse) later.sometimes.push_back({e, is_later});
  }

  /// Relates an access to shared memory to the events of the threads in the memory's block. Without a cluster, the
  /// memory's block is the block of the accessing thread.
  void home_block(BaseRelation id, EventId e) {
    const Program& program = draft_.program();
    const std::vector<LocationId>& locations = graph_.events[e].locations;
    if (locations.empty()) return;  // the access is out of bounds in all executions
    const MemoryObject& object = program.objects[program.locations[locations.front()].object];
    if (!object.home && object.space != MemorySpace::Shared) return;
    const ThreadPlace& home = object.home ? *object.home : program.threads[graph_.events[e].thread].place;
    for (EventId other = 0; other < graph_.size(); ++other) {
      const std::uint32_t thread = graph_.events[other].thread;
      if (thread != kNoThread && same_instance(program.threads[thread].place, home, Scope::Block)) {
        always(id).insert(e, other);
      }
    }
  }

  /// Relates the operations that form a pipeline (PTX ISA 9.7.18.6.2): two tcgen05.mma of the same form with the same
  /// accumulator, or a tcgen05.cp and a tcgen05.mma of the same cta_group.
  void pipelines() {
    for (const EventId a : accesses_) {
      const std::string& first = step(graph_.events[a].issue).form;
      if (first.empty() || is_completion(a)) continue;
      for (const EventId b : accesses_) {
        if (is_completion(b) || graph_.events[a].issue == graph_.events[b].issue) continue;
        const std::string& second = step(graph_.events[b].issue).form;
        if (!second.starts_with(kMultiplication)) continue;
        if (first == second) {
          insert(BaseRelation::TensorPipeline, a, b, same_accumulator(a, b));
        } else if (first.starts_with(kTensorCopy) && group_of(first) == group_of(second)) {
          always(BaseRelation::TensorPipeline).insert(a, b);
        }
      }
    }
  }

  /// Returns "cta_group::1" of "tcgen05.mma.cta_group::1.kind::f16".
  static std::string_view group_of(std::string_view form) {
    const std::size_t at = form.find("cta_group");
    return at == std::string_view::npos ? std::string_view() : form.substr(at, form.find('.', at) - at);
  }

  /// Returns the condition under which the tcgen05.mma operations of the two accesses write the same accumulator.
  NodeId same_accumulator(EventId a, EventId b) {
    const Event* first = accumulator(a);
    const Event* second = accumulator(b);
    if (first == nullptr || second == nullptr || !may_meet(*first, *second)) return ValueGraph::kFalse;
    if (first->locations == second->locations && first->locations.size() == 1) return ValueGraph::kTrue;
    return graph_.values.equal(first->cell, second->cell, kLongLong);
  }

  const Event* accumulator(EventId access) const {
    const EventId issue = graph_.events[access].issue;
    const auto found = std::ranges::find_if(
        accesses_, [&](EventId e) { return graph_.events[e].issue == issue && graph_.events[e].is_write(); });
    return found == accesses_.end() ? nullptr : &graph_.events[*found];
  }

  /// Returns the state space of the fence, or nothing if the fence has no state space.
  std::optional<FenceSpace> space_of(const Event& event, const Operation& operation) const {
    if (event.kind == EventKind::ProxyFence) return std::get<ProxyFence>(operation).space;
    if (event.kind != EventKind::Fence || !event.is_shared_only) return std::nullopt;
    return event.order == Order::Release ? FenceSpace::SharedBlock : FenceSpace::SharedCluster;
  }

  bool is_in_space(FenceSpace space, const ThreadPlace& place, LocationId location) const {
    const Program& program = draft_.program();
    const MemoryObject& object = program.objects[program.locations[location].object];
    const bool is_shared = object.home || object.space == MemorySpace::Shared;
    switch (space) {
      case FenceSpace::All: return true;
      case FenceSpace::Global: return !is_shared;
      case FenceSpace::SharedCluster: return is_shared;
      case FenceSpace::SharedBlock:
        return is_shared && (!object.home || same_instance(place, *object.home, Scope::Block));
    }
    return false;
  }

  void spaces() {
    const Program& program = draft_.program();
    for (EventId e = 0; e < graph_.size(); ++e) {
      const Event& event = graph_.events[e];
      if (event.kind != EventKind::ProxyFence && event.kind != EventKind::Fence) continue;
      const Thread& thread = program.threads[event.thread];
      const Operation& operation = thread.code[event.instruction].operation;
      const std::optional<FenceSpace> space = space_of(event, operation);
      if (!space) continue;
      const auto* fence = std::get_if<ProxyFence>(&operation);
      const auto descriptor = fence != nullptr && fence->address ? program.location_at(*fence->address) : std::nullopt;
      for (EventId other = 0; other < graph_.size(); ++other) {
        const Event& access = graph_.events[other];
        if (!access.is_access()) continue;
        const bool is_inside = std::ranges::all_of(access.locations, [&](LocationId l) {
          return descriptor ? l == *descriptor : is_in_space(*space, thread.place, l);
        });
        if (is_inside) always(BaseRelation::InSpace).insert(e, other);
      }
    }
  }

  Draft& draft_;
  EventGraph& graph_;
  std::vector<EventId> steps_;         ///< AsyncStep events
  std::vector<EventId> accesses_;      ///< accesses of asynchronous operations
  std::vector<EventId> at_mbarriers_;  ///< accesses by mbarrier operations
};

}  // namespace

void fill_asynchronous(Draft& draft) {
  AsyncFiller(draft).fill();
  fill_grid_ends(draft);
}

}  // namespace ambit::events
