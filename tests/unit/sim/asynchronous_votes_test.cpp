#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "detector/algorithms/registry.h"
#include "detector/detector.h"
#include "runner/sim/simulate.h"
#include "tests/support/parsed.h"
#include "tests/support/trace_text.h"

// Simulates the tests of litmus/async. For the traces of these runs, barracuda and gwcp must report the expected races
// and no others.
namespace ambit::detector {
namespace {

using ::testing::HasSubstr;

std::optional<bool> expected_race(const Program& program) {
  for (const Expectation& expectation : program.expectations) {
    if (expectation.model == "ptx" && expectation.options.empty() && expectation.race) return expectation.race;
  }
  return std::nullopt;
}

struct Votes {
  std::size_t runs = 0;
  bool has_barracuda = false;
  bool has_gwcp = false;
  std::optional<Trace> first;
};

/// For each detector, counts the runs with a reported race. The number of runs is 0 if no trace can represent the test.
Votes votes(const std::shared_ptr<const Program>& program) {
  Votes found;
  sim::Options options;
  options.memory = sim::MemoryKind::Sc;
  options.schedule = sim::ScheduleKind::Random;
  options.runs = 100;
  Context context;
  const auto simulation = sim::simulate(program, options, context, [&](const sim::Run& run) {
    ++found.runs;
    if (!found.first) found.first = run.trace;
    MemoryTraceReader reader(run.trace);
    std::vector<std::unique_ptr<Detector>> both;
    for (const char* name : {"barracuda", "gwcp"}) {
      both.push_back(make_detector(name, {}, run.trace.tables).value());
    }
    EXPECT_TRUE(replay(reader, both).ok());
    found.has_barracuda |= !both[0]->races().empty();
    found.has_gwcp |= !both[1]->races().empty();
    return true;
  });
  if (!simulation.ok()) {
    EXPECT_THAT(simulation.errors().front().message, HasSubstr("a trace"));
    found.runs = 0;
  }
  return found;
}

TEST(AsynchronousVotes, DetectorsFindTheRacesOfTheCorpusAndNoOthers) {
  std::size_t racy = 0;
  std::size_t free_of_races = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(test::project() / "litmus/async")) {
    if (entry.path().extension() != ".litmus") continue;
    const auto program = test::program_in(entry.path());
    const std::optional<bool> expected = expected_race(*program);
    if (!expected) continue;
    const Votes found = votes(program);
    if (found.runs == 0) continue;
    ++(*expected ? racy : free_of_races);
    EXPECT_EQ(found.has_barracuda, *expected) << entry.path();
    EXPECT_EQ(found.has_gwcp, *expected) << entry.path();
    const std::string text = test::text_of(*found.first);
    EXPECT_EQ(test::text_of(test::sound(test::from_text(text))), text) << entry.path();
    EXPECT_EQ(test::text_of(test::sound(test::from_bytes(test::bytes_of(*found.first, false)))), text) << entry.path();
  }
  EXPECT_GE(racy, 70U);
  EXPECT_GE(free_of_races, 50U);
}

}  // namespace
}  // namespace ambit::detector
