#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>

#include <chrono>
#include <future>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <thread>

#include "server/graphviz.h"
#include "server/http_server.h"
#include "server/page.h"
#include "server/worker.h"
#include "support.h"

namespace ambit::server {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

constexpr const char* kTest = R"(CUDA mp
{ global int x = 0, f = 0; }
P0 @ block 0 { x = 1; store(f, 1, release, block); }
P1 @ block 1 { int r0 = load(f, acquire, device); int r1 = x; }
exists (P1:r0 == 1 && P1:r1 == 0)
expect ptx : Sometimes, race
)";

std::string answer(const std::string& request) { return Worker().answer(request); }

Json ask(const Json& request) { return Json::parse(answer(request.dump())); }

// ---- answers --------------------------------------------------------------------------------------------------------

TEST(Worker, ChecksATest) {
  const Json answer = ask({{"do", "check"}, {"text", kTest}});
  ASSERT_EQ(answer["results"].size(), 1U);
  EXPECT_EQ(answer["results"][0]["model"], "ptx");
  EXPECT_EQ(answer["results"][0]["status"], "OK");
  EXPECT_EQ(answer["results"][0]["race"], true);
  EXPECT_THAT(answer["results"][0]["details"].get<std::string>(), HasSubstr("race on x"));
}

TEST(Worker, ListsOutcomesOfTheModelsAskedFor) {
  const Json answer = ask({{"do", "outcomes"}, {"text", kTest}, {"models", {"sc", "ptx"}}});
  EXPECT_EQ(answer["results"][0]["outcomes"].size(), 3U) << "an interleaving that reads the flag reads the data";
  EXPECT_EQ(answer["results"][1]["outcomes"].size(), 4U);
}

TEST(Worker, ShowsErrorsWhereTheyAre) {
  const Json edit = ask({{"do", "edit"}, {"text", "CUDA t\n{ global int x = 0; }\nP0 @ block 0 { y = 1; }\n"}});
  ASSERT_EQ(edit["errors"].size(), 1U);
  EXPECT_EQ(edit["errors"][0]["line"], 2);
  EXPECT_THAT(ask({{"do", "check"}, {"text", "nonsense"}})["error"].get<std::string>(), HasSubstr("test.litmus:1"));
}

Json after(const Json& choices, Json more = {{"do", "step"}}) {
  more["text"] = kTest;
  more["choices"] = choices;
  return ask(more);
}

/// The values that a part of memory holds: "x=1* f=0", a star for dirty ones, an exclamation mark for changed ones.
std::string held(const Json& part) {
  std::string text;
  for (const Json& one : part) {
    text += (text.empty() ? "" : " ") + one["location"].get<std::string>() + "=" + one["value"].get<std::string>();
    text += (one["dirty"].get<bool>() ? "*" : "") + std::string(one["changed"].get<bool>() ? "!" : "");
  }
  return text;
}

TEST(Worker, StepsForwardAndBack) {
  const Json start = after(Json::array());
  EXPECT_THAT(start["next"].dump(), HasSubstr("P0: write x"));
  EXPECT_EQ(start["threads"][0]["line"], 3);
  const Json one = after(Json::array({"P0"}));
  EXPECT_EQ(one["steps"][0]["text"], "P0 writes x = 1");
  EXPECT_EQ(one["steps"][0]["line"], 3);
  EXPECT_THAT(after(Json::array({"P0", "P7"}))["error"].get<std::string>(),
              HasSubstr("'P7' cannot happen after 1 steps"));
  EXPECT_THAT(after("P0")["error"].get<std::string>(), HasSubstr("is a list"));
}

/// A plain store goes from its thread's buffer to the L1 of its block and from there to the memory of all; the release
/// at block scope writes to the L1.
TEST(Worker, ShowsBuffersAndCaches) {
  const Json one = after(Json::array({"P0"}))["memory"];
  EXPECT_EQ(held(one["buffers"][0]), "x=1!");
  EXPECT_EQ(held(one["caches"][0]["lines"]), "x=0 f=0");
  EXPECT_EQ(one["caches"][0]["name"], "L1.b0");
  EXPECT_EQ(one["caches"][0]["threads"], Json::array({0}));
  const Json two = after(Json::array({"P0", "drain P0 x"}));
  EXPECT_EQ(two["steps"][1]["text"], "x leaves the buffer of P0");
  EXPECT_EQ(held(two["memory"]["buffers"][0]), "");
  EXPECT_EQ(held(two["memory"]["caches"][0]["lines"]), "x=1*! f=0");
  EXPECT_EQ(held(two["memory"]["values"]), "x=0 f=0");
  const Json three = after(Json::array({"P0", "drain P0 x", "write-back L1.b0 x"}))["memory"];
  EXPECT_EQ(held(three["caches"][0]["lines"]), "x=1! f=0") << "clean again";
  EXPECT_EQ(held(three["caches"][1]["lines"]), "x=0 f=0") << "the other block keeps its copy";
  EXPECT_EQ(held(three["values"]), "x=1! f=0");
}

TEST(Worker, RunsAScheduleToItsEnd) {
  const Json more{{"do", "step"}, {"finish", true}, {"seed", 7}};
  const Json whole = after(Json::array({"P1"}), more);
  EXPECT_EQ(whole["steps"][0]["choice"], "P1") << "goes on from where the choices end";
  EXPECT_TRUE(whole["next"].empty());
  EXPECT_TRUE(whole["outcome"].contains("P1:r1"));
  EXPECT_TRUE(whole["stopped"].is_null());
  EXPECT_EQ(after(Json::array({"P1"}), more), whole) << "the same seed, the same run";
  const Json deadlock =
      ask({{"do", "step"},
           {"finish", true},
           {"text", "CUDA t\n{ global int x = 0; }\nP0 @ block 0 { while (load(x, relaxed, device) == 0) {} }\n"}});
  EXPECT_THAT(deadlock["stopped"].get<std::string>(), HasSubstr("deadlock")) << "it waits for what nobody writes";
}

Json findings(const Json& answer, const std::string& detector) {
  for (const Json& one : answer["detectors"]) {
    if (one["detector"] == detector) return one;
  }
  ADD_FAILURE() << "no detector " << detector;
  return {};
}

/// P0's release has block scope and P1 is in another block: nothing orders the two accesses of x, in whatever schedule
/// (happens-before; definitions 4.2).
TEST(Worker, AsksDetectorsAboutTheScheduleStepped) {
  const Json begun = after(Json::array({"P0"}), {{"do", "detect"}});
  EXPECT_EQ(begun["events"], 1);
  EXPECT_EQ(begun["ended"], false);
  for (const Json& one : begun["detectors"]) EXPECT_TRUE(one["races"].empty()) << one << " of one access";
  const Json whole = after(Json::array({"P0"}), {{"do", "detect"}, {"finish", true}});
  EXPECT_EQ(whole["ended"], true);
  EXPECT_EQ(whole["steps"][0], "P0");
  const Json races = findings(whole, "barracuda")["races"];
  ASSERT_FALSE(races.empty());
  EXPECT_EQ(races[0]["location"], "x");
  EXPECT_EQ(races[0]["first"]["line"], 3);
  EXPECT_EQ(races[0]["second"]["line"], 4);
  EXPECT_THAT(races[0]["sentence"].get<std::string>(), HasSubstr("x"));
  EXPECT_FALSE(findings(whole, "ldetector")["not_judged"].is_null());
}

TEST(Worker, ExplainsAndDraws) {
  std::string guarded = kTest;  // the data is read where the flag was seen
  guarded.replace(guarded.find("int r1 = x;"), 11, "int r1 = -1; if (r0 == 1) r1 = x;");
  const Json why = ask({{"do", "explain"}, {"text", guarded}});
  ASSERT_EQ(why["explanations"].size(), 2U) << "the outcome and the race";
  EXPECT_THAT(why["explanations"][1]["text"].get<std::string>(), HasSubstr("block scope"));
  EXPECT_THAT(ask({{"do", "graph"}, {"text", kTest}})["pictures"][0]["dot"].get<std::string>(), HasSubstr("digraph"));
}

/// Eight threads that write one location and read it have more outcomes than a millisecond can list.
TEST(Worker, SaysWhenALimitOfTimeWasReached) {
  EXPECT_FALSE(ask({{"do", "check"}, {"text", kTest}, {"seconds", 10}}).contains("limited"));
  EXPECT_EQ(ask({{"do", "outcomes"}, {"text", manifold(8)}, {"seconds", 0.001}})["limited"], true);
}

/// A model's file is neither read nor said to be there or not.
TEST(Worker, KnowsNoFilesWhileATestIsWritten) {
  for (const std::string& path : {std::string("/tmp/"), std::string(AMBIT_SOURCE_DIR) + "/model/cat/sc.cat"}) {
    const Json errors = ask({{"do", "edit"}, {"text", kTest + ("expect \"" + path + "\" : Never\n")}})["errors"];
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_THAT(errors[0]["message"].get<std::string>(), HasSubstr("there is no model '" + path + "' here"));
  }
}

TEST(Worker, TakesNothingFromFiles) {
  const std::string outside = std::string(AMBIT_SOURCE_DIR) + "/model/cat/sc.cat";
  for (const std::string& model : {outside, std::string("../sc.cat"), std::string("no-such")}) {
    EXPECT_THAT(ask({{"do", "check"}, {"text", kTest}, {"models", {model}}})["error"].get<std::string>(),
                HasSubstr("there is no model"))
        << model;
  }
  EXPECT_THAT(ask({{"do", "check"}, {"text", kTest}, {"name", "../x.litmus"}})["error"].get<std::string>(),
              HasSubstr("without folders"));
  const std::string expects = std::string(kTest) + "expect \"" + outside + "\" : Never\n";
  EXPECT_THAT(ask({{"do", "check"}, {"text", expects}})["error"].get<std::string>(), HasSubstr("there is no model"));
}

TEST(Worker, AnswersHostileRequests) {
  for (const std::string& text : {std::string(), std::string("null"), std::string("[]"), std::string("{\"do\":7}"),
                                  std::string("{\"do\":\"rm\"}"), std::string(100000, '['), std::string("\xff\x00", 2),
                                  std::string(R"({"do":"check","text":)") + std::string(50000, '{')}) {
    EXPECT_TRUE(Json::parse(answer(text)).contains("error")) << text.substr(0, 20);
  }
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) {  // mutated requests
    std::string text = Json{{"do", "check"}, {"text", kTest}, {"seconds", 0.05}}.dump();
    for (int change = 0; change < 4; ++change) text[random() % text.size()] = static_cast<char>(random() % 128);
    EXPECT_TRUE(Json::parse(answer(text)).is_object());
  }
}

// ---- pictures -------------------------------------------------------------------------------------------------------

TEST(Graphviz, DrawsSeveralGraphsAtOnce) {
  const Drawing drawing =
      draw("digraph a { n [pos=\"0,0\", label=\"</svg>\"] }\ndigraph b { m [pos=\"0,0\"] }\n", "svg");
  if (!drawing.ok() && drawing.error.find("not installed") != std::string::npos) GTEST_SKIP() << drawing.error;
  ASSERT_TRUE(drawing.ok()) << drawing.error;
  const std::vector<std::string> drawings = split_drawings(drawing.bytes);
  ASSERT_EQ(drawings.size(), 2U) << "a label is no end of a drawing";
  EXPECT_THAT(drawings[0], HasSubstr("&lt;/svg&gt;"));
  EXPECT_THAT(drawings[1], HasSubstr(">m<"));
  EXPECT_FALSE(draw("no graph", "svg").ok());
}

// ---- the server -----------------------------------------------------------------------------------------------------

class Serving : public testing::Test {
 protected:
  void SetUp() override {
    ServeOptions options;
    options.port = 0;
    options.program = AMBIT_PROGRAM;
    options.limits.time = std::chrono::minutes(1);
    server_ = std::make_unique<HttpServer>(options);
    ASSERT_TRUE(server_->bind());
    ASSERT_TRUE(server_->prepare());
    thread_ = std::thread([this] { server_->run(); });
  }
  void TearDown() override {
    server_->stop();
    thread_.join();
  }
  httplib::Client client() const {
    httplib::Client client("127.0.0.1", server_->port());
    client.set_read_timeout(std::chrono::seconds(30));
    return client;
  }

  std::unique_ptr<HttpServer> server_;
  std::thread thread_;
};

TEST_F(Serving, AnswersThroughAChild) {
  const auto response = client().Post("/api", Json{{"do", "check"}, {"text", kTest}}.dump(), "application/json");
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 200);
  EXPECT_EQ(Json::parse(response->body)["results"][0]["status"], "OK");
  EXPECT_THAT(response->get_header_value("Content-Security-Policy"), HasSubstr("default-src 'self'"));
}

/// An answer that a limit of time cut is not kept: it takes its time again. Whoever is gone is not worked for: the copy
/// that makes the answer ends, long before its limit.
TEST_F(Serving, WorksForWhoWaits) {
  Json request{{"do", "outcomes"}, {"text", manifold(24)}, {"models", {"ptx"}}, {"seconds", 0.3}};
  for (int i = 0; i < 2; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    const auto response = client().Post("/api", request.dump(), "application/json");
    ASSERT_TRUE(response);
    EXPECT_EQ(Json::parse(response->body)["limited"], true);
    EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(300));
  }
  request["seconds"] = 60;
  auto gone = std::async(std::launch::async, [&] {
    httplib::Client impatient = client();
    impatient.set_read_timeout(std::chrono::seconds(2));
    return !impatient.Post("/api", request.dump(), "application/json");
  });
  EXPECT_TRUE(comes_true([] { return children_of(the_worker()).size() == 1; }));
  EXPECT_TRUE(gone.get());
  EXPECT_TRUE(comes_true([] { return children_of(the_worker()).empty(); }));
}

TEST_F(Serving, ServesItsPage) {
  if (page_files().empty()) GTEST_SKIP() << "built without npm";
  std::size_t bytes = 0;
  for (const PageFile& file : page_files()) {
    const auto response = client().Get(std::string(file.path));
    ASSERT_TRUE(response) << file.path;
    EXPECT_EQ(response->body, file.text);
    EXPECT_EQ(file.text.find("https://"), std::string_view::npos) << file.path << " loads from elsewhere";
    bytes += file.text.size();
  }
  EXPECT_LT(bytes, 1U << 20U);
  EXPECT_EQ(client().Get("/")->status, 200);
  EXPECT_EQ(client().Get("/../../etc/passwd")->status, 404);
}

TEST_F(Serving, TurnsStrangersAway) {
  const std::string request = Json{{"do", "models"}}.dump();
  EXPECT_EQ(client().Post("/api", request, "text/plain")->status, 415) << "a page of another site can send this";
  EXPECT_EQ(client().Post("/api", {{"Host", "evil.example"}}, request, "application/json")->status, 403);
  EXPECT_EQ(client().Post("/api", std::string(400000, ' '), "application/json")->status, 413);
}

}  // namespace
}  // namespace ambit::server
