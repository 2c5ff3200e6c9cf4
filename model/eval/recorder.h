#pragma once

#include <set>
#include <vector>

#include "model/eval/candidate.h"
#include "model/eval/orbits.h"
#include "model/events/execution.h"

namespace ambit::eval {

/// Collects the answers to the questions from a sequence of allowed executions. The witness of an answer is the first
/// execution that gives the answer.
class Recorder {
 public:
  /// If exchanges map a flagged pair to other pairs, these pairs are flagged, too.
  Recorder(const events::EventGraph& graph, const rules::Rules& rules, const events::Questions& questions,
           const Orbits& orbits);

  /// Returns whether an execution with this outcome could add to the answers. If the result is false, the search need
  /// not decide whether the execution is allowed.
  bool adds_answer(const events::Outcome& outcome, const Candidate& candidate) const;
  /// Returns whether all questions are answered, so that no more executions are needed.
  bool is_finished() const;
  bool wants_flags() const { return questions_.flags && !answers_.flags.empty(); }
  bool wants_count() const { return questions_.count; }
  /// Returns whether executions in which threads wait forever at barriers can change the answers.
  bool wants_stuck() const {
    return questions_.stuck_is_complete || wants_flags() || (questions_.incidents && !questions_.holds_only);
  }
  /// Returns whether the execution is relevant for all questions, not only for flags and incidents.
  bool is_complete(const Candidate& candidate) const {
    return questions_.stuck_is_complete || candidate.node(graph_.stuck) == 0;
  }
  /// Returns whether Questions::holds_only is set and the one question is answered. In this case, the loop bound has no
  /// effect on the answers.
  bool is_enough() const { return questions_.holds_only && answers_.holds.witness.has_value(); }

  /// Records a complete execution. Calls `make_execution()` only if the execution becomes a witness.
  template <typename MakeExecution>
  void record(const events::Outcome& outcome, const Candidate& candidate, MakeExecution&& make_execution);
  /// Records a raised flag. `reported` contains the pairs that the flag reports in an allowed execution.
  template <typename MakeExecution>
  void record_flag(std::size_t flag, const events::Relation& reported, MakeExecution&& make_execution);
  /// Returns whether a flag could report a pair that the answers do not contain yet. `upper` is an upper bound of the
  /// flag's relation.
  bool has_new_pair(std::size_t flag, const events::Relation& upper) const;
  void count_execution(const events::Outcome& outcome);
  void record_bound(events::Execution witness);

  /// Marks answers without a witness as Impossible. All complete executions must have been recorded.
  void complete();
  /// Like complete(), for prefixes that reach the loop bound.
  void complete_bound();
  events::Answers take() &&;

 private:
  template <typename MakeExecution>
  static void witness(events::Witnessed& answer, MakeExecution&& make_execution);
  void drop_mirrored_pairs();

  const events::EventGraph& graph_;
  const Orbits& orbits_;
  events::Questions questions_;
  const std::optional<Expr>& proposition_;
  events::Answers answers_;
  std::set<events::Outcome> outcomes_;
  std::vector<events::Relation> flagged_;  ///< for each flag, the pairs that the answer already contains
  std::uint64_t executions_ = 0;
  std::uint64_t executions_holding_ = 0;
};

template <typename MakeExecution>
void Recorder::witness(events::Witnessed& answer, MakeExecution&& make_execution) {
  if (answer.witness) return;
  answer.possibility = events::Possibility::Possible;
  answer.witness = make_execution();
}

template <typename MakeExecution>
void Recorder::record(const events::Outcome& outcome, const Candidate& candidate, MakeExecution&& make_execution) {
  if (is_complete(candidate)) {
    witness(answers_.any, make_execution);
    if (questions_.proposition && proposition_) {
      witness(events::holds(*proposition_, outcome) ? answers_.holds : answers_.fails, make_execution);
    }
    if (questions_.outcomes) outcomes_.insert(outcome);
  }
  for (std::size_t i = 0; i < answers_.incidents.size(); ++i) {
    if (candidate.node(graph_.incidents[i].condition) != 0) witness(answers_.incidents[i], make_execution);
  }
}

template <typename MakeExecution>
void Recorder::record_flag(std::size_t flag, const events::Relation& reported, MakeExecution&& make_execution) {
  events::FlagAnswer& answer = answers_.flags[flag];
  answer.possibility = events::Possibility::Possible;
  std::shared_ptr<const events::Execution> execution;
  reported.for_each([&](events::EventId a, events::EventId b) {
    if (flagged_[flag].contains(a, b)) return;
    flagged_[flag].insert(a, b);
    if (!execution) execution = std::make_shared<const events::Execution>(make_execution());
    answer.pairs.push_back({a, b, execution});
    orbits_.for_each_image({a, b}, *execution, [&](Orbits::Pair pair, const events::Execution& image) {
      if (flagged_[flag].contains(pair.first, pair.second)) return;
      flagged_[flag].insert(pair.first, pair.second);
      answer.pairs.push_back({pair.first, pair.second, std::make_shared<const events::Execution>(image)});
    });
  });
}

}  // namespace ambit::eval
