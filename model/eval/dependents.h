#pragma once

#include <cstdint>
#include <vector>

#include "model/events/event_graph.h"

namespace ambit::eval {

/// What waits for which values of a graph, while its reads and choices get theirs one after the other.
class Dependents {
 public:
  explicit Dependents(const events::EventGraph& graph);

  /// Choices first, then reads by rising id.
  std::vector<events::EventId> reads;
  std::vector<std::vector<events::NodeId>> register_nodes;  ///< by read or choice: the nodes that are its value
  std::vector<std::vector<events::NodeId>> users;           ///< by node: the nodes that have it as an argument
  std::vector<std::vector<events::EventId>> guarded;        ///< by node: the events whose guard it is
  std::vector<std::vector<events::EventId>> operand_of;     ///< by node: the events whose address or value it is
  std::vector<events::NodeId> static_nodes;                 ///< guards, and conditions of base relations

  std::vector<events::NodeId> requirements;  ///< the parts of the graph's requirements: none of them may be 0
  std::vector<events::NodeId> bounds;        ///< the loop bound is reached iff one of them is not 0
  std::vector<std::uint32_t> bound_threads;  ///< parallel: whose loop
  std::vector<bool> is_requirement;          ///< by node
  std::vector<bool> is_bound;                ///< by node

 private:
  void find_users();
  void find_static_nodes();
  void find_limits();

  const events::EventGraph& graph_;
};

}  // namespace ambit::eval
