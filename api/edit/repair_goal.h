#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "api/check/explanation.h"
#include "model/repair/level_search.h"
#include "model/termination/termination.h"
#include "model/verdict/verdict.h"

namespace ambit::api {

/// A model's answers about a program, for a repair.
struct ModelAnswers {
  std::optional<events::Possibility> race;     ///< absent if not queried
  std::optional<events::Possibility> outcome;  ///< whether the outcome can happen
  std::optional<Frequency> frequency;          ///< how often the condition's proposition holds
  std::optional<bool> terminates;
  /// Whether a failed assertion, an access out of bounds or a barrier divergence may happen.
  bool has_incident = false;
  bool has_execution = true;
  std::string unknown;                              ///< why an answer is unknown; empty if no answer is unknown
  std::optional<UnknownReason> reason;              ///< the kind of reason; absent if the program has an error
  std::shared_ptr<const events::EventGraph> graph;  ///< null after a question about termination only
  std::vector<events::FlaggedPair> races;
  std::optional<events::Outcome> holding;  ///< an outcome in which the condition's proposition is true
  std::optional<events::Outcome> failing;  ///< an outcome in which the condition's proposition is false
  std::vector<std::string> incidents;      ///< the kinds of incidents that may happen: "barrier divergence"
  std::vector<termination::Wait> waits;    ///< TerminationVerdict::waits, after a question about termination
};

/// All final values that a model allows for a program.
struct NamedOutcomes {
  std::vector<std::string> names;  ///< names of Program::observables
  std::vector<events::Outcome> outcomes;
};

/// Returns whether `changed` has an outcome that `reference` lacks. Compares only the names that both programs observe.
bool has_other_outcomes(const NamedOutcomes& changed, const NamedOutcomes& reference);

/// Answers questions about changed texts of a test under one model. The request's timeout covers all questions
/// together.
class RepairJudge {
 public:
  enum class Query : std::uint8_t { Race, Outcome, Termination, Verdicts, Incidents };

  /// The references must outlive the judge. `outcome`: the outcome for Query::Outcome; if empty, the test's own
  /// condition.
  RepairJudge(const ExplainRequest& request, parser::RulesPtr rules, const std::atomic<bool>& interrupted);

  /// Reads the test from a text. Errors: syntax errors; the text does not contain the test.
  Result<std::shared_ptr<const Program>> read(const SourceFilePtr& source) const;
  /// Answers a question. The time limit is the remaining time of the request, but at most `most`.
  ModelAnswers query(const std::shared_ptr<const Program>& program, Query question, verdict::Engine engine,
                     std::chrono::milliseconds most = std::chrono::hours(24));
  /// Returns the outcomes that the model allows or, if `sequential` is true, the outcomes that `sc` allows. Returns
  /// nothing if the limits were reached, or if the model has no answer.
  std::optional<NamedOutcomes> outcomes(const std::shared_ptr<const Program>& program, bool sequential);
  /// Sets the request's limits on `context`. The timeout is the remaining time, but at most `most`.
  void limit(Context& context, std::chrono::milliseconds most = std::chrono::hours(24)) const;
  std::chrono::milliseconds time_left() const;
  const rules::Rules& rules() const { return *rules_; }

 private:
  ModelAnswers termination(const std::shared_ptr<const Program>& program, verdict::Engine engine);

  const ExplainRequest& request_;
  parser::RulesPtr rules_;
  const std::atomic<bool>& interrupted_;
  std::chrono::steady_clock::time_point deadline_;
  verdict::Checker checker_;
};

}  // namespace ambit::api
