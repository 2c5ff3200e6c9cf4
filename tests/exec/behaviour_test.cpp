// Tests the reports of `ambit exec` on asynchronous copies, on classes of races, and on untried executions. Runs the
// PTX files that were made from behaviour.cu and pipeline.cu.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "tests/exec/exec_fixture.h"

namespace ambit::test {
namespace {

/// Returns the classes and lines of the races in a report, such as "ordinary 8 11".
std::set<std::string> classes(const json& report) {
  std::set<std::string> all;
  const auto line = [](const json& side) {
    const std::string site = side.at("site");
    return site.substr(site.rfind(':') + 1);
  };
  for (const json& race : report.at("races")) {
    all.insert(race.at("class").get<std::string>() + " " + line(race.at("first")) + " " + line(race.at("second")));
  }
  return all;
}

// Without a wait, the copy in line 8 races with the read in line 12 in every schedule. With a wait there is no race.
TEST_F(Exec, CopyWithoutAWait) {
  for (const std::string schedule : {"rr", "random", "pct"}) {
    const std::string options = "--schedule " + schedule + " --launch 'copy_and_read<<<1, 64>>>(int[256], int[64], ";
    const json racy = report(options + "0)' behaviour.ptx");
    EXPECT_EQ(reporting(racy.at("races")), (std::set<std::string>{"barracuda", "copies", "gwcp"})) << schedule;
    EXPECT_TRUE(classes(racy).contains("ordinary 8 12")) << racy;
    EXPECT_TRUE(report(options + "1)' behaviour.ptx").at("races").empty()) << schedule;
  }
}

// Races between writes of equal values are a separate class. Races of this class change the exit status only with
// --strict.
TEST_F(Exec, RacesOfEqualValuesAreSeparate) {
  const std::string same = "--launch 'mark<<<2, 64>>>(int[1], 0)' behaviour.ptx";
  EXPECT_EQ(classes(report(same)), (std::set<std::string>{"same value 16 16"}));
  const Ran ran = exec("--sarif " + (folder_ / "s").string() + " " + same);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_NE(ran.err.find("race of equal values on"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("other classes"), std::string::npos) << ran.err;
  const json sarif = json::parse(contents(folder_ / "s"));
  const json& result = sarif.at("runs").at(0).at("results").at(0);
  EXPECT_EQ(result.at("ruleId"), "same-value-race");
  EXPECT_EQ(result.at("level"), "warning");
  EXPECT_EQ(exec("--strict " + same).status, 1);
  const std::string differ = "--launch 'mark<<<2, 64>>>(int[1], 1)' behaviour.ptx";
  EXPECT_EQ(classes(report(differ)), (std::set<std::string>{"ordinary 16 16"}));
  EXPECT_EQ(exec(differ).status, 1);
}

// In the destructor of cuda::pipeline, the last lane invalidates the mbarriers after match.sync and shfl.sync, which do
// not order memory. If the kernel also has an ordinary race, the report still calls it ordinary.
TEST_F(Exec, RacesWithTheEndOfAPipelineAreSeparate) {
  const json right = report("--launch 'through_pipeline<<<1, 64>>>(int[64], int[64], 0)' pipeline.ptx");
  for (const json& race : right.at("races")) EXPECT_EQ(race.at("class"), "invalidation") << race;
  const std::string command = "--launch 'through_pipeline<<<1, 64>>>(int[64], int[64], 1)' pipeline.ptx";
  EXPECT_TRUE(classes(report(command)).contains("ordinary 12 16")) << report(command);
  EXPECT_EQ(exec(command).status, 1);
}

// The race occurs only in runs in which block 1 finds the flag set. A program with few instructions runs many times.
TEST_F(Exec, RunsForASecond) {
  const std::string command = "--launch 'look_once<<<2, 1>>>(int[1], int[1], int[1])' behaviour.ptx";
  const json found = report(command);
  EXPECT_EQ(found.at("runs"), 20);
  EXPECT_EQ(found.at("runs_are"), "random schedules, seeds 1 to 20");
  EXPECT_TRUE(classes(found).contains("ordinary 21 24")) << found;
  EXPECT_NE(found.at("not_tried").get<std::string>().find("the runs have cost about a second"), std::string::npos);
  const json one = report("--runs 1 " + command);
  EXPECT_EQ(one.at("runs"), 1);
  EXPECT_EQ(report("--schedule rr " + command).at("runs"), 1);
  const Ran text = exec(command);
  EXPECT_NE(text.err.find("not tried: "), std::string::npos) << text.err;
  EXPECT_EQ(exec(command).err, text.err);
  // Only the first run of the program prints its output.
  const Ran program_runs = exec(program() + " hand-over rotate");
  EXPECT_EQ(program_runs.out, "first: 0\n");
  EXPECT_NE(program_runs.err.find("seeds 1 to"), std::string::npos) << program_runs.err;
}

}  // namespace
}  // namespace ambit::test
