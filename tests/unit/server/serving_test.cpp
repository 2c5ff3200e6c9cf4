#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>
#include <unistd.h>

#include <chrono>
#include <future>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "apps/server/http_server.h"
#include "apps/server/page.h"
#include "tests/server/served.h"
#include "tests/unit/server/support.h"

// Tests the playground's server with requests that browsers and other programs send.
namespace ambit::server {
namespace {

using serving::children_of;
using serving::worker_of;
using ::testing::HasSubstr;
using Json = nlohmann::json;

/// Maximum time to wait for an answer. The server's copies compute answers at niceness 10, so they are slow if the
/// machine has other work.
constexpr std::chrono::duration<int> kPatience{120};

class Serving : public testing::Test {
 protected:
  void SetUp() override {
    ServeOptions options;
    options.port = 0;
    options.program = AMBIT_PROGRAM;
    options.course = R"({"title": "a course"})";
    options.limits.time = std::chrono::minutes(1);
    server_ = std::make_unique<HttpServer>(options);
    ASSERT_EQ(server_->bind(), HttpServer::Bound::Yes);
    ASSERT_TRUE(server_->prepare());
    thread_ = std::thread([this] { server_->run(); });
  }
  void TearDown() override {
    server_->stop();
    thread_.join();
  }
  httplib::Client client() const {
    httplib::Client client("127.0.0.1", server_->port());
    client.set_read_timeout(kPatience);
    return client;
  }

  std::unique_ptr<HttpServer> server_;
  std::thread thread_;
};

TEST_F(Serving, AnswersThroughAChild) {
  const std::string test =
      "CUDA t\n{ global int x = 0; }\nP0 @ block 0 { x = 1; }\nexists (x == 1)\nexpect sc : Always\n";
  const auto response = client().Post("/api", Json{{"do", "check"}, {"text", test}}.dump(), "application/json");
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 200);
  EXPECT_EQ(Json::parse(response->body)["results"][0]["status"], "OK");
  EXPECT_THAT(response->get_header_value("Content-Security-Policy"), HasSubstr("default-src 'self'"));
}

/// If an answer is incomplete because of the time limit, the server does not store it, so a new request takes the
/// full time again. After a client disconnects, the copy that computes the client's answer ends long before the time
/// limit.
TEST_F(Serving, WorksOnlyForWaitingClients) {
  Json request{{"do", "outcomes"}, {"text", manifold(24)}, {"models", {"ptx"}}, {"seconds", 0.3}};
  for (int i = 0; i < 2; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    const auto response = client().Post("/api", request.dump(), "application/json");
    ASSERT_TRUE(response);
    EXPECT_EQ(Json::parse(response->body)["limited"], true) << response->body.substr(0, 400);
    EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(300));
  }
  request["seconds"] = 60;
  auto gone = std::async(std::launch::async, [&] {
    httplib::Client impatient = client();
    impatient.set_read_timeout(std::chrono::seconds(2));
    return !impatient.Post("/api", request.dump(), "application/json");
  });
  EXPECT_TRUE(comes_true([] { return children_of(worker_of(getpid())).size() == 1; }));
  EXPECT_TRUE(gone.get());
  EXPECT_TRUE(comes_true([] { return children_of(worker_of(getpid())).empty(); }));
}

TEST_F(Serving, ServesItsPage) {
  if (page_files().empty()) GTEST_SKIP() << "built without npm";
  std::size_t bytes = 0;
  for (const PageFile& file : page_files()) {
    const auto response = client().Get(std::string(file.path));
    ASSERT_TRUE(response) << file.path;
    EXPECT_EQ(response->body, file.text);
    // app.js includes the library `marked`, which contains the URL of its site. tests/browser checks every request.
    if (file.path != "/app.js") {
      EXPECT_EQ(file.text.find("https://"), std::string_view::npos) << file.path << " loads from elsewhere";
    }
    bytes += file.text.size();
  }
  EXPECT_LT(bytes, 1U << 20U);
  EXPECT_EQ(client().Get("/")->status, 200);
  EXPECT_EQ(client().Get("/course.json")->body, R"({"title": "a course"})");
  EXPECT_EQ(client().Get("/../../etc/passwd")->status, 404);
}

/// The server rejects a request if its body is compressed, or if it does not announce the length of its body.
TEST_F(Serving, RefusesRequestsOfUnknownSize) {
  const std::string request = Json{{"do", "models"}}.dump();
  const auto status = [&](const std::string& header, const std::string& value) {
    httplib::Headers headers;
    headers.emplace(header, value);
    return client().Post("/api", headers, request, "application/json")->status;
  };
  EXPECT_EQ(status("X-Other", "gzip"), 200);
  EXPECT_EQ(status("Content-Encoding", "gzip"), 415);
  EXPECT_EQ(status("Transfer-Encoding", "chunked"), 411);
  EXPECT_EQ(client().Put("/api", request, "application/json")->status, 405);
}

/// Sends these bytes on one connection. Returns the status codes of all answers.
std::vector<std::string> statuses(int port, const std::string& bytes) {
  serving::Connection connection(port);
  connection.send(bytes);
  std::istringstream answers(connection.receive(kPatience.count()));
  std::vector<std::string> found;
  for (std::string line; std::getline(answers, line);) {
    const std::size_t at = line.find("HTTP/1.1 ");  // the next answer may follow a body without a line feed
    if (at != std::string::npos) found.push_back(line.substr(at + 9, 3));
  }
  return found;
}

/// The server must never take a part of a body for a request: a proxy would send the answer to another visitor.
TEST_F(Serving, TakesNoBodyForARequest) {
  using Statuses = std::vector<std::string>;
  const std::string host = " HTTP/1.1\r\nHost: localhost\r\n";
  const std::string post = "POST /api" + host + "Content-Type: application/json\r\n";
  const std::string body = Json{{"do", "models"}}.dump();
  const std::string length = "Content-Length: " + std::to_string(body.size()) + "\r\n";
  const std::string inner = "GET /no-such" + host + "\r\n";
  const std::string inner_length = "Content-Length: " + std::to_string(inner.size()) + "\r\n";
  const auto sent = [&](const std::string& bytes) { return statuses(server_->port(), bytes); };
  EXPECT_EQ(sent(post + length + "Connection: close\r\n\r\n" + body), Statuses{"200"});
  EXPECT_EQ(sent(post + length + "\r\n" + body + inner), (Statuses{"200", "404"}))
      << "the server reads the two requests in turn";
  EXPECT_EQ(
      sent("POST /api" + host + "Content-Type: text/plain\r\nExpect: 100-continue\r\n" + inner_length + "\r\n" + inner),
      (Statuses{"100", "415"}));
  for (const char* method : {"GET", "HEAD"}) {
    EXPECT_EQ(sent(method + (" /no-such" + host) + inner_length + "\r\n" + inner).size(), 1U) << method;
    EXPECT_EQ(sent(method + (" /" + host) + inner_length + "\r\n" + inner), Statuses{"400"}) << method;
    EXPECT_EQ(sent(method + (" /" + host) + "Transfer-Encoding: chunked\r\n\r\n" + inner), Statuses{"400"}) << method;
  }
  EXPECT_EQ(sent("GET /no-such" + host + "Content-Length: 0\r\n\r\n"), Statuses{"404"});
  for (const char* wrong : {"abc", "0x10", "+5", "5,5", "-1", ""}) {
    EXPECT_EQ(sent(post + "Content-Length: " + wrong + "\r\n\r\n" + inner), Statuses{"411"}) << wrong;
  }
  EXPECT_EQ(sent(post + inner_length + "Content-Length: 0\r\n\r\n" + inner), Statuses{"411"});
}

/// Browsers prefer Brotli to gzip, but with Brotli, the compression library would need seconds.
TEST_F(Serving, CompressesWithGzip) {
  if (page_files().empty()) GTEST_SKIP() << "built without npm";
  const auto encoding = [&](const std::string& accepted) {
    return client().Get("/app.js", {{"Accept-Encoding", accepted}})->get_header_value("Content-Encoding");
  };
  EXPECT_EQ(encoding("gzip, deflate, br, zstd"), "gzip");
  EXPECT_EQ(encoding("br"), "");
  EXPECT_EQ(encoding("identity"), "");
}

/// The server accepts a request for one range of a file, but not for several ranges. The answer to a request for a
/// thousand ranges could contain a thousand copies of the file.
TEST_F(Serving, GivesOneRangeAtATime) {
  if (page_files().empty()) GTEST_SKIP() << "built without npm";
  const auto some = client().Get("/app.js", {{"Range", "bytes=0-9"}});
  EXPECT_EQ(some->status, 206);
  EXPECT_EQ(some->body.size(), 10U);
  const auto many = client().Get("/app.js", {{"Range", "bytes=0-,0-,0-"}});
  EXPECT_EQ(many->status, 200);
  EXPECT_EQ(many->body, client().Get("/app.js")->body) << "once";
}

TEST_F(Serving, TakesAPortOfItsOwn) {
  ServeOptions options;
  options.port = server_->port();
  options.program = AMBIT_PROGRAM;
  EXPECT_EQ(HttpServer(options).bind(), HttpServer::Bound::PortInUse);
}

/// If a request fails, the answer contains the reason, always in the same form.
TEST_F(Serving, SaysWhatIsWrong) {
  const auto error_of = [](const httplib::Result& response) {
    return Json::parse(response->body).at("error").get<std::string>();
  };
  EXPECT_THAT(error_of(client().Post("/api", std::string(400000, ' '), "application/json")), HasSubstr("256 KiB"));
  EXPECT_FALSE(error_of(client().Get("/no-such")).empty());
  EXPECT_THAT(error_of(client().Get("/no-such", {{"Range", "bytes=x"}})), HasSubstr("range"));
}

TEST_F(Serving, ComparesNamesAsTheyAreMeant) {
  const std::string request = Json{{"do", "models"}}.dump();
  for (const char* type : {"application/json", "application/json; charset=utf-8", "Application/JSON"}) {
    EXPECT_EQ(client().Post("/api", request, type)->status, 200) << type;
  }
  for (const char* host : {"localhost", "LOCALHOST:8080", "localhost.", "127.0.0.1", "[::1]:80"}) {
    EXPECT_EQ(client().Post("/api", {{"Host", host}}, request, "application/json")->status, 200) << host;
  }
  EXPECT_EQ(client().Post("/api", {{"Host", "localhost.evil"}}, request, "application/json")->status, 403);
}

TEST_F(Serving, RejectsUntrustedRequests) {
  const std::string request = Json{{"do", "models"}}.dump();
  EXPECT_EQ(client().Post("/api", request, "text/plain")->status, 415) << "a page of another site can send this body";
  EXPECT_EQ(client().Post("/api", {{"Host", "evil.example"}}, request, "application/json")->status, 403);
  EXPECT_EQ(client().Post("/api", std::string(400000, ' '), "application/json")->status, 413);
}

}  // namespace
}  // namespace ambit::server
