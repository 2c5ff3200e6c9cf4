#include "apps/server/requests.h"

#include <fmt/format.h>

#include <vector>

#include "api/check/inquiry.h"
#include "api/check/question_turns.h"
#include "model/verdict/races.h"
#include "report/json/json.h"
#include "report/results/words.h"
#include "report/text/verdict_text.h"

namespace ambit::server {
namespace {

using report::ModelResult;
using ProgramPtr = std::shared_ptr<const Program>;

/// Maximum number of outcomes in an answer. The page cannot show more outcomes.
constexpr std::size_t kMostOutcomes = 2000;

void keep_first(verdict::Verdict& verdict) {
  std::vector<events::Outcome>& outcomes = verdict.answers.outcomes;
  if (outcomes.size() <= kMostOutcomes) return;
  if (!verdict.unknown) {
    verdict.unknown = UnknownReason::Values;
    verdict.unknown_detail = fmt::format("the first {} of {} outcomes are shown; `ambit outcomes` prints all",
                                         kMostOutcomes, outcomes.size());
  }
  outcomes.resize(kMostOutcomes);
}

/// A test with its verdicts, and the JSON form of the test and its verdicts.
struct Answered {
  report::TestResult test;
  Json json;
};

Answered answer(const Request& request, const ProgramPtr& program, const std::vector<api::Inquiry>& inquiries,
                api::OutcomesQuestion outcomes) {
  Answered answered;
  report::TestResult& test = answered.test;
  test.file = request.name;
  test.program = program;
  verdict::Checker checker;
  std::vector<api::Question> questions;
  for (const api::Inquiry& inquiry : inquiries) {
    const std::size_t place = test.results.size();
    ModelResult& unasked = test.results.emplace_back();
    unasked.model = inquiry.name();
    unasked.judgement.status = verdict::Status::Unknown;
    unasked.error = api::kNotAnswered;
    questions.emplace_back([&, place, inquiry](Context& context) {
      test.results[place] = api::answer_inquiry(inquiry, program, outcomes, {}, checker, context);
    });
  }
  const bool is_limited = api::answer_in_turn(questions, request.end);
  for (ModelResult& result : test.results) {
    if (result.verdict) keep_first(*result.verdict);
  }
  answered.json = Json::parse(report::test_json(test, {.witnesses = true, .statistics = false}));
  if (is_limited) answered.json["limited"] = true;
  return answered;
}

Json words_json(const report::ResultWords& words) {
  return {
      {"frequency", words.frequency}, {"condition", words.condition}, {"race", words.race}, {"reasons", words.reasons}};
}

Json outcome_texts(const Program& program, const std::vector<events::Outcome>& outcomes) {
  Json list = Json::array();
  for (const events::Outcome& outcome : outcomes) {
    Json one = Json::object();
    for (std::size_t i = 0; i < outcome.size(); ++i) {
      const Observable& observable = program.observables[i];
      one[observable.name] = report::value_text(program, outcome[i], observable.type);
    }
    list.push_back(std::move(one));
  }
  return list;
}

/// Returns, for each outcome, whether the condition's proposition holds. Returns null if the test has no condition.
Json outcomes_holding(const Program& program, const std::vector<events::Outcome>& outcomes) {
  if (!program.condition.proposition) return nullptr;
  Json list = Json::array();
  for (const events::Outcome& outcome : outcomes) {
    list.push_back(evaluate(*program.condition.proposition, outcome) != 0);
  }
  return list;
}

}  // namespace

Json check(const Request& request) {
  const ProgramPtr program = program_of(request);
  const api::InquiryOptions options{.models = named_models(request), .includes_every_model = true};
  auto [test, json] = answer(request, program, taken(api::inquiries_of(*program, options, *request.models)),
                             api::OutcomesQuestion::Never);
  for (std::size_t i = 0; i < test.results.size(); ++i) {
    const ModelResult& result = test.results[i];
    Json& one = json["results"][i];
    one["words"] = words_json(report::words_of(result));
    one["speaks_of_races"] = result.verdict && verdict::speaks_of_races(*result.verdict->rules);
    if (result.has_verdict()) one["details"] = report::verdict_text(test, result, {}, report::Detail::Witnesses);
  }
  return json;
}

Json outcomes(const Request& request) {
  const ProgramPtr program = program_of(request);
  std::vector<api::Inquiry> inquiries;
  for (const parser::RulesPtr& rules : models_or_default(request, *program)) inquiries.push_back({rules});
  auto [test, json] = answer(request, program, inquiries, api::OutcomesQuestion::Only);
  for (std::size_t i = 0; i < test.results.size(); ++i) {
    if (!test.results[i].verdict) continue;
    const std::vector<events::Outcome>& found = test.results[i].verdict->answers.outcomes;
    json["results"][i]["outcome_texts"] = outcome_texts(*program, found);
    json["results"][i]["outcomes_holding"] = outcomes_holding(*program, found);
  }
  return json;
}

}  // namespace ambit::server
