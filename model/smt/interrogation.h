#pragma once

#include <set>
#include <string>

#include "model/events/execution.h"
#include "model/smt/flag_groups.h"
#include "model/smt/problem.h"

namespace ambit::smt {

/// Queries a solver that contains an encoded problem. Each solution is evaluated for all questions, so that a question
/// that a solution answers needs no query.
class Interrogation {
 public:
  /// Creates an interrogation. All answers apply to executions in which the literals of `given` are true.
  Interrogation(const events::EventGraph& graph, const rules::Rules& rules, const events::Questions& questions,
                Context& context, SatSolver& solver, Problem& problem, std::vector<Lit> given = {});
  /// Copies those answers for which `known` has witnesses.
  void take(const events::Answers& known);
  /// Runs all queries. At a limit of the context, returns the answers found so far.
  events::Answers run();
  /// Returns the literals of `given` that the solver used to show that "the proposition holds" and "the bound is
  /// reached" are impossible. A smaller set of literals may be enough.
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
    Complete,  ///< complete executions in which no thread waits forever at a barrier
    Ended,     ///< complete executions, including executions in which threads wait forever
    All,       ///< complete executions, and executions that reach the loop bound
  };
  /// Checks whether the range contains an execution under the given literals and the assumption `question`. Counts,
  /// times and dumps the query. If the result is Unknown, sets Answers::unknown.
  Answer check(const Query& query, Lit question, Range range = Range::Complete);
  void dump(const std::string& name, std::span<const Lit> assumptions);
  /// Records all answers that follow from the solution of the last check for complete executions.
  void record_model();
  const std::shared_ptr<const events::Execution>& witness();
  void note(events::Witnessed& answer);
  /// Searches for a witness of `answer`, unless the answer already has a witness.
  void settle(const Query& query, events::Witnessed& answer, Lit question, Range range = Range::Complete);

  /// Returns the literals that explain why the last check found no solution.
  std::vector<Lit> reasons();

  void answer_all();
  /// Makes all remaining answers Unknown.
  void stop(const Stopped& stopped);
  void settle_bound();
  void query_update_orders();
  void query_proposition();
  /// Looks for a race for a short time, before all other questions.
  void glance_at_flags();
  void query_flags();
  /// Returns the pairs of Problem::flagged whose answer is unknown.
  std::vector<std::size_t> open_pairs() const;
  void query_outcomes();
  /// Returns groups of indices of observables. Clauses connect the values of observables only within a group. Must be
  /// called before other questions define their literals, because these literals would connect more observables.
  std::vector<std::vector<std::size_t>> independent_observables();
  /// Returns all combinations of values that the observables of one group can have.
  std::set<events::Outcome> outcomes_of(const std::vector<std::size_t>& group, std::size_t number);
  /// Finds a combination that is not in `found`, and adds it. Returns false if no further combination exists.
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
  std::shared_ptr<const events::Execution> witness_;  ///< the witness from the last solution, built on first use
  std::vector<std::vector<std::size_t>> observable_groups_;
  std::vector<bool> found_;  ///< for each element of Problem::flagged, whether it was found
  FlagGroups groups_;
  std::vector<Lit> assumptions_;
  std::optional<std::vector<Lit>> plain_reasons_;  ///< reasons of the last check, if that check needed no solver
  unsigned query_count_ = 0;
};

}  // namespace ambit::smt
