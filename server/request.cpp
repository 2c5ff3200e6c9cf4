#include "server/request.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "model/rules/shipped.h"
#include "model/verdict/verdict.h"
#include "parser/parse.h"

namespace ambit::server {
namespace {

constexpr double kMostSeconds = 10;
constexpr double kSeconds = 3;
constexpr std::size_t kMostModels = 12;

RulesPtr load(const std::string& name, const std::map<std::string, std::string>& options) {
  const auto shipped = rules::shipped_models();
  if (std::find(shipped.begin(), shipped.end(), name) == shipped.end()) {
    throw BadRequest("there is no model '" + name + "' here: models of one's own are for the command line");
  }
  auto rules = parser::load_model(name, options);
  if (!rules.ok()) throw BadRequest(render(rules.errors()));
  return rules.value();
}

void add_once(std::vector<RulesPtr>& models, RulesPtr rules) {
  const std::string name = verdict::model_name(*rules);
  const bool is_there = std::any_of(models.begin(), models.end(),
                                    [&](const RulesPtr& other) { return verdict::model_name(*other) == name; });
  if (!is_there) models.push_back(std::move(rules));
}

}  // namespace

Request read_request(const std::string& text) {
  Request request;
  request.json = Json::parse(text);
  if (!request.json.is_object()) throw BadRequest("the request is no JSON object");
  request.what = request.json.at("do").get<std::string>();
  request.text = request.json.value("text", "");
  request.name = request.json.value("name", request.name);
  if (request.name.find('/') != std::string::npos || request.name.ends_with(".cat")) {
    throw BadRequest("'name' is the name of a test, without folders");
  }
  return request;
}

std::shared_ptr<const Program> program_of(const Request& request) {
  const auto source = std::make_shared<const SourceFile>(SourceFile{request.name, request.text});
  auto programs = parser::parse_programs(source);
  if (!programs.ok()) throw BadRequest(render(programs.errors()));
  const std::size_t which = std::min(request.json.value("program", std::size_t{0}), programs.value().size() - 1);
  return programs.value()[which];
}

std::vector<RulesPtr> models_of(const Request& request, const Program& program) {
  std::vector<RulesPtr> models;
  if (const auto names = request.json.find("models"); names != request.json.end() && !names->empty()) {
    for (const Json& name : *names) {
      const auto reference = parser::parse_model_reference(name.get<std::string>());
      if (!reference.ok()) throw BadRequest(render(reference.errors()));
      add_once(models, load(reference.value().name, reference.value().options));
    }
  } else {
    for (const Expectation& expectation : program.expectations) {
      add_once(models, load(expectation.model, expectation.options));
    }
  }
  if (models.empty()) models = {load("hrf-indirect", {}), load("ptx", {})};
  if (models.size() > kMostModels) models.resize(kMostModels);
  return models;
}

Context context_of(const Request& request) {
  const double seconds = std::clamp(request.json.value("seconds", kSeconds), 0.001, kMostSeconds);
  Context context;
  context.set_timeout(std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000)));
  return context;
}

}  // namespace ambit::server
