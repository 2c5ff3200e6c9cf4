#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "model/events/event_graph.h"
#include "model/events/looked.h"

namespace ambit::events {

/// The parts of a graph that can be exchanged without a change of the graph. A part is a thread or a whole block;
/// exchangeable threads of a block have the same code. The threads use the same memory, or each thread uses its own
/// cells. Each exchange maps allowed executions to allowed executions. The condition and the observables do not
/// distinguish the parts.
class Symmetry {
 public:
  /// Makes an object without exchangeable events.
  Symmetry() = default;

  /// Finds the exchanges of `graph`, for a model that depends only on the parts of an execution in `looked`. Verifies
  /// each exchange event by event and pair by pair, and omits exchanges without a successful verification. The running
  /// time is about quadratic in the number of events. Throws Stopped at a limit of `context`.
  static Symmetry find(const EventGraph& graph, const Looked& looked, Context& context);

  bool is_trivial() const { return alike_.empty(); }

  /// Returns pairs of writes (older, younger). The exchanges map each allowed execution to an allowed execution in
  /// which the older write comes first in coherence, if both writes are executed. So an engine needs only executions
  /// with this order.
  const std::vector<std::pair<EventId, EventId>>& write_order() const { return write_order_; }

  /// A thread or a block: its threads, its events, and the initial writes of its own cells. Two units of a class have
  /// corresponding events at the same index.
  struct Unit {
    std::vector<std::uint32_t> threads;
    std::vector<EventId> events;
  };
  /// Any two units of a class can be exchanged.
  using Class = std::vector<Unit>;
  const std::vector<Class>& classes() const { return classes_; }

  /// Returns whether some exchange maps the cell to another cell.
  bool moves(LocationId location) const { return !moved_.empty() && moved_[location]; }

  /// Returns, in ascending order, the threads that can be exchanged with `thread`, including `thread` itself.
  std::vector<std::uint32_t> alike(std::uint32_t thread) const {
    return alike_.empty() ? std::vector<std::uint32_t>{thread} : alike_[thread];
  }
  /// Returns the classes of at least two exchangeable threads.
  std::vector<std::vector<std::uint32_t>> alike_threads() const;

 private:
  friend class SymmetryFinder;

  std::vector<std::pair<EventId, EventId>> write_order_;
  std::vector<Class> classes_;
  std::vector<bool> moved_;  ///< for each location, whether some exchange moves it
  std::vector<std::vector<std::uint32_t>> alike_;
};

}  // namespace ambit::events
