#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/context.h"
#include "core/program.h"
#include "model/verdict/verdict.h"
#include "parser/cat/model_store.h"
#include "report/results/test_result.h"

namespace ambit::api {

/// When to compute the set of all outcomes.
enum class OutcomesQuestion : std::uint8_t {
  Never,
  WithoutCondition,  ///< for tests without a condition, of at most kMostThreadsWithOutcomes threads, besides the other
                     ///< questions
  Only,              ///< for every test, without the other questions
  Log,               ///< for every test, with the number of executions where it is cheap, besides the other questions
};

/// More threads have more outcomes than a user reads who did not request them, and finding them can take
/// minutes.
inline constexpr std::size_t kMostThreadsWithOutcomes = 16;

/// One question about a test and a model: its outcomes and races or, with a scheduler, its termination.
struct Inquiry {
  parser::RulesPtr rules;
  std::optional<Scheduler> scheduler = std::nullopt;
  bool has_question = true;  ///< false: the test has no expectations about the model

  /// "ptx", "ptx under fair".
  std::string name() const;
};

struct InquiryOptions {
  std::vector<parser::RulesPtr> models = {};  ///< empty: those that the test's expectations name
  OutcomesQuestion outcomes = OutcomesQuestion::Never;
  bool only_termination = false;
  std::vector<Scheduler> schedulers = {};  ///< for only_termination; empty: those that the test expects, or fair
  /// Also check models without expectations of the test about outcomes and races; the default models
  /// (ModelStore::default_models) if the test has no expectations about any model.
  bool includes_every_model = false;
};

/// Returns the questions about a test. A test that expects termination only, and has no condition, has no question
/// about races. Errors: those of the models; expectations of one model that contradict each other.
Result<std::vector<Inquiry>> inquiries_of(const Program& program, const InquiryOptions& options,
                                          parser::ModelStore& store);

/// Returns the questions of `program` for a model, about outcomes and races.
verdict::CheckOptions questions_of(const Program& program, const rules::Rules& rules, OutcomesQuestion outcomes,
                                   verdict::CheckOptions engine = {});

/// Answers one question and judges it by the test's expectations. The result includes the context's statistics. A model
/// that is not asked has no verdict, but a reason.
report::ModelResult answer_inquiry(const Inquiry& inquiry, const std::shared_ptr<const Program>& program,
                                   OutcomesQuestion outcomes, const verdict::CheckOptions& engine,
                                   verdict::Checker& checker, Context& context);

}  // namespace ambit::api
