#pragma once

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/context.h"
#include "core/program.h"
#include "parser/cat/model_store.h"

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
  Context::Clock::time_point end;        ///< of all its questions: when the answer is to be written
};

/// `time`: for all its questions; a request can do with less. Throws BadRequest or a Json::exception.
Request read_request(const std::string& text, parser::ModelStore& models, std::chrono::milliseconds time);

/// The test of the request's text, of several the one that it names by its number. Throws BadRequest, with the rendered
/// errors where the text has some.
std::shared_ptr<const Program> program_of(const Request& request);

/// The models that the request names, else those of which the test expects outcomes or races; where it expects nothing
/// at all, hrf-indirect and ptx. Throws BadRequest.
std::vector<parser::RulesPtr> models_of(const Request& request, const Program& program);
/// The same, and where the test expects something of termination alone, hrf-indirect and ptx.
std::vector<parser::RulesPtr> models_or_default(const Request& request, const Program& program);
/// Those of which termination is asked: the models that the request names, else those that the test expects it of.
/// Throws BadRequest.
std::vector<parser::RulesPtr> termination_models_of(const Request& request, const Program& program);

}  // namespace ambit::server
