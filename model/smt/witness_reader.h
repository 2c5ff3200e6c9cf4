#pragma once

#include <vector>

#include "model/events/execution.h"
#include "model/smt/encoder.h"

namespace ambit::smt {

/// Reads executions from solutions of the solver.
class WitnessReader {
 public:
  WitnessReader(const events::EventGraph& graph, const rules::Rules& rules, const Candidates& candidates,
                const Choices& choices, Encoder& encoder);

  /// Returns the execution that `values` describes. `values` must have a value for each variable, with evaluated gates.
  /// Only rf, co and the declared orders come from the solution. These relations determine values, addresses and the
  /// executed events.
  events::Execution read(const std::vector<bool>& values) const;

 private:
  void read_values(const std::vector<bool>& values, events::Execution& execution, std::vector<Value>& nodes) const;
  void read_coherence(const std::vector<bool>& values, events::Execution& execution) const;
  void read_orders(const std::vector<bool>& values, events::Execution& execution) const;

  const events::EventGraph& graph_;
  const rules::Rules& rules_;
  const Candidates& candidates_;
  const Choices& choices_;
  const Encoder& encoder_;
  std::vector<std::vector<Lit>> members_;  ///< for each order, the literal for each event's membership
};

}  // namespace ambit::smt
