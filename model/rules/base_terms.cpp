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

Rules without_members(const Rules& rules, const BaseTerms& empty) {
  Rules copy = rules;
  for (Term& term : copy.terms) {
    const auto* set = std::get_if<BaseSetTerm>(&term);
    const auto* relation = std::get_if<BaseRelationTerm>(&term);
    const bool is_empty = (set != nullptr && empty.sets.test(static_cast<std::size_t>(set->set))) ||
                          (relation != nullptr && empty.relations.test(static_cast<std::size_t>(relation->relation)));
    if (is_empty) term = Empty{};
  }
  // Interning simplifies terms, and terms that are no longer used remain in the list. So prune twice.
  return prune(prune(copy));
}

}  // namespace ambit::rules
