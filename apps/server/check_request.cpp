#include "apps/server/check_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "apps/server/question_turns.h"
#include "model/termination/termination.h"
#include "model/verdict/judgement.h"
#include "model/verdict/races.h"
#include "model/verdict/verdict.h"
#include "report/json/verdict_json.h"
#include "report/results/words.h"
#include "report/text/verdict_text.h"

namespace ambit::server {
namespace {

using report::ModelResult;
using ProgramPtr = std::shared_ptr<const Program>;

/// The questions of a request and where their answers go, in order.
class Asked {
 public:
  Asked(std::string name, ProgramPtr program) : program_(std::move(program)) {
    test_.file = std::move(name);
    test_.program = program_;
  }

  void ask_model(const parser::RulesPtr& rules) {
    verdict::CheckOptions options;
    options.questions.proposition = program_->condition.proposition.has_value();
    options.questions.flags = !rules->flags.empty();
    options.questions.count =
        std::any_of(program_->expectations.begin(), program_->expectations.end(),
                    [&](const Expectation& one) { return one.executions && verdict::concerns(one, *rules); });
    add(verdict::model_name(*rules), [this, rules, options](ModelResult& result, Context& context) {
      if (take(result, result.verdict, checker_.check(program_, rules, options, context))) {
        result.judgement = verdict::judge(*result.verdict);
      }
    });
  }

  void ask_outcomes(const parser::RulesPtr& rules) {
    verdict::CheckOptions options;
    options.questions = {.proposition = false, .flags = false, .incidents = false, .outcomes = true};
    add(verdict::model_name(*rules), [this, rules, options](ModelResult& result, Context& context) {
      if (take(result, result.verdict, checker_.check(program_, rules, options, context)) && result.verdict->unknown) {
        result.judgement.status = verdict::Status::Unknown;
      }
    });
  }

  /// False: the test expects nothing of it.
  bool ask_termination(const parser::RulesPtr& rules) {
    std::vector<Scheduler> schedulers;
    for (const TerminationExpectation& one : program_->terminations) {
      if (!termination::concerns(one, *rules)) continue;
      if (std::find(schedulers.begin(), schedulers.end(), one.scheduler) != schedulers.end()) continue;
      schedulers.push_back(one.scheduler);
      const std::string name = fmt::format("{} under {}", verdict::model_name(*rules), to_string(one.scheduler));
      add(name, [this, rules, scheduler = one.scheduler](ModelResult& result, Context& context) {
        if (take(result, result.termination,
                 termination::check_termination(checker_, program_, rules, scheduler, {}, context))) {
          result.judgement = termination::judge(*result.termination);
        }
      });
    }
    return !schedulers.empty();
  }

  bool is_empty() const { return questions_.empty(); }
  const report::TestResult& test() const { return test_; }

  /// Answers them. The test as JSON.
  Json answer(const Request& request) {
    const bool is_limited = ask_in_turn(questions_, request.end);
    Json answer = Json::parse(report::test_json(test_, {.witnesses = true, .statistics = false}));
    if (is_limited) answer["limited"] = true;
    return answer;
  }

 private:
  template <typename Ask>
  void add(const std::string& model, const Ask& ask) {
    const std::size_t place = test_.results.size();
    ModelResult& unasked = test_.results.emplace_back();
    unasked.model = model;
    unasked.judgement.status = verdict::Status::Unknown;
    unasked.error = kNotAsked;
    questions_.emplace_back([this, place, ask](Context& context) {
      ModelResult& result = test_.results[place];
      result = {};
      result.model = names_[place];
      ask(result, context);
    });
    names_.push_back(model);
  }

  template <typename Verdict>
  static bool take(ModelResult& result, std::optional<Verdict>& place, Result<Verdict> found) {
    if (found.ok()) {
      place = std::move(found.value());
      return true;
    }
    result.error = render(found.errors());
    result.judgement.status = verdict::Status::Error;
    return false;
  }

  ProgramPtr program_;
  report::TestResult test_;
  verdict::Checker checker_;
  std::vector<std::string> names_;
  std::vector<Question> questions_;
};

/// Where two expectations of one model cannot both be met, no verdict helps.
void refuse_contradiction(const Program& program, const rules::Rules& rules) {
  if (const auto contradiction = verdict::find_contradiction(program, rules)) throw BadRequest(contradiction->render());
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

}  // namespace

Json check(const Request& request) {
  const ProgramPtr program = program_of(request);
  Asked asked(request.name, program);
  // Outcomes and races are not asked about where a test is about termination alone.
  const bool is_silent = program->expectations.empty() && !program->condition.proposition;
  const bool asks_outcomes = !is_silent || program->terminations.empty();
  if (asks_outcomes) {
    for (const parser::RulesPtr& rules : models_of(request, *program)) {
      refuse_contradiction(*program, *rules);
      asked.ask_model(rules);
    }
  }
  for (const parser::RulesPtr& rules : termination_models_of(request, *program)) {
    const bool is_asked = asked.ask_termination(rules);
    if (!is_asked && !asks_outcomes) asked.ask_model(rules);  // chosen, though the test expects nothing of it
  }
  if (asked.is_empty()) {  // it expects nothing of these models
    for (const parser::RulesPtr& rules : models_or_default(request, *program)) asked.ask_model(rules);
  }
  Json answer = asked.answer(request);
  const report::TestResult& test = asked.test();
  for (std::size_t i = 0; i < test.results.size(); ++i) {
    const ModelResult& result = test.results[i];
    Json& json = answer["results"][i];
    json["words"] = words_json(report::words_of(result));
    json["speaks_of_races"] = result.verdict && verdict::speaks_of_races(*result.verdict->rules);
    if (result.has_verdict()) json["details"] = report::verdict_text(test, result, {}, report::Detail::Witnesses);
  }
  return answer;
}

Json outcomes(const Request& request) {
  const ProgramPtr program = program_of(request);
  Asked asked(request.name, program);
  for (const parser::RulesPtr& rules : models_or_default(request, *program)) asked.ask_outcomes(rules);
  Json answer = asked.answer(request);
  const std::vector<ModelResult>& results = asked.test().results;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!results[i].verdict) continue;
    answer["results"][i]["outcome_texts"] = outcome_texts(*program, results[i].verdict->answers.outcomes);
  }
  return answer;
}

}  // namespace ambit::server
