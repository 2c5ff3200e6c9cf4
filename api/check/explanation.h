#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "api/check/checking_options.h"
#include "core/program.h"
#include "model/explain/outcome_causes.h"
#include "model/explain/race_causes.h"
#include "model/verdict/verdict.h"
#include "parser/cat/model_store.h"
#include "report/draw/picture.h"
#include "report/text/explain_text.h"

namespace ambit::api {

/// A user's question about one test and one model: a question about one outcome or about the race.
struct ExplainRequest {
  CheckingOptions checking = {};
  std::string file = {};
  /// Name of the test; may be empty if the file holds only one test.
  std::string test = {};
  std::optional<std::string> outcome = std::nullopt;  ///< if absent, the question is about the test's own condition
  bool race = false;
};

/// A question about one test and one model.
struct ExplainQuestion {
  std::shared_ptr<const Program> program;  ///< if about_race is false, the proposition is the outcome to explain
  parser::RulesPtr rules;
  bool about_race = false;
  std::string text = {};    ///< the outcome as the user or the test wrote it
  std::string launch = {};  ///< if `program` has a smaller launch than its source: the launch
  std::optional<explain::RaceStatements> first_race = std::nullopt;  ///< explain::RaceOptions::first
};

/// Reads the test and the model. If the request names neither an outcome nor the race, asks the test's own question
/// (own_question). If the request names no model, chooses from the models that the test's expectations name
/// (model_to_explain). Errors: the errors of the files; several models; an outcome that cannot be read; a file with
/// several tests.
Result<ExplainQuestion> read_question(const ExplainRequest& request, const std::atomic<bool>& interrupted);

/// Returns the question about the test's condition, which must exist. For `forall`, asks whether the condition can
/// fail.
ExplainQuestion condition_question(const std::shared_ptr<const Program>& program, const parser::RulesPtr& rules);
/// Returns the test's own question. If a suite labels the test or if the test has no condition, this question is about
/// the race. Otherwise, the question is about the condition.
ExplainQuestion own_question(const std::shared_ptr<const Program>& program, const parser::RulesPtr& rules);

/// Chooses the model to explain. Prefers a model whose answer about races equals the suite's label. If several models
/// have this answer, prefers the model whose rules are nearest to the rules of the suites. If no model has this answer,
/// returns the first of these that is in the list: `ptx`, `cuda-cpp`, a model that defines races, any model. Returns
/// null if the list is empty. `races`: each model's answer, if the model has one. `label`: the suite's label, if the
/// test has one.
parser::RulesPtr model_to_explain(const std::vector<parser::RulesPtr>& models,
                                  const std::vector<std::optional<bool>>& races, std::optional<bool> label);

/// Explains why a model allows or forbids an outcome, or why a program races or not.
class Explanation {
 public:
  Explanation(explain::OutcomeExplanation of, std::string question)
      : of_(std::move(of)), question_(std::move(question)) {}
  explicit Explanation(explain::RaceExplanation of) : of_(std::move(of)) {}

  events::Possibility possibility() const;
  /// Returns the accesses of the race that the text explains; empty if the text explains no race.
  std::vector<SourceSpan> accesses() const;
  /// Returns the explanation in plain English (docs/reference/explain.md). `full`: list every path, pair and step.
  std::string text(const report::Style& style, const report::ExplainOptions& options) const;
  std::string json(std::string_view version) const;
  /// Returns a picture of the execution; nothing if there is no execution to draw.
  std::optional<report::Picture> picture(const report::PictureOptions& options = {}) const;

 private:
  std::variant<explain::OutcomeExplanation, explain::RaceExplanation> of_;
  std::string question_;
};

/// Answers a question. Returns an error if the check fails.
Result<Explanation> explain_question(const ExplainQuestion& question, verdict::Checker& checker,
                                     const verdict::CheckOptions& engine, const explain::RaceOptions& races,
                                     Context& context);

/// Returns the explanation in plain English under the usual limits; empty if the check has an error.
std::string explanation_text(const ExplainQuestion& question, const std::atomic<bool>& interrupted);

/// Converts an outcome of a report, "x == 1, P0:r0 == 2", into a proposition for ExplainRequest::outcome.
std::string outcome_proposition(std::string outcome);

}  // namespace ambit::api
