#include <gtest/gtest.h>

#include <sstream>

#include "detector/algorithms/causal_order.h"
#include "detector/algorithms/happens_before.h"
#include "tests/support/replay.h"
#include "tests/support/trace_text.h"
#include "tests/unit/detector/closure.h"
#include "tests/unit/detector/random_trace.h"

// Compares the vector-clock detectors with the definitions, which are fixpoints. AMBIT_RANDOM_TRACES is the number of
// traces for each test (20,000 for the full check). The default is smaller, so that the tests stay fast.
namespace ambit::detector {
namespace {

std::uint64_t traces() { return wanted_traces(6000); }

RacePairs races_by_clocks(const Trace& trace, std::unique_ptr<Detector> detector) {
  MemoryTraceReader reader(trace);
  RacePairs found;
  for (const RaceReport& race : test::shown(reader, std::move(detector))->races()) {
    found.insert({race.first.thread, race.second.event});
  }
  return found;
}

std::string print(const Trace& trace, const RacePairs& expected, const RacePairs& found) {
  std::ostringstream out;
  out << test::text_of(trace) << "closure:";
  for (const auto& [thread, event] : expected)
    out << " (" << trace.tables.threads()[thread].name << ", " << event << ")";
  out << "\nclocks: ";
  for (const auto& [thread, event] : found) out << " (" << trace.tables.threads()[thread].name << ", " << event << ")";
  return out.str();
}

struct Setting {
  std::string name;
  RandomTraceOptions trace;
};

std::vector<Setting> settings() {
  const RandomTraceOptions plain{
      .blocks = 1, .threads_per_block = 3, .locks = 2, .variables = 4, .steps = 36, .access = 6, .lock = 10};
  RandomTraceOptions one_lock = plain;
  one_lock.locks = 1;
  one_lock.variables = 5;
  RandomTraceOptions scoped = plain;
  scoped.blocks = 2;
  scoped.threads_per_block = 2;
  scoped.steps = 44;
  scoped.scopes = true;
  RandomTraceOptions barriers = scoped;
  barriers.barrier = 2;
  RandomTraceOptions flags = scoped;
  flags.flag = 8;
  flags.steps = 56;
  RandomTraceOptions inferred = barriers;
  inferred.lock = 4;
  inferred.inferred = 24;
  inferred.steps = 70;
  RandomTraceOptions exits = barriers;
  exits.exit = 1;
  exits.threads_per_block = 3;
  exits.warp = 2;
  exits.warp_barrier = 3;
  exits.named_barrier = 1;
  RandomTraceOptions all = flags;
  all.exit = 1;
  all.warp = 2;
  all.warp_barrier = 1;
  all.named_barrier = 1;
  all.inferred = 12;
  all.barrier = 1;
  all.threads_per_block = 3;
  all.steps = 80;
  RandomTraceOptions one_block = plain;  // both scopes then include the same threads
  one_block.scopes = true;
  return {{"one block", one_block},     {"plain", plain},       {"one lock", one_lock},
          {"scoped", scoped},           {"barriers", barriers}, {"flags", flags},
          {"inferred locks", inferred}, {"exits", exits},       {"all", all}};
}

/// Expects that the detectors of `make(tables)` report the races that the closure finds. Prints the first trace with a
/// difference.
template <typename Make>
void compare(const ClosureOptions& options, const Make& make) {
  std::uint64_t racy = 0;
  for (const Setting& setting : settings()) {
    std::uint64_t mismatches = 0;
    for (std::uint64_t seed = 0; seed < traces() / 8; ++seed) {
      RandomTraceOptions wanted = setting.trace;
      wanted.one_holder = options.overlap == Overlap::All;
      const Trace trace = random_trace(seed * 977 + 13, wanted);
      const RacePairs expected = races_by_closure(trace, options);
      racy += expected.empty() ? 0 : 1;
      for (auto& detector : make(trace.tables)) {
        const RacePairs found = races_by_clocks(trace, std::move(detector));
        if (expected == found) continue;
        if (mismatches++ == 0)
          ADD_FAILURE() << setting.name << ", seed " << seed << "\n" << print(trace, expected, found);
      }
    }
    EXPECT_EQ(mismatches, 0U) << setting.name;
  }
  EXPECT_GT(racy, traces() / 4) << "the comparison needs more races";
}

/// Returns two detectors: one with plain clocks and one with compressed clocks.
std::vector<std::unique_ptr<Detector>> causal_orders(const TraceTables& tables, const CausalOptions& options) {
  std::vector<std::unique_ptr<Detector>> both;
  both.push_back(std::make_unique<CausalOrder<PlainClocks>>(tables, options));
  both.push_back(std::make_unique<CausalOrder<CompressedClocks>>(tables, options));
  return both;
}
std::vector<std::unique_ptr<Detector>> happens_befores(const TraceTables& tables, const HappensBeforeOptions& options) {
  std::vector<std::unique_ptr<Detector>> both;
  both.push_back(std::make_unique<HappensBefore<PlainClocks>>(tables, options));
  both.push_back(std::make_unique<HappensBefore<CompressedClocks>>(tables, options));
  return both;
}

class OverlapAndBarrier : public ::testing::TestWithParam<std::tuple<Overlap, BarrierRule, bool>> {};

TEST_P(OverlapAndBarrier, GwcpEqualsItsClosure) {
  const auto [overlap, barrier, polling] = GetParam();
  const SyncInference::Rules rules = polling ? SyncInference::Rules::Ptx : SyncInference::Rules::Papers;
  const ClosureOptions closure{ClosureOptions::Relation::Causal, overlap, barrier == BarrierRule::Hard, polling, rules};
  const CausalOptions clocks{overlap, barrier, polling, rules};
  compare(closure, [&](const TraceTables& tables) { return causal_orders(tables, clocks); });
}

INSTANTIATE_TEST_SUITE_P(Closure, OverlapAndBarrier,
                         ::testing::Values(std::tuple{Overlap::Mutual, BarrierRule::Hard, true},
                                           std::tuple{Overlap::Mutual, BarrierRule::Literal, false},
                                           std::tuple{Overlap::Either, BarrierRule::Hard, false},
                                           std::tuple{Overlap::Either, BarrierRule::Literal, true},
                                           std::tuple{Overlap::Exact, BarrierRule::Hard, true},
                                           std::tuple{Overlap::Exact, BarrierRule::Literal, true},
                                           std::tuple{Overlap::All, BarrierRule::Hard, true}));

TEST(Closure, HappensBeforeEqualsItsClosure) {
  for (const bool polling : {false, true}) {
    const SyncInference::Rules rules = polling ? SyncInference::Rules::Papers : SyncInference::Rules::Ptx;
    const ClosureOptions closure{ClosureOptions::Relation::HappensBefore, Overlap::Mutual, true, polling, rules};
    const HappensBeforeOptions clocks{polling, rules};
    compare(closure, [&](const TraceTables& tables) { return happens_befores(tables, clocks); });
  }
}

// One lock has many critical sections. So a detector must search its list of the lock's releases, and must drop old
// releases from the list.
TEST(Closure, GwcpEqualsItsClosureOverManySections) {
  RandomTraceOptions options{.blocks = 2, .threads_per_block = 2, .locks = 1, .variables = 9, .steps = 420};
  options.access = 2;
  options.lock = 10;
  std::uint64_t racy = 0;
  for (const Overlap overlap : {Overlap::Mutual, Overlap::Exact, Overlap::All}) {
    options.one_holder = overlap == Overlap::All;
    for (const bool scopes : {false, true}) {
      options.scopes = scopes;
      const ClosureOptions closure{ClosureOptions::Relation::Causal, overlap, true, true};
      for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const Trace trace = random_trace(seed * 31 + 7, options);
        const RacePairs expected = races_by_closure(trace, closure);
        racy += expected.empty() ? 0 : 1;
        for (auto& detector : causal_orders(trace.tables, {overlap, BarrierRule::Hard, true})) {
          const RacePairs found = races_by_clocks(trace, std::move(detector));
          ASSERT_EQ(expected, found) << print(trace, expected, found);
        }
      }
    }
  }
  EXPECT_GT(racy, 0U);
}

TEST(Closure, ForkAndJoin) {
  const RandomTraceOptions options{.blocks = 1, .threads_per_block = 3, .steps = 14, .forks = true};
  const ClosureOptions causal{ClosureOptions::Relation::Causal, Overlap::All, true, true};
  const ClosureOptions before{ClosureOptions::Relation::HappensBefore, Overlap::Mutual, true, true};
  for (std::uint64_t seed = 0; seed < traces(); ++seed) {
    const Trace trace = random_trace(seed, options);
    const RacePairs expected = races_by_closure(trace, causal);
    for (auto& detector : causal_orders(trace.tables, {Overlap::All, BarrierRule::Hard, true})) {
      const RacePairs found = races_by_clocks(trace, std::move(detector));
      ASSERT_EQ(expected, found) << print(trace, expected, found);
    }
    const RacePairs expected_before = races_by_closure(trace, before);
    for (auto& detector : happens_befores(trace.tables, {.polling_acquires = true})) {
      const RacePairs found = races_by_clocks(trace, std::move(detector));
      ASSERT_EQ(expected_before, found) << print(trace, expected_before, found);
    }
  }
}

}  // namespace
}  // namespace ambit::detector
