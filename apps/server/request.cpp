#include "apps/server/request.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "parser/parse.h"

namespace ambit::server {
namespace {

struct LanguageName {
  std::string_view ending;
  std::string_view words;
};

LanguageName name_of(parser::Language language) {
  switch (language) {
    case parser::Language::CudaSource: return {".cu", "CUDA source"};
    case parser::Language::CudaLitmus: break;
    case parser::Language::PtxLitmus: return {".litmus", "PTX litmus test"};
    case parser::Language::MixedProxyTest: return {".test", "mixed-proxy test"};
    case parser::Language::CompiledModule: return {".ptx", "PTX module"};
  }
  return {".litmus", "CUDA litmus test"};
}

std::string with_ending(std::string name, const std::string& text) {
  if (name.empty()) name = "test";
  if (name.find('.') != std::string::npos) return name;
  return name + std::string(name_of(parser::language_of({name, text})).ending);
}

}  // namespace

Request read_request(const std::string& text, parser::ModelStore& models, std::chrono::milliseconds time) {
  Request request;
  const Context::Clock::time_point begin = Context::Clock::now();
  request.models = &models;
  request.json = Json::parse(text);
  if (!request.json.is_object()) throw BadRequest("the request is not a JSON object");
  request.what = request.json.at("do").get<std::string>();
  request.text = request.json.value("text", "");
  request.name = with_ending(request.json.value("name", ""), request.text);
  if (request.name.find('/') != std::string::npos || request.name.ends_with(".cat")) {
    throw BadRequest("'name' is the name of a test, without folders");
  }
  const double most = std::chrono::duration<double>(time).count();
  const double seconds = std::clamp(request.json.value("seconds", most), 0.001, std::max(most, 0.001));
  request.end = begin + std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
  return request;
}

std::string_view language_words(const Request& request) {
  return name_of(parser::language_of({request.name, request.text})).words;
}

std::shared_ptr<const Program> program_of(const Request& request) {
  const auto source = std::make_shared<const SourceFile>(SourceFile{request.name, request.text});
  const auto programs = taken(parser::parse_programs(source));
  if (programs.size() > 1 && !request.json.contains("program")) {
    throw BadRequest(fmt::format("the text holds {} tests: choose one with 'program', from 0", programs.size()));
  }
  const auto number = request.json.value("program", std::int64_t{0});
  if (number < 0 || static_cast<std::uint64_t>(number) >= programs.size()) {
    throw BadRequest(fmt::format("there is no test {}: the text holds {}, numbered from 0", number, programs.size()));
  }
  return programs[static_cast<std::size_t>(number)];
}

std::vector<parser::RulesPtr> named_models(const Request& request) {
  auto models = request.models->load_all(request.json.value("models", std::vector<std::string>()));
  if (models.ok()) return std::move(models).value();
  Diagnostics errors = models.errors();
  for (Diagnostic& error : errors) error.file = nullptr;  // a request has neither a command line nor model files
  throw BadRequest(render(errors));
}

std::vector<parser::RulesPtr> models_or_default(const Request& request, const Program& program) {
  std::vector<parser::RulesPtr> models = named_models(request);
  if (models.empty()) models = taken(request.models->models_of(program));
  return models.empty() ? taken(request.models->default_models(program)) : models;
}

}  // namespace ambit::server
