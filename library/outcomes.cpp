#include "library/outcomes.h"

#include <algorithm>
#include <set>

#include "library/answer_all.h"
#include "library/internals.h"
#include "report/json/json.h"
#include "report/results/words.h"
#include "report/text/result_texts.h"

namespace AMBIT_NAMESPACE {
namespace {

Permission permission(const verdict::Verdict& verdict, const events::Outcome& outcome) {
  if (std::ranges::binary_search(verdict.answers.outcomes, outcome)) return Permission::Allowed;
  return verdict.unknown ? Permission::Unknown : Permission::Forbidden;
}

}  // namespace

Outcome outcome_of(const Program& program, const std::vector<Value>& values) {
  Outcome outcome;
  outcome.values = values;
  outcome.text = report::outcome_text(program, values);
  outcome.holds = program.condition.proposition && events::holds(*program.condition.proposition, values);
  return outcome;
}

OutcomesResult outcomes(const Test& test, const std::vector<Model>& models, const Solving& solving) {
  return guarded([&] {
    const ProgramPtr& program = Internals::program(test);
    parser::ModelStore store;
    constexpr auto kOnly = api::OutcomesQuestion::Only;
    const api::InquiryOptions inquiry{.models = Internals::rules(models), .outcomes = kOnly};
    const report::TestResult result =
        answer_all(program, taken(api::inquiries_of(*program, inquiry, store)), solving, kOnly);
    OutcomesResult answer;
    answer.observables = test.observables();
    std::set<events::Outcome> all;
    for (const report::ModelResult& one : result.results) {
      const verdict::Verdict& verdict = *one.verdict;
      answer.models.push_back(one.model);
      answer.unknown.push_back(verdict.unknown ? report::unknown_text(*verdict.unknown, verdict.unknown_detail) : "");
      all.insert(verdict.answers.outcomes.begin(), verdict.answers.outcomes.end());
    }
    for (const events::Outcome& values : all) {
      Outcome& outcome = answer.outcomes.emplace_back(outcome_of(*program, values));
      for (const report::ModelResult& one : result.results) {
        outcome.permissions.push_back(permission(*one.verdict, values));
      }
    }
    answer.text = report::outcomes_table(result, {});
    answer.json = report::json_document(AMBIT_VERSION, {report::test_json(result, {})});
    return answer;
  });
}

}  // namespace AMBIT_NAMESPACE
