#pragma once

#include <set>
#include <vector>

#include "model/eval/candidate.h"
#include "model/eval/orbits.h"
#include "model/events/execution.h"

namespace ambit::eval {

/// Collects the answers to the questions asked, from one allowed execution after the other. Of every answer the first
/// witness is kept.
class Recorder {
 public:
  /// What exchanges make of a flagged pair is flagged as well.
  Recorder(const events::EventGraph& graph, const rules::Rules& rules, const events::Questions& questions,
           const Orbits& orbits);

  /// False when an execution with this outcome could teach nothing new: whether it is allowed need not be found out.
  bool could_learn(const events::Outcome& outcome, const Candidate& candidate) const;
  /// All that was asked is answered: no more executions are needed.
  bool is_finished() const;
  bool wants_flags() const { return questions_.flags && !answers_.flags.empty(); }
  bool wants_count() const { return questions_.count; }
  /// Executions in which threads wait for ever at barriers can teach something.
  bool wants_stuck() const {
    return questions_.stuck_is_complete || wants_flags() || (questions_.incidents && !questions_.holds_only);
  }
  /// The execution counts for all questions, not for flags and incidents only.
  bool is_complete(const Candidate& candidate) const {
    return questions_.stuck_is_complete || candidate.node(graph_.stuck) == 0;
  }
  /// The one question of Questions::holds_only is answered: the loop bound does not matter.
  bool is_enough() const { return questions_.holds_only && answers_.holds.witness.has_value(); }

  /// `make_execution()` builds the execution, called only when it becomes a witness.
  template <typename MakeExecution>
  void record(const events::Outcome& outcome, const Candidate& candidate, MakeExecution&& make_execution);
  /// `related` is the flag's relation, or the set as its identity, in an allowed execution in which it is raised.
  template <typename MakeExecution>
  void record_flag(std::size_t flag, const events::Relation& reported, MakeExecution&& make_execution);
  /// Could a flag whose relation is at most `upper` report a pair that is not listed yet?
  bool has_new_pair(std::size_t flag, const events::Relation& upper) const;
  void count_execution(const events::Outcome& outcome);
  void record_bound(events::Execution witness);

  /// Every complete execution has been recorded: what was not found is Impossible.
  void complete();
  /// The same for prefixes that reach the loop bound.
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
  std::vector<events::Relation> flagged_;  ///< by flag: pairs already in the answer
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
