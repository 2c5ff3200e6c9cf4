// The set of all outcomes: all solutions over the observables' values, component by component.

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "model/smt/questions.h"

namespace ambit::smt {
namespace {

/// More outcomes than this are not listed.
constexpr std::size_t kMaxOutcomes = std::size_t{1} << 22U;

}  // namespace

std::vector<std::vector<std::size_t>> Interrogation::independent_observables() {
  Literals& literals = problem_.literals();
  for (const auto& values : problem_.outcomes) {
    for (const Lit l : values) {
      literals.prepare(l);
      literals.prepare(-l);
    }
  }
  std::map<std::uint32_t, std::size_t> group_of;  // by component
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < problem_.outcomes.size(); ++i) {
    std::size_t target = groups.size();
    groups.push_back({i});
    for (const Lit l : problem_.outcomes[i]) {
      if (std::abs(literals.simplified(l)) == kTrue) continue;
      const auto [known, is_new] = group_of.try_emplace(literals.component(l), target);
      if (is_new || known->second == target) continue;
      // One observable joins two groups: the later one is emptied into the earlier.
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

std::set<events::Outcome> Interrogation::outcomes_of(const std::vector<std::size_t>& group, std::size_t number) {
  Literals& literals = problem_.literals();
  const Lit active = literals.fresh();
  std::set<events::Outcome> result;
  for (unsigned round = 1; !stopped(); ++round) {
    if (check(fmt::format("outcomes-{}-{}", number, round), active) != Answer::Satisfiable) break;
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
    result.insert(std::move(outcome));
    literals.require(different);
  }
  return result;
}

void Interrogation::ask_outcomes() {
  if (stopped() || answers_.any.possibility == events::Possibility::Impossible) return;
  std::vector<events::Outcome> all = {events::Outcome(problem_.outcomes.size())};
  const auto& groups = observable_groups_;
  for (std::size_t g = 0; g < groups.size() && !stopped(); ++g) {
    const std::set<events::Outcome> some = outcomes_of(groups[g], g + 1);
    if (all.size() * some.size() > kMaxOutcomes) {
      answers_.unknown = UnknownReason::Unsupported;
      answers_.unknown_detail = fmt::format("there are more than {} outcomes", kMaxOutcomes);
      break;
    }
    std::vector<events::Outcome> combined;
    combined.reserve(all.size() * some.size());
    for (const events::Outcome& before : all) {
      for (const events::Outcome& part : some) {
        combined.push_back(before);
        for (std::size_t i = 0; i < groups[g].size(); ++i) combined.back()[groups[g][i]] = part[i];
      }
    }
    all = std::move(combined);
  }
  if (stopped() && groups.size() > 1) return;  // combinations are not complete
  std::sort(all.begin(), all.end());
  answers_.outcomes = std::move(all);
}

}  // namespace ambit::smt
