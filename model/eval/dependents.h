#pragma once

#include <cstdint>
#include <vector>

#include "model/events/event_graph.h"

namespace ambit::eval {

/// Maps each value of a graph to the nodes and events that depend on it, for a search that assigns reads and choices
/// one after another.
class Dependents {
 public:
  explicit Dependents(const events::EventGraph& graph);

  /// All choices, followed by all reads in the order of their ids.
  std::vector<events::EventId> reads;
  std::vector<std::vector<events::NodeId>> register_nodes;  ///< for each read or choice, the nodes equal to its value
  std::vector<std::vector<events::NodeId>> users;           ///< for each node, the nodes that use it as an argument
  std::vector<std::vector<events::EventId>> guarded;        ///< for each node, the events that it guards
  std::vector<std::vector<events::EventId>> operand_of;  ///< for each node, the events that use it as address or value
  std::vector<events::NodeId> static_nodes;              ///< guards of events, and conditions of base relations

  /// The conjuncts of the graph's requirements: all of these nodes must be different from 0.
  std::vector<events::NodeId> requirements;
  std::vector<events::NodeId> bounds;        ///< a loop reaches its bound iff one of these nodes is not 0
  std::vector<std::uint32_t> bound_threads;  ///< for each element of `bounds`, the thread of the loop
  std::vector<bool> is_requirement;          ///< for each node, whether it is a requirement
  std::vector<bool> is_bound;                ///< for each node, whether it is a bound

 private:
  void find_users();
  void find_static_nodes();
  void find_limits();

  const events::EventGraph& graph_;
};

}  // namespace ambit::eval
