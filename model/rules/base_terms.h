#pragma once

#include <bitset>

#include "model/rules/rules.h"

namespace ambit::rules {

/// The base sets and relations that a model uses.
struct BaseTerms {
  std::bitset<kBaseSets.size()> sets;
  std::bitset<kBaseRelations.size()> relations;
};
BaseTerms base_terms(const Rules& rules);

/// Simplifies the model for programs in which the base sets and relations in `empty` have no members, and returns the
/// result. Uses the laws of simplify(). Axioms, flags and orders keep their positions. `empty` must not contain a
/// relation that an execution chooses.
Rules without_members(const Rules& rules, const BaseTerms& empty);

}  // namespace ambit::rules
