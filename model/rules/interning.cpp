#include "model/rules/rules.h"

#include "base/assert.h"
#include "base/hash.h"
#include "model/rules/terms.h"

namespace ambit::rules {
namespace {

std::size_t hash(const Term& term, Kind kind) {
  std::size_t seed = combine_hash(term.index(), static_cast<std::size_t>(kind));
  for_each_argument(term, [&](TermId argument) { seed = combine_hash(seed, argument); });
  if (const auto* set = std::get_if<BaseSetTerm>(&term)) seed = combine_hash(seed, static_cast<std::size_t>(set->set));
  if (const auto* relation = std::get_if<BaseRelationTerm>(&term)) {
    seed = combine_hash(seed, static_cast<std::size_t>(relation->relation));
  }
  if (const auto* order = std::get_if<OrderTerm>(&term)) seed = combine_hash(seed, order->order);
  if (const auto* fixpoint = std::get_if<FixpointTerm>(&term)) seed = combine_hash(seed, fixpoint->fixpoint);
  return seed;
}

/// Returns the union or intersection after an exchange of its two arguments.
std::optional<Term> commuted(const Term& term) {
  if (const auto* op = std::get_if<Union>(&term)) return Union{op->right, op->left};
  if (const auto* op = std::get_if<Intersection>(&term)) return Intersection{op->right, op->left};
  return std::nullopt;
}

Monotonicity join(Monotonicity a, Monotonicity b) {
  if (a == b || b == Monotonicity::Independent) return a;
  return a == Monotonicity::Independent ? b : Monotonicity::Mixed;
}

Monotonicity flip(Monotonicity m) {
  switch (m) {
    case Monotonicity::Increasing: return Monotonicity::Decreasing;
    case Monotonicity::Decreasing: return Monotonicity::Increasing;
    case Monotonicity::Independent:
    case Monotonicity::Mixed: return m;
  }
  AMBIT_ASSERT(false);
  return m;
}

/// Returns how `term` depends on the sources. `known` contains the dependences of the arguments of `term`.
Monotonicity of_arguments(const Term& term, const std::vector<Monotonicity>& known) {
  if (const auto* complement = std::get_if<Complement>(&term)) return flip(known[complement->argument]);
  if (const auto* difference = std::get_if<Difference>(&term)) {
    return join(known[difference->left], flip(known[difference->right]));
  }
  Monotonicity all = Monotonicity::Independent;
  for_each_argument(term, [&](TermId argument) { all = join(all, known[argument]); });
  return all;
}

bool is_chosen_leaf(const Term& term) {
  if (std::holds_alternative<OrderTerm>(term)) return true;
  const auto* base = std::get_if<BaseRelationTerm>(&term);
  return base != nullptr && is_chosen(base->relation);
}

}  // namespace

TermId Rules::intern(const Term& term, Kind kind) {
  if (const std::optional<TermId> simpler = simplify(*this, term, kind)) return *simpler;
  const auto find = [&](const Term& wanted, std::size_t at) -> std::optional<TermId> {
    const auto [first, last] = index_.equal_range(at);
    for (auto it = first; it != last; ++it) {
      if (terms[it->second] == wanted && kinds[it->second] == kind) return it->second;
    }
    return std::nullopt;
  };
  const std::size_t at = hash(term, kind);
  if (const auto known = find(term, at)) return *known;
  if (const auto swapped = commuted(term)) {
    if (const auto known = find(*swapped, hash(*swapped, kind))) return *known;
  }
  const auto id = static_cast<TermId>(terms.size());
  for_each_argument(term, [&](TermId argument) { AMBIT_ASSERT(argument < id); });
  terms.push_back(term);
  kinds.push_back(kind);
  index_.emplace(at, id);
  return id;
}

std::vector<bool> static_terms(const Rules& rules) {
  // Computes the greatest solution: a fixed point is static unless its body uses a chosen relation. A use of the fixed
  // point's own variable in its body does not matter.
  std::vector<bool> result(rules.terms.size(), true);
  for (bool changed = true; changed;) {
    changed = false;
    for (TermId id = 0; id < rules.terms.size(); ++id) {
      bool is_static = !is_chosen_leaf(rules.terms[id]);
      for_each_argument(rules.terms[id], [&](TermId argument) { is_static = is_static && result[argument]; });
      if (const auto* variable = std::get_if<FixpointTerm>(&rules.terms[id])) {
        is_static = result[rules.fixpoints[variable->fixpoint].body];
      }
      changed = changed || is_static != result[id];
      result[id] = is_static;
    }
  }
  return result;
}

std::vector<Monotonicity> monotonicity(const Rules& rules, const std::vector<bool>& sources) {
  // Computes the least solution, because a fixed point depends on the sources in the same way as its body. The order is
  // Independent < Increasing, Decreasing < Mixed.
  std::vector<Monotonicity> result(rules.terms.size(), Monotonicity::Independent);
  for (bool changed = true; changed;) {
    changed = false;
    for (TermId id = 0; id < rules.terms.size(); ++id) {
      Monotonicity m = of_arguments(rules.terms[id], result);
      if (const auto* variable = std::get_if<FixpointTerm>(&rules.terms[id])) {
        m = result[rules.fixpoints[variable->fixpoint].body];
      }
      if (sources[id]) m = join(m, Monotonicity::Increasing);
      changed = changed || m != result[id];
      result[id] = m;
    }
  }
  return result;
}

}  // namespace ambit::rules
