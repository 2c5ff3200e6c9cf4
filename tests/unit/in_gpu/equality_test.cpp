// Compares the detectors inside kernels with the trace detectors. Both have the same rules
// (kernels/detectors), but different storage and different events. For the same events in the same order, both
// must report the same races: the same accesses, locations and kinds. The traces are runs of the simulator and
// random traces. The tests of the rules themselves are in tests/unit/detector; their traces come from the
// papers.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "kernels/detectors/haccrg_rules.h"
#include "kernels/detectors/iguard_rules.h"
#include "kernels/detectors/scord_rules.h"
#include "parser/parse.h"
#include "runner/sim/simulate.h"
#include "tests/support/files.h"
#include "tests/support/replay.h"
#include "tests/unit/detector/random_trace.h"
#include "tests/unit/in_gpu/trace_watch.h"

namespace ambit {
namespace {

using Side = std::tuple<std::uint32_t, std::uint32_t, bool, bool>;
using Race = std::tuple<Side, Side, std::uint32_t, RaceKind>;

std::vector<Race> plain(const std::vector<RaceReport>& races) {
  const auto side = [](const RaceAccess& access) {
    return Side{access.thread, access.site, access.is_write, access.is_atomic};
  };
  std::vector<Race> made;
  for (const RaceReport& race : races) {
    made.emplace_back(side(race.first), side(race.second), race.location, race.kind);
  }
  return made;
}

std::vector<Race> races_of_trace(const std::string& name, const Trace& trace) {
  MemoryTraceReader reader(trace);
  return plain(test::shown(reader, name)->races());
}

std::vector<Race> races_in_gpu(const std::string& name, const Trace& trace, bool& has_overflown) {
  const auto watch = [&](auto watch) {
    const std::vector<RaceReport> found = watch.races();
    has_overflown = watch.has_overflown;
    return plain(found);
  };
  if (name == "scord") return watch(TraceWatch<ambit_kernel::Scord>(trace));
  if (name == "iguard") return watch(TraceWatch<ambit_kernel::Iguard>(trace));
  return watch(TraceWatch<ambit_kernel::Haccrg>(trace));
}

struct Tally {
  std::uint64_t traces = 0;
  std::uint64_t racy = 0;       ///< number of traces for which a race is reported
  std::uint64_t overflown = 0;  ///< number of traces for which a table of the detector overflows

  /// Compares the detector in kernels with the trace detector on one trace.
  void compare(const std::string& name, const Trace& trace, const std::string& where) {
    bool has_overflown = false;
    const std::vector<Race> expected = races_of_trace(name, trace);
    const std::vector<Race> found = races_in_gpu(name, trace, has_overflown);
    ++traces;
    racy += expected.empty() ? 0 : 1;
    overflown += has_overflown ? 1 : 0;
    if (!has_overflown) {
      EXPECT_EQ(found, expected) << name << " on " << where;
    }
  }
};

/// Compares the detector in kernels with the trace detector on runs of one program.
void compare(const std::shared_ptr<const Program>& program, const std::string& name, std::uint64_t runs, Tally& tally) {
  sim::Options options;
  options.memory = sim::MemoryKind::Sc;
  options.schedule = sim::ScheduleKind::Random;
  options.runs = runs;
  options.seed = 7;
  Context context;
  const auto look = [&](const sim::Run& run) {
    tally.compare(name, run.trace, "run " + std::to_string(run.number) + " of " + program->name);
    return !testing::Test::HasFailure();
  };
  // A few tests are too large for the simulator.
  static_cast<void>(sim::simulate(program, options, context, look));
}

Tally compare_folder(const std::string& folder, const std::string& name, std::uint64_t runs) {
  Tally tally;
  for (const auto& file : test::files_in(test::project() / "litmus" / folder, {".litmus", ".cu"})) {
    const auto programs = parser::parse_programs(parser::read_source(file.string()).value());
    if (!programs.ok()) continue;
    for (const auto& program : programs.value()) {
      if (cuda::make_in_gpu_test(*program).ok()) compare(program, name, runs, tally);
    }
  }
  return tally;
}

class SameAsOnTraces : public testing::TestWithParam<std::string> {};

TEST_P(SameAsOnTraces, Scor) {
  const Tally tally = compare_folder("scor", GetParam(), 100);
  EXPECT_EQ(tally.overflown, 0U);
  EXPECT_EQ(tally.traces, 3200U);  // 32 tests
  EXPECT_GT(tally.racy, 0U);
}

TEST_P(SameAsOnTraces, Predictable) {
  const Tally tally = compare_folder("predictable", GetParam(), 100);
  EXPECT_EQ(tally.overflown, 0U);
  EXPECT_GT(tally.racy, 0U);
}

TEST_P(SameAsOnTraces, Barrier) {
  const Tally tally = compare_folder("barrier", GetParam(), 60);
  EXPECT_EQ(tally.overflown, 0U);
  EXPECT_GT(tally.racy, 0U);
}

TEST_P(SameAsOnTraces, RestOfTheCorpus) {
  Tally tally;
  for (const char* folder : {"classic", "separating", "language", "cuda", "termination"}) {
    const Tally part = compare_folder(folder, GetParam(), 5);
    tally.traces += part.traces;
    tally.racy += part.racy;
    tally.overflown += part.overflown;
  }
  EXPECT_GT(tally.traces, 2000U);
  EXPECT_GT(tally.racy, 0U);
  EXPECT_EQ(tally.overflown, 0U);
}

/// Compares the detector in kernels with the trace detector on random traces. Some traces have several lanes per warp.
Tally compare_random(const std::string& name, detector::RandomTraceOptions options, std::uint64_t traces) {
  options.lock = 0;  // the instructions of a kernel include no lock operations
  Tally tally;
  for (std::uint64_t seed = 0; seed < traces && !testing::Test::HasFailure(); ++seed) {
    tally.compare(name, detector::random_trace(seed, options), "seed " + std::to_string(seed));
  }
  return tally;
}

void expect_comparable(const Tally& tally) {
  EXPECT_GT(tally.racy, 0U);
  EXPECT_LT(tally.overflown, tally.traces / 2);
}

TEST_P(SameAsOnTraces, RandomLocksAndFlags) {
  detector::RandomTraceOptions options{.steps = 24, .exit = 1, .flag = 6, .inferred = 8, .scopes = true, .sites = 6};
  for (const std::uint32_t warp : {1U, 2U, 32U}) {
    options.warp = warp;
    expect_comparable(compare_random(GetParam(), options, 3000));
  }
}

TEST_P(SameAsOnTraces, RandomBarriers) {
  detector::RandomTraceOptions options{.threads_per_block = 4,
                                       .steps = 24,
                                       .barrier = 3,
                                       .warp_barrier = 3,
                                       .named_barrier = 2,
                                       .exit = 1,
                                       .flag = 2,
                                       .inferred = 2,
                                       .scopes = true,
                                       .sites = 6};
  for (const std::uint32_t warp : {1U, 2U, 4U}) {
    options.warp = warp;
    expect_comparable(compare_random(GetParam(), options, 3000));
  }
}

/// Returns a trace in which b0t0 writes x, all lanes of b0t0's warp run `fences` fences each, and b1t0 reads x. If
/// `is_apart`, a read of y comes between the fences of different lanes.
Trace fences_of_a_warp(int fences, bool is_apart) {
  constexpr std::uint32_t kLanes = 32;
  Trace trace;
  trace.tables.launch.grid = {2, 1, 1};
  trace.tables.launch.block = {kLanes, 1, 1};
  for (std::uint32_t block = 0; block < 2; ++block) {
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) trace.tables.thread(0, block, lane);
  }
  const auto emit = [&](TraceOp op, std::uint32_t thread, const char* site) {
    TraceEvent event;
    event.op = op;
    event.thread = thread;
    event.site = trace.tables.site(site);
    if (op == TraceOp::Fence) {
      event.order = Order::SeqCst;
      event.scope = Scope::Device;
    } else {
      event.object = trace.tables.location(site[0] == 'y' ? "y" : "x");
    }
    trace.events.push_back(event);
  };
  emit(TraceOp::Write, 0, "x:1");
  for (int i = 0; i < fences; ++i) {
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      emit(TraceOp::Fence, lane, "f:1");
      if (is_apart) emit(TraceOp::Read, 0, "y:1");
    }
  }
  emit(TraceOp::Read, kLanes, "x:2");
  return trace;
}

// haccrg counts fences in eight bits. If the lanes of a warp run 8 fences together, the fences count as 8. If the lanes
// run them separately, the fences count as 8 * 32 = 256, and the counter wraps to 0.
TEST_P(SameAsOnTraces, FencesOfAWarp) {
  for (const int fences : {1, 7, 8, 9}) {
    for (const bool is_apart : {false, true}) {
      const Trace trace = fences_of_a_warp(fences, is_apart);
      bool has_overflown = false;
      const std::vector<Race> expected = races_of_trace(GetParam(), trace);
      EXPECT_EQ(races_in_gpu(GetParam(), trace, has_overflown), expected) << fences << (is_apart ? " apart" : "");
      EXPECT_FALSE(has_overflown);
      if (GetParam() == "haccrg") {
        EXPECT_EQ(expected.size(), fences == 8 && is_apart ? 1U : 0U);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(InGpu, SameAsOnTraces, testing::Values("haccrg", "scord", "iguard"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace ambit
