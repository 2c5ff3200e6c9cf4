#include "apps/server/http_server.h"

#include <fmt/format.h>
#include <httplib.h>
#include <sys/socket.h>

#include <cctype>
#include <cerrno>
#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "api/graphviz.h"
#include "apps/server/answer_cache.h"
#include "apps/server/connection_stream.h"
#include "apps/server/connection_threads.h"
#include "apps/server/fork_server.h"
#include "apps/server/gate.h"
#include "apps/server/page.h"

namespace ambit::server {
namespace {

constexpr std::size_t kMaxRequest = std::size_t{256} << 10;
constexpr std::size_t kCacheBytes = std::size_t{16} << 20;
constexpr std::size_t kConnections = 256;
constexpr int kMostDescriptors = 1024;  // this process needs far fewer descriptors
constexpr std::chrono::seconds kLongestWait{10};
constexpr std::chrono::seconds kReadTimeout{3};
constexpr std::chrono::seconds kWriteTimeout{5};
constexpr std::chrono::seconds kKeepAlive{2};
constexpr unsigned kBeside = 4;  // number of extra places for long answers, for each place

std::string dumped(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);  // untrusted bytes may be invalid UTF-8
}

std::string error_json(const std::string& message) { return dumped({{"error", message}}); }

std::string lower_case(std::string text) {
  for (char& letter : text) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return text;
}

/// Returns the host of a Host header, without its port, in the normal form of RFC 3986 (3.2.2, 6.2.2.1) for
/// comparisons.
std::string host_of(const std::string& header) {
  std::string host =
      lower_case(header.starts_with('[') ? header.substr(0, header.find(']') + 1) : header.substr(0, header.find(':')));
  if (host.ends_with('.')) host.pop_back();
  return host;
}

/// Returns the media type of a Content-Type header, without its parameters (RFC 9110, 8.3.1).
std::string media_type_of(const std::string& header) {
  const std::string type = lower_case(header.substr(0, header.find(';')));
  return type.substr(0, type.find_last_not_of(" \t") + 1);
}

/// Returns whether the request has exactly one Content-Length, which must be a number. Without this check, another
/// server, such as a proxy, could take the request to have a different length.
bool has_length(const httplib::Request& request) {
  if (request.get_header_value_count("Content-Length") != 1 || request.has_header("Transfer-Encoding")) return false;
  const std::string length = request.get_header_value("Content-Length");
  return !length.empty() && length.find_first_not_of("0123456789") == std::string::npos;
}

/// Returns whether a GET request has a body. The library does not read the body of a GET request, so it would mistake
/// the body for the next request.
bool has_body(const httplib::Request& request) {
  if (!request.has_header("Content-Length") && !request.has_header("Transfer-Encoding")) return false;
  return !has_length(request) || request.get_header_value("Content-Length") != "0";
}

/// Returns the message for an error status that the HTTP library sets.
std::string error_of_status(int status) {
  switch (status) {
    case 404: return "no such page";
    case 413: return fmt::format("the request is longer than {} KiB", kMaxRequest >> 10U);
    case 414: return "the address is too long";
    case 416: return "invalid range";
    case 500: return "the server could not answer";
    default: return "malformed HTTP request";
  }
}

/// Sets the options of the listening socket. With the library's options, two servers could share a port.
void set_options(int socket) {
  const int yes = 1;
  setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
}

/// A server that works around limits of the HTTP library:
///
/// - The library lets only five connections wait until it accepts them. If a sixth client connects, it has to try again
///   after one, three or seven seconds.
/// - The library accepts request heads of any length.
/// - The library sends a file once for each requested range, even if the ranges overlap.
/// - The library prefers brotli compression at its slowest level. To compress the page's script, brotli needs more than
///   half a second per request; gzip needs a hundredth of this time.
class PatientServer : public httplib::Server {
 public:
  void let_many_wait() { ::listen(svr_sock_, static_cast<int>(kConnections)); }

 private:
  bool process_and_close_socket(socket_t socket) override {
    ConnectionStream stream(socket, kReadTimeout, kWriteTimeout);
    const auto simplify = [](httplib::Request& request) {
      if (request.ranges.size() > 1)
        request.ranges.clear();  // a request without ranges gets the whole file (RFC 9110, 14.2)
      const bool takes_gzip = request.get_header_value("Accept-Encoding").find("gzip") != std::string::npos;
      request.headers.erase("Accept-Encoding");
      if (takes_gzip) request.set_header("Accept-Encoding", "gzip");
    };
    bool is_closed = false;
    for (std::size_t left = keep_alive_max_count_; left > 0 && !is_closed; --left) {
      if (!stream.wait_for_request(kKeepAlive) || !process_request(stream, left == 1, is_closed, simplify)) break;
    }
    return true;
  }
};

/// Returns the socket of a request, or -1. Finds the socket by the peer's address, because the library does not provide
/// it.
int connection_of(const httplib::Request& request) {
  const Peer peer{request.remote_addr, request.remote_port};
  for (int socket = 0; socket < kMostDescriptors; ++socket) {
    if (peer_of(socket) == peer) return socket;
  }
  return -1;
}

void add_headers(httplib::Response& response) {
  if (response.has_header("X-Content-Type-Options")) return;
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
    server_.set_socket_options(set_options);
    server_.set_payload_max_length(kMaxRequest);
    server_.set_keep_alive_timeout(kKeepAlive.count());  // a header announces this timeout to clients
    server_.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      add_headers(response);
      return is_welcome(request, response) ? httplib::Server::HandlerResponse::Unhandled
                                           : httplib::Server::HandlerResponse::Handled;
    });
    server_.set_error_handler([](const httplib::Request&, httplib::Response& response) {
      add_headers(response);
      if (response.body.empty()) refuse(response, response.status, error_of_status(response.status));
    });
    for (const PageFile& file : page_files()) {
      const auto serve = [&file](const httplib::Request&, httplib::Response& response) {
        response.set_header("Cache-Control", "no-cache");
        response.set_content(file.text.data(), file.text.size(), std::string(file.type));
      };
      server_.Get(std::string(file.path), serve);
      if (file.path == "/index.html") server_.Get("/", serve);
    }
    server_.Get("/course.json", [this](const httplib::Request&, httplib::Response& response) {
      response.set_header("Cache-Control", "no-cache");
      response.set_content(options_.course, "application/json");
    });
    server_.Post("/api",
                 [this](const httplib::Request& request, httplib::Response& response) { answer(request, response); });
  }

  HttpServer::Bound bind() {
    errno = 0;
    if (options_.port == 0) {
      port_ = server_.bind_to_any_port(options_.host);
    } else {
      port_ = server_.bind_to_port(options_.host, options_.port) ? options_.port : 0;
    }
    if (port_ <= 0) return errno == EADDRINUSE ? HttpServer::Bound::PortInUse : HttpServer::Bound::No;
    server_.let_many_wait();
    return HttpServer::Bound::Yes;
  }
  bool prepare() { return workers_.start(); }
  int port() const { return port_; }
  void run() { server_.listen_after_bind(); }
  void stop() { server_.stop(); }

 private:
  static bool refuse(httplib::Response& response, int status, const std::string& message) {
    response.status = status;
    response.set_content(error_json(message), "application/json");
    return false;
  }

  bool is_our_name(const std::string& host) const {
    if (options_.host == "0.0.0.0" || options_.host == "::") return true;
    const std::string own = lower_case(options_.host);
    return host == "localhost" || host == "127.0.0.1" || host == "[::1]" || host == own || host == "[" + own + "]";
  }

  /// Returns whether the server may answer the request. Refuses requests that a browser sends for another site's
  /// page: their host differs, or their content type needs no preflight request. Also refuses requests of unknown
  /// size.
  bool is_welcome(const httplib::Request& request, httplib::Response& response) const {
    const std::string host = host_of(request.get_header_value("Host"));
    if (!is_our_name(host)) return refuse(response, 403, "unknown host '" + host + "'");
    if (request.method == "GET" || request.method == "HEAD") {
      return !has_body(request) || refuse(response, 400, "a GET or HEAD request must not have a body");
    }
    if (request.method != "POST") return refuse(response, 405, "expected a GET, HEAD or POST request");
    if (media_type_of(request.get_header_value("Content-Type")) != "application/json") {
      return refuse(response, 415, "expected the content type application/json");
    }
    if (request.has_header("Content-Encoding")) return refuse(response, 415, "compressed requests are not supported");
    return has_length(request) || refuse(response, 411, "the request needs one Content-Length, which is a number");
  }

  void answer(const httplib::Request& request, httplib::Response& response) {
    if (const auto known = cache_.find(request.body)) return response.set_content(*known, "application/json");
    Gate::Visit visit(gate_, kLongestWait);
    if (!visit.is_in()) {
      refuse(response, 503, "too many requests at the same time; try again");
      return;
    }
    const Waiter waiter{connection_of(request), [&] { visit.give_way(); }};
    const ChildResult child = workers_.run(request.body, options_.limits, waiter);
    const bool is_good = child.end == ChildResult::End::Exited;
    const std::string answer = is_good ? with_drawings(child.out, waiter) : error_json(why_not(child));
    if (is_good && may_be_kept(answer)) cache_.keep(request.body, answer);
    response.set_content(answer, "application/json");
  }

  /// Returns whether the cache may keep the answer. The cache must not keep refusals, or answers that may be better at
  /// another time ("limited", see Worker). A request cannot put the texts that this function searches for into an
  /// answer, because JSON escapes quotes.
  static bool may_be_kept(const std::string& answer) {
    return !answer.starts_with(R"({"error")") && answer.find(R"("limited":true)") == std::string::npos;
  }

  /// Draws the pictures that a child's answer describes, by running Graphviz in another child.
  std::string with_drawings(const std::string& answer, const Waiter& waiter) {
    if (answer.find("\"pictures\"") == std::string::npos) return answer;
    nlohmann::json json = nlohmann::json::parse(answer, nullptr, false);
    if (json.is_discarded() || !json.is_object() || !json.contains("pictures")) return answer;
    nlohmann::json& pictures = json["pictures"];
    std::string dots;
    std::vector<nlohmann::json*> drawn_ones;
    for (nlohmann::json& picture : pictures) {
      if (!picture.contains("dot")) continue;
      dots += picture["dot"].get<std::string>();
      picture.erase("dot");
      drawn_ones.push_back(&picture);
    }
    if (drawn_ones.empty()) return answer;
    const api::Drawing drawn = api::draw(dots, "svg", options_.limits, waiter);
    const std::vector<std::string> drawings = api::split_drawings(drawn.bytes);
    if (!drawn.ok()) return error_json("no picture: " + drawn.error);
    if (drawings.size() != drawn_ones.size()) return error_json("no picture: Graphviz did not draw it");
    for (std::size_t i = 0; i < drawings.size(); ++i) (*drawn_ones[i])["svg"] = drawings[i];
    return dumped(json);
  }

  std::string why_not(const ChildResult& child) const {
    switch (child.end) {
      case ChildResult::End::TimedOut:
        return fmt::format("stopped: no answer within {:g} seconds",
                           std::chrono::duration<double>(options_.limits.time).count());
      case ChildResult::End::TooLong: return "stopped: the answer is too long";
      case ChildResult::End::Abandoned: return "stopped: the connection was closed";
      case ChildResult::End::NotStarted: return "the server cannot start another process; try again";
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
HttpServer::Bound HttpServer::bind() { return implementation_->bind(); }
bool HttpServer::prepare() { return implementation_->prepare(); }
int HttpServer::port() const { return implementation_->port(); }
void HttpServer::run() { implementation_->run(); }
void HttpServer::stop() { implementation_->stop(); }

}  // namespace ambit::server
