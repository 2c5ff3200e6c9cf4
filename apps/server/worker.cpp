#include "apps/server/worker.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "api/edit/document.h"
#include "apps/server/page.h"
#include "apps/server/page_words.h"
#include "apps/server/request.h"
#include "apps/server/requests.h"
#include "model/rules/shipped.h"

namespace ambit::server {
namespace {

Json range_json(const api::Range& range) {
  return {{"line", range.begin.line},
          {"character", range.begin.character},
          {"endLine", range.end.line},
          {"endCharacter", range.end.character}};
}

api::Document document_of(const Request& request) { return {request.name, request.text, *request.models}; }

api::Position position_of(const Request& request) {
  return {request.json.value("line", 0U), request.json.value("character", 0U)};
}

/// Answers "edit": returns the name, language, tests, errors, threads and expectations of a text in the editor.
Json edit(const Request& request) {
  const api::Document document = document_of(request);
  Json answer = {{"name", request.name},         {"language", language_words(request)},
                 {"tests", document.tests()},    {"errors", Json::array()},
                 {"remarks", Json::array()},     {"threads", Json::array()},
                 {"expectations", Json::array()}};
  for (const api::Finding& finding : document.findings()) {
    Json error = range_json(finding.range);
    error["message"] = finding.message;
    answer[finding.is_remark ? "remarks" : "errors"].push_back(std::move(error));
  }
  for (const api::Symbol& symbol : document.symbols()) {
    answer["threads"].push_back({{"name", symbol.name}, {"detail", symbol.detail}});
  }
  for (const api::Lens& lens : document.lenses()) answer["expectations"].push_back(range_json(lens.range));
  return answer;
}

Json hover(const Request& request) {
  const auto text = document_of(request).hover(position_of(request));
  return {{"text", text ? Json(*text) : Json(nullptr)}};
}

Json complete(const Request& request) {
  Json list = Json::array();
  for (const api::Completion& one : document_of(request).completions(position_of(request))) {
    list.push_back({{"label", one.label}, {"insert", one.insert}, {"detail", one.detail}});
  }
  return {{"completions", list}};
}

Json models(const Request& request) {
  Json list = Json::array();
  for (const std::string_view name : rules::shipped_models()) {
    const auto rules = request.models->load(std::string(name), {});
    if (!rules.ok()) continue;  // a unit test ensures that shipped models load
    Json model = {{"name", name}, {"title", rules.value()->title}, {"options", Json::array()}};
    for (const rules::ModelOption& option : rules.value()->options) {
      model["options"].push_back({{"name", option.name}, {"values", option.values}, {"meaning", option.meaning}});
    }
    list.push_back(std::move(model));
  }
  return {{"models", list}};
}

struct Action {
  std::function<Json(const Request&)> answer;
  /// Whether the answer contains words of the litmus language or parts of the test's own text.
  bool is_source = false;
};

const std::map<std::string, Action>& actions() {
  static const std::map<std::string, Action> all{
      {"edit", {edit}},     {"hover", {hover}},   {"complete", {complete, true}},
      {"models", {models}}, {"check", {check}},   {"outcomes", {outcomes}},
      {"step", {step}},     {"detect", {detect}}, {"explain", {explain}},
      {"graph", {graph}},   {"fix", {fix, true}},
  };
  return all;
}

/// Returns the part of `time` that the questions may use. The rest of `time` is for writing the answer.
std::chrono::milliseconds time_for_questions(std::chrono::milliseconds time) {
  return time - std::min(time / 5, std::chrono::milliseconds(2000));
}

Json answer_json(const std::string& text, parser::ModelStore& models, std::chrono::milliseconds time) {
  try {
    const Request request = read_request(text, models, time_for_questions(time));
    const auto action = actions().find(request.what);
    if (action == actions().end()) throw BadRequest("unknown request '" + request.what + "'");
    Json answer = action->second.answer(request);
    if (!action->second.is_source) use_page_words(answer);
    return answer;
  } catch (const BadRequest& error) {
    return {{"error", page_text(error.what())}};
  } catch (const Json::exception&) {
    return {{"error", "the request is not JSON, lacks a field, or a field has the wrong type"}};
  } catch (const std::bad_alloc&) {
    return {{"error", "the answer needs more memory than one request may use"}};
  } catch (const std::exception& error) {
    return {{"error", std::string("internal error: ") + error.what()}};
  }
}

}  // namespace

std::string Worker::answer(const std::string& request, std::chrono::milliseconds time) {
  return answer_json(request, models_, time).dump(-1, ' ', false, Json::error_handler_t::replace);
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
