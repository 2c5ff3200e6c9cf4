#pragma once

#include <set>
#include <string>

#include "model/events/execution.h"
#include "model/smt/flag_groups.h"
#include "model/smt/problem.h"

namespace ambit::smt {

/// Queries a solver that holds an encoded problem. Each model found is evaluated for all questions at once, so that no
/// question with a known answer needs another query.
class Interrogation {
 public:
  /// All answers are about executions in which the literals of `given` hold.
  Interrogation(const events::EventGraph& graph, const rules::Rules& rules, const events::Questions& questions,
                Context& context, SatSolver& solver, Problem& problem, std::vector<Lit> given = {});
  /// Adopts the answers that `known` has witnesses for.
  void take(const events::Answers& known);
  /// Runs all queries. At a limit of the context it returns the answers found until then.
  events::Answers run();
  /// Returns the given literals that make "the proposition holds" and "the bound is reached" impossible: all that were
  /// used, not the fewest.
  const std::vector<Lit>& used() const { return used_; }

 private:
  using Answer = SatSolver::Answer;

  /// A query: its name in the files of --dump-smt, and its description for the user.
  struct Query {
    std::string name;
    std::string words;
  };

  /// The executions that a check covers.
  enum class Range : std::uint8_t {
    Complete,  ///< complete ones, without threads that wait forever at barriers
    Ended,     ///< complete ones, and those with such threads
    All,       ///< also those that reach the loop bound
  };
  /// Runs one counted, timed, dumped check under the given literals, in the range, with one more assumption. Unknown
  /// sets Answers::unknown.
  Answer check(const Query& query, Lit question, Range range = Range::Complete);
  void dump(const std::string& name, std::span<const Lit> assumptions);
  /// Records everything that the model of the last check shows about complete executions.
  void record_model();
  const std::shared_ptr<const events::Execution>& witness();
  void note(events::Witnessed& answer);
  /// Looks for a witness of `answer` unless it has one.
  void settle(const Query& query, events::Witnessed& answer, Lit question, Range range = Range::Complete);

  /// Returns the literals that explain why the last check found no solution.
  std::vector<Lit> reasons();

  void answer_all();
  /// Makes all remaining answers Unknown.
  void stop(const Stopped& stopped);
  void settle_bound();
  void query_update_orders();
  void query_proposition();
  /// Looks for a race before all other questions, for a short time.
  void glance_at_flags();
  void query_flags();
  /// Returns the pairs of Problem::flagged whose answer is unknown.
  std::vector<std::size_t> open_pairs() const;
  void query_outcomes();
  /// Returns, by index, groups of observables whose values clauses connect. To be called before other questions define
  /// their literals, which would connect more observables.
  std::vector<std::vector<std::size_t>> independent_observables();
  /// Returns all combinations of values that the observables of one group can have.
  std::set<events::Outcome> outcomes_of(const std::vector<std::size_t>& group, std::size_t number);
  /// Adds a combination that is not in `found`; returns false if there are no more.
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
  std::optional<std::vector<Lit>> plain_reasons_;  ///< of the last check, if it did not need the solver
  unsigned query_count_ = 0;
};

}  // namespace ambit::smt
