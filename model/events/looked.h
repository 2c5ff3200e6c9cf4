#pragma once

#include <bitset>
#include <cstdint>

#include "model/events/execution.h"

namespace ambit::events {

/// What somebody looks at.
struct Looked {
  /// The final values of the observables.
  enum class Observables : std::uint8_t { None, Condition, Each };

  std::bitset<kBaseSets.size()> sets;
  std::bitset<kBaseRelations.size()> relations;
  Observables observables = Observables::Each;
};

/// What a model that looks at these base sets and relations looks at, asked `questions`.
Looked looked_at(const std::bitset<kBaseSets.size()>& sets, const std::bitset<kBaseRelations.size()>& relations,
                 const Program& program, const Questions& questions);

}  // namespace ambit::events
