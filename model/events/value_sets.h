#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/program.h"
#include "model/events/event_graph.h"

namespace ambit::events {

/// For each memory cell, the values that it can ever hold, where that is a small set that constants alone determine: a
/// flow-insensitive least fixed point over all threads (every assignment to a register and every write to a cell adds
/// its possible values). Sound for every candidate execution whose values are grounded. Computed on first use.
class ValueSets {
 public:
  /// Rising values, or nothing when unknown (unbounded, too many).
  using Possible = std::optional<std::vector<Value>>;
  static constexpr std::size_t kMaxValues = 16;
  static constexpr std::size_t kMaxCombinations = 256;

  /// `context` is polled.
  ValueSets(const Program& program, Context& context) : program_(&program), context_(&context) {}

  /// What a read of any of the locations can return.
  Possible of_read(std::span<const LocationId> locations, ScalarType type);

  /// Calls visit(values of `nodes`) for every combination of what the reads below them can return; a visit that
  /// returns false ends it. False when some read's values are unknown or the combinations are too many.
  bool for_each_combination(const ValueGraph& graph, const std::vector<Event>& events, std::span<const NodeId> nodes,
                            const std::function<bool(std::span<const Value>)>& visit);

 private:
  void compute();
  bool add_to_locations(const Possible& addresses, const Possible& values);
  Possible of_address(const Possible& addresses) const;

  const Program* program_;
  Context* context_;
  bool is_computed_ = false;
  std::vector<Possible> locations_;
};

}  // namespace ambit::events
