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

}  // namespace ambit::rules
