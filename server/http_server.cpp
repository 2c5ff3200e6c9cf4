#include "server/http_server.h"

#include <fmt/format.h>
#include <httplib.h>
#include <netdb.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "server/answer_cache.h"
#include "server/connection_threads.h"
#include "server/fork_server.h"
#include "server/gate.h"
#include "server/graphviz.h"
#include "server/page.h"

namespace ambit::server {
namespace {

constexpr std::size_t kMaxRequest = std::size_t{256} << 10;
constexpr std::size_t kCacheBytes = std::size_t{16} << 20;
constexpr std::size_t kConnections = 256;
constexpr int kMostDescriptors = 1024;  // of this process, by far
constexpr std::chrono::seconds kLongestWait{10};
constexpr unsigned kBeside = 4;  // long answers that are made beside each short one

std::string dumped(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);  // strangers' bytes need not be UTF-8
}

std::string error_json(const std::string& message) { return dumped({{"error", message}}); }

std::string without_port(const std::string& host) {
  if (host.starts_with('[')) return host.substr(0, host.find(']') + 1);
  return host.substr(0, host.find(':'));
}

/// The library lets five connections wait until they are taken; a sixth tries again after a second, or three, or seven.
class PatientServer : public httplib::Server {
 public:
  void let_many_wait() { ::listen(svr_sock_, static_cast<int>(kConnections)); }
};

/// The socket that a request came on, by its other end, for the library does not tell; -1: not found.
int connection_of(const httplib::Request& request) {
  for (int socket = 0; socket < kMostDescriptors; ++socket) {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    std::array<char, NI_MAXHOST> host{};
    std::array<char, NI_MAXSERV> port{};
    if (getpeername(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0) continue;
    const int failed = getnameinfo(reinterpret_cast<const sockaddr*>(&address), size, host.data(), host.size(),
                                   port.data(), port.size(), NI_NUMERICHOST | NI_NUMERICSERV);
    if (failed == 0 && request.remote_addr == host.data() && std::to_string(request.remote_port) == port.data())
      return socket;
  }
  return -1;
}

void add_headers(httplib::Response& response) {
  response.set_header("Content-Security-Policy",
                      "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; object-src "
                      "'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
  response.set_header("X-Content-Type-Options", "nosniff");
  response.set_header("Referrer-Policy", "no-referrer");
}

}  // namespace

class HttpServer::Implementation {
 public:
  explicit Implementation(ServeOptions options)
      : options_(std::move(options)),
        workers_({options_.program, "serve-worker"}),
        gate_(options_.children, kBeside * options_.children),
        cache_(kCacheBytes) {
    server_.new_task_queue = [] { return new ConnectionThreads(kConnections); };
    server_.set_payload_max_length(kMaxRequest);
    server_.set_read_timeout(std::chrono::seconds(3));
    server_.set_write_timeout(std::chrono::seconds(5));
    server_.set_keep_alive_timeout(2);
    server_.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      add_headers(response);
      return is_welcome(request, response) ? httplib::Server::HandlerResponse::Unhandled
                                           : httplib::Server::HandlerResponse::Handled;
    });
    for (const PageFile& file : page_files()) {
      const auto serve = [&file](const httplib::Request&, httplib::Response& response) {
        response.set_header("Cache-Control", "no-cache");
        response.set_content(file.text.data(), file.text.size(), std::string(file.type));
      };
      server_.Get(std::string(file.path), serve);
      if (file.path == "/index.html") server_.Get("/", serve);
    }
    server_.Post("/api",
                 [this](const httplib::Request& request, httplib::Response& response) { answer(request, response); });
  }

  bool bind() {
    if (options_.port == 0) {
      port_ = server_.bind_to_any_port(options_.host);
    } else {
      port_ = server_.bind_to_port(options_.host, options_.port) ? options_.port : 0;
    }
    if (port_ > 0) server_.let_many_wait();
    return port_ > 0;
  }
  bool prepare() { return workers_.start(); }
  int port() const { return port_; }
  void run() { server_.listen_after_bind(); }
  void stop() { server_.stop(); }

 private:
  /// Requests that a page of another site made a browser send are turned away: by their host, which is not ours, and by
  /// their type, which a page cannot set without asking first.
  bool is_welcome(const httplib::Request& request, httplib::Response& response) const {
    const std::string host = without_port(request.get_header_value("Host"));
    const std::vector<std::string> names{"localhost", "127.0.0.1", "[::1]", options_.host};
    const bool is_open = options_.host == "0.0.0.0" || options_.host == "::";
    if (!is_open && std::find(names.begin(), names.end(), host) == names.end()) {
      response.status = 403;
      response.set_content(error_json("this server is not called '" + host + "'"), "application/json");
      return false;
    }
    if (request.method == "POST" && request.get_header_value("Content-Type") != "application/json") {
      response.status = 415;
      response.set_content(error_json("requests are application/json"), "application/json");
      return false;
    }
    return true;
  }

  void answer(const httplib::Request& request, httplib::Response& response) {
    if (const auto known = cache_.find(request.body)) return response.set_content(*known, "application/json");
    Gate::Visit visit(gate_, kLongestWait);
    if (!visit.is_in()) {
      response.status = 503;
      return response.set_content(error_json("too many requests at the same time; try again"), "application/json");
    }
    const Waiter waiter{connection_of(request), [&] { visit.give_way(); }};
    const ChildResult child = workers_.run(request.body, options_.limits, waiter);
    const bool is_good = child.end == ChildResult::End::Exited;
    const std::string answer = is_good ? with_drawings(child.out, waiter) : error_json(why_not(child));
    if (is_good && may_be_kept(answer)) cache_.keep(request.body, answer);
    response.set_content(answer, "application/json");
  }

  /// Not what was refused, and not what another time may be answered better (Worker). In a stranger's text the quotes
  /// are escaped.
  static bool may_be_kept(const std::string& answer) {
    return !answer.starts_with(R"({"error")") && answer.find(R"("limited":true)") == std::string::npos;
  }

  /// Pictures that a child describes are drawn by Graphviz, another child.
  std::string with_drawings(const std::string& answer, const Waiter& waiter) {
    if (answer.find("\"pictures\"") == std::string::npos) return answer;
    nlohmann::json json = nlohmann::json::parse(answer, nullptr, false);
    if (json.is_discarded() || !json.is_object() || !json.contains("pictures")) return answer;
    nlohmann::json& pictures = json["pictures"];
    std::string dots;
    for (nlohmann::json& picture : pictures) {
      dots += picture.value("dot", "");
      picture.erase("dot");
    }
    if (pictures.empty()) return answer;
    const Drawing drawn = draw(dots, "svg", options_.limits, waiter);
    const std::vector<std::string> drawings = split_drawings(drawn.bytes);
    if (!drawn.ok()) return error_json("no picture: " + drawn.error);
    if (drawings.size() != pictures.size()) return error_json("no picture: Graphviz left some out");
    for (std::size_t i = 0; i < drawings.size(); ++i) pictures[i]["svg"] = drawings[i];
    return dumped(json);
  }

  std::string why_not(const ChildResult& child) const {
    switch (child.end) {
      case ChildResult::End::TimedOut:
        return fmt::format("stopped: no answer within {:g} seconds",
                           std::chrono::duration<double>(options_.limits.time).count());
      case ChildResult::End::TooLong: return "stopped: the answer is too long";
      case ChildResult::End::Abandoned: return "stopped: nobody waits for the answer";
      case ChildResult::End::NotStarted: return "the server has no room for another process; try again";
      default:
        return "stopped: the answer needs more than " + std::to_string(options_.limits.memory >> 20U) +
               " MiB of memory, or the checker failed on it";
    }
  }

  ServeOptions options_;
  ForkServer workers_;
  PatientServer server_;
  Gate gate_;
  AnswerCache cache_;
  int port_ = 0;
};

HttpServer::HttpServer(ServeOptions options) : implementation_(std::make_unique<Implementation>(std::move(options))) {}
HttpServer::~HttpServer() = default;
bool HttpServer::bind() { return implementation_->bind(); }
bool HttpServer::prepare() { return implementation_->prepare(); }
int HttpServer::port() const { return implementation_->port(); }
void HttpServer::run() { implementation_->run(); }
void HttpServer::stop() { implementation_->stop(); }

}  // namespace ambit::server
