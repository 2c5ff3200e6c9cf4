#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/context.h"
#include "core/program.h"
#include "model/verdict/verdict.h"
#include "parser/cat/model_store.h"
#include "report/results/test_result.h"

namespace ambit::api {

/// When to compute the set of all outcomes.
enum class OutcomesQuestion : std::uint8_t {
  Never,
  /// In addition to the other questions, for tests without a condition that have at most kMostThreadsWithOutcomes
  /// threads.
  WithoutCondition,
  Only,  ///< for every test, without the other questions
  /// For every test, in addition to the other questions; also counts the executions where counting is cheap.
  Log,
};

/// A test with more threads has more outcomes than most users want to read, and finding the outcomes can take
/// minutes.
inline constexpr std::size_t kMostThreadsWithOutcomes = 16;

/// One question about a test and a model. A question without a scheduler is about outcomes and races; a question with a
/// scheduler is about termination.
struct Inquiry {
  parser::RulesPtr rules;
  std::optional<Scheduler> scheduler = std::nullopt;
  bool has_question = true;  ///< false if the test does not ask about this model

  /// Returns the model's name ("ptx") or, with a scheduler, "ptx under fair".
  std::string name() const;
};

struct InquiryOptions {
  std::vector<parser::RulesPtr> models = {};  ///< if empty, the models that the test's expectations name
  OutcomesQuestion outcomes = OutcomesQuestion::Never;
  bool only_termination = false;
  /// Schedulers for only_termination. If empty, uses the schedulers that the test expects, or otherwise `fair`.
  std::vector<Scheduler> schedulers = {};
  /// Whether to check outcomes and races also under models for which the test has no expectations. If the test has no
  /// expectations for any model, this option adds the default models (ModelStore::default_models).
  bool includes_every_model = false;
};

/// Returns the questions about a test. If a test has no condition and expects only termination, it has no question
/// about races. Errors: errors of the models; expectations about one model that contradict each other.
Result<std::vector<Inquiry>> inquiries_of(const Program& program, const InquiryOptions& options,
                                          parser::ModelStore& store);

/// Returns the questions about outcomes and races of `program` under a model.
verdict::CheckOptions questions_of(const Program& program, const rules::Rules& rules, OutcomesQuestion outcomes,
                                   verdict::CheckOptions engine = {});

/// Answers one question and compares the answer with the test's expectations. The result includes the context's
/// statistics. If the test asks nothing of the model, the result has a reason instead of a verdict.
report::ModelResult answer_inquiry(const Inquiry& inquiry, const std::shared_ptr<const Program>& program,
                                   OutcomesQuestion outcomes, const verdict::CheckOptions& engine,
                                   verdict::Checker& checker, Context& context);

}  // namespace ambit::api
