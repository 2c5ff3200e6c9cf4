#include "server/why.h"

#include <optional>
#include <utility>

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

Explained outcome(const Program& program, const parser::RulesPtr& rules, Context& context) {
  const report::OwnQuestion own = report::own_question(program);
  verdict::Checker checker;
  const auto explanation = explain::explain_outcome(checker, own.program, rules, {}, context);
  if (!explanation.ok()) throw BadRequest(render(explanation.errors()));
  return {own.text, report::outcome_explanation_text(explanation.value(), own.text, {}, {true}),
          report::picture_of(explanation.value(), own.text, {})};
}

Explained race(const std::shared_ptr<const Program>& program, const parser::RulesPtr& rules, Context& context) {
  verdict::Checker checker;
  const auto explanation = explain::explain_race(checker, program, rules, {}, {}, context);
  if (!explanation.ok()) throw BadRequest(render(explanation.errors()));
  return {"races", report::race_explanation_text(explanation.value(), {}, {true}),
          report::picture_of(explanation.value(), {})};
}

/// Calls take(model, explained) for each question of each model.
template <typename Take>
void ask_all(const Request& request, const Take& take) {
  const auto program = program_of(request);
  std::vector<parser::RulesPtr> models = models_of(request, *program);
  if (models.size() > kMostModels) models.resize(kMostModels);
  for (const parser::RulesPtr& rules : models) {
    const std::string name = verdict::model_name(*rules);
    Context context = context_of(request);
    if (program->condition.proposition) take(name, outcome(*program, rules, context));
    if (verdict::speaks_of_races(*rules)) take(name, race(program, rules, context));
  }
}

}  // namespace

Json explain(const Request& request) {
  Json list = Json::array();
  ask_all(request, [&](const std::string& model, const Explained& one) {
    list.push_back({{"model", model}, {"title", one.title}, {"text", one.text}});
  });
  return {{"explanations", list}};
}

Json graph(const Request& request) {
  Json list = Json::array();
  ask_all(request, [&](const std::string& model, const Explained& one) {
    if (!one.picture) return;
    list.push_back({{"model", model}, {"title", one.title}, {"dot", report::picture_dot(*one.picture)}});
  });
  return {{"pictures", list}};
}

}  // namespace ambit::server
