#include "apps/server/request.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "parser/parse.h"

namespace ambit::server {
namespace {

/// What a result holds, or BadRequest with the rendered errors.
template <typename T>
T taken(Result<T> result) {
  if (!result.ok()) throw BadRequest(render(result.errors()));
  return std::move(result.value());
}

}  // namespace

Request read_request(const std::string& text, parser::ModelStore& models, std::chrono::milliseconds time) {
  Request request;
  const Context::Clock::time_point begin = Context::Clock::now();
  request.models = &models;
  request.json = Json::parse(text);
  if (!request.json.is_object()) throw BadRequest("the request is no JSON object");
  request.what = request.json.at("do").get<std::string>();
  request.text = request.json.value("text", "");
  request.name = request.json.value("name", request.name);
  if (request.name.find('/') != std::string::npos || request.name.ends_with(".cat")) {
    throw BadRequest("'name' is the name of a test, without folders");
  }
  const double most = std::chrono::duration<double>(time).count();
  const double seconds = std::clamp(request.json.value("seconds", most), 0.001, std::max(most, 0.001));
  request.end = begin + std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
  return request;
}

std::shared_ptr<const Program> program_of(const Request& request) {
  const auto source = std::make_shared<const SourceFile>(SourceFile{request.name, request.text});
  const auto programs = taken(parser::parse_programs(source));
  if (programs.size() > 1 && !request.json.contains("program")) {
    throw BadRequest(fmt::format("the text holds {} tests: 'program' says which, from 0 on", programs.size()));
  }
  const auto number = request.json.value("program", std::int64_t{0});
  if (number < 0 || static_cast<std::uint64_t>(number) >= programs.size()) {
    throw BadRequest(fmt::format("there is no test {}: the text holds {}, from 0 on", number, programs.size()));
  }
  return programs[static_cast<std::size_t>(number)];
}

std::vector<parser::RulesPtr> models_of(const Request& request, const Program& program) {
  const auto names = request.json.value("models", std::vector<std::string>());
  return taken(names.empty() ? request.models->models_of(program) : request.models->load_all(names));
}

std::vector<parser::RulesPtr> models_or_default(const Request& request, const Program& program) {
  std::vector<parser::RulesPtr> models = models_of(request, program);
  return models.empty() ? taken(request.models->default_models()) : models;
}

std::vector<parser::RulesPtr> termination_models_of(const Request& request, const Program& program) {
  const auto names = request.json.value("models", std::vector<std::string>());
  return taken(names.empty() ? request.models->termination_models_of(program) : request.models->load_all(names));
}

}  // namespace ambit::server
