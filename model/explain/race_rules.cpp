#include "model/explain/race_rules.h"

#include <algorithm>
#include <set>
#include <type_traits>

#include "model/rules/terms.h"

namespace ambit::explain {
namespace {

using rules::TermId;

/// Returns whether the base relation is a common property of two events rather than an order of the events.
bool is_likeness(BaseRelation relation) {
  switch (relation) {
    case BaseRelation::SameLocation:
    case BaseRelation::Identity:
    case BaseRelation::Internal:
    case BaseRelation::External:
    case BaseRelation::SameBlock:
    case BaseRelation::SameCluster:
    case BaseRelation::SameDevice:
    case BaseRelation::SameWarp:
    case BaseRelation::MbarrierBlock:
    case BaseRelation::InSpace:
    case BaseRelation::SameVirtualAddress: return true;
    default: return false;
  }
}

class RuleReader {
 public:
  explicit RuleReader(const rules::Rules& rules) : rules_(rules), conditions_(find_conditions(rules)) {
    for (const rules::Definition& definition : rules.definitions) named_.insert(definition.term);
  }

  RaceRule read(const rules::Flag& flag) {
    RaceRule rule;
    rule.conflict = flag.term;
    while (const auto* difference = std::get_if<rules::Difference>(&rules_.terms[rule.conflict])) {
      rule.is_difference = true;
      add(difference->right, rule);
      rule.conflict = difference->left;
    }
    rule.is_difference = rule.is_difference && flag.test == rules::Test::Empty && flag.negated;
    return rule;
  }

 private:
  void add(TermId term, RaceRule& rule) {
    const auto* both = std::get_if<rules::Union>(&rules_.terms[term]);
    if (both != nullptr && !named_.contains(term)) {
      add(both->left, rule);
      add(both->right, rule);
      return;
    }
    if (const auto* inverse = std::get_if<rules::Inverse>(&rules_.terms[term])) return add(inverse->argument, rule);
    const bool known = std::any_of(rule.exceptions.begin(), rule.exceptions.end(),
                                   [&](const RaceRule::Exception& exception) { return exception.term == term; });
    if (!known) rule.exceptions.push_back({term, conditions_[term]});
  }

  const rules::Rules& rules_;
  std::vector<bool> conditions_;
  std::set<TermId> named_;
};

}  // namespace

RaceRule race_rule(const rules::Rules& rules, const rules::Flag& flag) { return RuleReader(rules).read(flag); }

std::vector<bool> find_conditions(const rules::Rules& rules) {
  std::vector<bool> conditions(rules.terms.size(), false);
  for (TermId term = 0; term < rules.terms.size(); ++term) {
    conditions[term] = std::visit(
        [&](const auto& op) {
          using Operator = std::decay_t<decltype(op)>;
          if constexpr (std::is_same_v<Operator, rules::BaseRelationTerm>) {
            return is_likeness(op.relation);
          } else if constexpr (std::is_same_v<Operator, rules::OrderTerm> ||
                               std::is_same_v<Operator, rules::FixpointTerm>) {
            return false;
          } else if constexpr (std::is_same_v<Operator, rules::Complement> ||
                               std::is_same_v<Operator, rules::Product> ||
                               std::is_same_v<Operator, rules::SetIdentity>) {
            return true;
          } else {
            bool all = true;
            rules::for_each_argument(rules.terms[term], [&](TermId argument) {
              all = all && argument < conditions.size() &&
                    (rules.kinds[argument] == rules::Kind::Set || conditions[argument]);
            });
            return all;
          }
        },
        rules.terms[term]);
  }
  return conditions;
}

}  // namespace ambit::explain
