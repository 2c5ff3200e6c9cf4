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

/// When the set of all outcomes is asked for.
enum class OutcomesQuestion : std::uint8_t {
  Never,
  WithoutCondition,  ///< of tests without a condition, of at most kMostThreadsWithOutcomes threads, besides the others
  Only,              ///< of every test, and nothing else
  Log,               ///< of every test, with the number of executions where it is cheap, besides the other questions
};

/// More threads have more outcomes than somebody who did not ask for them reads, and finding them all can take minutes.
inline constexpr std::size_t kMostThreadsWithOutcomes = 16;

/// One question about a test: what a model says of its outcomes and races or, with a scheduler, of its termination.
struct Inquiry {
  parser::RulesPtr rules;
  std::optional<Scheduler> scheduler = std::nullopt;
  bool is_asked = true;  ///< false: the test expects nothing of the model

  /// "ptx", "ptx under fair".
  std::string name() const;
};

struct InquiryOptions {
  std::vector<parser::RulesPtr> models = {};  ///< empty: those that the test's expectations name
  OutcomesQuestion outcomes = OutcomesQuestion::Never;
  bool only_termination = false;
  std::vector<Scheduler> schedulers = {};  ///< for only_termination; empty: those that the test expects, or fair
  /// Ask models of which the test expects nothing about outcomes and races; the default models
  /// (ModelStore::default_models) where the test expects nothing of any model.
  bool asks_every_model = false;
};

/// The questions about a test. A test that expects termination only, and has no condition, is not asked about races.
/// Errors: those of the models; expectations of one model that contradict each other.
Result<std::vector<Inquiry>> inquiries_of(const Program& program, const InquiryOptions& options,
                                          parser::ModelStore& store);

/// The questions that `program` has for a model, about outcomes and races.
verdict::CheckOptions questions_of(const Program& program, const rules::Rules& rules, OutcomesQuestion outcomes,
                                   verdict::CheckOptions engine = {});

/// The answer to one question, judged by the test's expectations, with the context's statistics. A model that is not
/// asked has no verdict and the reason.
report::ModelResult ask(const Inquiry& inquiry, const std::shared_ptr<const Program>& program,
                        OutcomesQuestion outcomes, const verdict::CheckOptions& engine, verdict::Checker& checker,
                        Context& context);

}  // namespace ambit::api
