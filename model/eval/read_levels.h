#pragma once

#include <vector>

#include "model/events/event_graph.h"

namespace ambit::eval {

/// When the parts of a graph become known while its reads and choices get their values one after the other: at level p
/// the first p of them have theirs.
class Timeline {
 public:
  explicit Timeline(const events::EventGraph& graph);

  /// Choices first, then reads by rising id, but each behind those that decide whether and where it takes place.
  std::vector<events::EventId> reads;
  std::vector<std::uint32_t> node_level;   ///< by node: level from which its value is known
  std::vector<std::uint32_t> event_level;  ///< by event: level from which guard, address and (writes) value are known
  std::uint32_t static_level = 0;          ///< level from which guards and conditions of base relations are known
  std::vector<std::vector<events::NodeId>> nodes;         ///< by level: nodes that become known, arguments first
  std::vector<std::vector<events::EventId>> writes;       ///< by level: writes that become known
  std::vector<std::vector<events::NodeId>> requirements;  ///< by level: nodes that must not be 0
  std::vector<events::NodeId> bounds;                     ///< the loop bound is reached iff one of them is not 0
  std::vector<std::uint32_t> bound_threads;               ///< parallel: whose loop
  std::vector<std::vector<events::NodeId>> bounds_at;     ///< the same by level

  std::uint32_t levels() const { return static_cast<std::uint32_t>(reads.size()) + 1; }

 private:
  void order_reads();
  void place_read(events::EventId read, events::EventSet& placed);
  void find_node_levels();
  void find_event_levels();
  void find_static_level();

  const events::EventGraph& graph_;
};

}  // namespace ambit::eval
