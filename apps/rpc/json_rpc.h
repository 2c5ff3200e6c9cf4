#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>

/// The messages of JSON-RPC 2.0, which the language server and the MCP server exchange.
namespace ambit::rpc {

using Json = nlohmann::json;

// JSON-RPC 2.0, section 5.1.
inline constexpr int kParseError = -32700;
inline constexpr int kInvalidRequest = -32600;
inline constexpr int kMethodNotFound = -32601;
inline constexpr int kInvalidParams = -32602;
inline constexpr int kInternalError = -32603;

/// The reason for refusing a request.
struct RequestError {
  int code = kInternalError;
  std::string message;
};

/// A request or a notification. The other side's responses have no method, so this type does not represent them.
struct Call {
  std::optional<Json> id;  ///< absent for a notification
  std::string method;
  Json parameters = Json::object();
};

/// A message that was read: a call; nothing for a response; or the error message that answers malformed text.
using Incoming = std::variant<std::monostate, Call, Json>;

/// Reads a message.
Incoming read_call(const std::string& text);

/// Return the message that answers a request. `id`: the request's id, or null if the id is unknown.
Json response(const Json& id, Json result);
Json error_response(const Json& id, const RequestError& error);

/// Returns the text of a message on one line. Replaces invalid UTF-8.
std::string text_of(const Json& message);

}  // namespace ambit::rpc
