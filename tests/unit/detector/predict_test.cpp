#include "detector/algorithms/predict.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/replay.h"
#include "tests/support/trace_text.h"
#include "tests/unit/detector/random_trace.h"
#include "tests/unit/detector/reordering_brute_force.h"

// Compares predicted races with the races that an enumeration of all reorderings finds. AMBIT_RANDOM_TRACES is
// the number of traces for each test (2,000 for the full check). The default is smaller, so that the tests stay
// fast.
namespace ambit::detector {
namespace {

std::uint64_t prediction_traces() { return wanted_traces(500); }

std::string print(const std::set<EventPair>& pairs) {
  std::string text;
  for (const auto& [a, b] : pairs) text += " (" + std::to_string(a) + ", " + std::to_string(b) + ")";
  return text;
}

struct Setting {
  std::string name;
  RandomTraceOptions trace;
};

std::vector<Setting> settings() {
  const RandomTraceOptions locks{
      .blocks = 1, .threads_per_block = 3, .locks = 2, .variables = 2, .steps = 20, .lock = 8};
  RandomTraceOptions scoped = locks;
  scoped.blocks = 2;
  scoped.threads_per_block = 2;
  scoped.scopes = true;
  RandomTraceOptions barriers = scoped;
  barriers.barrier = 3;
  barriers.exit = 1;
  barriers.steps = 24;
  RandomTraceOptions warps = scoped;
  warps.blocks = 1;
  warps.threads_per_block = 4;
  warps.warp = 2;
  warps.warp_barrier = 4;
  warps.named_barrier = 3;
  warps.one_kind_of_barrier_at_a_time = true;
  warps.steps = 26;
  RandomTraceOptions flags = scoped;
  flags.flag = 6;
  flags.steps = 24;
  RandomTraceOptions forks = locks;
  forks.forks = true;
  forks.steps = 14;
  return {{"locks", locks}, {"scopes", scoped}, {"barriers", barriers},
          {"warps", warps}, {"flags", flags},   {"forks", forks}};
}

/// Changes the values of writes to small random numbers, so that several writes write the same value.
Trace with_values(Trace trace, std::uint64_t seed) {
  std::vector<Value> held(trace.tables.locations().size(), 0);
  for (std::size_t e = 0; e < trace.events.size(); ++e) {
    TraceEvent& event = trace.events[e];
    if (!event.is_access()) continue;
    event.has_old_value = event.is_update();
    event.old_value = event.is_update() ? held[event.object] : 0;
    if (event.is_write()) held[event.object] = static_cast<Value>(((seed + 1) * (e + 7) * 2654435761U >> 7U) % 2);
    event.has_value = true;
    event.value = held[event.object];
  }
  return trace;
}

PredictOptions options_like(const BruteForceOptions& wanted) {
  PredictOptions options;
  options.model.reads = wanted.by_value ? ReadsKept::Value : ReadsKept::Writer;
  options.model.overlap = wanted.overlap;
  options.keeps_section_order = wanted.keeps_section_order;
  options.timeout = std::chrono::minutes(5);
  return options;
}

std::vector<RaceReport> predict(const Trace& trace, const PredictOptions& options) {
  MemoryTraceReader reader(trace);
  const auto detector = test::shown(reader, std::make_unique<Predict>(trace.tables, options));
  EXPECT_TRUE(detector->remarks().empty());
  return detector->races();
}

/// Each event of a random trace has a different site, so the reports contain every pair of events.
void compare(const BruteForceOptions& wanted) {
  std::uint64_t racy = 0;
  for (const Setting& setting : settings()) {
    for (std::uint64_t seed = 0; seed < prediction_traces() / 6; ++seed) {
      Trace trace = random_trace(seed * 31 + 7, setting.trace);
      if (wanted.by_value) trace = with_values(std::move(trace), seed);
      const std::set<EventPair> expected = reorder_by_brute_force(trace, wanted).races;
      std::set<EventPair> found;
      for (const RaceReport& race : predict(trace, options_like(wanted))) {
        const EventPair pair{race.first.event, race.second.event};
        found.insert(pair);
        const auto flaw = judge_witness(trace, wanted, race.witness.value(), pair);
        EXPECT_FALSE(flaw) << *flaw << " for" << print({pair}) << "\n" << test::text_of(trace);
      }
      racy += expected.empty() ? 0 : 1;
      ASSERT_EQ(found, expected) << setting.name << ", seed " << seed << "\nfound:" << print(found)
                                 << "\nexpected:" << print(expected) << "\n"
                                 << test::text_of(trace);
    }
  }
  EXPECT_GT(racy, prediction_traces() / 4) << "the comparison needs more races";
}

TEST(Predict, EqualsBruteForce) {
  for (const Overlap overlap : {Overlap::Mutual, Overlap::Either, Overlap::Exact}) compare({overlap, false, false});
}

TEST(Predict, EqualsBruteForceByValue) { compare({Overlap::Mutual, true, false}); }

TEST(Predict, SyncPreservingEqualsBruteForce) { compare({Overlap::Mutual, false, true}); }

TEST(Predict, SyncPreservingByValueEqualsBruteForce) { compare({Overlap::Mutual, true, true}); }

// Two threads of two blocks hold the lock at the same time. No run of a program does this, but a trace can contain it.
TEST(Predict, SectionsThatOverlapInTheRunItself) {
  const Trace trace =
      test::sound(test::from_text("ambit-trace 1\nlaunch grid=2,1,1 block=3,1,1 warp=32\n"
                                  "b1t2 rmw.relaxed.gpu.cas m:0->1 s1\nb1t2 fence.sc.gpu s2\n"
                                  "b0t0 rmw.relaxed.gpu.cas m:0->1 s3\nb0t0 fence.sc.gpu s4\nb0t0 w x s5\n"
                                  "b1t2 w.relaxed.gpu f=1 s6\nb1t1 r.acquire.gpu f=1 s7\nb1t1 r x s8\n"
                                  "b1t2 rmw.relaxed.gpu.exch m:1->0 s9\n"));
  for (const bool by_value : {false, true}) {
    for (const bool keeps_section_order : {false, true}) {
      const BruteForceOptions wanted{Overlap::Mutual, by_value, keeps_section_order};
      std::set<EventPair> found;
      for (const RaceReport& race : predict(trace, options_like(wanted))) {
        found.emplace(race.first.event, race.second.event);
      }
      EXPECT_EQ(found, reorder_by_brute_force(trace, wanted).races);
    }
  }
}

/// Returns the trace with instructions in place of lock operations: a compare-exchange and a fence take a lock, and a
/// fence and an exchange release the lock. Some acquires fail before they succeed. `numbers` receives the new number of
/// each event.
Trace with_lock_words(const Trace& trace, std::vector<std::uint64_t>& numbers) {
  Trace lowered{trace.tables, {}};
  const auto add_fence = [&](TraceEvent event) {
    event.op = TraceOp::Fence;
    event.order = Order::SeqCst;
    event.object = kNoName;
    lowered.events.push_back(event);
  };
  for (TraceEvent event : trace.events) {
    const bool takes = event.op == TraceOp::LockAcquire;
    const bool gives = event.op == TraceOp::LockRelease;
    if (takes || gives) {
      event.op = TraceOp::Rmw;
      event.order = Order::Relaxed;
      event.rmw = takes ? TraceRmw::CompareExchange : TraceRmw::Exchange;
    }
    for (std::size_t attempts = trace.events.size() % 3; takes && attempts > 0; --attempts) {
      lowered.events.push_back(event);
      lowered.events.back().is_failed = true;
    }
    if (gives) add_fence(event);
    numbers.push_back(lowered.events.size());
    lowered.events.push_back(event);
    if (takes) add_fence(event);
  }
  return lowered;
}

/// For locks that the detector infers, the results are the same as for locks that the trace names.
TEST(Predict, InferredLocksEqualNamedOnes) {
  for (const Setting& setting : settings()) {
    if (setting.trace.flag != 0) continue;
    for (const bool keeps_order : {false, true}) {
      const BruteForceOptions wanted{Overlap::Mutual, false, keeps_order, false};
      for (std::uint64_t seed = 0; seed < prediction_traces() / 10; ++seed) {
        const Trace trace = random_trace(seed * 53 + 29, setting.trace);
        std::vector<std::uint64_t> numbers;
        const Trace lowered = with_lock_words(trace, numbers);
        const auto original = [&](std::uint64_t event) {
          return static_cast<std::uint64_t>(std::ranges::find(numbers, event) - numbers.begin());
        };
        std::set<EventPair> found;
        for (const RaceReport& race : predict(lowered, options_like(wanted))) {
          const EventPair pair{original(race.first.event), original(race.second.event)};
          found.insert(pair);
          std::vector<std::uint64_t> witness;
          for (const std::uint64_t event : race.witness.value()) {
            if (original(event) < trace.events.size()) witness.push_back(original(event));
          }
          EXPECT_FALSE(judge_witness(trace, wanted, witness, pair)) << print({pair}) << "\n" << test::text_of(lowered);
        }
        ASSERT_EQ(found, reorder_by_brute_force(trace, wanted).races) << setting.name << "\n" << test::text_of(lowered);
      }
    }
  }
}

/// Tests each of the three searches alone: two searches without a solver, and the solver's search.
TEST(Predict, EachSearchIsRight) {
  std::uint64_t decided = 0;
  std::uint64_t pairs = 0;
  for (const Setting& setting : settings()) {
    for (std::uint64_t seed = 0; seed < prediction_traces() / 20; ++seed) {
      const Trace trace = random_trace(seed * 17 + 3, setting.trace);
      SyncInference inference(trace.tables);
      RunModelBuilder builder(trace.tables, {});
      for (std::uint64_t e = 0; e < trace.events.size(); ++e) {
        builder.on({trace.events[e], e, inference.on(trace.events[e]), inference});
      }
      const RunModel model = builder.finish(inference.finish());
      QuickSearch search(model);
      for (const bool keeps_order : {false, true}) {
        const std::set<EventPair> races = reorder_by_brute_force(trace, {Overlap::Mutual, false, keeps_order}).races;
        Context context;
        solver::ReorderingSolver solver(model.problem, {keeps_order}, context);
        for (std::size_t j = 0; j < model.accesses.size(); ++j) {
          for (std::size_t i = 0; i < j; ++i) {
            const auto& a = model.accesses[i];
            const auto& b = model.accesses[j];
            const bool both_atomic = a.side.is_atomic && b.side.is_atomic;
            if (a.location != b.location || a.side.thread == b.side.thread || both_atomic) continue;
            if (!a.side.is_write && !b.side.is_write) continue;
            const bool is_race = races.contains({a.side.event, b.side.event});
            const auto answer = solver.query(a.step, b.step);
            EXPECT_EQ(answer.verdict == solver::ReorderingAnswer::Verdict::Possible, is_race) << test::text_of(trace);
            EXPECT_NE(answer.verdict, solver::ReorderingAnswer::Verdict::Unknown);
            const auto in_order = search.in_run_order(a.step, b.step);
            if (keeps_order) {
              EXPECT_EQ(in_order.has_value(), is_race) << test::text_of(trace);
              continue;
            }
            const bool cannot = search.cannot_meet(a.step, b.step);
            EXPECT_FALSE(cannot && is_race) << test::text_of(trace);
            EXPECT_FALSE(in_order && !is_race) << test::text_of(trace);
            ++pairs;
            decided += cannot || in_order ? 1 : 0;
          }
        }
        EXPECT_GT(context.statistics.values["smt.queries"] + 1, 0);
      }
    }
  }
  EXPECT_GT(decided * 10, pairs * 8) << "of " << pairs << " pairs";
}

}  // namespace
}  // namespace ambit::detector
