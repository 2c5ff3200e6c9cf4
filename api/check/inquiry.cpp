#include "api/check/inquiry.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "api/check/ending.h"
#include "model/termination/termination.h"
#include "model/verdict/judgement.h"

namespace ambit::api {
namespace {

using ModelsOrErrors = Result<std::vector<parser::RulesPtr>>;

/// Returns the models for questions about outcomes and races. Returns no models if the test asks only about termination
/// and the options do not request outcomes.
ModelsOrErrors ordinary_models(const Program& program, const InquiryOptions& options, parser::ModelStore& store) {
  const bool wants_outcomes = options.outcomes == OutcomesQuestion::Only || options.outcomes == OutcomesQuestion::Log;
  const bool is_silent = program.expectations.empty() && !program.condition.proposition && !wants_outcomes;
  if (options.only_termination || (is_silent && !program.terminations.empty())) return std::vector<parser::RulesPtr>{};
  if (!options.models.empty()) return options.models;
  ModelsOrErrors named = store.models_of(program);
  return named.ok() && named.value().empty() && wants_outcomes ? store.termination_models_of(program) : named;
}

ModelsOrErrors termination_models(const Program& program, const InquiryOptions& options, parser::ModelStore& store) {
  if (options.outcomes == OutcomesQuestion::Only) return std::vector<parser::RulesPtr>{};
  ModelsOrErrors named = options.models.empty() ? store.termination_models_of(program) : options.models;
  const bool names_none = named.ok() && named.value().empty();
  return names_none && options.only_termination ? store.default_models(program) : named;
}

/// Returns the schedulers that the options name. If the options name no scheduler, returns the schedulers that the
/// test's expectations name for the model. If the expectations name no scheduler and the question is only about
/// termination, returns the scheduler `fair`.
std::vector<Scheduler> schedulers_of(const Program& program, const rules::Rules& rules, const InquiryOptions& options) {
  if (options.only_termination && !options.schedulers.empty()) return options.schedulers;
  std::vector<Scheduler> schedulers;
  for (const TerminationExpectation& expectation : program.terminations) {
    const bool is_new = std::ranges::find(schedulers, expectation.scheduler) == schedulers.end();
    if (is_new && termination::concerns(expectation, rules)) schedulers.push_back(expectation.scheduler);
  }
  if (schedulers.empty() && options.only_termination) schedulers.push_back(Scheduler::Fair);
  return schedulers;
}

template <typename Verdict>
bool take(report::ModelResult& result, std::optional<Verdict>& place, Result<Verdict> found) {
  if (found.ok()) {
    place = std::move(found).value();
    return true;
  }
  result.error = render(found.errors());
  result.judgement.status = verdict::Status::Error;
  return false;
}

}  // namespace

std::string Inquiry::name() const {
  const std::string model = verdict::model_name(*rules);
  return scheduler ? fmt::format("{} under {}", model, to_string(*scheduler)) : model;
}

Result<std::vector<Inquiry>> inquiries_of(const Program& program, const InquiryOptions& options,
                                          parser::ModelStore& store) {
  const ModelsOrErrors ordinary = ordinary_models(program, options, store);
  const ModelsOrErrors waiting = termination_models(program, options, store);
  if (!ordinary.ok()) return ordinary.errors();
  if (!waiting.ok()) return waiting.errors();
  std::vector<Inquiry> inquiries;
  for (const parser::RulesPtr& rules : ordinary.value()) {
    if (auto contradiction = verdict::find_contradiction(program, *rules)) return *std::move(contradiction);
    inquiries.push_back({rules});
  }
  const auto has_question = [&](const parser::RulesPtr& rules) {
    return std::ranges::find(ordinary.value(), rules) != ordinary.value().end();
  };
  for (const parser::RulesPtr& rules : waiting.value()) {
    const std::vector<Scheduler> schedulers = schedulers_of(program, *rules, options);
    for (const Scheduler scheduler : schedulers) inquiries.push_back({rules, scheduler});
    if (!has_question(rules) && schedulers.empty())
      inquiries.push_back({rules, std::nullopt, options.includes_every_model});
  }
  if (!inquiries.empty() || !options.includes_every_model) return inquiries;
  const ModelsOrErrors models = options.models.empty() ? store.default_models(program) : options.models;
  if (!models.ok()) return models.errors();
  for (const parser::RulesPtr& rules : models.value()) inquiries.push_back({rules});
  return inquiries;
}

verdict::CheckOptions questions_of(const Program& program, const rules::Rules& rules, OutcomesQuestion outcomes,
                                   verdict::CheckOptions engine) {
  events::Questions& questions = engine.questions;
  if (outcomes == OutcomesQuestion::Only) {
    questions = {.proposition = false, .flags = false, .incidents = false, .outcomes = true};
    return engine;
  }
  const bool has_condition = program.condition.proposition.has_value();
  questions.proposition = has_condition;
  questions.flags = !rules.flags.empty();
  questions.outcomes =
      outcomes == OutcomesQuestion::Log || (outcomes == OutcomesQuestion::WithoutCondition && !has_condition &&
                                            program.threads.size() <= kMostThreadsWithOutcomes);
  engine.count_where_enumerated = outcomes == OutcomesQuestion::Log;
  questions.count = std::ranges::any_of(program.expectations, [&](const Expectation& expectation) {
    return expectation.executions && verdict::concerns(expectation, rules);
  });
  return engine;
}

report::ModelResult answer_inquiry(const Inquiry& inquiry, const std::shared_ptr<const Program>& program,
                                   OutcomesQuestion outcomes, const verdict::CheckOptions& engine,
                                   verdict::Checker& checker, Context& context) {
  report::ModelResult result;
  result.model = inquiry.name();
  if (!inquiry.has_question) {
    result.judgement.reasons = {"the test asks nothing of this model; try --property termination"};
    return result;
  }
  const auto begin = std::chrono::steady_clock::now();
  if (inquiry.scheduler) {
    auto checked = check_ending(checker, program, inquiry.rules, *inquiry.scheduler, engine, context);
    if (take(result, result.termination, std::move(checked))) {
      result.judgement = termination::judge(*result.termination);
    }
  } else {
    auto checked =
        checker.check(program, inquiry.rules, questions_of(*program, *inquiry.rules, outcomes, engine), context);
    const bool is_known = take(result, result.verdict, std::move(checked));
    if (is_known && outcomes != OutcomesQuestion::Only) result.judgement = verdict::judge(*result.verdict);
    if (is_known && outcomes == OutcomesQuestion::Only && result.verdict->unknown) {
      result.judgement.status = verdict::Status::Unknown;
    }
  }
  const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - begin;
  result.milliseconds = elapsed.count();
  result.statistics = std::move(context.statistics);
  return result;
}

}  // namespace ambit::api
