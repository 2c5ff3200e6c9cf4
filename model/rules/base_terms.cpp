#include "model/rules/base_terms.h"

namespace ambit::rules {

BaseTerms base_terms(const Rules& rules) {
  BaseTerms result;
  for (const Term& term : rules.terms) {
    if (const auto* set = std::get_if<BaseSetTerm>(&term)) {
      result.sets.set(static_cast<std::size_t>(set->set));
    } else if (const auto* relation = std::get_if<BaseRelationTerm>(&term)) {
      result.relations.set(static_cast<std::size_t>(relation->relation));
    }
  }
  return result;
}

}  // namespace ambit::rules
