#pragma once

#include <set>
#include <string>

#include "model/events/execution.h"
#include "model/smt/flag_groups.h"
#include "model/smt/problem.h"

namespace ambit::smt {

/// Asks a solver that holds an encoded problem. Every model found is looked at for all questions at once, and a
/// question that some model has answered is not asked again.
class Interrogation {
 public:
  /// All answers are about executions in which the literals of `given` hold.
  Interrogation(const events::EventGraph& graph, const rules::Rules& rules, const events::Questions& questions,
                Context& context, SatSolver& solver, Problem& problem, std::vector<Lit> given = {});
  /// Takes over what `known` shows by witnesses.
  void take(const events::Answers& known);
  /// Where the limits of the context are reached the answers are those found until then.
  events::Answers run();
  /// Of the given literals those because of which "the proposition holds" and "the bound is reached" are impossible;
  /// all that were used, not the fewest.
  const std::vector<Lit>& used() const { return used_; }

 private:
  using Answer = SatSolver::Answer;

  /// A query: its name in the files of --dump-smt, and what it asks in words for a user.
  struct Query {
    std::string name;
    std::string words;
  };

  /// Of which executions a check asks.
  enum class Range : std::uint8_t {
    Complete,  ///< complete ones, without threads that wait for ever at barriers
    Ended,     ///< the same with such threads
    All,       ///< those as well that reach the loop bound
  };
  /// One counted, timed, dumped check under the given literals, in the range, with one more assumption. Unknown sets
  /// Answers::unknown.
  Answer check(const Query& query, Lit question, Range range = Range::Complete);
  void dump(const std::string& name, std::span<const Lit> assumptions);
  /// Notes everything that the model of the last check shows of complete executions.
  void learn();
  const std::shared_ptr<const events::Execution>& witness();
  void note(events::Witnessed& answer);
  /// Asks for a witness of `answer` unless there is one.
  void settle(const Query& query, events::Witnessed& answer, Lit question, Range range = Range::Complete);

  /// Why the last check found no solution.
  std::vector<Lit> reasons();

  void ask_all();
  /// What is not answered is Unknown from now on.
  void stop(const Stopped& stopped);
  void settle_bound();
  void ask_update_orders();
  void ask_proposition();
  /// Looks for some race before all other questions, for a short time.
  void glance_at_flags();
  void ask_flags();
  /// Those of Problem::flagged of which nothing is known.
  std::vector<std::size_t> open_pairs() const;
  void ask_outcomes();
  /// Observables whose values clauses connect, by index. To be called before other questions define their literals,
  /// which would connect what they look at.
  std::vector<std::vector<std::size_t>> independent_observables();
  /// All combinations of values that the observables of one group can have.
  std::set<events::Outcome> outcomes_of(const std::vector<std::size_t>& group, std::size_t number);
  /// Adds one that is not in `found`; false where there are no more.
  bool find_outcome(const std::vector<std::size_t>& group, const Query& query, Lit active,
                    std::set<events::Outcome>& found);
  void finish_flags();
  bool stopped() const { return answers_.unknown.has_value(); }

  const events::EventGraph& graph_;
  const rules::Rules& rules_;
  events::Questions questions_;
  Context& context_;
  SatSolver& solver_;
  Problem& problem_;
  std::vector<Lit> given_;
  std::vector<Lit> used_;
  events::Answers answers_;
  std::shared_ptr<const events::Execution> witness_;  ///< of the last model, built when first needed
  std::vector<std::vector<std::size_t>> observable_groups_;
  std::vector<bool> found_;  ///< by Problem::flagged
  FlagGroups groups_;
  std::vector<Lit> assumptions_;
  std::optional<std::vector<Lit>> plain_reasons_;  ///< of the last check, if it did not take a solver
  unsigned query_count_ = 0;
};

}  // namespace ambit::smt
