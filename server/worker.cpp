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
#include "server/page.h"
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

editor::Document document_of(const Request& request) { return {request.name, request.text, *request.models}; }

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

Json models(const Request& request) {
  Json list = Json::array();
  for (const std::string_view name : rules::shipped_models()) {
    const auto rules = request.models->load(std::string(name), {});
    if (!rules.ok()) continue;  // what is shipped loads; a test says so
    Json model = {{"name", name}, {"title", rules.value()->title}, {"options", Json::array()}};
    for (const rules::ModelOption& option : rules.value()->options) {
      model["options"].push_back({{"name", option.name}, {"values", option.values}, {"meaning", option.meaning}});
    }
    list.push_back(std::move(model));
  }
  return {{"models", list}};
}

report::ModelResult ask(const std::shared_ptr<const Program>& program, const parser::RulesPtr& rules, bool outcomes,
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
  for (const parser::RulesPtr& rules : models_of(request, *program)) {
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

Json answer_json(const std::string& text, parser::ModelStore& models) {
  try {
    const Request request = read_request(text, models);
    const auto action = actions().find(request.what);
    if (action == actions().end()) throw BadRequest("there is nothing to do under the name '" + request.what + "'");
    Json answer = action->second(request);
    // Where no question took as long as it may, no limit was reached.
    if (Context::Clock::now() - request.begin >= time_limit_of(request)) answer["limited"] = true;
    return answer;
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

std::string Worker::answer(const std::string& request) {
  return answer_json(request, models_).dump(-1, ' ', false, Json::error_handler_t::replace);
}

void Worker::warm_up() {
  answer(R"({"do":"models"})");
  for (const PageFile& file : page_files()) {
    if (file.path != "/examples.json") continue;
    for (const Json& group : Json::parse(file.text)) {
      for (const Json& test : group["tests"]) answer(Json{{"do", "edit"}, {"text", test["text"]}}.dump());
      for (const char* action : {"check", "outcomes", "explain", "graph", "step", "detect"}) {
        answer(Json{{"do", action}, {"text", group["tests"][0]["text"]}}.dump());
      }
    }
  }
}

}  // namespace ambit::server
