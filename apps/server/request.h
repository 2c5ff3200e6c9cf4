#pragma once

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/context.h"
#include "core/program.h"
#include "parser/cat/model_store.h"

namespace ambit::server {

using Json = nlohmann::json;

/// Thrown if a request cannot be answered. what() is the error message for the sender. Only this module throws
/// BadRequest.
class BadRequest : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One request from the page, with the fields that all kinds of requests have.
struct Request {
  std::string what;
  std::string text;
  std::string name;  ///< name of the text; its extension selects the language
  Json json;
  parser::ModelStore* models = nullptr;
  Context::Clock::time_point end;  ///< time by which all questions must be answered
};

/// Reads a request. The default name is "test". If the name has no extension, adds the extension of the language that
/// the text appears to have. `time`: time limit for all questions; a request can set a shorter limit. Throws BadRequest
/// or a Json::exception.
Request read_request(const std::string& text, parser::ModelStore& models, std::chrono::milliseconds time);

/// Returns the name of the language of the request's text: "CUDA source".
std::string_view language_words(const Request& request);

/// Returns the test in the request's text. If the text contains several tests, the request gives the number of the
/// test. Throws BadRequest. If the text has errors, BadRequest contains the rendered errors.
std::shared_ptr<const Program> program_of(const Request& request);

/// Returns the value of a result. If the result has errors, throws BadRequest with the rendered errors.
template <typename T>
T taken(Result<T> result) {
  if (!result.ok()) throw BadRequest(render(result.errors()));
  return std::move(result.value());
}

/// Returns the models that the request names. Throws BadRequest.
std::vector<parser::RulesPtr> named_models(const Request& request);
/// Returns the models that the request names. If the request names no models, returns the models for which the test has
/// expectations about outcomes or races. If the test has no expectations about outcomes or races, returns the default
/// models (ModelStore::default_models). Throws BadRequest.
std::vector<parser::RulesPtr> models_or_default(const Request& request, const Program& program);

}  // namespace ambit::server
