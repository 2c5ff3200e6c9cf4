#include "model/eval/recorder.h"

#include <algorithm>

namespace ambit::eval {

using events::Possibility;

Recorder::Recorder(const events::EventGraph& graph, const rules::Rules& rules, const events::Questions& questions,
                   const Orbits& orbits)
    : graph_(graph), orbits_(orbits), questions_(questions), proposition_(graph.program->condition.proposition) {
  answers_.flags.resize(rules.flags.size());
  answers_.incidents.resize(graph.incidents.size());
  if (!questions.incidents) answers_.incidents.clear();
  flagged_.assign(questions.flags ? rules.flags.size() : 0, events::Relation(graph.size()));
}

bool Recorder::adds_answer(const events::Outcome& outcome, const Candidate& candidate) const {
  if (questions_.holds_only) return !is_enough() && is_complete(candidate) && events::holds(*proposition_, outcome);
  if (wants_flags()) return true;
  if (is_complete(candidate) && (wants_count() || !answers_.any.witness)) return true;
  for (std::size_t i = 0; i < answers_.incidents.size(); ++i) {
    if (!answers_.incidents[i].witness && candidate.node(graph_.incidents[i].condition) != 0) return true;
  }
  if (!is_complete(candidate)) return false;
  if (questions_.outcomes) return !outcomes_.contains(outcome);
  if (!questions_.proposition || !proposition_) return false;
  return !(events::holds(*proposition_, outcome) ? answers_.holds : answers_.fails).witness;
}

bool Recorder::is_finished() const {
  if (questions_.holds_only) return is_enough();
  if (wants_flags() || wants_count() || questions_.outcomes || !answers_.any.witness) return false;
  const auto is_open = [](const events::Witnessed& answer) { return !answer.witness.has_value(); };
  if (std::ranges::any_of(answers_.incidents, is_open)) return false;
  return !questions_.proposition || !proposition_ || (answers_.holds.witness && answers_.fails.witness);
}

bool Recorder::has_new_pair(std::size_t flag, const events::Relation& upper) const {
  events::Relation fresh = upper;
  fresh -= flagged_[flag];
  return !fresh.empty();
}

void Recorder::count_execution(const events::Outcome& outcome) {
  ++executions_;
  if (!proposition_ || events::holds(*proposition_, outcome)) ++executions_holding_;
}

void Recorder::record_bound(events::Execution witness) {
  answers_.bound.possibility = Possibility::Possible;
  answers_.bound.witness = std::move(witness);
}

void Recorder::drop_mirrored_pairs() {
  for (std::size_t flag = 0; flag < flagged_.size(); ++flag) {
    auto& pairs = answers_.flags[flag].pairs;
    std::erase_if(pairs, [&](const events::FlaggedPair& pair) {
      return pair.second < pair.first && flagged_[flag].contains(pair.second, pair.first);
    });
    std::ranges::sort(pairs, {}, [](const events::FlaggedPair& p) { return std::pair(p.first, p.second); });
  }
}

void Recorder::complete() {
  const auto settle = [](Possibility& possibility) {
    if (possibility == Possibility::Unknown) possibility = Possibility::Impossible;
  };
  if (questions_.holds_only) return settle(answers_.holds.possibility);
  settle(answers_.any.possibility);
  if (questions_.proposition && proposition_) {
    settle(answers_.holds.possibility);
    settle(answers_.fails.possibility);
  }
  if (questions_.flags) {
    for (auto& flag : answers_.flags) settle(flag.possibility);
  }
  for (auto& incident : answers_.incidents) settle(incident.possibility);
  if (!questions_.count) return;
  answers_.executions = executions_;
  answers_.executions_holding = executions_holding_;
}

void Recorder::complete_bound() {
  if (answers_.bound.possibility == Possibility::Unknown) answers_.bound.possibility = Possibility::Impossible;
}

events::Answers Recorder::take() && {
  drop_mirrored_pairs();
  answers_.incidents.resize(graph_.incidents.size());
  answers_.outcomes.assign(outcomes_.begin(), outcomes_.end());
  return std::move(answers_);
}

}  // namespace ambit::eval
