// Finds the set of all outcomes: all solutions for the values of the observables, separately for each component.

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <utility>

#include "model/smt/interrogation.h"

namespace ambit::smt {
namespace {

/// Limit on the number of outcomes. If more outcomes exist, the answer lists no outcome.
constexpr std::size_t kMaxOutcomes = std::size_t{1} << 22U;

/// The possible combinations of values of the observables of one group.
struct GroupOutcomes {
  std::vector<std::size_t> group;
  std::set<events::Outcome> values;
};

bool are_too_many(const std::vector<GroupOutcomes>& parts) {
  std::size_t number = 1;
  for (const GroupOutcomes& part : parts) {
    if (part.values.size() > kMaxOutcomes / number) return true;
    number *= part.values.size();
  }
  return false;
}

events::Outcome with(events::Outcome outcome, const std::vector<std::size_t>& group, const events::Outcome& values) {
  for (std::size_t i = 0; i < group.size(); ++i) outcome[group[i]] = values[i];
  return outcome;
}

/// Returns all combinations in sorted order. Observables outside of all groups have their values in `shown`.
std::vector<events::Outcome> combined(const events::Outcome& shown, const std::vector<GroupOutcomes>& parts) {
  std::vector<events::Outcome> all = {shown};
  for (const GroupOutcomes& part : parts) {
    std::vector<events::Outcome> next;
    next.reserve(all.size() * part.values.size());
    for (const events::Outcome& before : all) {
      for (const events::Outcome& values : part.values) next.push_back(with(before, part.group, values));
    }
    all = std::move(next);
  }
  std::sort(all.begin(), all.end());
  return all;
}

/// Returns, in sorted order, `shown` and the combinations that differ from `shown` in only one
/// group.
std::vector<events::Outcome> each_varied(const events::Outcome& shown, const std::vector<GroupOutcomes>& parts) {
  std::set<events::Outcome> all = {shown};
  for (const GroupOutcomes& part : parts) {
    for (const events::Outcome& values : part.values) all.insert(with(shown, part.group, values));
  }
  return {all.begin(), all.end()};
}

}  // namespace

std::vector<std::vector<std::size_t>> Interrogation::independent_observables() {
  Literals& literals = problem_.literals();
  // A non-constant condition connects all observables, because the condition becomes clauses.
  if (problem_.unstuck != kTrue) {
    std::vector<std::size_t> all(problem_.outcomes.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    for (const auto& values : problem_.outcomes) {
      for (const Lit l : values) literals.prepare(l);
    }
    if (all.empty()) return {};
    return {std::move(all)};
  }
  for (const auto& values : problem_.outcomes) {
    for (const Lit l : values) {
      literals.prepare(l);
      literals.prepare(-l);
    }
  }
  std::map<std::uint32_t, std::size_t> group_of;  // the group of each component
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < problem_.outcomes.size(); ++i) {
    std::size_t target = groups.size();
    groups.push_back({i});
    for (const Lit l : problem_.outcomes[i]) {
      if (std::abs(literals.simplified(l)) == kTrue) continue;
      const auto [known, is_new] = group_of.try_emplace(literals.component(l), target);
      if (is_new || known->second == target) continue;
      // The observable connects two groups, so merge the later group into the earlier group.
      const std::size_t keep = std::min(known->second, target);
      const std::size_t drop = std::max(known->second, target);
      groups[keep].insert(groups[keep].end(), groups[drop].begin(), groups[drop].end());
      groups[drop].clear();
      for (auto& [component, group] : group_of) {
        if (group == drop) group = keep;
      }
      target = keep;
    }
  }
  std::erase_if(groups, [](const auto& group) { return group.empty(); });
  return groups;
}

bool Interrogation::find_outcome(const std::vector<std::size_t>& group, const Query& query, Lit active,
                                 std::set<events::Outcome>& found) {
  if (check(query, active) != Answer::Satisfiable) return false;
  problem_.read_model();
  std::vector<Lit> different = {-active};
  events::Outcome outcome;
  for (const std::size_t i : group) {
    for (std::size_t v = 0; v < problem_.outcomes[i].size(); ++v) {
      if (!problem_.is_true(problem_.outcomes[i][v])) continue;
      outcome.push_back(problem_.outcome_values[i][v]);
      different.push_back(-problem_.outcomes[i][v]);
      break;
    }
  }
  AMBIT_ASSERT(outcome.size() == group.size());
  found.insert(std::move(outcome));
  problem_.literals().require(different);
  return true;
}

std::set<events::Outcome> Interrogation::outcomes_of(const std::vector<std::size_t>& group, std::size_t number) {
  std::set<events::Outcome> found;
  try {
    const Lit active = problem_.literals().fresh();
    bool has_more = true;
    for (unsigned round = 1; has_more && !stopped(); ++round) {
      const Query query{fmt::format("outcomes-{}-{}", number, round), fmt::format("outcome {}", round)};
      has_more = find_outcome(group, query, active, found);
    }
  } catch (const Stopped& reached) {
    stop(reached);  // the outcomes found so far are part of the answer
  }
  return found;
}

void Interrogation::query_outcomes() {
  if (!answers_.any.witness) return;  // no witness exists, or no witness is known
  // Groups are independent. If some combinations of a group are unknown, use the values of this execution.
  std::vector<Value> nodes;
  const events::Outcome shown = events::outcome_of(graph_, *answers_.any.witness, nodes);
  std::vector<GroupOutcomes> parts;
  for (std::size_t g = 0; g < observable_groups_.size() && !stopped(); ++g) {
    GroupOutcomes part{observable_groups_[g], outcomes_of(observable_groups_[g], g + 1)};
    if (!part.values.empty()) parts.push_back(std::move(part));
  }
  if (are_too_many(parts)) {
    answers_.outcomes = each_varied(shown, parts);
    if (stopped()) return;
    answers_.unknown = UnknownReason::Unsupported;
    answers_.unknown_detail = fmt::format("there are more than {} outcomes", kMaxOutcomes);
  } else {
    answers_.outcomes = combined(shown, parts);
  }
}

}  // namespace ambit::smt
