#include "apps/lsp/language_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "apps/lsp/protocol.h"

namespace ambit::lsp {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

constexpr const char* kUri = "file:///tmp/mp.litmus";
constexpr const char* kTest = R"(CUDA mp
{ global int x = 0, flag = 0; }

P0 @ block 0 { x = 1; store(flag, 1, release, block); }
P1 @ block 1 { int r0 = load(flag, acquire, device); int r1 = x; }
P2 @ block 0 { int r2 = flag; }

exists (P1:r0 == 1 && P1:r1 == 0)

expect ptx : Sometimes, race
expect sc : Sometimes
)";

/// A list of messages from the editor, and the server's answers.
class Conversation {
 public:
  Conversation() { request("initialize", Json::object()); }
  /// Opens a document.
  explicit Conversation(const std::string& text) : Conversation() { open(text); }

  int request(const std::string& method, const Json& parameters) {
    say({{"jsonrpc", "2.0"}, {"id", ++id_}, {"method", method}, {"params", parameters}});
    return id_;
  }
  void notify(const std::string& method, const Json& parameters) {
    say({{"jsonrpc", "2.0"}, {"method", method}, {"params", parameters}});
  }
  void open(const std::string& text) {
    notify("textDocument/didOpen", {{"textDocument", {{"uri", kUri}, {"text", text}, {"version", 1}}}});
  }
  void leave() {
    request("shutdown", nullptr);
    notify("exit", nullptr);
  }
  void raw(const std::string& bytes) { in_ += bytes; }

  /// Sends all messages to the server and returns its exit status.
  int run() {
    std::istringstream in(in_);
    std::stringstream out;
    std::ostringstream errors;
    const int status = serve(in, out, errors);
    errors_ = errors.str();
    while (const auto message = read_message(out)) answers_.push_back(Json::parse(*message));
    return status;
  }
  Json answer(int id) const {
    for (const Json& message : answers_) {
      if (message.contains("id") && message["id"] == id) return message;
    }
    return nullptr;
  }
  const std::string& errors() const { return errors_; }
  Json diagnostics() const {
    Json last = nullptr;
    for (const Json& message : answers_) {
      if (message.value("method", "") == "textDocument/publishDiagnostics") last = message["params"]["diagnostics"];
    }
    return last;
  }

 private:
  void say(const Json& message) {
    std::ostringstream out;
    write_message(out, message.dump());
    in_ += out.str();
  }
  int id_ = 0;
  std::string in_;
  std::string errors_;
  std::vector<Json> answers_;
};

Json at(std::uint32_t line, std::uint32_t character) {
  return {{"textDocument", {{"uri", kUri}}}, {"position", {{"line", line}, {"character", character}}}};
}

TEST(LanguageServer, EndsAsTheProtocolSays) {
  Conversation polite;
  polite.leave();
  EXPECT_EQ(polite.run(), 0);
  Conversation abrupt;
  abrupt.notify("exit", nullptr);
  EXPECT_EQ(abrupt.run(), 1) << "exit without shutdown";
  EXPECT_EQ(Conversation().run(), 1) << "the stream ended";
}

Json code_actions(std::uint32_t first, std::uint32_t last) {
  return {{"textDocument", {{"uri", kUri}}},
          {"range", {{"start", {{"line", first}, {"character", 0}}}, {"end", {{"line", last}, {"character", 0}}}}},
          {"context", {{"diagnostics", Json::array()}}}};
}

/// Returns the text after an edit. The edit replaces whole lines.
std::string applied(const std::string& text, const Json& edit) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line + "\n");
  std::string result;
  const std::size_t begin = edit["range"]["start"]["line"];
  const std::size_t end = edit["range"]["end"]["line"];
  for (std::size_t i = 0; i < begin; ++i) result += lines[i];
  result += edit["newText"].get<std::string>();
  for (std::size_t i = end; i < lines.size(); ++i) result += lines[i];
  return result;
}

TEST(LanguageServer, OffersToFixTheSubjectOfAnExpectation) {
  Conversation conversation(kTest);
  const int none = conversation.request("textDocument/codeAction", code_actions(3, 5));
  const int ptx = conversation.request("textDocument/codeAction", code_actions(9, 9));
  conversation.leave();
  conversation.run();
  EXPECT_TRUE(conversation.answer(none)["result"].empty()) << "this line has no expectation";
  const Json actions = conversation.answer(ptx)["result"];
  ASSERT_EQ(actions.size(), 1U) << conversation.answer(ptx);
  EXPECT_EQ(actions[0]["kind"], "quickfix");
  EXPECT_THAT(actions[0]["title"].get<std::string>(), HasSubstr("no race under ptx: "));
  const Json& edits = actions[0]["edit"]["changes"][kUri];
  ASSERT_EQ(edits.size(), 1U);
  const std::string fixed = applied(kTest, edits[0]);
  EXPECT_NE(fixed, kTest);

  Conversation again(fixed);
  const int action = again.request("textDocument/codeAction", code_actions(0, 100));
  again.leave();
  again.run();
  const Json answer = again.answer(action);
  for (const Json& one : answer["result"]) {
    EXPECT_THAT(one["title"].get<std::string>(), Not(HasSubstr("no race under ptx"))) << fixed;
  }
}

TEST(LanguageServer, SaysWhyItEndsByItself) {
  Conversation polite;
  polite.leave();
  polite.run();
  EXPECT_EQ(polite.errors(), "");
  Conversation gone;
  gone.run();
  EXPECT_THAT(gone.errors(), HasSubstr("ended without 'exit'"));
  Conversation garbled;
  garbled.raw("Content-Length: many\r\n\r\n{}");
  EXPECT_EQ(garbled.run(), 1);
  EXPECT_THAT(garbled.errors(), HasSubstr("Content-Length: N"));
}

TEST(LanguageServer, RefusesWhatComesBeforeInitialize) {
  std::ostringstream request;
  write_message(request, R"({"jsonrpc":"2.0","id":7,"method":"textDocument/hover","params":{}})");
  std::istringstream in(request.str());
  std::stringstream out;
  std::ostringstream errors;
  serve(in, out, errors);
  EXPECT_EQ(Json::parse(*read_message(out))["error"]["code"], -32002);
}

TEST(LanguageServer, ShowsErrorsWhereTheyAreAndTakesThemBack) {
  Conversation talk;
  std::string broken = kTest;
  broken.replace(broken.find("release, block"), 14, "releas, block");
  talk.open(broken);
  ASSERT_EQ(talk.run(), 1);
  const Json errors = talk.diagnostics();
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0]["range"]["start"]["line"], 3) << "lines count from 0";
  EXPECT_THAT(errors[0]["message"].get<std::string>(), HasSubstr("releas"));

  Conversation mended(broken);
  mended.notify("textDocument/didChange", {{"textDocument", {{"uri", kUri}}}, {"contentChanges", {{{"text", kTest}}}}});
  mended.run();
  EXPECT_EQ(mended.diagnostics(), Json::array());
}

TEST(LanguageServer, CountsCharactersInUtf16) {
  Conversation talk;
  std::string text = kTest;
  // Two characters precede the error in its line. The second character has two UTF-16 units.
  text.replace(text.find("{ x = 1;"), 8, "{ /*\u00e9\U0001F600*/ xx = 1;");
  talk.open(text);
  talk.run();
  ASSERT_EQ(talk.diagnostics().size(), 1U);
  const std::string before = "P0 @ block 0 { /*";
  EXPECT_EQ(talk.diagnostics()[0]["range"]["start"]["character"], before.size() + 1 + 2 + 3);
}

TEST(LanguageServer, HoverSaysWhatAnAccessReaches) {
  Conversation talk(kTest);
  const int store = talk.request("textDocument/hover", at(3, 24));
  const int load = talk.request("textDocument/hover", at(4, 26));
  const int nothing = talk.request("textDocument/hover", at(2, 0));
  talk.run();
  const std::string said = talk.answer(store)["result"]["contents"]["value"];
  EXPECT_THAT(said, AllOf(HasSubstr("release write of `flag` at block scope: reaches P2"), HasSubstr("P0 (block 0)")))
      << "P1 is in another block";
  EXPECT_THAT(talk.answer(load)["result"]["contents"]["value"].get<std::string>(),
              HasSubstr("acquire read of `flag` at device scope: reaches P0, P2"));
  EXPECT_TRUE(talk.answer(nothing)["result"].is_null());
}

TEST(LanguageServer, HoverExplainsModels) {
  Conversation talk(kTest);
  const int model = talk.request("textDocument/hover", at(9, 8));
  talk.run();
  EXPECT_THAT(talk.answer(model)["result"]["contents"]["value"].get<std::string>(), HasSubstr("model `ptx`"));
}

TEST(LanguageServer, LensesGiveTheVerdictOfEachExpectation) {
  Conversation talk(kTest);
  const int lenses = talk.request("textDocument/codeLens", {{"textDocument", {{"uri", kUri}}}});
  const auto resolve = [&](int expectation) {
    return talk.request("codeLens/resolve",
                        {{"range", at(0, 0)}, {"data", {{"uri", kUri}, {"program", 0}, {"expectation", expectation}}}});
  };
  const int met = resolve(0);
  const int failed = resolve(1);
  const int gone = resolve(5);
  talk.run();
  EXPECT_EQ(talk.answer(lenses)["result"].size(), 2U);
  EXPECT_EQ(talk.answer(lenses)["result"][1]["range"]["start"]["line"], 10);
  EXPECT_THAT(talk.answer(met)["result"]["command"]["title"].get<std::string>(),
              AllOf(HasSubstr("OK"), HasSubstr("Sometimes"), HasSubstr("race on")));
  EXPECT_THAT(talk.answer(failed)["result"]["command"]["title"].get<std::string>(),
              AllOf(HasSubstr("FAIL"), HasSubstr("Never"), HasSubstr("expected Sometimes")));
  EXPECT_THAT(talk.answer(gone)["result"]["command"]["title"].get<std::string>(), HasSubstr("not known"));
}

/// Returns the texts of a document's lenses, in line order.
std::vector<std::string> lens_titles(const std::string& text) {
  Conversation asks(text);
  const int lenses = asks.request("textDocument/codeLens", {{"textDocument", {{"uri", kUri}}}});
  asks.run();
  Conversation talk(text);
  std::vector<int> resolved;
  const Json list = asks.answer(lenses)["result"];
  for (const Json& lens : list) resolved.push_back(talk.request("codeLens/resolve", lens));
  talk.run();
  std::vector<std::string> titles;
  for (const int id : resolved) titles.push_back(talk.answer(id)["result"]["command"]["title"]);
  return titles;
}

/// P0 continues after P1 has written. A fair scheduler guarantees that P1 writes, so every execution ends.
TEST(LanguageServer, LensesShowTermination) {
  const std::string text = R"(CUDA t
{ global int flag = 0; }
P0 @ block 0 { while (atomicAdd(&flag, 0) == 0) {} }
P1 @ block 1 { atomicExch(&flag, 1); }
exists (flag == 1)
expect ptx under fair : stuck
expect ptx : Always, norace
expect sc under fair : terminates
)";
  const std::vector<std::string> titles = lens_titles(text);
  ASSERT_EQ(titles.size(), 3U);
  EXPECT_THAT(titles[0], AllOf(HasSubstr("FAIL  ptx under fair: terminates"), HasSubstr("expected stuck")));
  EXPECT_THAT(titles[1], HasSubstr("OK  ptx: Always, norace"));
  EXPECT_EQ(titles[2], "OK  sc under fair: terminates");
}

/// A flag of block scope passes the message to another block. So the old data can be read, and the accesses of x race.
TEST(LanguageServer, EachLensShowsOnlyItsLine) {
  std::string text = std::string(kTest) + "expect ptx : norace\n";
  text.erase(text.find(", race"), 6);  // two contradictory expectations are an error
  const std::vector<std::string> titles = lens_titles(text);
  ASSERT_EQ(titles.size(), 3U);
  EXPECT_EQ(titles[0].substr(0, 4), "OK  ") << titles[0];
  EXPECT_EQ(titles[2].substr(0, 6), "FAIL  ") << titles[2];
}

/// No thread writes y, so r is 0 and the assertion fails.
TEST(LanguageServer, LensesShowFailedAssertions) {
  const std::vector<std::string> titles = lens_titles(R"(CUDA t
{ global int y = 0; }
P0 @ block 0 { int r = atomicAdd(&y, 0); assert(r == 5); }
expect ptx : norace
)");
  ASSERT_EQ(titles.size(), 1U);
  EXPECT_EQ(titles[0], "OK  ptx: norace, assertion failed") << "the test has no condition";
}

TEST(LanguageServer, MarksAModelThatIsMissingWhereItIsNamed) {
  for (const char* line : {"expect \"no-such.cat\" : Never\n", "expect \"no-such.cat\" under fair : stuck\n"}) {
    Conversation talk(kTest + std::string(line));
    talk.run();
    ASSERT_EQ(talk.diagnostics().size(), 1U) << line;
    EXPECT_EQ(talk.diagnostics()[0]["range"]["start"]["line"], 11) << line;
  }
}

TEST(LanguageServer, CompletesByPlace) {
  Conversation talk(kTest);
  const auto labels = [&](int id) {
    std::string all;
    const Json list = talk.answer(id)["result"];
    for (const Json& one : list) all += " " + one["label"].get<std::string>() + " ";
    return all;
  };
  const int model = talk.request("textDocument/completion", at(9, 7));
  const int item = talk.request("textDocument/completion", at(9, 13));
  const int code = talk.request("textDocument/completion", at(3, 15));
  talk.run();
  EXPECT_THAT(labels(model), AllOf(HasSubstr(" hrf-indirect "), Not(HasSubstr(" norace "))));
  EXPECT_THAT(labels(item), AllOf(HasSubstr(" norace "), Not(HasSubstr(" hrf-indirect "))));
  EXPECT_THAT(labels(code), HasSubstr(" __threadfence_block "));
  EXPECT_THAT(labels(model), HasSubstr(" under "));
}

TEST(LanguageServer, CompletesExpectationsOfTermination) {
  Conversation talk(
      "CUDA t\n{ global int x = 0; }\nP0 @ block 0 { x = 1; }\nexpect ptx under fair : stuck\n"
      "expect ptx : Always because \"explained under this\", \n  expect ptx : Always\n");
  const int scheduler = talk.request("textDocument/completion", at(3, 17));
  const int item = talk.request("textDocument/completion", at(3, 24));
  const int reason = talk.request("textDocument/completion", at(4, 52));
  const int indented = talk.request("textDocument/completion", at(5, 15));
  talk.run();
  for (const int outcome : {reason, indented}) {
    EXPECT_THAT(talk.answer(outcome)["result"].dump(),
                AllOf(HasSubstr("Never"), Not(HasSubstr("terminates")), Not(HasSubstr("assume"))));
  }
  EXPECT_THAT(talk.answer(scheduler)["result"].dump(), AllOf(HasSubstr("lobe"), Not(HasSubstr("stuck"))));
  EXPECT_THAT(talk.answer(item)["result"].dump(),
              AllOf(HasSubstr("stuck"), HasSubstr("terminates"), Not(HasSubstr("norace"))));
}

TEST(LanguageServer, OutlinesThreads) {
  Conversation talk(kTest);
  const int symbols = talk.request("textDocument/documentSymbol", {{"textDocument", {{"uri", kUri}}}});
  talk.run();
  const Json list = talk.answer(symbols)["result"];
  ASSERT_EQ(list.size(), 3U);
  EXPECT_EQ(list[1]["name"], "P1");
  EXPECT_THAT(list[1]["detail"].get<std::string>(), HasSubstr("block 1"));
}

TEST(LanguageServer, ReadsModelsToo) {
  Conversation talk;
  talk.notify("textDocument/didOpen",
              {{"textDocument", {{"uri", "file:///tmp/mine.cat"}, {"text", "\"mine\"\nacyclic po | comm as sc\n"}}}});
  talk.run();
  ASSERT_EQ(talk.diagnostics().size(), 1U);
  EXPECT_EQ(talk.diagnostics()[0]["range"]["start"]["line"], 1);
}

TEST(LanguageServer, SurvivesHostileInput) {
  Conversation talk;
  talk.raw("Content-Length: 5\r\n\r\n{]}{[");
  talk.raw("Content-Length: 2\r\n\r\n[]");
  talk.raw("Content-Length: 9\r\n\r\n{\"id\": 4}");
  talk.notify("textDocument/didOpen", {{"textDocument", 7}});
  talk.notify("textDocument/didChange", Json::array());
  talk.raw("Content-Length: 4\r\n\r\n\"\xff\xfe\"");
  talk.open(std::string(300, '('));
  const int unknown = talk.request("no/such", nullptr);
  const int unopened = talk.request("textDocument/hover", {{"textDocument", {{"uri", "x"}}}, {"position", 3}});
  talk.leave();
  EXPECT_EQ(talk.run(), 0) << "the server still runs at the end";
  EXPECT_EQ(talk.answer(unknown)["error"]["code"], -32601);
  EXPECT_EQ(talk.answer(unopened)["error"]["code"], -32602);
}

TEST(Protocol, RefusesWhatHasNoLength) {
  for (const char* text : {"", "Content-Length: 4\r\n", "Content-Length: x\r\n\r\nabcd", "\r\nabcd",
                           "Content-Length: 99999999999\r\n\r\n", "Content-Length: 10\r\n\r\nabc"}) {
    std::istringstream in(text);
    EXPECT_EQ(read_message(in), std::nullopt) << text;
  }
  std::istringstream in("content-length:3\r\nContent-Type: x\r\n\r\nabc");
  EXPECT_EQ(read_message(in), "abc");
}

}  // namespace
}  // namespace ambit::lsp
