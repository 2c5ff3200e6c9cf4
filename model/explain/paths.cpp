#include <algorithm>
#include <set>
#include <utility>

#include "model/eval/base.h"
#include "model/explain/race_causes.h"

namespace ambit::explain {
namespace {

using events::EventGraph;
using events::EventId;
using events::EventKind;
using events::Execution;
using events::Relation;
using Via = PathStep::Via;

class PathFinder {
 public:
  PathFinder(const EventGraph& graph, const Execution& execution, EventId from, EventId to)
      : graph_(graph), execution_(execution), from_(from), to_(to), hops_(graph.size()), barriers_(graph.size()) {
    std::vector<Value> nodes;
    events::evaluate(graph.values, execution.values, nodes);
    barriers_ = eval::concrete_relation(graph.relation(BaseRelation::BarrierSync), execution.executed, nodes);
    eval::reads_from(execution).for_each([&](EventId write, EventId read) {
      const std::uint32_t thread = graph.events[write].thread;
      if (thread != events::kNoThread && thread != graph.events[read].thread) hops_.insert(write, read);
    });
    mark_leading();
  }

  std::vector<Path> find() {
    visited_.insert(graph_.events[from_].thread);
    Path path = {{Via::Start, from_}};
    search(from_, path);
    std::stable_sort(found_.begin(), found_.end(), [](const Path& a, const Path& b) { return a.size() < b.size(); });
    return std::move(found_);
  }

 private:
  bool is_before_in_thread(EventId a, EventId b) const {
    if (a == b) return true;
    const bool is_ordered = !graph_.events[a].is_async() && !graph_.events[b].is_async();
    // The numbers of a thread's events increase in program order.
    return is_ordered && graph_.events[a].thread == graph_.events[b].thread && a < b;
  }

  /// Replaces each half of a read-modify-write by one common event.
  bool is_same(EventId a, EventId b) const { return a == b || graph_.events[a].rmw_partner == b; }

  /// Marks the events from which program order and hops lead to `to_`, by a backward search.
  void mark_leading() {
    leads_.assign(graph_.size(), false);
    std::vector<EventId> open;
    const auto mark_up_to = [&](EventId last) {
      for (EventId e = 0; e <= last; ++e) {
        if (leads_[e] || !is_before_in_thread(e, last)) continue;
        leads_[e] = true;
        open.push_back(e);
      }
    };
    mark_up_to(to_);
    while (!open.empty()) {
      const EventId next = open.back();
      open.pop_back();
      for (EventId e = 0; e < graph_.size(); ++e) {
        const bool is_hop = hops_.contains(e, next) || barriers_.contains(e, next);
        if (is_hop && !leads_[e] && execution_.executed.contains(e)) mark_up_to(e);
      }
    }
  }

  /// Continues the path from its last event `at`, up to a length of kMostSteps steps.
  void search(EventId at, Path& path) {
    constexpr std::size_t kMostSteps = 20'000;
    if (found_.size() >= kMostPaths || ++steps_ > kMostSteps) return;
    if (is_before_in_thread(at, to_)) {
      Path whole = path;
      walk(at, to_, whole);
      found_.push_back(std::move(whole));
      return;
    }
    std::set<std::uint32_t> tried;  // try only the first edge to each thread, because later edges order less
    const std::uint32_t thread = graph_.events[at].thread;
    for (EventId leaving = at; leaving < graph_.size() && graph_.events[leaving].thread == thread; ++leaving) {
      if (!execution_.executed.contains(leaving) || !is_before_in_thread(at, leaving)) continue;
      try_hops(at, leaving, hops_, Via::ReadsFrom, tried, path);
      try_hops(at, leaving, barriers_, Via::Barrier, tried, path);
    }
  }

  void try_hops(EventId at, EventId leaving, const Relation& hops, Via via, std::set<std::uint32_t>& tried,
                Path& path) {
    for (EventId next = 0; next < graph_.size(); ++next) {
      const bool is_race_itself = is_same(leaving, from_) && is_same(next, to_);
      if (!hops.contains(leaving, next) || is_race_itself || !leads_[next]) continue;
      const std::uint32_t thread = graph_.events[next].thread;
      const bool arrives = thread != graph_.events[to_].thread || next <= to_;
      if (visited_.contains(thread) || !arrives || !tried.insert(thread).second) continue;
      Path longer = path;
      walk(at, leaving, longer);
      longer.push_back({via, next});
      visited_.insert(thread);
      search(next, longer);
      visited_.erase(thread);
    }
  }

  /// Appends the fences between two events of a thread, and then the second event.
  void walk(EventId from, EventId to, Path& path) const {
    for (EventId e = from + 1; e < to; ++e) {
      if (execution_.executed.contains(e) && graph_.events[e].kind == EventKind::Fence) {
        path.push_back({Via::ProgramOrder, e});
      }
    }
    if (from != to) path.push_back({Via::ProgramOrder, to});
  }

  const EventGraph& graph_;
  const Execution& execution_;
  EventId from_;
  EventId to_;
  Relation hops_;
  Relation barriers_;
  std::vector<bool> leads_;  ///< for each event, whether a path leads from it to `to_`
  std::size_t steps_ = 0;
  std::set<std::uint32_t> visited_;
  std::vector<Path> found_;
};

}  // namespace

std::vector<Path> find_paths(const EventGraph& graph, const Execution& execution, EventId from, EventId to) {
  return PathFinder(graph, execution, from, to).find();
}

}  // namespace ambit::explain
