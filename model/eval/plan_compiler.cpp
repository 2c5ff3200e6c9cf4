#include "model/eval/plan.h"

#include <algorithm>
#include <numeric>

#include "base/assert.h"
#include "model/eval/step_writer.h"
#include "model/rules/terms.h"

namespace ambit::eval {

using rules::TermId;

Plan::Plan(const rules::Rules& rules) : terms(rules.terms), kinds(rules.kinds), rules_(&rules) {
  for (const rules::Fixpoint& fixpoint : rules.fixpoints) {
    if (fixpoint.group >= groups.size()) groups.resize(fixpoint.group + 1);
    groups[fixpoint.group].variables.push_back(fixpoint.variable);
    groups[fixpoint.group].bodies.push_back(fixpoint.body);
  }
  for (const rules::Axiom& axiom : rules.axioms) axioms.push_back({axiom.test, axiom.negated, axiom.term});
  reads_from = find_or_add(rules::BaseRelationTerm{BaseRelation::ReadsFrom});
  coherence = find_or_add(rules::BaseRelationTerm{BaseRelation::Coherence});
  add_groundedness();
  for (std::uint32_t i = 0; i < rules.orders.size(); ++i) {
    order_terms.push_back(find_or_add(rules::OrderTerm{i}));
    order_domains.push_back(rules.orders[i].set);
  }
  compute_levels();
  compute_open_groups();
  find_order_masks();

  const std::vector<std::size_t> sequence = axioms_by_cost();
  StepWriter exact(*this, kLevels, axiom_steps);
  for (const TermId domain : order_domains) {
    AMBIT_ASSERT(levels[domain] < Level::Order);
    exact.compute(domain, Bound::Lower);
  }
  for (const auto& masks : order_masks) {
    if (!masks) continue;
    for (const TermId mask : *masks) exact.compute(mask, Bound::Lower);
  }
  for (const std::size_t axiom : sequence) exact.test(axiom);
  exact.write_into(flag_steps);
  for (const rules::Flag& flag : rules.flags) {
    exact.compute(flag.term, Bound::Lower);
    flags_need_orders = flags_need_orders || levels[flag.term] == Level::Order;
  }
  write_bound_steps(sequence);
}

void Plan::write_bound_steps(const std::vector<std::size_t>& sequence) {
  for (std::size_t open = 0; open < kLevels; ++open) {
    StepWriter bounds(*this, open, bound_steps[open]);
    for (const std::size_t axiom : sequence) {
      if (static_cast<std::size_t>(levels[axioms[axiom].term]) >= open) bounds.test(axiom);
    }
    if (open != static_cast<std::size_t>(Level::Order)) continue;
    StepLists flag_bounds;
    bounds.write_into(flag_bounds);
    for (const rules::Flag& flag : rules_->flags) flag_upper_bounds.push_back(bounds.compute(flag.term, Bound::Upper));
    flag_bound_steps = std::move(flag_bounds[open]);
  }
}

void Plan::find_order_masks() {
  order_masks.assign(order_terms.size(), std::vector<TermId>{});
  const auto find_order = [&](TermId term) { return std::ranges::find(order_terms, term) - order_terms.begin(); };
  const auto note_use = [&](TermId order, std::optional<TermId> mask) {
    const auto index = static_cast<std::size_t>(find_order(order));
    if (index == order_terms.size() || !order_masks[index]) return;
    if (mask && levels[*mask] < Level::Order) {
      order_masks[index]->push_back(*mask);
    } else {
      order_masks[index] = std::nullopt;
    }
  };
  for (const rules::Term& term : terms) {
    if (const auto* both = std::get_if<rules::Intersection>(&term)) {
      note_use(both->left, both->right);
      note_use(both->right, both->left);
    } else {
      rules::for_each_argument(term, [&](TermId argument) { note_use(argument, std::nullopt); });
    }
  }
  for (const PlanAxiom& axiom : axioms) note_use(axiom.term, std::nullopt);
  for (const rules::Flag& flag : rules_->flags) note_use(flag.term, std::nullopt);
  for (const FixpointGroup& group : groups) {
    for (const TermId body : group.bodies) note_use(body, std::nullopt);
  }
}

TermId Plan::find_or_add(const rules::Term& term) {
  const auto found = std::ranges::find(terms, term);
  const auto id = static_cast<TermId>(found - terms.begin());
  if (found == terms.end()) {
    terms.push_back(term);
    kinds.push_back(rules::Kind::Relation);
  }
  return id;
}

void Plan::add_groundedness() {
  TermId support = reads_from;
  for (const BaseRelation base :
       {BaseRelation::AddressDependency, BaseRelation::DataDependency, BaseRelation::ReadModifyWritePair}) {
    const TermId dependency = find_or_add(rules::BaseRelationTerm{base});
    support = find_or_add(rules::Union{support, dependency});
  }
  axioms.push_back({rules::Test::Acyclic, false, support});
}

void Plan::compute_levels() {
  const auto leaf_level = [](const rules::Term& term) {
    if (std::holds_alternative<rules::OrderTerm>(term)) return Level::Order;
    const auto* base = std::get_if<rules::BaseRelationTerm>(&term);
    if (base == nullptr || !is_chosen(base->relation)) return Level::Static;
    return base->relation == BaseRelation::ReadsFrom ? Level::ReadsFrom : Level::Coherence;
  };
  levels.assign(terms.size(), Level::Static);
  for (bool changed = true; changed;) {
    changed = false;
    for (TermId id = 0; id < terms.size(); ++id) {
      Level level = leaf_level(terms[id]);
      rules::for_each_argument(terms[id], [&](TermId argument) { level = std::max(level, levels[argument]); });
      if (const auto* variable = std::get_if<rules::FixpointTerm>(&terms[id])) {
        for (const TermId body : groups[rules_->fixpoints[variable->fixpoint].group].bodies) {
          level = std::max(level, levels[body]);
        }
      }
      changed = changed || level != levels[id];
      levels[id] = level;
    }
    if (groups.empty()) break;  // one pass is enough, because each term follows its arguments
  }
}

void Plan::compute_open_groups() {
  open_.assign(groups.size(), std::vector<bool>(terms.size(), false));
  for (std::size_t group = 0; group < groups.size(); ++group) {
    std::vector<bool>& open = open_[group];
    for (const TermId variable : groups[group].variables) open[variable] = true;
    for (TermId id = 0; id < terms.size(); ++id) {
      rules::for_each_argument(terms[id], [&](TermId argument) { open[id] = open[id] || open[argument]; });
    }
  }
}

std::vector<std::size_t> Plan::axioms_by_cost() const {
  std::vector<std::size_t> cost(axioms.size(), 0);
  for (std::size_t i = 0; i < axioms.size(); ++i) {
    std::vector<bool> seen(terms.size(), false);
    std::vector<TermId> open = {axioms[i].term};
    while (!open.empty()) {
      const TermId term = open.back();
      open.pop_back();
      if (seen[term]) continue;
      seen[term] = true;
      ++cost[i];
      rules::for_each_argument(terms[term], [&](TermId argument) { open.push_back(argument); });
      if (const auto* variable = std::get_if<rules::FixpointTerm>(&terms[term])) {
        open.push_back(rules_->fixpoints[variable->fixpoint].body);
      }
    }
  }
  std::vector<std::size_t> result(axioms.size());
  std::iota(result.begin(), result.end(), std::size_t{0});
  std::ranges::stable_sort(result, [&](std::size_t a, std::size_t b) {
    const Level la = levels[axioms[a].term];
    const Level lb = levels[axioms[b].term];
    return la != lb ? la < lb : cost[a] < cost[b];
  });
  return result;
}

}  // namespace ambit::eval
