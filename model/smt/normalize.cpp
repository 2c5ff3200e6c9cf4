#include "model/smt/normalize.h"

#include <algorithm>

namespace ambit::smt {

using rules::Kind;
using rules::Test;

std::optional<rules::Rules> normalized(const rules::Rules& rules) {
  const auto negated_cycle = [](const auto& test) { return test.test == Test::Acyclic && test.negated; };
  const auto on_cycle = [](const rules::Flag& flag) { return flag.test == Test::Acyclic; };
  if (std::ranges::none_of(rules.axioms, negated_cycle) && std::ranges::none_of(rules.flags, on_cycle)) {
    return std::nullopt;
  }
  rules::Rules result = rules;
  for (rules::Axiom& axiom : result.axioms) {
    if (!negated_cycle(axiom)) continue;
    axiom.term = result.intern(rules::TransitiveClosure{axiom.term}, Kind::Relation);
    axiom.test = Test::Irreflexive;
  }
  for (rules::Flag& flag : result.flags) {
    if (!on_cycle(flag)) continue;
    const rules::TermId closure = result.intern(rules::TransitiveClosure{flag.term}, Kind::Relation);
    if (flag.negated) {
      const rules::TermId back = result.intern(rules::Inverse{closure}, Kind::Relation);
      flag.term = result.intern(rules::Intersection{flag.term, back}, Kind::Relation);
      flag.test = Test::Empty;
    } else {
      flag.term = closure;
      flag.test = Test::Irreflexive;
    }
  }
  return result;
}

}  // namespace ambit::smt
