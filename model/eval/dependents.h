#pragma once

#include <cstdint>
#include <vector>

#include "model/events/event_graph.h"

namespace ambit::eval {

/// The users of each value of a graph, for a search that fixes reads and choices one after another.
class Dependents {
 public:
  explicit Dependents(const events::EventGraph& graph);

  /// Choices first, then reads by rising id.
  std::vector<events::EventId> reads;
  std::vector<std::vector<events::NodeId>> register_nodes;  ///< by read or choice: the nodes that are its value
  std::vector<std::vector<events::NodeId>> users;           ///< by node: the nodes that have it as an argument
  std::vector<std::vector<events::EventId>> guarded;        ///< by node: the events that it guards
  std::vector<std::vector<events::EventId>> operand_of;     ///< by node: the events that have it as address or value
  std::vector<events::NodeId> static_nodes;                 ///< guards, and conditions of base relations

  std::vector<events::NodeId> requirements;  ///< the parts of the graph's requirements, all of which must not be 0
  std::vector<events::NodeId> bounds;        ///< the loop bound is reached iff one of them is not 0
  std::vector<std::uint32_t> bound_threads;  ///< parallel to `bounds`: the thread of the loop
  std::vector<bool> is_requirement;          ///< by node
  std::vector<bool> is_bound;                ///< by node

 private:
  void find_users();
  void find_static_nodes();
  void find_limits();

  const events::EventGraph& graph_;
};

}  // namespace ambit::eval
