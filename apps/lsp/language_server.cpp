#include "apps/lsp/language_server.h"

#include <chrono>
#include <exception>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>

#include "api/edit/document.h"
#include "apps/lsp/protocol.h"
#include "apps/rpc/json_rpc.h"

namespace ambit::lsp {
namespace {

using rpc::Json;
using rpc::RequestError;

/// Time limit for the answer for one lens. An editor shows the answers as they arrive.
constexpr std::chrono::milliseconds kLensLimit{3000};
/// Time limit for each question that the search for quick fixes asks the engine.
constexpr std::chrono::milliseconds kFixLimit{2000};

// LSP 3.17, "ErrorCodes".
constexpr int kServerNotInitialized = -32002;

Json json_of(const api::Position& position) { return {{"line", position.line}, {"character", position.character}}; }
Json json_of(const api::Range& range) { return {{"start", json_of(range.begin)}, {"end", json_of(range.end)}}; }

api::Position position_of(const Json& parameters) {
  const Json& position = parameters.at("position");
  return {position.at("line").get<std::uint32_t>(), position.at("character").get<std::uint32_t>()};
}

/// Converts a URI with the scheme "file" into a path, and decodes percent signs. Returns other URIs unchanged.
std::string path_of(const std::string& uri) {
  constexpr std::string_view kScheme = "file://";
  if (!uri.starts_with(kScheme)) return uri;
  std::string path;
  for (std::size_t i = kScheme.size(); i < uri.size(); ++i) {
    const bool is_escape = uri[i] == '%' && i + 2 < uri.size() &&
                           std::isxdigit(static_cast<unsigned char>(uri[i + 1])) != 0 &&
                           std::isxdigit(static_cast<unsigned char>(uri[i + 2])) != 0;
    if (is_escape) {
      path += static_cast<char>(std::stoi(uri.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else {
      path += uri[i];
    }
  }
  return path;
}

Json capabilities() {
  return {{"capabilities",
           {{"textDocumentSync", {{"openClose", true}, {"change", 1}}},  // 1: the editor sends the full text
            {"hoverProvider", true},
            {"completionProvider", {{"triggerCharacters", {" ", ":"}}}},
            {"documentSymbolProvider", true},
            {"codeActionProvider", {{"codeActionKinds", {"quickfix"}}}},
            {"codeLensProvider", {{"resolveProvider", true}}}}},
          {"serverInfo", {{"name", "ambit"}, {"version", AMBIT_VERSION}}}};
}

class Server {
 public:
  explicit Server(std::ostream& out) : out_(out) {}

  /// Handles one message. Returns false after the message `exit`.
  bool on_message(const std::string& text) {
    const rpc::Incoming incoming = rpc::read_call(text);
    if (const auto* refusal = std::get_if<Json>(&incoming)) send(*refusal);
    const auto* call = std::get_if<rpc::Call>(&incoming);
    if (call == nullptr) return true;
    if (call->method == "exit") return false;
    if (call->id) {
      answer(*call->id, call->method, call->parameters);
    } else {
      notice(call->method, call->parameters);
    }
    return true;
  }
  bool was_shut_down() const { return is_shut_down_; }

 private:
  void send(const Json& message) { write_message(out_, rpc::text_of(message)); }
  void reply_error(const Json& id, const RequestError& error) { send(rpc::error_response(id, error)); }

  void answer(const Json& id, const std::string& method, const Json& parameters) {
    try {
      if (!is_initialized_ && method != "initialize") throw RequestError{kServerNotInitialized, "not initialized"};
      if (is_shut_down_) throw RequestError{rpc::kInvalidRequest, "the server is shut down"};
      send(rpc::response(id, result_of(method, parameters)));
    } catch (const RequestError& error) {
      reply_error(id, error);
    } catch (const Json::exception& error) {
      reply_error(id, {rpc::kInvalidParams, error.what()});
    } catch (const std::exception& error) {
      reply_error(id, {rpc::kInternalError, error.what()});
    }
  }

  Json result_of(const std::string& method, const Json& parameters) {
    if (method == "initialize") {
      is_initialized_ = true;
      return capabilities();
    }
    if (method == "shutdown") {
      is_shut_down_ = true;
      return nullptr;
    }
    if (method == "textDocument/hover") return hover(parameters);
    if (method == "textDocument/completion") return completion(parameters);
    if (method == "textDocument/documentSymbol") return symbols(parameters);
    if (method == "textDocument/codeAction") return actions(parameters);
    if (method == "textDocument/codeLens") return lenses(parameters);
    if (method == "codeLens/resolve") return resolve(parameters);
    throw RequestError{rpc::kMethodNotFound, "unknown method: " + method};
  }

  void notice(const std::string& method, const Json& parameters) {
    try {
      if (method == "textDocument/didOpen") {
        const Json& document = parameters.at("textDocument");
        update(document.at("uri"), document.at("text"));
      } else if (method == "textDocument/didChange") {
        const Json& changes = parameters.at("contentChanges");
        if (!changes.empty()) update(parameters.at("textDocument").at("uri"), changes.back().at("text"));
      } else if (method == "textDocument/didClose") {
        const std::string uri = parameters.at("textDocument").at("uri");
        documents_.erase(uri);
        publish(uri, Json::array());
      }
    } catch (const std::exception& error) {  // a notification has no response, so the error is logged
      const Json text = {{"type", 1}, {"message", method + ": " + error.what()}};
      send({{"jsonrpc", "2.0"}, {"method", "window/logMessage"}, {"params", text}});
    }
  }

  void update(const std::string& uri, const std::string& text) {
    const auto document = std::make_shared<const api::Document>(path_of(uri), text, models_);
    documents_[uri] = document;
    Json list = Json::array();
    for (const api::Finding& finding : document->findings()) {
      constexpr int kError = 1;
      constexpr int kInformation = 3;
      list.push_back({{"range", json_of(finding.range)},
                      {"severity", finding.is_remark ? kInformation : kError},
                      {"source", "ambit"},
                      {"message", finding.message}});
    }
    publish(uri, list);
  }
  void publish(const std::string& uri, const Json& list) {
    const Json diagnostics = {{"uri", uri}, {"diagnostics", list}};
    send({{"jsonrpc", "2.0"}, {"method", "textDocument/publishDiagnostics"}, {"params", diagnostics}});
  }

  const api::Document& document(const Json& uri) const {
    const auto found = documents_.find(uri.get<std::string>());
    if (found == documents_.end()) throw RequestError{rpc::kInvalidParams, "this document is not open"};
    return *found->second;
  }
  const api::Document& document_of(const Json& parameters) const {
    return document(parameters.at("textDocument").at("uri"));
  }

  Json hover(const Json& parameters) const {
    const std::optional<std::string> text = document_of(parameters).hover(position_of(parameters));
    if (!text) return nullptr;
    return {{"contents", {{"kind", "markdown"}, {"value", *text}}}};
  }

  Json completion(const Json& parameters) const {
    Json list = Json::array();
    for (const api::Completion& one : document_of(parameters).completions(position_of(parameters))) {
      list.push_back({{"label", one.label}, {"insertText", one.insert}, {"documentation", one.detail}});
    }
    return list;
  }

  Json symbols(const Json& parameters) const {
    constexpr int kFunction = 12;  // LSP 3.17, "SymbolKind"
    Json list = Json::array();
    for (const api::Symbol& symbol : document_of(parameters).symbols()) {
      const Json range = json_of(symbol.range);
      list.push_back({{"name", symbol.name},
                      {"detail", symbol.detail},
                      {"kind", kFunction},
                      {"range", range},
                      {"selectionRange", range}});
    }
    return list;
  }

  Json actions(const Json& parameters) const {
    const Json& uri = parameters.at("textDocument").at("uri");
    const Json& range = parameters.at("range");
    Json list = Json::array();
    const api::Range requested{position_of({{"position", range.at("start")}}),
                               position_of({{"position", range.at("end")}})};
    for (const api::QuickFix& fix : document(uri).fixes(requested, kFixLimit)) {
      const Json edit = {{"range", json_of(fix.range)}, {"newText", fix.text}};
      list.push_back({{"title", fix.title},
                      {"kind", "quickfix"},
                      {"edit", {{"changes", {{uri.get<std::string>(), Json::array({edit})}}}}}});
    }
    return list;
  }

  Json lenses(const Json& parameters) const {
    const Json& uri = parameters.at("textDocument").at("uri");
    Json list = Json::array();
    for (const api::Lens& lens : document(uri).lenses()) {
      list.push_back({{"range", json_of(lens.range)},
                      {"data",
                       {{"uri", uri},
                        {"program", lens.program},
                        {"expectation", lens.expectation},
                        {"termination", lens.is_termination}}}});
    }
    return list;
  }

  Json resolve(Json lens) const {
    const Json& data = lens.at("data");
    api::Lens place;
    place.program = data.at("program").get<std::size_t>();
    place.expectation = data.at("expectation").get<std::size_t>();
    place.is_termination = data.value("termination", false);
    lens["command"] = {{"title", document(data.at("uri")).answer(place, kLensLimit)}, {"command", ""}};
    return lens;
  }

  std::ostream& out_;
  bool is_initialized_ = false;
  bool is_shut_down_ = false;
  parser::ModelStore models_{parser::ModelStore::Files::ReadEachTime};
  std::map<std::string, std::shared_ptr<const api::Document>> documents_;
};

}  // namespace

int serve(std::istream& in, std::ostream& out, std::ostream& errors) {
  Server server(out);
  while (const std::optional<std::string> message = read_message(in)) {
    if (!server.on_message(*message)) return server.was_shut_down() ? 0 : 1;
  }
  errors << (in.eof() ? "error: the editor's messages ended without 'exit'\n"
                      : "error: not a message of the Language Server Protocol: expected 'Content-Length: N' and an "
                        "empty line\n");
  return 1;
}

}  // namespace ambit::lsp
