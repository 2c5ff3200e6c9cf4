#include "apps/server/why_request.h"

#include <array>
#include <functional>
#include <future>
#include <optional>
#include <utility>
#include <vector>

#include "apps/server/question_turns.h"
#include "model/explain/outcome_causes.h"
#include "model/explain/race_causes.h"
#include "model/verdict/races.h"
#include "model/verdict/verdict.h"
#include "report/draw/picture.h"
#include "report/text/explain_text.h"

namespace ambit::server {
namespace {

constexpr std::size_t kMostModels = 4;

/// What one model says to one of the test's two questions.
struct Explained {
  std::string title;
  std::string text;
  std::optional<report::Picture> picture;
};

Explained outcome(const Program& program, const parser::RulesPtr& rules, Context& context) {
  const report::OwnQuestion own = report::own_question(program);
  verdict::Checker checker;
  const auto explanation = explain::explain_outcome(checker, own.program, rules, {}, context);
  if (!explanation.ok()) throw BadRequest(render(explanation.errors()));
  return {own.text, report::outcome_explanation_text(explanation.value(), own.text, {}, {.full = true}),
          report::picture_of(explanation.value(), own.text, {})};
}

Explained race(const std::shared_ptr<const Program>& program, const parser::RulesPtr& rules, Context& context) {
  verdict::Checker checker;
  const auto explanation = explain::explain_race(checker, program, rules, {}, {}, context);
  if (!explanation.ok()) throw BadRequest(render(explanation.errors()));
  return {"races", report::race_explanation_text(explanation.value(), {}, {.full = true}),
          report::picture_of(explanation.value(), {})};
}

/// The answers to each question of each model that is asked, in order.
struct Answers {
  struct One {
    std::string model;
    Explained explained;
  };
  std::vector<One> list;
  Json not_asked = Json::array();  ///< models
  bool is_limited = false;
};

/// Two threads look for them: more would need more memory than a request has.
Answers ask_all(const Request& request) {
  const auto program = program_of(request);
  Answers answers;
  std::vector<parser::RulesPtr> models = models_or_default(request, *program);
  for (std::size_t i = kMostModels; i < models.size(); ++i)
    answers.not_asked.push_back(verdict::model_name(*models[i]));
  if (models.size() > kMostModels) models.resize(kMostModels);
  answers.list.reserve(2 * models.size());  // questions know their place in it
  std::array<std::vector<Question>, 2> questions;
  const auto add = [&](const rules::Rules& rules, std::string title, auto ask) {
    Answers::One& one = answers.list.emplace_back();
    one.model = verdict::model_name(rules);
    one.explained = {std::move(title), kNotAsked, std::nullopt};
    questions[answers.list.size() % 2].emplace_back([&one, ask](Context& context) { one.explained = ask(context); });
  };
  for (const parser::RulesPtr& rules : models) {
    if (program->condition.proposition) {
      const std::string title = report::own_question(*program).text;
      add(*rules, title, [&program, rules](Context& context) { return outcome(*program, rules, context); });
    }
    if (verdict::speaks_of_races(*rules)) {
      add(*rules, "races", [&program, rules](Context& context) { return race(program, rules, context); });
    }
  }
  auto others = std::async(std::launch::async, ask_in_turn, std::cref(questions[0]), request.end);
  answers.is_limited = ask_in_turn(questions[1], request.end);
  answers.is_limited = others.get() || answers.is_limited;
  return answers;
}

Json json_of(const char* name, Json list, const Answers& answers) {
  Json json{{name, std::move(list)}, {"not_asked", answers.not_asked}};
  if (answers.is_limited) json["limited"] = true;
  return json;
}

}  // namespace

Json explain(const Request& request) {
  const Answers answers = ask_all(request);
  Json list = Json::array();
  for (const auto& [model, one] : answers.list) {
    list.push_back({{"model", model}, {"title", one.title}, {"text", one.text}});
  }
  return json_of("explanations", std::move(list), answers);
}

Json graph(const Request& request) {
  const Answers answers = ask_all(request);
  Json list = Json::array();
  for (const auto& [model, one] : answers.list) {
    Json& json = list.emplace_back(Json{{"model", model}, {"title", one.title}});
    if (one.picture) {
      json["dot"] = report::picture_dot(*one.picture);
    } else {
      json["reason"] = one.text.substr(0, one.text.find('\n'));
    }
  }
  return json_of("pictures", std::move(list), answers);
}

}  // namespace ambit::server
