#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/context.h"
#include "core/program.h"
#include "model/rules/rules.h"

namespace ambit::server {

using Json = nlohmann::json;
using RulesPtr = std::shared_ptr<const rules::Rules>;

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
};

/// Throws BadRequest or a Json::exception.
Request read_request(const std::string& text);

/// The only test of the request's text. Throws BadRequest with the rendered errors.
std::shared_ptr<const Program> program_of(const Request& request);

/// The models that the request names, else those that the test expects something of, else hrf-indirect and ptx. Only
/// shipped models. Throws BadRequest.
std::vector<RulesPtr> models_of(const Request& request, const Program& program);

/// With the time that the request gives itself, at most 10 seconds.
Context context_of(const Request& request);

}  // namespace ambit::server
