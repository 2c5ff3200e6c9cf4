#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "api/check/question_turns.h"
#include "api/graphviz.h"
#include "apps/server/page_words.h"
#include "apps/server/worker.h"
#include "report/results/words.h"
#include "tests/support/files.h"
#include "tests/unit/server/support.h"

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

// ---- answers ----

TEST(Worker, ChecksATest) {
  const Json answer = ask({{"do", "check"}, {"text", kTest}});
  ASSERT_EQ(answer["results"].size(), 1U);
  EXPECT_EQ(answer["results"][0]["model"], "ptx");
  EXPECT_EQ(answer["results"][0]["status"], "OK");
  EXPECT_EQ(answer["results"][0]["race"], true);
  EXPECT_THAT(answer["results"][0]["details"].get<std::string>(), HasSubstr("race on x"));
}

TEST(Worker, ListsOutcomesOfTheRequestedModels) {
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

/// The text that a user pastes has no file name, so the server recognises the language from the text
/// (docs/reference/cuda-sources.md, docs/reference/ptx-files.md).
TEST(Worker, RecognisesTheLanguageOfPastedText) {
  const std::string cuda = test::contents(test::project() / "litmus/cuda/flag_block_scope.cu");
  const Json source = ask({{"do", "edit"}, {"text", cuda}});
  EXPECT_EQ(source["name"], "test.cu");
  EXPECT_EQ(source["language"], "CUDA source");
  EXPECT_TRUE(source["errors"].empty()) << source;
  const Json checked = ask({{"do", "check"}, {"text", cuda}});
  for (const Json& result : checked["results"]) EXPECT_EQ(result["status"], "OK");
  const Json ptx = ask({{"do", "edit"}, {"text", R"(PTX t
{ x = 0; }
 P0@cta 0, gpu 0 | P1@cta 1, gpu 0 ;
 st.weak x, 1    | ld.weak r0, x   ;
exists (P1:r0 == 1)
)"}});
  EXPECT_EQ(ptx["name"], "test.litmus");
  EXPECT_EQ(ptx["language"], "PTX litmus test");
  const Json proxy = ask({{"do", "edit"}, {"text", test::contents(test::project() / "litmus/proxy/alias_flag.test")}});
  EXPECT_EQ(proxy["name"], "test.test");
  EXPECT_EQ(proxy["language"], "mixed-proxy test");
  EXPECT_FALSE(proxy["tests"].empty());
  const Json litmus = ask({{"do", "edit"}, {"text", kTest}});
  EXPECT_EQ(litmus["name"], "test.litmus");
  EXPECT_EQ(litmus["language"], "CUDA litmus test");
  EXPECT_EQ(litmus["tests"], Json::array({"mp"}));
}

/// The server uses the file name that the user gives. If the name has no extension, the server adds the extension of
/// the language.
TEST(Worker, TakesTheNameOfTheText) {
  EXPECT_EQ(ask({{"do", "edit"}, {"text", kTest}, {"name", "mine"}})["name"], "mine.litmus");
  const Json wrong = ask({{"do", "edit"}, {"text", kTest}, {"name", "mine.cu"}});
  EXPECT_EQ(wrong["language"], "CUDA source");
  EXPECT_FALSE(wrong["errors"].empty());
  EXPECT_THAT(ask({{"do", "check"}, {"text", "nonsense"}, {"name", "mine"}})["error"].get<std::string>(),
              HasSubstr("mine.litmus:1"));
}

Json after(const Json& choices, Json more = {{"do", "step"}}) {
  more["text"] = kTest;
  more["choices"] = choices;
  return ask(more);
}

/// Returns the values in a part of memory, such as "x=1* f=0". A star marks a dirty value, and an exclamation mark
/// marks a changed value.
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

/// A plain store goes from its thread's buffer to the L1 of its block. From this L1, it goes to the memory that all
/// blocks share. The release store has block scope, so it goes only to the L1.
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
  EXPECT_EQ(held(three["caches"][0]["lines"]), "x=1! f=0") << "x is clean after the write-back";
  EXPECT_EQ(held(three["caches"][1]["lines"]), "x=0 f=0") << "the other block keeps its copy";
  EXPECT_EQ(held(three["values"]), "x=1! f=0");
}

TEST(Worker, RunsAScheduleToItsEnd) {
  const Json more{{"do", "step"}, {"finish", true}, {"seed", 7}};
  const Json whole = after(Json::array({"P1"}), more);
  EXPECT_EQ(whole["steps"][0]["choice"], "P1") << "the run continues after the choices";
  EXPECT_TRUE(whole["next"].empty());
  EXPECT_TRUE(whole["outcome"].contains("P1:r1"));
  EXPECT_TRUE(whole["stopped"].is_null());
  EXPECT_EQ(after(Json::array({"P1"}), more), whole) << "equal seeds give equal runs";
  const Json deadlock =
      ask({{"do", "step"},
           {"finish", true},
           {"text", "CUDA t\n{ global int x = 0; }\nP0 @ block 0 { while (load(x, relaxed, device) == 0) {} }\n"}});
  EXPECT_THAT(deadlock["stopped"].get<std::string>(), HasSubstr("deadlock"))
      << "it waits for a value that no thread writes";
}

Json findings(const Json& answer, const std::string& detector) {
  for (const Json& one : answer["detectors"]) {
    if (one["detector"] == detector) return one;
  }
  ADD_FAILURE() << "no detector " << detector;
  return {};
}

/// P0's release has block scope, and P1 is in another block. So in no schedule does happens-before order the two
/// accesses of x (definitions 4.2).
TEST(Worker, RunsDetectorsOnTheSteppedSchedule) {
  const Json begun = after(Json::array({"P0"}), {{"do", "detect"}});
  EXPECT_EQ(begun["events"], 1);
  EXPECT_EQ(begun["ended"], false);
  for (const Json& one : begun["detectors"])
    EXPECT_TRUE(one["races"].empty()) << one << " must not report a race: the schedule has only one access";
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

TEST(Worker, FixesForEachModel) {
  const Json answer = ask({{"do", "fix"}, {"text", kTest}, {"models", {"ptx", "sc"}}});
  ASSERT_EQ(answer["fixes"].size(), 2U) << answer;
  const Json& ptx = answer["fixes"][0];
  EXPECT_EQ(ptx["model"], "ptx");
  EXPECT_EQ(ptx["state"], "found") << answer;
  EXPECT_FALSE(ptx["changes"].empty());
  EXPECT_THAT(ptx["diff"].get<std::string>(), HasSubstr("\n+"));
  const Json checked = ask({{"do", "fix"}, {"text", ptx["text"]}, {"models", {"ptx"}}});
  EXPECT_EQ(checked["fixes"][0]["state"], "nothing to do") << ptx["text"];
  EXPECT_THAT(ask({{"do", "fix"}, {"text", "CUDA"}})["error"].get<std::string>(), HasSubstr("error"));
}

TEST(Worker, ExplainsAndDraws) {
  std::string guarded = kTest;  // reads the data only if the flag was seen
  guarded.replace(guarded.find("int r1 = x;"), 11, "int r1 = -1; if (r0 == 1) r1 = x;");
  const Json why = ask({{"do", "explain"}, {"text", guarded}});
  ASSERT_EQ(why["explanations"].size(), 2U) << "one explanation of the outcome and one of the race";
  EXPECT_THAT(why["explanations"][1]["text"].get<std::string>(),
              HasSubstr("it reaches the threads of block 0 only, and P1 is in block 1. It needs device scope"))
      << "the page breaks lines, the text does not";
  EXPECT_THAT(ask({{"do", "graph"}, {"text", kTest}})["pictures"][0]["dot"].get<std::string>(), HasSubstr("digraph"));
}

// ---- the page has no options ----

TEST(PageWords, NameNoOption) {
  for (int reason = 0; reason <= static_cast<int>(UnknownReason::Endless); ++reason) {
    const std::string said = report::unknown_text(static_cast<UnknownReason>(reason), "a reason");
    EXPECT_THAT(page_text(said), ::testing::Not(HasSubstr("--"))) << said;
  }
  EXPECT_EQ(page_text("error: no launch\n  hint: give a launch: --launch 'k<<<2, 33>>>(data[1])', or a comment // "
                      "ambit: launch k<<<2, 33>>>(data[1]);\n"),
            "error: no launch\n  hint: give a launch: a comment // ambit: launch k<<<2, 33>>>(data[1]);\n");
  EXPECT_EQ(page_text("error: no value\n  hint: give the value with -D SIZE=VALUE"),
            "error: no value\n  hint: give the value with #define SIZE VALUE");
  EXPECT_EQ(page_text("error: a\n  hint: raise --foo\nerror: b\n  hint: raise --bar"), "error: a\nerror: b");
  EXPECT_EQ(page_text("hint: raise --foo"), "");
  EXPECT_EQ(page_text("  3 | x--; // --foo of mine, no hint: --bar"), "  3 | x--; // --foo of mine, no hint: --bar");
}

TEST(Worker, NamesNoOptionInErrors) {
  const std::string module = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k()\n{\n  ret;\n}\n";
  const Json answer = ask({{"do", "check"}, {"text", module}, {"name", "k.ptx"}});
  ASSERT_TRUE(answer.contains("error")) << answer;
  EXPECT_THAT(answer["error"].get<std::string>(), HasSubstr("a comment // ambit: launch k<<<2, 32>>>();"));
  EXPECT_THAT(answer["error"].get<std::string>(), ::testing::Not(HasSubstr("--launch")));
  const Json edit = ask({{"do", "edit"}, {"text", module}, {"name", "k.ptx"}});
  EXPECT_THAT(edit["errors"].dump(), ::testing::Not(HasSubstr("--launch")));
}

/// Each of two independent pairs of threads has a plain write and a plain read. The explanation gives the cause of both
/// races, not only of the first race (two atomic accesses do not race: PTX ISA 8.7.1).
TEST(Worker, ExplainsEveryRaceAndNotOnlyTheFirst) {
  constexpr const char* kTwoRaces = R"(CUDA races
{ global int x = 0, y = 0; }
P0 @ block 0 { x = 1; }
P1 @ block 1 { int r0 = x; }
P2 @ block 2 { y = 1; }
P3 @ block 3 { int r1 = y; }
expect ptx : race
)";
  const Json why = ask({{"do", "explain"}, {"text", kTwoRaces}});
  ASSERT_EQ(why["explanations"].size(), 1U) << why;
  const auto text = why["explanations"][0]["text"].get<std::string>();
  const auto second = text.find("The race on y");
  ASSERT_NE(second, std::string::npos) << text;
  for (const std::string& race : {text.substr(0, second), text.substr(second)}) {
    EXPECT_THAT(race, HasSubstr("These changes together remove the race; fewer do not."));
    EXPECT_THAT(race, ::testing::Not(HasSubstr("Nothing connects")));
  }
}

/// If a test has expectations for more than twelve models, the server checks all of these models. The test is L1 of the
/// separating suite with a wrong last expectation. cuda-cpp forbids the stale read: release and acquire have block
/// scope, and both threads are in one block.
TEST(Worker, ChecksEveryModelWithAnExpectation) {
  std::string text = R"(CUDA mp
{ global int x = 0, f = 0; }
P0 @ block 0 { x = 1; store(f, 1, release, block); }
P1 @ block 0 { int r0 = load(f, acquire, block); int r1 = -1; if (r0 == 1) r1 = x; }
exists (P1:r0 == 1 && P1:r1 == 0)
expect sc : Never
)";
  for (const char* model : {"hrf-direct", "hrf-direct(rlx=lift)", "hrf-indirect", "hrf-indirect(rlx=lift)",
                            "hrf-relaxed", "hrf-relaxed(incl=nest)", "hrf-relaxed(incl=exact)",
                            "hrf-relaxed(transitivity=direct)", "ptx", "ptx-6.0", "ptx-7.5"}) {
    text += std::string("expect ") + model + " : Never, norace\n";
  }
  text += "expect cuda-cpp : Sometimes, race\n";
  const Json results = ask({{"do", "check"}, {"text", text}})["results"];
  ASSERT_EQ(results.size(), 13U);
  EXPECT_EQ(results[12]["model"], "cuda-cpp");
  EXPECT_EQ(results[12]["status"], "FAIL");
  const Json why = ask({{"do", "explain"}, {"text", text}});
  EXPECT_EQ(why["not_asked"].size(), 9U) << "the server explains four models";
  EXPECT_EQ(why["not_asked"][8], "cuda-cpp");
}

constexpr const char* kWaits = R"(CUDA t
{ global int flag = 0; }
P0 @ block 0 { while (atomicAdd(&flag, 0) == 0) {} }
P1 @ block 1 { atomicExch(&flag, 1); }
)";

/// P0 continues after P1 has written. A fair scheduler guarantees that P1 writes.
TEST(Worker, ChecksExpectationsOfTermination) {
  const std::string waits = kWaits;
  const Json both =
      ask({{"do", "check"},
           {"text", waits + "exists (flag == 1)\nexpect ptx : Always, norace\nexpect ptx under fair : stuck\n"}});
  ASSERT_EQ(both["results"].size(), 2U);
  EXPECT_EQ(both["results"][0]["status"], "OK");
  EXPECT_EQ(both["results"][1]["model"], "ptx under fair");
  EXPECT_EQ(both["results"][1]["status"], "FAIL");
  EXPECT_EQ(both["results"][1]["words"]["frequency"], "terminates");
  const std::string alone = waits + "expect ptx under fair : terminates\n";
  const Json only = ask({{"do", "check"}, {"text", alone}})["results"];
  ASSERT_EQ(only.size(), 1U) << "the test has only this expectation";
  EXPECT_EQ(only[0]["status"], "OK");
  const Json other = ask({{"do", "check"}, {"text", alone}, {"models", {"sc"}}})["results"];
  ASSERT_EQ(other.size(), 1U) << "the user chose a model without an expectation";
  EXPECT_EQ(other[0]["model"], "sc");
  const Json two = ask({{"do", "check"}, {"text", alone}, {"models", {"ptx", "sc"}}})["results"];
  ASSERT_EQ(two.size(), 2U) << "every chosen model is checked";
  EXPECT_EQ(two[0]["model"], "ptx under fair");
  EXPECT_EQ(two[1]["model"], "sc");
  EXPECT_EQ(two[1]["status"], "--") << "the test has no expectation for this model";
}

/// Two threads store to x. Each coherence order of the two writes has one execution.
TEST(Worker, CountsExecutionsWhereATestExpectsThem) {
  const std::string text = "CUDA t\n{ global int x = 0; }\nP0 @ block 0 { x = 1; }\nP1 @ block 1 { x = 2; }\n";
  EXPECT_EQ(ask({{"do", "check"}, {"text", text + "expect sc : executions 2\n"}})["results"][0]["status"], "OK");
  EXPECT_EQ(ask({{"do", "check"}, {"text", text + "expect sc : executions 77\n"}})["results"][0]["status"], "FAIL");
}

/// No thread writes y, so r is 0.
TEST(Worker, ReportsFailedAssertions) {
  const std::string text =
      "CUDA t\n{ global int y = 0; }\nP0 @ block 0 { int r = atomicAdd(&y, 0); assert(r == 5); }\nexists (y == 0)\n";
  const Json verdict = ask({{"do", "check"}, {"text", text}, {"models", {"ptx"}}})["results"][0];
  EXPECT_EQ(verdict["words"]["race"], "norace, assertion failed");
  EXPECT_EQ(verdict["speaks_of_races"], true);
  const Json run = ask({{"do", "step"}, {"text", text}, {"finish", true}});
  EXPECT_EQ(run["incidents"], Json::array({"assertion failed"}));
  EXPECT_EQ(run["outcome"]["y"], "0");
  EXPECT_EQ(ask({{"do", "detect"}, {"text", text}, {"finish", true}})["incidents"], run["incidents"]);
}

/// 2^53 and 2^53 + 1 are the same number in JavaScript.
TEST(Worker, GivesOutcomesAsTextToo) {
  const Json result = ask({{"do", "outcomes"}, {"models", {"sc"}}, {"text", R"(CUDA a
{ global unsigned long long x = 9007199254740992; }
P0 @ block 0 { atomicExch(&x, 9007199254740993ull); }
P1 @ block 1 { unsigned long long r = atomicAdd(&x, 0); }
exists (P1:r == 9007199254740993)
)"}})["results"][0];
  ASSERT_EQ(result["outcomes"].size(), 2U);
  EXPECT_EQ(result["outcome_texts"][0]["P1:r"], "9007199254740992");
  EXPECT_EQ(result["outcome_texts"][1]["P1:r"], "9007199254740993");
}

/// If a run violates the filter or an assumption, the run does not belong to the test.
TEST(Worker, OmitsRunsThatTheTestExcludes) {
  const std::string reads = "CUDA t\n{ global int y = 0; }\nP0 @ block 0 { int r = atomicAdd(&y, 0); ";
  for (const std::string& text :
       {reads + "}\nfilter (P0:r == 5)\nexists (y == 0)\n", reads + "assume(r == 5); }\nexists (y == 0)\n"}) {
    const Json run = ask({{"do", "step"}, {"text", text}, {"finish", true}});
    EXPECT_THAT(run["stopped"].dump(), HasSubstr("left out")) << text;
    EXPECT_FALSE(run.contains("outcome")) << text;
    EXPECT_EQ(ask({{"do", "detect"}, {"text", text}, {"finish", true}})["stopped"], run["stopped"]) << text;
  }
}

/// Each iteration of the loop is a step.
TEST(Worker, SaysWhereARunIsCut) {
  const std::string text =
      "CUDA t\n{ global int x = 0; }\nP0 @ block 0 { for (int i = 0; i < 5000; i = i + 1) { atomicAdd(&x, 1); } }\n";
  const Json run = ask({{"do", "step"}, {"text", text}, {"memory", "sc"}, {"finish", true}});
  EXPECT_EQ(run["steps"].size(), 2000U);
  EXPECT_THAT(run["stopped"].get<std::string>(), HasSubstr("2000 steps"));
  EXPECT_TRUE(run["next"].empty()) << "no step can follow";
  EXPECT_FALSE(run.contains("outcome"));
  const Json detected = ask({{"do", "detect"}, {"text", text}, {"memory", "sc"}, {"finish", true}});
  EXPECT_EQ(detected["ended"], false);
  EXPECT_EQ(detected["stopped"], run["stopped"]);
  const Json more =
      ask({{"do", "step"}, {"text", text}, {"memory", "sc"}, {"choices", std::vector<std::string>(2001, "P0")}});
  EXPECT_THAT(more["error"].get<std::string>(), HasSubstr("2000 steps"));
}

TEST(Worker, UsesTheRequestedTest) {
  for (const Json& number : {Json(1), Json(-1), Json(5)}) {
    const Json answer = ask({{"do", "check"}, {"text", kTest}, {"program", number}});
    EXPECT_THAT(answer["error"].get<std::string>(), HasSubstr("there is no test " + number.dump()));
  }
  EXPECT_FALSE(ask({{"do", "check"}, {"text", kTest}, {"program", 0}}).contains("error"));
}

/// A millisecond is too short to decide the condition. So the answer has a reason instead of a picture.
TEST(Worker, SaysWhyThereIsNoPicture) {
  const Json unknown = ask({{"do", "graph"}, {"text", manifold(24)}, {"models", {"ptx"}}, {"seconds", 0.001}});
  EXPECT_EQ(unknown["limited"], true);
  ASSERT_EQ(unknown["pictures"].size(), 2U) << "one picture of the outcome and one of the race";
  EXPECT_FALSE(unknown["pictures"][0].contains("dot"));
  EXPECT_FALSE(unknown["pictures"][0]["reason"].get<std::string>().empty());
}

/// If one question needs its whole share of the time limit, the other questions still get their shares.
TEST(Questions, ShareTheTime) {
  using Clock = Context::Clock;
  std::vector<int> queried(3, 0);
  const auto endless = [&](int which) {
    return [&queried, which](Context& context) {
      ++queried[static_cast<std::size_t>(which)];
      while (!context.should_stop()) {}
    };
  };
  const auto quick = [&](Context&) { ++queried[2]; };
  EXPECT_TRUE(api::answer_in_turn({endless(0), quick, endless(1)}, Clock::now() + std::chrono::milliseconds(300)));
  EXPECT_EQ(queried, (std::vector<int>{1, 1, 1})) << "each question has used its equal share, and no time is left";
  queried = {0, 0, 0};
  EXPECT_TRUE(api::answer_in_turn({endless(0), quick, quick}, Clock::now() + std::chrono::milliseconds(300)));
  EXPECT_EQ(queried[0], 2) << "in the remaining time, the first question has a second attempt";
  EXPECT_FALSE(api::answer_in_turn({quick}, Clock::now() + std::chrono::minutes(1)));
  queried = {0, 0, 0};
  EXPECT_TRUE(api::answer_in_turn({endless(0), quick, quick}, Clock::now())) << "some answers are unknown";
  EXPECT_EQ(queried, (std::vector<int>{1, 0, 0})) << "no time is left after the first question";
}

/// Eight threads write one location and read it. In a millisecond, the server cannot list all outcomes.
TEST(Worker, SaysWhenALimitOfTimeWasReached) {
  EXPECT_FALSE(ask({{"do", "check"}, {"text", kTest}, {"seconds", 10}}).contains("limited"));
  EXPECT_EQ(ask({{"do", "outcomes"}, {"text", manifold(8)}, {"seconds", 0.001}})["limited"], true);
}

/// One thread writes twelve times. Three other threads each read once, and each read can return 13 values.
TEST(Worker, SendsTheFirstOutcomes) {
  std::string text = "CUDA t\n{ global int x = 0; }\nP0 @ block 0 { ";
  for (int i = 1; i <= 12; ++i) text += "x = " + std::to_string(i) + "; ";
  text += "}\n";
  for (int t = 1; t <= 3; ++t) text += "P" + std::to_string(t) + " @ block " + std::to_string(t) + " { int a = x; }\n";
  text += "exists (P1:a == 0 && P2:a == 0 && P3:a == 0)\n";
  const Json result = ask({{"do", "outcomes"}, {"models", {"sc"}}, {"text", text}, {"seconds", 60}})["results"][0];
  EXPECT_EQ(result["outcomes"].size(), 2000U);
  EXPECT_EQ(result["outcome_texts"].size(), 2000U);
  EXPECT_EQ(result["unknown"]["detail"], "the first 2000 of 2197 outcomes are shown; `ambit outcomes` prints all");
}

/// The server reads no model file. Its answer does not show whether the file exists.
TEST(Worker, ReadsNoFilesWhileATestIsWritten) {
  for (const std::string& path : {std::string("/tmp/"), (test::project() / "model/cat/sc.cat").string()}) {
    const Json errors = ask({{"do", "edit"}, {"text", kTest + ("expect \"" + path + "\" : Never\n")}})["errors"];
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_THAT(errors[0]["message"].get<std::string>(), HasSubstr("unknown model '" + path + "'"));
  }
}

TEST(Worker, TakesNothingFromFiles) {
  const std::string outside = (test::project() / "model/cat/sc.cat").string();
  for (const std::string& model : {outside, std::string("../sc.cat"), std::string("no-such")}) {
    EXPECT_THAT(ask({{"do", "check"}, {"text", kTest}, {"models", {model}}})["error"].get<std::string>(),
                ::testing::StartsWith("error: unknown model"))
        << model;
  }
  EXPECT_THAT(ask({{"do", "check"}, {"text", kTest}, {"name", "../x.litmus"}})["error"].get<std::string>(),
              HasSubstr("without folders"));
  const std::string expects = std::string(kTest) + "expect \"" + outside + "\" : Never\n";
  EXPECT_THAT(ask({{"do", "check"}, {"text", expects}})["error"].get<std::string>(), HasSubstr("unknown model"));
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

// ---- pictures ----

TEST(Graphviz, DrawsSeveralGraphsAtOnce) {
  const api::Drawing drawing =
      api::draw("digraph a { n [pos=\"0,0\", label=\"</svg>\"] }\ndigraph b { m [pos=\"0,0\"] }\n", "svg");
  if (!drawing.ok() && drawing.error.find("not installed") != std::string::npos) GTEST_SKIP() << drawing.error;
  ASSERT_TRUE(drawing.ok()) << drawing.error;
  const std::vector<std::string> drawings = api::split_drawings(drawing.bytes);
  ASSERT_EQ(drawings.size(), 2U) << "a label must not end a drawing";
  EXPECT_THAT(drawings[0], HasSubstr("&lt;/svg&gt;"));
  EXPECT_THAT(drawings[1], HasSubstr(">m<"));
  EXPECT_FALSE(api::draw("no graph", "svg").ok());
}

}  // namespace
}  // namespace ambit::server
