#pragma once

#include <bitset>
#include <cstdint>

#include "model/events/execution.h"

namespace ambit::events {

/// The parts of an execution on which a result depends.
struct Looked {
  /// The observables whose final values affect the result.
  enum class Observables : std::uint8_t { None, Condition, Each };

  std::bitset<kBaseSets.size()> sets;
  std::bitset<kBaseRelations.size()> relations;
  Observables observables = Observables::Each;
};

/// Returns the parts that affect the answers to `questions`, for a model that uses these base sets and relations.
Looked looked_at(const std::bitset<kBaseSets.size()>& sets, const std::bitset<kBaseRelations.size()>& relations,
                 const Program& program, const Questions& questions);

}  // namespace ambit::events
