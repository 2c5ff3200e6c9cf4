#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "runner/tools/tool_run.h"

namespace ambit::tools {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Kind = ToolAnswer::Kind;

Result<Adapter> read(const std::string& text) {
  return read_adapter(std::make_shared<const SourceFile>(SourceFile{"mine.json", text}));
}
std::string errors_of(const std::string& text) {
  const auto adapter = read(text);
  return adapter.ok() ? "" : render(adapter.errors());
}

TEST(Adapter, ShippedOnesCanBeRead) {
  for (const std::string_view name : shipped_adapters()) {
    const auto adapter = shipped_adapter(std::string(name));
    ASSERT_TRUE(adapter.ok()) << render(adapter.errors());
    EXPECT_EQ(adapter.value().tool, name);
    EXPECT_FALSE(adapter.value().compile.empty());
  }
  EXPECT_FALSE(shipped_adapter("memcheck").ok());
}

TEST(Adapter, SaysWhatIsWrongAndWhere) {
  EXPECT_THAT(errors_of("[]"), HasSubstr("mine.json:1:1: error: an adapter is a JSON object"));
  EXPECT_THAT(errors_of("{\n\"tool\": oops}"),
              HasSubstr("mine.json:2:9: error: an adapter is a JSON object, and this"));
  EXPECT_THAT(errors_of("{\"tool\": \"t\", \"run\": [\"t\"]}"), HasSubstr("the field 'race' is missing"));
  EXPECT_THAT(errors_of("{\"tool\": \"t\",\n \"run\": \"t\", \"race\": [\"x\"]}"),
              HasSubstr("mine.json:2:2: error: 'run': expected a list of texts"));
  EXPECT_THAT(errors_of("{\"tool\": \"t\", \"run\": [\"t\"], \"race\": [\"[\"]}"),
              HasSubstr("'race': not a regular expression: ["));
  EXPECT_THAT(errors_of("{\"tool\": \"t\", \"run\": [\"t\"], \"race\": [\"x\"], \"statuses\": [-1]}"),
              HasSubstr("'statuses': expected a list of exit statuses, 0 to 255"));
  EXPECT_THAT(errors_of("{\"tool\": \"t\", \"run\": [\"t\"], \"race\": [\"x\"], \"racy\": 1}"),
              HasSubstr("unknown field 'racy'"));
}

Adapter adapter(const std::vector<std::string>& run) {
  return {.tool = "t",
          .about = "",
          .compile = {},
          .run = run,
          .race = {"^RACE"},
          .ended = {"^DONE"},
          .statuses = {0},
          .text = ""};
}

TEST(ToolAnswer, FollowsFromLinesAndStatus) {
  const Adapter tool = adapter({"t"});
  const ToolAnswer racy = read_answer(tool, "a\nRACE 1\nRACE 2\nRACE 3\nRACE 4\nDONE\n", 0);
  EXPECT_EQ(racy.kind, Kind::Race);
  EXPECT_THAT(racy.reports, ElementsAre("RACE 1", "RACE 2", "RACE 3"));
  EXPECT_EQ(read_answer(tool, "no RACE at the start\nDONE\n", 0).kind, Kind::NoRace);
  EXPECT_EQ(read_answer(tool, "RACE\n", 99).kind, Kind::Race);
  EXPECT_EQ(read_answer(tool, "DONE\n", 1).kind, Kind::Failed);
  EXPECT_EQ(read_answer(tool, "DONE\n", 1).why, "exit status 1: DONE");
  EXPECT_EQ(read_answer(tool, "", 0).kind, Kind::Failed);
}

/// Reads compute-sanitizer's output.
TEST(ToolAnswer, ReadsComputeSanitizer) {
  const Adapter racecheck = shipped_adapter("racecheck").value();
  EXPECT_EQ(
      read_answer(racecheck,
                  "========= COMPUTE-SANITIZER\n========= Error: Race reported between Write access at k()+0x40 and "
                  "Read access at k()+0x80 [4 hazards]\n=========\n========= RACECHECK SUMMARY: 1 hazard displayed "
                  "(1 error, 0 warnings)\n",
                  0)
          .kind,
      Kind::Race);
  EXPECT_EQ(read_answer(racecheck,
                        "========= COMPUTE-SANITIZER\n========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 "
                        "warnings)\n",
                        0)
                .kind,
            Kind::NoRace);
  const Adapter synccheck = shipped_adapter("synccheck").value();
  EXPECT_EQ(read_answer(synccheck,
                        "========= Barrier error detected. Divergent thread(s) in block.\n"
                        "========= ERROR SUMMARY: 1 error\n",
                        0)
                .kind,
            Kind::Race);
  EXPECT_EQ(read_answer(synccheck, "========= ERROR SUMMARY: 0 errors\n", 0).kind, Kind::NoRace);
}

class RunTool : public testing::Test {
 protected:
  RunTool() { std::filesystem::create_directories(folder_); }
  ~RunTool() override { std::filesystem::remove_all(folder_); }

  ToolAnswer run_tests(const Adapter& tool, std::chrono::seconds timeout = std::chrono::seconds(20)) {
    return run_tool(tool, "int main() {}\n", (folder_ / "test").string(), {.runs = 7, .timeout = timeout},
                    interrupted_);
  }

  std::filesystem::path folder_ = testing::TempDir() + fmt::format("ambit-tools-test-{}", getpid());
  std::atomic<bool> interrupted_ = false;
};

TEST_F(RunTool, SubstitutesTheWords) {
  const ToolAnswer answer =
      run_tests(adapter({"sh", "-c", "cat $0; echo RACE $1; echo DONE", "{source}", "{program}:{runs}"}));
  EXPECT_THAT(answer.reports, ElementsAre("RACE " + (folder_ / "test").string() + ":7"));
  EXPECT_TRUE(std::filesystem::is_empty(folder_)) << "the source file must be removed afterwards";
}

TEST_F(RunTool, CompilesFirst) {
  Adapter tool = adapter({"sh", "-c", "cat $0; echo DONE", "{program}"});
  tool.compile = {"sh", "-c", "echo RACE >$0", "{program}"};
  EXPECT_EQ(run_tests(tool).kind, Kind::Race);
  tool.compile = {"sh", "-c", "echo no such header >&2; exit 2"};
  const ToolAnswer failed = run_tests(tool);
  EXPECT_EQ(failed.kind, Kind::NotCompiled);
  EXPECT_EQ(failed.why, "exit status 2: no such header");
}

TEST_F(RunTool, ToolsThatCrashHangOrAreMissingFail) {
  EXPECT_EQ(run_tests(adapter({"sh", "-c", "kill -9 $$"})).why, "'sh' crashed");
  EXPECT_EQ(run_tests(adapter({"sleep", "600"}), std::chrono::seconds(1)).why, "'sleep' did not end within 1 s");
  EXPECT_EQ(run_tests(adapter({"no-such-tool-anywhere"})).why, "'no-such-tool-anywhere' is not installed");
  // If a tool reports a race before the timeout, the race counts.
  EXPECT_EQ(run_tests(adapter({"sh", "-c", "echo RACE; exec sleep 600"}), std::chrono::seconds(1)).kind, Kind::Race);
}

TEST_F(RunTool, AnInterruptEndsTheTool) {
  interrupted_ = true;
  EXPECT_EQ(run_tests(adapter({"sleep", "600"})).kind, Kind::Interrupted);
}

}  // namespace
}  // namespace ambit::tools
