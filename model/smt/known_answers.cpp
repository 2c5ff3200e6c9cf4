#include "model/smt/known_answers.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "model/smt/flag_groups.h"

namespace ambit::smt {

using events::EventId;
using events::Possibility;

namespace {

bool are_incidents_plain(const events::EventGraph& graph, const events::Answers& known) {
  for (std::size_t i = 0; i < graph.incidents.size(); ++i) {
    const bool is_impossible = graph.incidents[i].condition == events::ValueGraph::kFalse;
    if (!is_impossible && known.incidents[i].possibility != Possibility::Possible) return false;
  }
  return true;
}

/// Returns the pairs that flags may relate, or nothing if some flag is raised by the absence of pairs.
std::optional<std::vector<Problem::FlaggedLiteral>> possible_pairs(Problem& problem, const rules::Rules& rules) {
  std::vector<Problem::FlaggedLiteral> pairs;
  for (std::uint32_t i = 0; i < rules.flags.size(); ++i) {
    const rules::Flag& flag = rules.flags[i];
    if (!flag.negated) return std::nullopt;
    problem.bounds().of(flag.term).may.for_each([&](EventId a, EventId b) {
      if (flag.test == rules::Test::Empty || a == b) pairs.push_back({i, a, b, kTrue});
    });
  }
  return pairs;
}

}  // namespace

KnownFlags::KnownFlags(const events::Answers& known) {
  for (std::uint32_t i = 0; i < known.flags.size(); ++i) {
    for (const events::FlaggedPair& pair : known.flags[i].pairs) {
      const auto [first, second] = std::minmax(pair.first, pair.second);
      witnesses_.try_emplace({i, first, second}, pair.witness);
    }
  }
}

std::shared_ptr<const events::Execution> KnownFlags::witness(std::uint32_t flag, EventId a, EventId b) const {
  const auto [first, second] = std::minmax(a, b);
  const auto found = witnesses_.find({flag, first, second});
  return found == witnesses_.end() ? nullptr : found->second;
}

bool settle(Problem& problem, const events::EventGraph& graph, const rules::Rules& rules,
            const events::Questions& questions, const events::Answers& known) {
  const bool has_condition = questions.proposition && graph.program->condition.proposition;
  if (!known.any.witness || has_condition || questions.outcomes || questions.holds_only) return false;
  if (graph.bound_reached != events::ValueGraph::kFalse) return false;
  if (questions.incidents && !are_incidents_plain(graph, known)) return false;
  if (questions.flags) {
    auto pairs = possible_pairs(problem, rules);
    if (!pairs) return false;
    FlagGroups groups(graph, *pairs);
    const KnownFlags flags(known);
    for (std::size_t i = 0; i < pairs->size(); ++i) {
      const Problem::FlaggedLiteral& pair = (*pairs)[i];
      if (flags.witness(pair.flag, pair.first, pair.second)) groups.show(i);
    }
    for (std::size_t i = 0; i < pairs->size(); ++i) {
      const Problem::FlaggedLiteral& pair = (*pairs)[i];
      // With every_pair, each pair needs an answer. Without an encoding, the remaining pairs would have no answer.
      const bool is_known =
          questions.every_pair ? flags.witness(pair.flag, pair.first, pair.second) != nullptr : groups.is_shown(i);
      if (!is_known) return false;
    }
    problem.flagged = *std::move(pairs);
  }
  if (questions.incidents) problem.incidents.assign(graph.incidents.size(), kFalse);
  return true;
}

}  // namespace ambit::smt
