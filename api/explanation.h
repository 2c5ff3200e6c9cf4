#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "api/checking_options.h"
#include "core/program.h"
#include "model/explain/outcome_causes.h"
#include "model/explain/race_causes.h"
#include "model/verdict/verdict.h"
#include "parser/cat/model_store.h"
#include "report/draw/picture.h"
#include "report/text/explain_text.h"

namespace ambit::api {

/// A question of a user: one test, one model, one outcome or the race.
struct ExplainRequest {
  CheckingOptions checking = {};
  std::string file = {};
  std::string test = {};                              ///< one test of a file that holds several; empty: the only one
  std::optional<std::string> outcome = std::nullopt;  ///< none: the test's own condition
  bool race = false;
};

/// A question about one test and one model.
struct ExplainQuestion {
  std::shared_ptr<const Program> program;  ///< its proposition is the outcome to explain, unless about_race
  parser::RulesPtr rules;
  bool about_race = false;
  std::string text = {};  ///< the outcome as the user or the test wrote it
};

/// Reads test and model. Without outcome and race, the question is the test's own (own_question). Without a model,
/// model_to_explain chooses from the models that the test's expectations name. Errors: those of the files; several
/// models; an outcome that cannot be read; a file with several tests.
Result<ExplainQuestion> read_question(const ExplainRequest& request, const std::atomic<bool>& interrupted);

/// Returns the question about the test's own condition, which it must have; for `forall`: whether it can fail.
ExplainQuestion condition_question(const std::shared_ptr<const Program>& program, const parser::RulesPtr& rules);
/// Returns the test's own question: the race if a suite labels the test or it has no condition, else the condition.
ExplainQuestion own_question(const std::shared_ptr<const Program>& program, const parser::RulesPtr& rules);

/// Chooses the model to explain; null: there are none. Prefers models whose answer about races is the suite's label,
/// and among them models closest to how suites read tests. Otherwise returns the first model that defines races, or the
/// first. `races`, by model: its answer, if it has one. `label`: the suite's label, if the test has one.
parser::RulesPtr model_to_explain(const std::vector<parser::RulesPtr>& models,
                                  const std::vector<std::optional<bool>>& races, std::optional<bool> label);

/// Explains why a model allows or forbids an outcome, or why a program races or not.
class Explanation {
 public:
  Explanation(explain::OutcomeExplanation of, std::string question)
      : of_(std::move(of)), question_(std::move(question)) {}
  explicit Explanation(explain::RaceExplanation of) : of_(std::move(of)) {}

  events::Possibility possibility() const;
  /// Returns the accesses of the race that the text explains; empty: it explains no race.
  std::vector<SourceSpan> accesses() const;
  /// Returns the explanation in plain English (docs/explain.md). `full`: every path, pair and step.
  std::string text(const report::Style& style, const report::ExplainOptions& options) const;
  std::string json(std::string_view version) const;
  /// Absent if there is no execution to draw.
  std::optional<report::Picture> picture(const report::PictureOptions& options = {}) const;

 private:
  std::variant<explain::OutcomeExplanation, explain::RaceExplanation> of_;
  std::string question_;
};

/// Errors: those of the check.
Result<Explanation> explain_question(const ExplainQuestion& question, verdict::Checker& checker,
                                     const verdict::CheckOptions& engine, const explain::RaceOptions& races,
                                     Context& context);

/// Returns the explanation in plain English under the usual limits; empty if the check has an error.
std::string explanation_text(const ExplainQuestion& question, const std::atomic<bool>& interrupted);

/// Converts an outcome as reports show it, "x == 1, P0:r0 == 2", into the proposition that ExplainRequest::outcome
/// takes.
std::string outcome_proposition(std::string outcome);

}  // namespace ambit::api
