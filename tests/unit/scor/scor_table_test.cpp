#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "detector/detector.h"
#include "parser/parse.h"
#include "runner/sim/simulate.h"
#include "tests/support/files.h"
#include "tests/support/parsed.h"
#include "tests/support/replay.h"

// Tests the results of the detectors with metadata per word, on the 32 tests of ScoR in sequentially consistent memory.
// Each test runs one schedule of each class, because no detector can distinguish two schedules of one class. As with
// the published sources, the detectors have no false positive and miss only the race of none-lock_rtraw.
//
// The test ignores reports on the variable "dummy", because the published source of ScoRD watches only allocated
// memory. In none-lock_rtraw, both blocks store plainly to "dummy" under a common lock. ScoRD requires strong stores,
// so in every schedule it would report these plain stores. With the option strong=no, it does not report them.
namespace ambit::detector {
namespace {

struct Subject {
  std::string name;
  std::map<std::string, std::string> options;
};

struct Found {
  std::uint64_t runs = 0;
  std::uint64_t racy = 0;  ///< number of runs in which the detector reports a race
  std::string sentence;
};

using OnJudged = std::function<void(const sim::Run& run, const std::vector<RaceReport>& races)>;

Found find(const std::shared_ptr<const Program>& program, const Subject& subject, sim::ScheduleKind schedule,
           const OnJudged& on_judged = {}) {
  sim::Options options{.memory = sim::MemoryKind::Sc, .schedule = schedule, .runs = 200};
  Context context;
  Found found;
  const auto result = sim::simulate(program, options, context, [&](const sim::Run& run) {
    MemoryTraceReader reader(run.trace);
    std::vector<RaceReport> races = test::shown(reader, subject.name, subject.options)->races();
    std::erase_if(races,
                  [&](const RaceReport& race) { return run.trace.tables.locations()[race.location].name == "dummy"; });
    ++found.runs;
    if (!races.empty()) ++found.racy;
    if (on_judged) on_judged(run, races);
    return true;
  });
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(result.value().is_exhaustive, schedule == sim::ScheduleKind::Exhaustive);
  return found;
}

/// The names of the tests in which a detector finds a race: in all runs, in some runs, or in no run.
struct Table {
  std::set<std::string> always;
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> sometimes;
  std::set<std::string> never;
};

std::shared_ptr<const Program> parse(const std::string& name) {
  return test::program_in("litmus/scor/" + name + ".litmus");
}

std::vector<std::filesystem::path> suite() { return test::files_in(test::project() / "litmus/scor"); }

Table table(const Subject& subject, sim::ScheduleKind schedule = sim::ScheduleKind::Exhaustive,
            const std::set<std::string>& false_alarms = {}) {
  Table made;
  for (const auto& file : suite()) {
    const std::string name = file.stem().string();
    const Found found = find(parse(name), subject, schedule);
    if (found.racy == 0) {
      made.never.insert(name);
    } else if (found.racy == found.runs) {
      made.always.insert(name);
    } else {
      made.sometimes[name] = {found.racy, found.runs};
    }
    if (found.racy != 0 && name.starts_with("norace") && !false_alarms.contains(name)) {
      ADD_FAILURE() << subject.name << " reports a false positive on " << name << " in " << found.racy << " of "
                    << found.runs << " runs: " << found.sentence;
    }
  }
  EXPECT_EQ(made.always.size() + made.sometimes.size() + made.never.size(), 32U);
  return made;
}

const std::string kReadLock = "race_interblock_none-lock_rtraw";

std::set<std::string> races_of_the_suite() {
  std::set<std::string> names;
  for (const auto& file : suite()) {
    const std::string name = file.stem().string();
    if (name.starts_with("race_")) names.insert(name);
  }
  return names;
}

// In every schedule, the detector finds 18 of 18 races, as in the paper (Table VI).
TEST(ScorTable, ScordByItsPaperFindsEveryRaceInEverySchedule) {
  const Table found = table({"scord", {{"rules", "paper"}}});
  EXPECT_EQ(found.always, races_of_the_suite());
  EXPECT_TRUE(found.sometimes.empty());
}

// The cache has more entries than a test has words, so the cache loses no entry.
TEST(ScorTable, ScordWithTheCacheFindsTheSame) {
  EXPECT_EQ(table({"scord", {{"cache", "yes"}}}).always, races_of_the_suite());
}

// Under the rules of its source code, ScoRD does not record a second reader under a lock. If block 0 reads, block 1
// reads, and then block 0 writes, the entry contains only block 0's own read.
TEST(ScorTable, ScordByItsSourceMissesOneRaceInSomeSchedules) {
  for (const std::string strong : {"yes", "no"}) {
    const Table found = table({"scord", {{"rules", "source"}, {"strong", strong}}});
    std::set<std::string> others = races_of_the_suite();
    others.erase(kReadLock);
    EXPECT_EQ(found.always, others);
    ASSERT_EQ(found.sometimes.size(), 1U);
    EXPECT_EQ(found.sometimes.begin()->first, kReadLock);
  }
}

/// Returns the accesses of data[0] with the number of the block, such as "0R 1R 0W".
std::string accesses_of_data(const Trace& trace) {
  std::string text;
  for (const TraceEvent& event : trace.events) {
    if (!event.is_access() || trace.tables.locations()[event.object].name != "data[0]") continue;
    if (!text.empty()) text += ' ';
    text += fmt::format("{}{}", trace.tables.threads()[event.thread].place.block, event.is_write() ? 'W' : 'R');
  }
  return text;
}

TEST(ScorTable, ScordByItsSourceMissesThatRaceWhereTheSecondReaderLeavesNoTrace) {
  const auto program = parse(kReadLock);
  std::set<std::string> orders;
  find(program, {"scord", {{"rules", "source"}, {"strong", "no"}}}, sim::ScheduleKind::Exhaustive,
       [&](const sim::Run& run, const std::vector<RaceReport>& races) {
         const std::string order = accesses_of_data(run.trace);
         orders.insert(order);
         EXPECT_EQ(races.empty(), order == "0R 1R 0W") << order;
       });
  EXPECT_EQ(orders, (std::set<std::string>{"0R 1R 0W", "0R 0W 1R", "1R 0R 0W"}));
}

/// Returns a detector's reports on one run. Each report is a pair of sites.
std::set<std::string> pairs_of(const std::vector<RaceReport>& races) {
  std::set<std::string> pairs;
  for (const RaceReport& race : races) pairs.insert(race.sentence);
  return pairs;
}

/// Generates a program of two or three one-thread blocks, with plain and volatile accesses, atomics and fences.
std::string program_with_fences(std::uint32_t seed) {
  std::string text = "CUDA test\n{ global int x = 0, y = 0; }\n";
  const auto next = [&seed] { return (seed = seed * 1664525U + 1013904223U) >> 16U; };
  const std::uint32_t threads = 2 + next() % 2;
  for (std::uint32_t t = 0; t < threads; ++t) {
    text += fmt::format("P{} @ block {} {{ ", t, t);
    for (std::uint32_t i = 0; i < (threads == 2 ? 4U : 3U); ++i) {
      const char cell = next() % 3 == 0 ? 'y' : 'x';
      switch (next() % 6) {
        case 0: text += fmt::format("{} = 1; ", cell); break;
        case 1: text += fmt::format("int r{} = {}; ", i, cell); break;
        case 2: text += fmt::format("atomicAdd(&{}, 1); ", cell); break;
        case 3: text += fmt::format("int r{} = atomicAdd_block(&{}, 1); ", i, cell); break;
        case 4: text += "__threadfence_block(); "; break;
        default: text += "__threadfence(); "; break;
      }
    }
    text += "}\n";
  }
  return text + "exists (x == 0)\n";
}

// The search runs one schedule of each class. Random schedules are chosen independently of the classes. For a random
// schedule, the reports must equal the reports for some class.
TEST(ScorTable, RandomSchedulesAreJudgedLikeSomeClass) {
  for (std::uint32_t seed = 1; seed <= 150; ++seed) {
    const std::string text = program_with_fences(seed);
    const auto source = std::make_shared<SourceFile>(SourceFile{"test.litmus", text});
    const auto program = parser::parse_program(source);
    ASSERT_TRUE(program.ok()) << render(program.errors());
    for (const std::string name : {"scord", "iguard", "haccrg"}) {
      std::set<std::set<std::string>> judged;
      find(program.value(), {name, {}}, sim::ScheduleKind::Exhaustive,
           [&](const sim::Run& /*run*/, const std::vector<RaceReport>& races) { judged.insert(pairs_of(races)); });
      find(program.value(), {name, {}}, sim::ScheduleKind::Random,
           [&](const sim::Run& /*run*/, const std::vector<RaceReport>& races) {
             EXPECT_TRUE(judged.contains(pairs_of(races))) << name << " on\n" << text;
           });
    }
  }
}

// iGUARD stores only the last accessor. If block 1's section comes first, block 0 itself is the last accessor before
// block 0's write.
TEST(ScorTable, IguardMissesOneRaceInSomeSchedules) {
  for (const std::string rules : {"paper", "source"}) {
    const Table found = table({"iguard", {{"rules", rules}}});
    std::set<std::string> others = races_of_the_suite();
    others.erase(kReadLock);
    EXPECT_EQ(found.always, others) << rules;
    ASSERT_EQ(found.sometimes.size(), 1U) << rules;
    EXPECT_EQ(found.sometimes.begin()->first, kReadLock) << rules;
  }
}

// In two schedules of one class, different accesses of a warp's lanes may be adjacent. For each test, 200 random
// schedules must give the same results as the classes.
TEST(ScorTable, RandomSchedulesSayTheSame) {
  std::set<std::string> others = races_of_the_suite();
  others.erase(kReadLock);
  for (const std::string name : {"scord", "iguard"}) {
    for (const std::string rules : {"paper", "source"}) {
      Table found = table({name, {{"rules", rules}}}, sim::ScheduleKind::Random);
      found.always.erase(kReadLock);
      EXPECT_EQ(found.always, others) << name << " " << rules;
    }
  }
}

// HAccRG ignores scopes, and reports no race that involves an atomic. If both accesses hold a common lock, HAccRG also
// ignores fences.
TEST(ScorTable, HaccrgSeesNeitherScopesNorAtomics) {
  const std::string chain = "norace_interwarp-block_fence_hrf-indirect";
  for (const std::string name : {"haccrg", "srg"}) {
    const Table found = table({name, {}}, sim::ScheduleKind::Exhaustive, {chain});
    EXPECT_TRUE(found.always.contains(chain)) << "b0t32 overwrites b0t0's value, and fences order no two writes";
    std::set<std::string> missed;
    std::ranges::copy_if(found.never, std::inserter(missed, missed.end()),
                         [](const std::string& test) { return test.starts_with("race_"); });
    const std::set<std::string> atomics = {"race_interblock_blkatom", "race_interblock_none-atom_waw",
                                           "race_interwarp_none-atom_waw", "race_interwarp_none-blkatom_waw"};
    const std::set<std::string> scopes = {"race_interblock_blkfence_raw", "race_interblock_blklock_waw",
                                          "race_interblock_lock-blkfence_waw"};
    const std::set<std::string> fences_before_unlock = {
        "race_interblock_lock-no-tf_waw", "race_interwarp_blklock-no-tf_waw", "race_interwarp_dev-blklock-no-tf_waw"};
    std::set<std::string> expected = atomics;
    expected.insert(scopes.begin(), scopes.end());
    expected.insert(fences_before_unlock.begin(), fences_before_unlock.end());
    EXPECT_EQ(missed, expected) << name;
  }
}

}  // namespace
}  // namespace ambit::detector
