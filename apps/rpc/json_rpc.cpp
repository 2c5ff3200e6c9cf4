#include "apps/rpc/json_rpc.h"

#include <utility>

namespace ambit::rpc {

Incoming read_call(const std::string& text) {
  const Json message = Json::parse(text, nullptr, false);
  if (message.is_discarded()) return error_response(nullptr, {kParseError, "the message is not JSON"});
  if (!message.is_object()) return error_response(nullptr, {kInvalidRequest, "the message is not a JSON object"});
  if (message.contains("id") && !message["id"].is_string() && !message["id"].is_number() && !message["id"].is_null()) {
    return error_response(nullptr, {kInvalidRequest, "the id is not a string or a number"});
  }
  if (!message.contains("method") || !message["method"].is_string()) {
    const bool is_response = message.contains("result") || message.contains("error");
    if (is_response || !message.contains("id")) return std::monostate();
    return error_response(message["id"], {kInvalidRequest, "the request has no method"});
  }
  Call call;
  call.method = message["method"];
  if (message.contains("id")) call.id = message["id"];
  if (message.contains("params")) call.parameters = message["params"];
  return call;
}

Json response(const Json& id, Json result) { return {{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}}; }

Json error_response(const Json& id, const RequestError& error) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", error.code}, {"message", error.message}}}};
}

std::string text_of(const Json& message) { return message.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace ambit::rpc
