#include <ambit/ambit.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/files.h"

/// Uses the library as its users do: this file includes only public headers of Ambit.
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

/// Message passing between blocks. The reader lacks a fence (README.md).
const std::string& message_passing_text() {
  static const std::string kText = ambit::test::contents(ambit::test::project() / "tests/support/mp.litmus");
  return kText;
}

/// Four threads each write five times to one location. The writes have 20! / (5!)^4 orders, too many to enumerate.
std::string endless() {
  std::string text = "CUDA endless\n{ global int x = 0; }\n";
  int value = 0;
  for (int thread = 0; thread < 4; ++thread) {
    text += "P" + std::to_string(thread) + " @ block " + std::to_string(thread) + " {\n";
    for (int i = 0; i < 5; ++i) text += "  atomicExch(&x, " + std::to_string(++value) + ");\n";
    text += "}\n";
  }
  return text + "exists (x == 21)\n";
}

ambit::Test message_passing() { return ambit::parse(message_passing_text(), "mp.litmus"); }

TEST(Library, ATestIsRead) {
  const ambit::Test test = message_passing();
  EXPECT_EQ(test.name(), "mp");
  EXPECT_EQ(test.description(), "Message passing between blocks; the reader does not fence.");
  EXPECT_EQ(test.file(), "mp.litmus");
  EXPECT_EQ(test.source(), message_passing_text());
  EXPECT_THAT(test.threads(), ElementsAre("P0", "P1"));
  EXPECT_THAT(test.observables(), ElementsAre("P1:r0", "P1:r1"));
  EXPECT_EQ(test.condition(), "exists (P1:r0 == 1 && P1:r1 == 0)");
}

// README.md gives these answers: SC forbids the stale read; PTX allows the stale read and reports a race on x.
TEST(Library, ModelsAnswer) {
  const ambit::CheckResult result = ambit::check(message_passing());
  ASSERT_THAT(result, SizeIs(2));
  EXPECT_EQ(result.status, ambit::Status::Ok);

  const ambit::Verdict& sc = result[0];
  EXPECT_EQ(sc.model, "sc");
  EXPECT_EQ(sc.answer, ambit::Answer::Never);
  EXPECT_EQ(sc.condition_holds, false);
  EXPECT_EQ(sc.race, ambit::Raciness::NotAsked);
  EXPECT_EQ(sc.ending, ambit::Ending::NotAsked);
  EXPECT_EQ(sc.witness, "");

  const ambit::Verdict& ptx = result[1];
  EXPECT_EQ(ptx.answer, ambit::Answer::Sometimes);
  EXPECT_EQ(ptx.condition_holds, true);
  EXPECT_EQ(ptx.race, ambit::Raciness::Race);
  EXPECT_EQ(ptx.status, ambit::Status::Ok);
  EXPECT_THAT(ptx.witness, HasSubstr("outcome: P1:r0 == 1, P1:r1 == 0"));
  EXPECT_THAT(ptx.text, HasSubstr("race on x"));
  ASSERT_THAT(ptx.races, SizeIs(1));
  EXPECT_EQ(ptx.races[0].location, "x");
  EXPECT_EQ(ptx.races[0].first.thread, "P0");
  EXPECT_EQ(ptx.races[0].first.line, 7U);
  EXPECT_EQ(ptx.races[0].first.source, "x = 1;");
  EXPECT_EQ(ptx.races[0].second.thread, "P1");
  EXPECT_EQ(ptx.races[0].second.line, 14U);

  const auto json = nlohmann::json::parse(result.json);
  EXPECT_EQ(json["ambit"], ambit::version());
  EXPECT_EQ(json["tests"][0]["results"][1]["frequency"], "Sometimes");
}

// The README shows this test first. The tests of the library, of Python and of packages use the text of the README.
TEST(Library, TheTestIsThatOfTheReadme) {
  const std::string readme = ambit::test::contents(ambit::test::project() / "README.md");
  EXPECT_THAT(readme, HasSubstr("```\n" + message_passing_text() + "```\n"));
}

// If Ambit reads an instruction as another instruction, a remark explains this and has a position in the text.
TEST(Library, RemarksHavePlaces) {
  EXPECT_THAT(message_passing().remarks(), IsEmpty());
  const ambit::Test test = ambit::parse(
      "PTX red\n{ x=0; }\n P0@cta 0,gpu 0 ;\n red.acq_rel.gpu.add x, 1 ;\nexists (x == 1)\n", "red.litmus");
  ASSERT_THAT(test.remarks(), SizeIs(1));
  const ambit::Problem remark = test.remarks().front();
  EXPECT_EQ(remark.line, 4U);
  EXPECT_THAT(remark.message, HasSubstr("reads it as atom.acq_rel"));
  EXPECT_THAT(remark.text, HasSubstr("red.litmus:4:2: note: "));
}

TEST(Library, AnExpectationThatIsNotMetFails) {
  std::string text = message_passing_text();
  text.replace(text.find("Sometimes, race on x"), 20, "Never");
  const ambit::CheckResult result = ambit::check(ambit::parse(text), {"ptx"});
  EXPECT_EQ(result.status, ambit::Status::Fail);
  EXPECT_THAT(result[0].reasons, Not(IsEmpty()));
}

TEST(Library, ModelsThatTheTestDoesNotNameAnswer) {
  const ambit::CheckResult result = ambit::check(message_passing(), {"hrf-relaxed(rlx=acquire)", "cuda-cpp"});
  ASSERT_THAT(result, SizeIs(2));
  EXPECT_EQ(result[0].model, "hrf-relaxed(rlx=acquire)");
  EXPECT_EQ(result[0].status, ambit::Status::NothingExpected);
}

// P1 waits for a flag that no thread sets.
TEST(Library, TerminationIsChecked) {
  const ambit::Test test = ambit::parse(
      "CUDA waits\n{ global int flag = 0; }\nP1 @ block 0 {\n"
      "  while (atomicAdd(&flag, 0) == 0) {}\n}\nexists (flag == 0)\n");
  const ambit::CheckResult result = ambit::check(test, {"ptx"}, {.only_termination = true, .schedulers = {"fair"}});
  ASSERT_THAT(result, SizeIs(1));
  EXPECT_EQ(result[0].scheduler, "fair");
  EXPECT_EQ(result[0].ending, ambit::Ending::Stuck);
  EXPECT_EQ(result[0].answer, ambit::Answer::NotAsked);
  EXPECT_THROW(ambit::check(test, {"ptx"}, {.only_termination = true, .schedulers = {"fare"}}), ambit::Error);
}

TEST(Library, ErrorsHavePlaces) {
  std::string text = message_passing_text();
  text.replace(text.find("x = 1;"), 6, "y = 1;");
  try {
    ambit::parse(text, "mp.litmus");
    FAIL() << "y is not declared";
  } catch (const ambit::Error& error) {
    ASSERT_THAT(error.problems(), Not(IsEmpty()));
    const ambit::Problem& problem = error.problems().front();
    EXPECT_EQ(problem.file, "mp.litmus");
    EXPECT_EQ(problem.line, 7U);
    EXPECT_EQ(problem.column, 3U);
    EXPECT_THAT(problem.message, HasSubstr("y"));
    EXPECT_THAT(problem.text, HasSubstr("mp.litmus:7:3: error: "));
    EXPECT_THAT(std::string(error.what()), HasSubstr(problem.message));
  }
}

TEST(Library, ErrorsWithoutAPlaceSayWhat) {
  try {
    const ambit::Model model("ptxx");
    FAIL() << "there is no such model";
  } catch (const ambit::Error& error) {
    EXPECT_EQ(error.problems().front().file, "");
    EXPECT_THAT(error.problems().front().message, HasSubstr("ptxx"));
    EXPECT_THAT(error.problems().front().hint, HasSubstr("ptx"));
  }
  EXPECT_THROW(ambit::read("/there/is/no/such.litmus"), ambit::Error);
  EXPECT_THROW(ambit::explain(message_passing(), "ptx", {.outcome = "P7:r0 == 1"}), ambit::Error);
  EXPECT_THROW(ambit::detect(message_passing(), {.detectors = "scrod"}), ambit::Error);
}

TEST(Library, ModelsAreListedAndRead) {
  std::vector<std::string> names;
  for (const ambit::Model& model : ambit::models()) {
    names.push_back(model.name());
    EXPECT_NE(model.title(), "") << model.name();
  }
  EXPECT_THAT(names, testing::IsSupersetOf({"sc", "ptx", "cuda-cpp", "gwcp"}));
  EXPECT_FALSE(ambit::Model("sc").speaks_of_races());
  EXPECT_TRUE(ambit::Model("ptx").speaks_of_races());
  EXPECT_EQ(ambit::Model("hrf-relaxed(rlx=acquire)").name(), "hrf-relaxed(rlx=acquire)");
  // A model with coherence alone allows the stale read and defines no races.
  const char* const text = "\"SC per location\"\ninclude \"stdlib.cat\"\nacyclic po-loc | com as coherence\n";
  const ambit::Model coherence = ambit::Model::parse(text, "coherence.cat");
  EXPECT_EQ(coherence.name(), "coherence");
  EXPECT_EQ(ambit::check(message_passing(), {coherence})[0].answer, ambit::Answer::Sometimes);
  EXPECT_THROW(ambit::Model::parse("\"\"\nacyclic nonsense\n"), ambit::Error);
}

// Under SC, the reads come before, between or after the two writes. PTX allows these outcomes and the stale read.
TEST(Library, OutcomesAreListed) {
  const ambit::OutcomesResult result = ambit::outcomes(message_passing(), {"sc", "ptx"});
  EXPECT_THAT(result.observables, ElementsAre("P1:r0", "P1:r1"));
  EXPECT_THAT(result.models, ElementsAre("sc", "ptx"));
  EXPECT_THAT(result.unknown, ElementsAre("", ""));
  using Values = std::vector<std::int64_t>;
  std::vector<Values> values;
  for (const ambit::Outcome& one : result.outcomes) {
    values.push_back(one.values);
    const bool is_stale = one.values == Values{1, 0};
    EXPECT_EQ(one.holds, is_stale);
    EXPECT_EQ(one.permissions[0], is_stale ? ambit::Permission::Forbidden : ambit::Permission::Allowed);
    EXPECT_EQ(one.permissions[1], ambit::Permission::Allowed);
  }
  EXPECT_THAT(values, ElementsAre(Values{0, 0}, Values{0, 1}, Values{1, 0}, Values{1, 1}));
}

TEST(Library, OutcomesAreExplainedAndDrawn) {
  const ambit::Test test = message_passing();
  const ambit::Explanation forbidden = ambit::explain(test, "sc");
  EXPECT_EQ(forbidden.possibility(), ambit::Possibility::Impossible);
  const ambit::Explanation allowed = ambit::explain(test, "ptx", {.outcome = "P1:r0 == 1 && P1:r1 == 0"});
  EXPECT_EQ(allowed.possibility(), ambit::Possibility::Possible);
  EXPECT_NE(allowed.text(), "");
  EXPECT_GE(allowed.full_text().size(), allowed.text().size());
  EXPECT_EQ(nlohmann::json::parse(allowed.json())["possible"], "possible");
  EXPECT_EQ(ambit::explain(test, "ptx", {.race = true}).possibility(), ambit::Possibility::Possible);

  const auto picture = ambit::draw(allowed);
  ASSERT_TRUE(picture.has_value());
  EXPECT_THAT(picture->dot(), HasSubstr("digraph"));
  if (std::system("command -v neato >/dev/null") != 0) GTEST_SKIP() << "Graphviz is not installed";  // NOLINT
  EXPECT_THAT(picture->svg(), HasSubstr("<svg"));
  EXPECT_THAT(picture->png(), testing::StartsWith("\x89PNG"));
}

TEST(Library, TestsAreSimulated) {
  const ambit::Test test = message_passing();
  const ambit::SimulationResult all = ambit::simulate(
      test, {"sc"}, {.simulating = {.memory = ambit::Memory::Sc, .schedule = ambit::Schedule::Exhaustive}});
  EXPECT_TRUE(all.is_exhaustive);
  ASSERT_THAT(all.outcomes, SizeIs(3));
  EXPECT_THAT(all.outcomes[2].outcome.values, ElementsAre(1, 1));
  EXPECT_THAT(all.outcomes[2].outcome.permissions, ElementsAre(ambit::Permission::Allowed));

  const ambit::SimulationResult some = ambit::simulate(test, {}, {.simulating = {.seed = 7, .runs = 300}});
  EXPECT_EQ(some.runs, 300U);
  std::uint64_t counted = 0;
  for (const ambit::CountedOutcome& one : some.outcomes) counted += one.runs;
  EXPECT_EQ(counted, 300U);
  EXPECT_EQ(ambit::simulate(test, {}, {.simulating = {.seed = 7, .runs = 300}}).json, some.json);
}

TEST(Library, DetectorsRun) {
  const ambit::DetectionResult result = ambit::detect(message_passing());
  EXPECT_EQ(result.race, ambit::Raciness::Race);
  EXPECT_EQ(result.incomplete, "");
  EXPECT_EQ(result.findings.size(), ambit::detectors().size());
  const ambit::DetectionResult scord = ambit::detect(message_passing(), {.detectors = "scord"});
  ASSERT_THAT(scord.findings, SizeIs(1));
  EXPECT_EQ(scord.findings[0].detector, "scord");
  ASSERT_THAT(scord.findings[0].races, Not(IsEmpty()));
  EXPECT_EQ(scord.findings[0].races[0].location, "x");
  EXPECT_LE(scord.findings[0].races[0].runs, scord.runs);
}

TEST(Library, TracesAreJudgedAndDrawn) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() /
      ("ambit-library-" + std::to_string(std::hash<std::thread::id>()(std::this_thread::get_id())) + ".std");
  // In RAPID's format, the trace has a write and a read by two threads that never synchronise.
  std::ofstream(file) << "T0|w(V1)|1\nT1|r(V1)|2\n";
  const ambit::DetectionResult result = ambit::detect_trace(file.string(), {.detectors = "barracuda"});
  EXPECT_EQ(result.events, 2U);
  EXPECT_EQ(result.race, ambit::Raciness::Race);
  const ambit::Picture picture = ambit::draw_trace(file.string());
  EXPECT_THAT(picture.dot(), HasSubstr("digraph"));
  // If a call is interrupted, it returns no partial picture.
  std::stop_source stopped;
  stopped.request_stop();
  EXPECT_THROW(ambit::draw_trace(file.string(), {.stop = stopped.get_token()}), ambit::Error);
  EXPECT_THROW(static_cast<void>(picture.svg(stopped.get_token())), ambit::Error);
  std::filesystem::remove(file);
  EXPECT_THROW(ambit::detect_trace(file.string()), ambit::Error);
}

TEST(Library, FilesWithSeveralTestsAreRead) {
  const std::filesystem::path folder = ambit::test::project() / "litmus/proxy";
  for (const auto& file : ambit::test::files_in(folder, {".test"})) {
    const std::vector<ambit::Test> tests = ambit::read_all(file.string());
    if (tests.size() == 1) continue;
    EXPECT_THROW(ambit::read(file.string()), ambit::Error);
    return;
  }
  FAIL() << "no file of litmus/proxy has several tests";
}

TEST(Library, AStopTokenEndsTheWork) {
  const ambit::Test test = ambit::parse(endless());
  std::stop_source source;
  ambit::CheckOptions options{.solving = {.engine = ambit::Engine::Explicit, .limits = {.seconds = 600}}};
  options.solving.limits.stop = source.get_token();
  std::jthread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    source.request_stop();
  });
  const ambit::CheckResult result = ambit::check(test, {"sc"}, options);
  EXPECT_EQ(result.status, ambit::Status::Unknown);
  EXPECT_EQ(result[0].answer, ambit::Answer::Unknown);
  EXPECT_THAT(result[0].unknown, HasSubstr("interrupted"));
}

TEST(Library, ATimeLimitEndsTheWork) {
  const ambit::CheckResult result = ambit::check(
      ambit::parse(endless()), {"sc"}, {.solving = {.engine = ambit::Engine::Explicit, .limits = {.seconds = 0.05}}});
  EXPECT_EQ(result.status, ambit::Status::Unknown);
  EXPECT_THAT(result[0].unknown, HasSubstr("timeout"));
}

TEST(Library, ThreadsDoNotDisturbEachOther) {
  const ambit::Test test = message_passing();
  const std::string expected = ambit::check(test).json;
  std::vector<std::string> found(4);
  {
    std::vector<std::jthread> threads;
    for (std::string& one : found) threads.emplace_back([&] { one = ambit::check(test).json; });
  }
  for (const std::string& one : found) EXPECT_EQ(one, expected);
}

}  // namespace
