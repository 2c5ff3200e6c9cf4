#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/files.h"

// Runs user-defined detectors (programs and plugins) as a user does.
namespace ambit::test {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Said {
  std::string text;  ///< the text on stdout and stderr
  int status = -1;
};

/// `before` is a command that runs ambit.
Said ambit(const std::string& arguments, const std::string& before = "") {
  const std::string command = "cd '" + project().string() + "' && NO_COLOR=1 " + before + " '" + AMBIT_PROGRAM + "' " +
                              arguments + " 2>&1 </dev/null";
  Said said;
  std::FILE* const pipe = popen(command.c_str(), "r");
  EXPECT_NE(pipe, nullptr);
  if (pipe == nullptr) return said;
  std::array<char, 4096> buffer{};
  while (const std::size_t count = fread(buffer.data(), 1, buffer.size(), pipe)) said.text.append(buffer.data(), count);
  const int status = pclose(pipe);
  said.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return said;
}

/// A folder that is removed at the end.
class Folder {
 public:
  Folder() { std::filesystem::remove_all(path_); }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_ = std::filesystem::temp_directory_path() / ("ambit-export-" + std::to_string(getpid()));
};

std::string misbehaving(const std::string& way) {
  return "\"exec:tests/external/misbehaving.py " + way + ",name=" + way + "\"";
}

constexpr const char* kExamplePython = "exec:docs/detectors/examples/fence_count.py";

TEST(ExternalExamples, ProgramsAndPluginAgree) {
  const auto table = [](const std::string& detector) {
    return ambit("validate litmus/scor -q --detector " + detector + ",name=example");
  };
  const Said python = table(kExamplePython);
  EXPECT_EQ(python.status, 0) << python.text;
  EXPECT_THAT(python.text, HasSubstr("\nexample     11 of 18         6          0 "));
  EXPECT_EQ(table(std::string("exec:") + EXAMPLE_PROGRAM).text, python.text);
  EXPECT_EQ(table(EXAMPLE_PLUGIN).text, python.text);
}

TEST(ExternalDetectors, AmbitsDetectorHasThreeEqualTables) {
  const auto equal = [](const std::string& name, const std::string& plugin, const std::string& claims) {
    const Said built_in = ambit("validate litmus/scor litmus/predictable -q -j2 --detector " + name);
    const std::string settings = ",name=" + name + ",claims=" + claims;
    const Said program =
        ambit("validate litmus/scor litmus/predictable -q -j2 --detector \"exec:" EXPORTED_PROGRAM " " + name +
              settings + ",form=binary\"");
    const Said library = ambit("validate litmus/scor litmus/predictable -q -j2 --detector " + plugin + settings);
    EXPECT_THAT(built_in.text, HasSubstr("racy tests"));
    EXPECT_EQ(program.text, built_in.text);
    EXPECT_EQ(library.text, built_in.text);
    EXPECT_EQ(program.status, built_in.status);
    EXPECT_EQ(library.status, built_in.status);
  };
  equal("scord", EXPORTED_SCORD, "nothing");
  equal("barracuda", EXPORTED_BARRACUDA, "first-race");
}

TEST(ExternalDetectors, DetectSaysTheSameOfATraceAndOfATest) {
  for (const std::string input :
       {"litmus/scor/race_interblock_fence_rtraw.litmus", "docs/detectors/traces/1-order.trace"}) {
    const Said built_in = ambit("detect " + input + " --detector scord");
    EXPECT_EQ(ambit("detect " + input + " --detector " + EXPORTED_SCORD + ",name=scord").text, built_in.text);
    EXPECT_EQ(ambit("detect " + input + " --detector \"exec:" EXPORTED_PROGRAM " scord,name=scord,form=binary\"").text,
              built_in.text);
  }
}

TEST(ExternalDetectors, OptionsReachProgramsAndPlugins) {
  const std::string options = " -O scord.rules=source -O scord.strong=no";
  const Said built_in = ambit("validate litmus/scor -q --detector scord" + options);
  EXPECT_THAT(built_in.text, HasSubstr("scord(rules=source,strong=no)"));
  EXPECT_EQ(ambit(std::string("validate litmus/scor -q --detector ") + EXPORTED_SCORD + ",name=scord" + options).text,
            built_in.text);
  EXPECT_EQ(
      ambit("validate litmus/scor -q --detector \"exec:" EXPORTED_PROGRAM " scord,name=scord,form=binary\"" + options)
          .text,
      built_in.text);
}

/// Three tests with 8, 2 and 6 runs.
constexpr const char* kFewTests =
    "litmus/scor/norace_interblock_lock_waw.litmus litmus/scor/race_interblock_blkatom.litmus "
    "litmus/scor/race_interblock_lock-no-tf_waw.litmus";

// A failing detector program does not affect other detectors.
TEST(ExternalFailures, EachHasItsRowAndItsMessage) {
  const auto fails = [&](const std::string& way, const std::string& message) {
    const Said said =
        ambit(std::string("validate -q --timeout 3 --detector scord,") + misbehaving(way) + " " + kFewTests);
    EXPECT_EQ(said.status, 3) << way;
    const std::size_t sums = said.text.find("racy tests");
    ASSERT_NE(sums, std::string::npos) << said.text;
    const std::string text = said.text.substr(sums);
    EXPECT_THAT(text, testing::ContainsRegex("\nscord +2 of 2 +2 +0 +0 +1 +0 +0 +0 +0\n"));
    EXPECT_THAT(said.text, HasSubstr("! the detector failed"));
    EXPECT_THAT(text, HasSubstr("\ndetectors that failed\n  " + way + ": "));
    EXPECT_THAT(text, HasSubstr(message));
  };
  fails("crash", "norace_interblock_lock_waw: run 6: was killed by signal 11 (Segmentation fault)");
  fails("raise", "run 6: ended with status 1 before the end of the runs: ValueError: the seventh run");
  fails("lie", "run 0: a race names event 1000000000, but the run has ");
  fails("silent", "norace_interblock_lock_waw: run 0: no answer within 3 s");
  fails("silent", "1 other test: not run after test norace_interblock_lock_waw, run 0: no answer within 3 s");
  fails("rubbish", "norace_interblock_lock_waw and 2 other tests: run 0: expected a JSON object, found 'hello'");
  fails("other-run", "run 0: answers the end of run 99, expected run 0");
  fails("flood", "run 0: makes more than 1000 remarks about one run");
  fails("deaf", "run 0: no answer within 3 s");
}

TEST(ExternalDetectors, AProgramSeesTheEndOfTheRuns) {
  const Folder folder;
  std::filesystem::create_directories(folder.file("."));
  const std::string sign = folder.file("sign");
  const Said said =
      ambit("validate -q -j2 --detector \"exec:tests/external/misbehaving.py farewell " + sign + "\" " + kFewTests);
  EXPECT_EQ(said.status, 0) << said.text;
  EXPECT_TRUE(std::filesystem::exists(sign));
}

// If the interrupt did not end the wait, the test would exceed its time limit.
TEST(ExternalFailures, AnInterruptEndsTheWaitForAProgram) {
  const std::string interrupting = "timeout --preserve-status -s INT 2";
  const std::string silent = " -q --detector " + misbehaving("silent") + " " + kFewTests;
  const Said validate = ambit("validate --timeout 1000" + silent, interrupting);
  EXPECT_EQ(validate.status, 3);
  EXPECT_THAT(validate.text, HasSubstr("interrupted: 3 tests were not run"));
  EXPECT_THAT(validate.text, Not(HasSubstr("detectors that failed")));
  EXPECT_EQ(ambit("detect" + silent, interrupting).status, 3);
}

TEST(ExternalFailures, GivingUpIsNotAFailure) {
  const Said said = ambit(std::string("validate -q --detector ") + misbehaving("gave-up") + " " + kFewTests);
  EXPECT_EQ(said.status, 3);
  EXPECT_THAT(said.text, Not(HasSubstr("failed")));
  EXPECT_THAT(said.text, HasSubstr("?  P  "));
}

TEST(ExternalFailures, DetectAndCrossvalReportThem) {
  const Said detect = ambit("detect litmus/scor/race_interblock_blkatom.litmus --detector " + misbehaving("rubbish"));
  EXPECT_EQ(detect.status, 3);
  EXPECT_THAT(detect.text, HasSubstr("failed: run 0: expected a JSON object, found 'hello'"));
  const Said crossval = ambit("crossval litmus/scor/race_interblock_blkatom.litmus --backend sim --detector scord," +
                              misbehaving("rubbish"));
  EXPECT_EQ(crossval.status, 3);
  EXPECT_THAT(crossval.text, HasSubstr("rubbish: run 0: expected a JSON object, found 'hello'"));
}

TEST(ExternalFailures, NotADetectorIsAnErrorAtOnce) {
  const auto refuses = [](const std::string& detector, const std::string& message) {
    const Said said = ambit("validate litmus/scor/race_interblock_blkatom.litmus -q --detector '" + detector + "'");
    EXPECT_EQ(said.status, 2) << detector;
    EXPECT_THAT(said.text, HasSubstr(message));
  };
  refuses("exec:./nothing-here", "there is no file './nothing-here'");
  refuses("exec:no-such-program-anywhere", "there is no program 'no-such-program-anywhere' in the folders of PATH");
  refuses("exec:docs/reference/cli.md", "'docs/reference/cli.md' is not executable");
  refuses("exec:", "expected a program");
  refuses("./nothing.so", "there is no file './nothing.so'");
  refuses("exec:tests/external/misbehaving.py,name=a b", "'a b' is not a name");
  refuses("exec:tests/external/misbehaving.py,form=xml", "unknown form 'xml'");
  refuses("exec:tests/external/misbehaving.py,speed=9", "unknown setting 'speed'");
  refuses("exec:tests/external/misbehaving.py,timeout=0", "'0' is not a number of seconds above 0");
  refuses("scord,exec:tests/external/misbehaving.py,name=scord", "two detectors have the name 'scord'");
}

TEST(ExternalFailures, LibraryWithoutADetectorHasARow) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("ambit-no-library-" + std::to_string(getpid()) + ".so");
  std::ofstream(file) << "no library";
  const Said said = ambit("validate -q --detector " + file.string() + ",name=it " + kFewTests);
  std::filesystem::remove(file);
  EXPECT_EQ(said.status, 3);
  EXPECT_THAT(said.text, HasSubstr("it: norace_interblock_lock_waw and 2 other tests: run 0: ended with status 2"));
}

TEST(ExternalResults, ExportedRunsReadBackGiveTheSameTable) {
  for (const std::string suite : {"litmus/scor", "litmus/predictable"}) {
    const Folder folder;
    const std::string detectors = "scord,barracuda,gwcp,predict";
    const Said built_in =
        ambit("validate " + suite + " -q -j2 --detector " + detectors + " --export " + folder.file("."));
    std::string results;
    for (const std::string name : {"scord", "barracuda", "gwcp", "predict"}) {
      results += " --results " + folder.file("answers/" + name + ".jsonl");
    }
    const Said read_back = ambit("validate " + suite + " -q" + results);
    EXPECT_THAT(built_in.text, HasSubstr("racy tests"));
    EXPECT_EQ(read_back.text, built_in.text);
    EXPECT_EQ(read_back.status, built_in.status);
  }
}

TEST(ExternalResults, AProgramAnswersExportedRuns) {
  const Folder folder;
  const Said live =
      ambit("validate litmus/scor -q --detector exec:" EXAMPLE_PROGRAM ",name=example --export " + folder.file("."));
  EXPECT_EQ(live.status, 0);
  std::string runs = folder.file("runs.txt");
  if (!std::filesystem::exists(runs)) {
    const std::string unpack = "zstd -qdf " + folder.file("runs.zst") + " -o " + runs;
    if (std::system(unpack.c_str()) != 0) GTEST_SKIP() << "there is no program zstd";  // NOLINT(cert-env33-c)
  }
  const std::string answers = folder.file("mine.jsonl");
  const std::string command = "'" EXAMPLE_PROGRAM "' < " + runs + " > " + answers;
  ASSERT_EQ(std::system(command.c_str()), 0);  // NOLINT(cert-env33-c)
  EXPECT_EQ(ambit("validate litmus/scor -q --results example=" + answers).text, live.text);
}

TEST(ExternalResults, WrongAnswersAreDistinguished) {
  const Folder folder;
  std::filesystem::create_directories(folder.file("."));
  const std::string file = folder.file("mine.jsonl");
  const auto said = [&](const std::string& text) {
    std::ofstream(file) << text;
    return ambit("validate litmus/scor/race_interblock_blkatom.litmus -q --results " + file);
  };
  const auto refuses = [&](const std::string& text, const std::string& message) {
    const Said result = said(text);
    EXPECT_EQ(result.status, 2) << result.text;
    EXPECT_THAT(result.text, HasSubstr(file + message));
  };
  const std::string first = R"({"end": 0, "test": "race_interblock_blkatom"})"
                            "\n";
  refuses("hello\n", ":1:1: error: expected a JSON object, found 'hello'");
  refuses(first + first, ":2:1: error: a second answer about run 0 of test race_interblock_blkatom");
  refuses("{\"end\": 0}\n", ":1:1: error: expected the name of the test");
  refuses(first + "{\"race\": [0, 1]}\n", ":2:1: error: expected the end of the run");
  refuses("{\"race\": [0]}\n", ":1:1: error: \"race\" must be an array of two accesses");
  const Said one = said(first);
  EXPECT_EQ(one.status, 3);
  EXPECT_THAT(one.text, HasSubstr("mine: race_interblock_blkatom: run 1: " + file + " has no answer for it"));
  const Said other = said(R"({"end": 0, "test": "race_interblock_blkatom", "events": 99})"
                          "\n");
  EXPECT_EQ(other.status, 3);
  EXPECT_THAT(other.text, HasSubstr("the answer is about 99 events, but the run has 4: other runs were exported"));
}

}  // namespace
}  // namespace ambit::test
