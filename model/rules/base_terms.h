#pragma once

#include <bitset>

#include "model/rules/rules.h"

namespace ambit::rules {

/// The base sets and relations that a model looks at.
struct BaseTerms {
  std::bitset<kBaseSets.size()> sets;
  std::bitset<kBaseRelations.size()> relations;
};
BaseTerms base_terms(const Rules& rules);

/// The same model for programs in which the base sets and relations in `empty` have no members: what the laws of
/// simplify() make of it. Axioms, flags and orders keep their places. `empty` has no relation that an execution
/// chooses.
Rules without_members(const Rules& rules, const BaseTerms& empty);

}  // namespace ambit::rules
