#pragma once

#include <span>
#include <vector>

#include "model/eval/dependents.h"
#include "model/eval/plan_machine.h"
#include "model/events/execution.h"

namespace ambit::eval {

/// A candidate execution under construction. The search assigns a source and a value to one read after another. All
/// values that depend only on the assigned reads are known.
class Candidate {
 public:
  Candidate(const events::EventGraph& graph, const Dependents& dependents);

  Knowledge knowledge;
  /// The source of each read; kNoEvent if the read is not executed or has no source yet.
  std::vector<events::EventId> source;
  std::vector<Value> value;          ///< for each access, its value if the value is known
  std::vector<LocationId> location;  ///< location of each executed access whose address is known

  Value node(events::NodeId id) const { return knowledge.nodes[id]; }
  /// Returns whether an event is known: either it is not executed, or its address and written value are known.
  bool is_known(events::EventId e) const { return is_absent(e) || unknown_operands_[e] == 0; }
  /// Returns whether a known event is executed.
  bool is_executed(events::EventId e) const { return node(graph_.events[e].guard) != 0; }
  bool is_absent(events::EventId e) const { return knowledge.is_known(graph_.events[e].guard) && !is_executed(e); }
  bool is_assigned(events::EventId read) const { return is_assigned_[read]; }
  std::size_t assigned_count() const { return marks_.size(); }

  /// Computes the values that are known before the first assign().
  void begin();
  /// Assigns a source and value to `read`, and computes all values that become known. If `source` is kNoEvent, the read
  /// is not executed. Returns false if an earlier read has assumed another value or location for a write that is now
  /// known. retract() undoes the last assignment.
  bool assign(events::EventId read, events::EventId source, Value value);
  void retract();
  /// Returns the nodes that the last assign() or begin() has made known.
  std::span<const events::NodeId> news() const;

  /// The location and value that reads have assumed for a still unknown write.
  struct Promise {
    std::uint32_t count = 0;
    LocationId location = 0;
    Value value = 0;
  };
  const Promise& promise(events::EventId write) const { return promises_[write]; }

 private:
  bool set_known(events::NodeId node);
  void compute(events::NodeId node);
  bool settle(events::EventId e);

  struct Mark {
    events::EventId read;
    std::size_t known;  ///< the size of known_ before the assignment
  };

  const events::EventGraph& graph_;
  const Dependents& dependents_;
  std::vector<Promise> promises_;  ///< for each write
  /// For each event, the number of unknown nodes among its guard, its address and its value.
  std::vector<std::uint8_t> unknown_operands_;
  std::vector<bool> is_assigned_;      ///< whether each read is assigned
  std::vector<events::NodeId> known_;  ///< known nodes, in the order in which they became known
  std::vector<Mark> marks_;            ///< marks for undoing assignments, one for each assigned read
};

}  // namespace ambit::eval
