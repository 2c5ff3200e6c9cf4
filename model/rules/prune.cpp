#include "model/rules/rules.h"

#include <optional>

#include "base/assert.h"
#include "model/rules/terms.h"

namespace ambit::rules {
namespace {

/// Returns, for each TermId, whether some axiom, flag or order uses the term.
std::vector<bool> used_terms(const Rules& rules) {
  std::vector<bool> used(rules.terms.size(), false);
  std::vector<TermId> open;
  const auto use = [&](TermId id) {
    if (used[id]) return;
    used[id] = true;
    open.push_back(id);
  };
  for (const Axiom& axiom : rules.axioms) use(axiom.term);
  for (const Flag& flag : rules.flags) use(flag.term);
  for (const OrderDeclaration& order : rules.orders) use(order.set);
  while (!open.empty()) {
    const Term& term = rules.terms[open.back()];
    open.pop_back();
    for_each_argument(term, use);
    if (const auto* variable = std::get_if<FixpointTerm>(&term)) use(rules.fixpoints[variable->fixpoint].body);
  }
  return used;
}

/// Copies the fixed points that have a used variable, and renumbers their groups. The caller sets bodies and variables
/// later. `place` maps each old index to the new index.
void copy_fixpoints(const Rules& rules, const std::vector<bool>& used, Rules& out,
                    std::vector<std::optional<std::uint32_t>>& place) {
  std::optional<std::uint32_t> last_group;
  std::uint32_t groups = 0;
  for (std::size_t i = 0; i < rules.fixpoints.size(); ++i) {
    if (!used[rules.fixpoints[i].variable]) continue;
    place[i] = static_cast<std::uint32_t>(out.fixpoints.size());
    if (last_group != rules.fixpoints[i].group) ++groups;
    last_group = rules.fixpoints[i].group;
    out.fixpoints.push_back(rules.fixpoints[i]);
    out.fixpoints.back().group = groups - 1;
  }
}

}  // namespace

Rules prune(const Rules& rules) {
  const std::vector<bool> used = used_terms(rules);
  Rules out;
  out.name = rules.name;
  out.title = rules.title;
  out.mappings = rules.mappings;
  out.options = rules.options;
  out.orders = rules.orders;
  std::vector<std::optional<std::uint32_t>> fixpoint_place(rules.fixpoints.size());
  copy_fixpoints(rules, used, out, fixpoint_place);

  std::vector<TermId> place(rules.terms.size(), 0);
  const auto moved = [&](TermId id) { return place[id]; };
  for (TermId id = 0; id < rules.terms.size(); ++id) {
    if (!used[id]) continue;
    Term term = map_arguments(rules.terms[id], moved);
    if (auto* variable = std::get_if<FixpointTerm>(&term)) {
      AMBIT_ASSERT(fixpoint_place[variable->fixpoint].has_value());
      variable->fixpoint = fixpoint_place[variable->fixpoint].value_or(0);
    }
    place[id] = out.intern(term, rules.kinds[id]);
  }
  for (OrderDeclaration& order : out.orders) order.set = moved(order.set);
  for (Fixpoint& fixpoint : out.fixpoints) {
    fixpoint.variable = moved(fixpoint.variable);
    fixpoint.body = moved(fixpoint.body);
  }
  for (Axiom axiom : rules.axioms) {
    axiom.term = moved(axiom.term);
    out.axioms.push_back(std::move(axiom));
  }
  for (Flag flag : rules.flags) {
    flag.term = moved(flag.term);
    out.flags.push_back(std::move(flag));
  }
  const auto copy = [&](const std::vector<Definition>& from, std::vector<Definition>& to) {
    for (Definition definition : from) {
      if (!used[definition.term]) continue;
      definition.term = moved(definition.term);
      to.push_back(std::move(definition));
    }
  };
  copy(rules.definitions, out.definitions);
  copy(rules.calls, out.calls);
  return out;
}

}  // namespace ambit::rules
