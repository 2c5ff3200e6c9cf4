#include "tests/server/hostile.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace ambit::serving {
namespace {

using Json = nlohmann::json;

constexpr int kPatience = 60;          // Seconds.
constexpr std::size_t kDripping = 40;  // Number of slow connections at the same time.

constexpr std::array<const char*, 11> kActions{"check", "outcomes", "edit",    "hover", "complete",     "models",
                                               "step",  "detect",   "explain", "graph", "no such thing"};

std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::ignore); }

/// Returns the fault of a response; empty if there is no fault. A browser must treat the response as data, never as
/// markup. The response must not contain a file of the machine.
std::string fault_of(const std::string& response) {
  const int status = status_of(response);
  if (status == 0) return "no response";
  const std::string body = response.substr(std::min(response.size(), response.find("\r\n\r\n")));
  if (body.find("root:") != std::string::npos) return "a file's contents";
  if (status >= 500 && status != 503) return fmt::format("status {}", status);
  if (status == 200 && response.find("X-Content-Type-Options: nosniff") == std::string::npos) return "no 'nosniff'";
  if (response.find("Content-Type: application/json") == std::string::npos) return {};
  const Json json = Json::parse(body, nullptr, false);
  return json.is_discarded() ? "the answer is not JSON" : "";
}

/// Sends one request on a new connection and closes the sending side, so that the server does not wait for more bytes.
std::string send_body(int port, const std::string& request) {
  Connection connection(port);
  connection.send(request);
  connection.finish();
  const auto response = connection.response(kPatience);
  return response ? fault_of(*response) : "";  // the server may also close the connection without an answer
}

/// Like send_body(), but sends a well-formed HTTP request, which the server must answer.
std::string send_well_formed(int port, const std::string& body) {
  Connection connection(port);
  connection.send(post(body));
  return fault_of(connection.response(kPatience).value_or(""));
}

}  // namespace

const std::array<std::string_view, Hostile::kKinds>& Hostile::names() {
  static const std::array<std::string_view, kKinds> all{
      "random bytes", "binary body", "deep",          "huge",
      "bad UTF-8",    "script tags", "endless check", "path traversal",
      "broken head",  "broken body", "other sites",   "closed while answering",
      "pipelined",    "slow"};
  return all;
}

std::string Hostile::bytes(std::size_t count) {
  std::string text(count, '\0');
  for (char& letter : text) letter = static_cast<char>(random_() & 0xffU);
  return text;
}

std::string Hostile::valid() {
  Json json{{"do", kActions[below(kActions.size())]}, {"text", tests_[below(tests_.size())]}, {"seconds", 0.2}};
  if (below(3) == 0) json["choices"] = std::vector<std::string>(below(40), below(2) == 0 ? "P0" : "P1");
  if (below(4) == 0) json["finish"] = true;
  if (below(4) == 0) json["line"] = random_();
  if (below(4) == 0) json["models"] = {"ptx", "/etc/passwd", "../../secret.txt"};
  if (below(6) == 0) json["name"] = below(2) == 0 ? "../../secret.txt" : "test.cu";
  if (below(6) == 0) json["seed"] = -1;
  return dumped(json);
}

std::string Hostile::mutated(std::string text) {
  for (std::size_t i = 1 + below(8); i > 0 && !text.empty(); --i) {
    const std::size_t at = below(text.size());
    switch (below(3)) {
      case 0: text[at] = static_cast<char>(random_() & 0xffU); break;
      case 1: text.erase(at, 1 + below(20)); break;
      default: text.insert(at, text.substr(below(text.size()), below(30)));
    }
  }
  return text;
}

std::string Hostile::deep() {
  const std::size_t depth = 1000 + below(60000);
  switch (below(4)) {
    case 0: return std::string(depth, '[');
    case 1: return R"({"do":"check","text":)" + std::string(depth, '{');
    case 2:
      return dumped({{"do", "check"},
                     {"text", "CUDA t\n{ global int x; }\nP0 @ block 0 { x = " + std::string(depth, '(') + "1; }"}});
    default: {
      std::string text = "CUDA t\n{ global int x; }\nP0 @ block 0 { ";
      for (std::size_t i = 0; i < depth / 10; ++i) text += "if (1) { ";
      return dumped({{"do", "edit"}, {"text", text}});
    }
  }
}

std::string Hostile::broken_utf8() {
  std::string text = tests_[below(tests_.size())];
  text.insert(below(text.size()), below(2) == 0 ? "\xff\xfe\xc0\x80" : "\xed\xa0\x80\xf4\x90");
  std::string body = R"({"do":")" + std::string(kActions[below(kActions.size())]) + R"(","text":")";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') body += '\\';
    if (letter == '\n') {
      body += "\\n";
    } else {
      body += letter;
    }
  }
  return body + "\"}";
}

std::string Hostile::script() {
  const std::string tag = "<script>alert(1)</script><img src=x onerror=alert(1)>";
  std::string text = tests_[below(tests_.size())];
  text.insert(below(2) == 0 ? 5 : below(text.size()), tag);
  return dumped({{"do", kActions[below(kActions.size())]}, {"text", text}, {"name", "t.litmus"}});
}

std::string Hostile::send_endless(int port) {
  Connection connection(port);
  connection.send(post(endless()));
  const std::string response = connection.response(kPatience).value_or("");
  const bool is_stopped = response.find(R"({"error":"stopped: no answer within)") != std::string::npos;
  const bool is_cut = response.find(R"("limited":true)") != std::string::npos;
  return is_stopped || is_cut ? "" : "not stopped: " + response.substr(0, 1000);
}

/// Returns a request for all outcomes of many threads that access one location. No server could finish such a request.
std::string Hostile::endless() {
  std::string text = "CUDA t\n{ global int x = 0; }\n";
  std::string condition;
  for (int t = 0; t < 24; ++t) {
    text += fmt::format("P{} @ block {} {{ x = {}; int a = x; int b = x; }}\n", t, t, t + 1);
    condition += fmt::format("{}P{}:a == {} && P{}:b == {}", t == 0 ? "" : " && ", t, below(24), t, below(24));
  }
  text += "exists (" + condition + ")";
  return dumped({{"do", "outcomes"}, {"text", text}, {"seconds", 1000000}, {"models", {"ptx"}}});
}

std::string Hostile::traversal() {
  constexpr std::array<const char*, 9> kPaths{
      "/../secret.txt", "/../../../../etc/passwd", "/..%2f..%2f..%2fetc%2fpasswd", "/%2e%2e/secret.txt",
      "//secret.txt",   "/inside/test.litmus",     "/index.html/../../secret.txt", "/\\..\\secret.txt",
      "/app.js%00.txt"};
  const std::string path = below(3) == 0 ? "/" + std::string(5000 + below(20000), 'a') : kPaths[below(kPaths.size())];
  return "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
}

std::string Hostile::broken_head() {
  switch (below(8)) {
    case 0: return "POST /api HTTP/9.9\r\n\r\n";
    case 1: return "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + std::string(below(100000), 'x') + "\r\n\r\n";
    case 2:
      return "POST /api HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: -1\r\n\r\n{}";
    case 3: return "\r\n\r\n\r\n";
    case 4: return "BREW /pot HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    case 5: {
      std::string head = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n";
      for (int i = 0; i < 2000; ++i) head += fmt::format("X-{}: {}\r\n", i, i);
      return head + "\r\n";
    }
    case 6: {
      std::string head = "GET /index.html HTTP/1.1\r\nHost: 127.0.0.1\r\nRange: bytes=0-";
      for (int i = 0; i < 500; ++i) head += ",0-";
      return head + "\r\n\r\n";
    }
    default: return mutated(post(valid()));
  }
}

std::string Hostile::broken_body() {
  const std::string head = "POST /api HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n";
  switch (below(5)) {
    case 0: return head + "Transfer-Encoding: chunked\r\n\r\nffffffffffff\r\n{}\r\n0\r\n\r\n";
    case 1: return head + "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n";
    case 3: {
      const std::string size = "3d0900\r\n";  // 4,000,000
      return head + "Transfer-Encoding: chunked\r\n\r\n" + size + std::string(4000000, 'x') + "\r\n0\r\n\r\n";
    }
    case 2: return head + "Content-Length: 5\r\nContent-Length: 900\r\n\r\n{}   ";
    default: return head + "Content-Encoding: gzip\r\nContent-Length: 20\r\n\r\n" + bytes(20);
  }
}

std::string Hostile::foreign() {
  const std::string body = valid();
  const bool other_type = below(2) == 0;
  return fmt::format("POST /api HTTP/1.1\r\nHost: {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n\r\n{}",
                     other_type      ? "127.0.0.1"
                     : below(2) == 0 ? "evil.example"
                                     : "\xff\xc0\"{",
                     other_type ? "text/plain" : "application/json", body.size(), body);
}

/// Sends fewer bytes than the header announces, or closes the connection before the answer arrives.
std::string Hostile::cut(int port, bool reads) {
  const std::string request = post(valid());
  Connection connection(port);
  connection.send(reads ? request.substr(0, 1 + below(request.size())) : request);
  if (!reads) return {};
  connection.finish();
  const std::string response = connection.receive(kPatience);
  return response.empty() ? "" : fault_of(response.substr(0, response.find("HTTP/1.1 ", 9)));
}

std::string Hostile::pipelined(int port) {
  Connection connection(port);
  std::string all;
  const std::size_t count = 2 + below(8);
  for (std::size_t i = 0; i < count; ++i) all += post(valid());
  connection.send(all);
  // At least the first request gets an answer; the server may close the connection afterwards.
  return fault_of(connection.response(kPatience).value_or(""));
}

/// Sends single bytes through many connections that stay open.
std::string Hostile::slow(int port) {
  if (dripping_.size() == kDripping) dripping_.pop_front();
  dripping_.emplace_back(port);
  dripping_.back().send(
      "POST /api HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n");
  for (Connection& connection : dripping_) connection.send(" ");
  return {};
}

std::string Hostile::attack(int port) {
  std::size_t kind = below(kKinds);
  if (kind == 6 && below(16) != 0) kind = 1;  // most requests of kind 6 would take the whole time limit
  ++counts_[kind];
  switch (kind) {
    case 0: return send_body(port, bytes(1 + below(4000)));
    case 1: return send_well_formed(port, below(2) == 0 ? bytes(below(2000)) : mutated(valid()));
    case 2: return send_well_formed(port, deep());
    case 3:
      return send_body(
          port, post(below(2) == 0 ? std::string(262145 + below(4000000), 'x') : valid() + std::string(200000, ' ')));
    case 4: return send_well_formed(port, broken_utf8());
    case 5: return send_well_formed(port, script());
    case 6: return send_endless(port);
    case 7: return send_body(port, traversal());
    case 8: return send_body(port, broken_head());
    case 9: return send_body(port, broken_body());
    case 10: return send_body(port, foreign());
    case 11: return cut(port, below(2) == 0);
    case 12: return pipelined(port);
    default: return slow(port);
  }
}

}  // namespace ambit::serving
