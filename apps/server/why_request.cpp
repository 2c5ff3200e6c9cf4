#include "apps/server/requests.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "api/check/explanation.h"
#include "api/check/question_turns.h"
#include "base/parallel_for.h"
#include "model/verdict/races.h"
#include "report/text/explain_text.h"

namespace ambit::server {
namespace {

constexpr std::size_t kMostModels = 4;

/// The explanation of a model's answer to one of two questions about a test: its outcome or its race.
struct Explained {
  std::string title;
  std::string text;
  std::optional<report::Picture> picture;
  bool is_race = false;  ///< whether the model finds a race, and the text explains it
};

Explained explained(const api::ExplainQuestion& question, std::string title, Context& context) {
  verdict::Checker checker;
  // `all`: the explanation lists fixes for every race.
  const auto explanation = taken(api::explain_question(question, checker, {}, {.all = true}, context));
  const bool is_race = question.about_race && explanation.possibility() == events::Possibility::Possible;
  return {std::move(title), explanation.text({}, {.full = true, .width = report::kUnbroken}), explanation.picture(),
          is_race};
}

/// The answers, ordered by model and then by question. The answer about a race comes before the answer about the
/// condition.
struct Answers {
  struct One {
    std::string model;
    Explained explained;
  };
  std::vector<One> list;
  Json not_asked = Json::array();  ///< names of models
  bool is_limited = false;
};

/// Answers the questions on two threads, or on one thread if this machine has one core. With more threads, the answers
/// would exceed a request's memory limit.
Answers answer_all(const Request& request) {
  const auto program = program_of(request);
  Answers answers;
  std::vector<parser::RulesPtr> models = models_or_default(request, *program);
  for (std::size_t i = kMostModels; i < models.size(); ++i)
    answers.not_asked.push_back(verdict::model_name(*models[i]));
  if (models.size() > kMostModels) models.resize(kMostModels);
  answers.list.reserve(2 * models.size());  // questions hold references to elements, so elements must not move
  const unsigned threads = std::clamp(std::thread::hardware_concurrency(), 1U, 2U);
  std::vector<std::vector<api::Question>> questions(threads);
  const auto add = [&](const api::ExplainQuestion& question) {
    Answers::One& one = answers.list.emplace_back();
    one.model = verdict::model_name(*question.rules);
    one.explained = {question.about_race ? "races" : question.text, api::kNotAnswered, std::nullopt, false};
    questions[answers.list.size() % threads].emplace_back(
        [&one, question](Context& context) { one.explained = explained(question, one.explained.title, context); });
  };
  for (const parser::RulesPtr& rules : models) {
    if (program->condition.proposition) add(api::condition_question(program, rules));
    if (verdict::speaks_of_races(*rules)) add({program, rules, true});
  }
  std::atomic<bool> is_limited = false;
  const auto ask = [&](std::size_t list) {
    if (api::answer_in_turn(questions[list], request.end)) is_limited = true;
  };
  parallel_for(threads, [&] { return ask; }, {.threads = threads});
  answers.is_limited = is_limited;
  for (std::size_t i = 1; i < answers.list.size(); ++i) {
    Answers::One& one = answers.list[i];
    if (one.explained.is_race && answers.list[i - 1].model == one.model) std::swap(answers.list[i - 1], one);
  }
  return answers;
}

Json json_of(const char* name, Json list, const Answers& answers) {
  Json json{{name, std::move(list)}, {"not_asked", answers.not_asked}};
  if (answers.is_limited) json["limited"] = true;
  return json;
}

}  // namespace

Json explain(const Request& request) {
  const Answers answers = answer_all(request);
  Json list = Json::array();
  for (const auto& [model, one] : answers.list) {
    list.push_back({{"model", model}, {"title", one.title}, {"text", one.text}});
  }
  return json_of("explanations", std::move(list), answers);
}

Json graph(const Request& request) {
  const Answers answers = answer_all(request);
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
