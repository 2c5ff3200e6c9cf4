#pragma once

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/context.h"
#include "core/program.h"
#include "parser/model_store.h"

namespace ambit::server {

using Json = nlohmann::json;

/// A request that cannot be answered; what() is for whoever sent it. Does not leave the room.
class BadRequest : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One request of the page, its common fields read.
struct Request {
  std::string what;
  std::string text;
  std::string name = "test.litmus";  ///< of the text: its ending says what it is written in
  Json json;
  parser::ModelStore* models = nullptr;  ///< who reads models for it
  Context::Clock::time_point begin = Context::Clock::now();
};

/// Throws BadRequest or a Json::exception.
Request read_request(const std::string& text, parser::ModelStore& models);

/// The only test of the request's text. Throws BadRequest with the rendered errors.
std::shared_ptr<const Program> program_of(const Request& request);

/// The models that the request names, else those that the test expects something of, else hrf-indirect and ptx. Throws
/// BadRequest.
std::vector<parser::RulesPtr> models_of(const Request& request, const Program& program);

/// The time that the request gives itself for each question, at most 10 seconds.
std::chrono::milliseconds time_limit_of(const Request& request);
/// With that time, from now on.
Context context_of(const Request& request);

}  // namespace ambit::server
