#include "server/request.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "parser/parse.h"

namespace ambit::server {
namespace {

constexpr double kMostSeconds = 10;
constexpr double kSeconds = 3;
constexpr std::size_t kMostModels = 12;

/// What a result holds, or BadRequest with the rendered errors.
template <typename T>
T taken(Result<T> result) {
  if (!result.ok()) throw BadRequest(render(result.errors()));
  return std::move(result.value());
}

}  // namespace

Request read_request(const std::string& text, parser::ModelStore& models) {
  Request request;
  request.models = &models;
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
  const auto programs = taken(parser::parse_programs(source));
  return programs[std::min(request.json.value("program", std::size_t{0}), programs.size() - 1)];
}

std::vector<parser::RulesPtr> models_of(const Request& request, const Program& program) {
  const auto names = request.json.value("models", std::vector<std::string>());
  std::vector<parser::RulesPtr> models = taken(names.empty() ? request.models->models_of(program)  //
                                                             : request.models->load_all(names));
  if (models.empty()) models = taken(request.models->default_models());  // it expects something of termination alone
  if (models.size() > kMostModels) models.resize(kMostModels);
  return models;
}

std::chrono::milliseconds time_limit_of(const Request& request) {
  const double seconds = std::clamp(request.json.value("seconds", kSeconds), 0.001, kMostSeconds);
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

Context context_of(const Request& request) {
  Context context;
  context.set_timeout(time_limit_of(request));
  return context;
}

}  // namespace ambit::server
