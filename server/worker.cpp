#include "server/worker.h"

#include <chrono>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "editor/document.h"
#include "editor/vocabulary.h"
#include "model/rules/shipped.h"
#include "model/verdict/judgement.h"
#include "model/verdict/verdict.h"
#include "parser/parse.h"
#include "report/json.h"
#include "report/text.h"
#include "server/detect.h"
#include "server/request.h"
#include "server/step.h"
#include "server/why.h"

namespace ambit::server {
namespace {

Json range_json(const editor::Range& range) {
  return {{"line", range.begin.line},
          {"character", range.begin.character},
          {"endLine", range.end.line},
          {"endCharacter", range.end.character}};
}

editor::Document document_of(const Request& request) { return {request.name, request.text}; }

editor::Position position_of(const Request& request) {
  return {request.json.value("line", 0U), request.json.value("character", 0U)};
}

/// Errors, threads and expectations of a text, for while it is being written.
Json edit(const Request& request) {
  const editor::Document document = document_of(request);
  Json answer = {{"errors", Json::array()}, {"threads", Json::array()}, {"expectations", Json::array()}};
  for (const editor::Finding& finding : document.findings()) {
    Json error = range_json(finding.range);
    error["message"] = finding.message;
    answer["errors"].push_back(std::move(error));
  }
  for (const editor::Symbol& symbol : document.symbols()) {
    answer["threads"].push_back({{"name", symbol.name}, {"detail", symbol.detail}});
  }
  for (const editor::Lens& lens : document.lenses()) answer["expectations"].push_back(range_json(lens.range));
  return answer;
}

Json hover(const Request& request) {
  const auto text = document_of(request).hover(position_of(request));
  return {{"text", text ? Json(*text) : Json(nullptr)}};
}

Json complete(const Request& request) {
  Json list = Json::array();
  for (const editor::Completion& one : document_of(request).completions(position_of(request))) {
    list.push_back({{"label", one.label}, {"insert", one.insert}, {"detail", one.detail}});
  }
  return {{"completions", list}};
}

Json models(const Request&) {
  Json list = Json::array();
  for (const std::string_view name : rules::shipped_models()) {
    const auto rules = parser::load_model(std::string(name));
    if (!rules.ok()) continue;  // what is shipped loads; a test says so
    Json model = {{"name", name}, {"title", rules.value()->title}, {"options", Json::array()}};
    for (const rules::ModelOption& option : rules.value()->options) {
      model["options"].push_back({{"name", option.name}, {"values", option.values}, {"meaning", option.meaning}});
    }
    list.push_back(std::move(model));
  }
  return {{"models", list}};
}

report::ModelResult ask(const std::shared_ptr<const Program>& program, const RulesPtr& rules, bool outcomes,
                        Context& context) {
  verdict::CheckOptions options;
  options.questions.proposition = !outcomes && program->condition.proposition.has_value();
  options.questions.flags = !outcomes && !rules->flags.empty();
  options.questions.incidents = !outcomes;
  options.questions.outcomes = outcomes;
  report::ModelResult result;
  result.model = verdict::model_name(*rules);
  verdict::Checker checker;
  auto verdict = checker.check(program, rules, options, context);
  if (!verdict.ok()) {
    result.error = render(verdict.errors());
    result.judgement.status = verdict::Status::Error;
    return result;
  }
  result.judgement = outcomes ? verdict::Judgement{} : verdict::judge(verdict.value());
  result.verdict = std::move(verdict.value());
  return result;
}

/// Verdicts, or the outcomes, of the test under each model asked for.
Json check(const Request& request, bool outcomes) {
  const auto program = program_of(request);
  report::TestResult test;
  test.file = request.name;
  test.program = program;
  Context context = context_of(request);
  for (const RulesPtr& rules : models_of(request, *program)) {
    test.results.push_back(ask(program, rules, outcomes, context));
  }
  Json answer = Json::parse(report::test_json(test, {.witnesses = true, .statistics = false}));
  for (std::size_t i = 0; i < test.results.size(); ++i) {
    const report::ModelResult& result = test.results[i];
    if (!result.has_verdict()) {
      answer["results"][i]["error"] = result.error;
    } else if (!outcomes) {
      answer["results"][i]["details"] = report::verdict_text(test, result, {}, report::Detail::Witnesses);
    }
  }
  return answer;
}

using Action = std::function<Json(const Request&)>;

const std::map<std::string, Action>& actions() {
  static const std::map<std::string, Action> all{
      {"edit", edit},
      {"hover", hover},
      {"complete", complete},
      {"models", models},
      {"check", [](const Request& request) { return check(request, false); }},
      {"outcomes", [](const Request& request) { return check(request, true); }},
      {"step", step},
      {"detect", detect},
      {"explain", explain},
      {"graph", graph},
  };
  return all;
}

Json answer_json(const std::string& text) {
  try {
    const Request request = read_request(text);
    const auto action = actions().find(request.what);
    if (action == actions().end()) throw BadRequest("there is nothing to do under the name '" + request.what + "'");
    return action->second(request);
  } catch (const BadRequest& error) {
    return {{"error", error.what()}};
  } catch (const Json::exception&) {
    return {{"error", "the request is not the JSON that was expected"}};
  } catch (const std::bad_alloc&) {
    return {{"error", "the answer needs more memory than is given to one request"}};
  } catch (const std::exception& error) {
    return {{"error", std::string("internal error: ") + error.what()}};
  }
}

}  // namespace

std::string answer(const std::string& request) {
  return answer_json(request).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace ambit::server
