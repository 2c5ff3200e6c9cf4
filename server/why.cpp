#include "server/why.h"

#include <functional>
#include <future>
#include <optional>
#include <utility>
#include <vector>

#include "model/explain/outcome.h"
#include "model/explain/race.h"
#include "model/verdict/race.h"
#include "model/verdict/verdict.h"
#include "report/explain.h"
#include "report/picture.h"

namespace ambit::server {
namespace {

constexpr std::size_t kMostModels = 4;

/// What one model says to one of the test's two questions.
struct Explained {
  std::string title;
  std::string text;
  std::optional<report::Picture> picture;
};

Explained outcome(const Program& program, const parser::RulesPtr& rules, Context context) {
  const report::OwnQuestion own = report::own_question(program);
  verdict::Checker checker;
  const auto explanation = explain::explain_outcome(checker, own.program, rules, {}, context);
  if (!explanation.ok()) throw BadRequest(render(explanation.errors()));
  return {own.text, report::outcome_explanation_text(explanation.value(), own.text, {}, {true}),
          report::picture_of(explanation.value(), own.text, {})};
}

Explained race(const std::shared_ptr<const Program>& program, const parser::RulesPtr& rules, Context context) {
  verdict::Checker checker;
  const auto explanation = explain::explain_race(checker, program, rules, {}, {}, context);
  if (!explanation.ok()) throw BadRequest(render(explanation.errors()));
  return {"races", report::race_explanation_text(explanation.value(), {}, {true}),
          report::picture_of(explanation.value(), {})};
}

struct Answer {
  std::string model;
  Explained explained;
};

/// The answers to each question of each model, in order. Two threads look for them: more would need more memory than a
/// request has.
std::vector<Answer> ask_all(const Request& request) {
  const auto program = program_of(request);
  std::vector<parser::RulesPtr> models = models_of(request, *program);
  if (models.size() > kMostModels) models.resize(kMostModels);
  std::vector<std::function<Answer()>> questions;
  for (const parser::RulesPtr& rules : models) {
    const std::string name = verdict::model_name(*rules);
    if (program->condition.proposition) {
      questions.emplace_back([&, rules, name] { return Answer{name, outcome(*program, rules, context_of(request))}; });
    }
    if (verdict::speaks_of_races(*rules)) {
      questions.emplace_back([&, rules, name] { return Answer{name, race(program, rules, context_of(request))}; });
    }
  }
  const auto ask_every_second = [&](std::size_t first) {
    std::vector<Answer> found;
    for (std::size_t i = first; i < questions.size(); i += 2) found.push_back(questions[i]());
    return found;
  };
  auto others = std::async(std::launch::async, ask_every_second, 1);
  std::vector<Answer> even = ask_every_second(0);
  std::vector<Answer> odd = others.get();
  std::vector<Answer> answers;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    answers.push_back(std::move(i % 2 == 0 ? even[i / 2] : odd[i / 2]));
  }
  return answers;
}

}  // namespace

Json explain(const Request& request) {
  Json list = Json::array();
  for (const auto& [model, one] : ask_all(request)) {
    list.push_back({{"model", model}, {"title", one.title}, {"text", one.text}});
  }
  return {{"explanations", list}};
}

Json graph(const Request& request) {
  Json list = Json::array();
  for (const auto& [model, one] : ask_all(request)) {
    if (!one.picture) continue;
    list.push_back({{"model", model}, {"title", one.title}, {"dot", report::picture_dot(*one.picture)}});
  }
  return {{"pictures", list}};
}

}  // namespace ambit::server
