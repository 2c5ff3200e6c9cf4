#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/program.h"
#include "model/events/event_graph.h"

namespace ambit::events {

/// The possible values of each memory cell, if these values form a small set that follows only from constants. The
/// analysis is a flow-insensitive least fixed point over all threads: each assignment to a register and each write to a
/// cell adds its possible values. The result is sound for all candidate executions whose values are grounded. The sets
/// are computed on first use.
class ValueSets {
 public:
  /// Values in increasing order; nothing if the values are unknown (unbounded, or too many).
  using Possible = std::optional<std::vector<Value>>;
  static constexpr std::size_t kMaxValues = 16;
  static constexpr std::size_t kMaxCombinations = 256;

  /// Creates an analysis that polls `context`.
  ValueSets(const Program& program, Context& context) : program_(&program), context_(&context) {}

  /// Returns the values that a read of any of the locations can return.
  Possible of_read(std::span<const LocationId> locations, ScalarType type);

  /// For each combination of values that the reads in `nodes` can return, calls `visit` with the values of `nodes`.
  /// Stops when a call of `visit` returns false. Returns false if the values of a read are unknown, or if there are too
  /// many combinations.
  bool for_each_combination(const ValueGraph& graph, const std::vector<Event>& events, std::span<const NodeId> nodes,
                            const std::function<bool(std::span<const Value>)>& visit);

 private:
  void compute();
  bool add_to_locations(const Possible& addresses, const Possible& values);
  bool add_stores(const AsyncStep& step, const std::vector<Possible>& registers);
  Possible of_address(const Possible& addresses) const;

  const Program* program_;
  Context* context_;
  bool is_computed_ = false;
  std::vector<Possible> locations_;
};

}  // namespace ambit::events
