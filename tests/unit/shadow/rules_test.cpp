// Compares the rules in kernels/detectors, which check launches of programs, with the detectors in detector/. For the
// events of a trace, both must report the same races.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/barrier_tracker.h"
#include "runner/shadow/clock_detectors.h"
#include "runner/shadow/program_detector.h"
#include "runner/shadow/trace_detectors.h"
#include "runner/virtual/memory.h"
#include "tests/support/replay.h"
#include "tests/support/trace_text.h"
#include "tests/unit/detector/random_trace.h"

namespace ambit::shadow {
namespace {

using Side = std::tuple<std::uint32_t, std::uint32_t, bool, bool>;  // thread, site, write, atomic
using Race = std::tuple<Side, Side, RaceKind>;

/// For each pair of sites, keeps the first report.
class Races : public RaceSink {
 public:
  explicit Races(const TraceTables& tables) : tables_(tables) {}
  void race(std::uint32_t /*detector*/, const RawRace& race, std::uint64_t /*count*/,
            const std::string& /*why*/) override {
    if (!sites_.emplace(race.first.site, race.second.site).second) return;
    found.emplace_back(side(race.first), side(race.second), race.kind);
  }
  std::string memory_name(virtual_gpu::AccessSpace /*space*/, std::uint64_t /*address*/) const override { return {}; }
  void remark(const std::string& /*text*/) override { has_remark = true; }

  void clear() {
    found.clear();
    sites_.clear();
  }

  std::vector<Race> found;
  bool has_remark = false;

 private:
  Side side(const RawAccess& access) const {
    std::uint32_t thread = kNoName;
    if (access.thread != RawAccess::kNoThread) {
      const std::uint32_t warp = tables_.launch.warp;
      thread = tables_.thread_at(0, access.block, access.thread / 32 * warp + access.thread % 32).value();
    }
    return {thread, access.site, access.is_write, access.is_atomic};
  }

  const TraceTables& tables_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> sites_;
};

virtual_gpu::AccessKind kind_of(TraceOp op) {
  switch (op) {
    case TraceOp::Write: return virtual_gpu::AccessKind::Write;
    case TraceOp::Rmw: return virtual_gpu::AccessKind::ReadModifyWrite;
    case TraceOp::Reduction: return virtual_gpu::AccessKind::Reduction;
    default: return virtual_gpu::AccessKind::Read;
  }
}

/// Replays a trace to an observer. Each warp of the trace becomes a warp of the launch, which may have fewer lanes.
void show(const Trace& trace, virtual_gpu::Observer& observer) {
  const TraceTables& tables = trace.tables;
  const std::uint32_t warps = (tables.launch.block[0] + tables.launch.warp - 1) / tables.launch.warp;
  virtual_gpu::LaunchInfo info;
  info.grid = {tables.launch.grid[0], 1, 1};
  info.block = {tables.launch.warp == 32 ? tables.launch.block[0] : warps * 32, 1, 1};
  info.warps_of_block = warps;
  observer.begin_launch(info);
  BarrierTracker tracker;
  std::vector<std::uint32_t> barriers(tables.threads().size());  // for each thread, the last barrier's number
  for (const TraceEvent& event : trace.events) {
    std::vector<BarrierTracker::Completion> completions;
    ASSERT_FALSE(tracker.on(event, tables, completions));
    const ThreadPlace& place = tables.threads()[event.thread].place;
    const auto block_of_event = static_cast<std::uint32_t>(place.block);
    const auto warp = static_cast<std::uint32_t>(place.warp);
    const std::uint32_t lane = 1U << place.lane;
    bool has_arrived = event.op != TraceOp::Barrier;
    const auto arrive = [&] {
      if (std::exchange(has_arrived, true)) return;
      barriers[event.thread] = event.object;
      observer.barrier({event.site, block_of_event, warp, lane, event.object, event.count, event.arrive_only, false});
    };
    for (const auto& done : completions) {
      // If a barrier has a count, its last arrival completes it.
      if (&done == &completions.back() && done.op == TraceOp::Barrier && !done.is_of_all && event.count != 0) arrive();
      const ThreadPlace& at =
          tables.threads()[done.waiting.empty() ? done.arrived_only.front() : done.waiting.front()].place;
      const auto block = static_cast<std::uint32_t>(at.block);
      if (done.op == TraceOp::WarpBarrier) {
        std::uint32_t lanes = 0;
        for (const std::uint32_t thread : done.waiting) lanes |= 1U << tables.threads()[thread].place.lane;
        observer.warp_barrier(0, block, static_cast<std::uint32_t>(at.warp), lanes, true);
      } else {
        observer.barrier_complete(block, done.is_of_all ? barriers[done.waiting.front()] : event.object);
      }
    }
    arrive();
    const std::uint32_t block = block_of_event;
    if (event.op == TraceOp::Fence) observer.fence(event.site, block, warp, lane, event.order, event.scope);
    if (!event.is_access()) continue;
    std::array<std::uint64_t, 32> addresses{};
    std::array<std::uint64_t, 32> values{};
    std::array<std::uint64_t, 32> old_values{};
    const auto lane_number = static_cast<std::size_t>(place.lane);
    addresses[lane_number] = virtual_gpu::kFirstDeviceAddress + 4 * std::uint64_t{event.object};
    values[lane_number] = static_cast<std::uint64_t>(event.value);
    old_values[lane_number] = static_cast<std::uint64_t>(event.old_value);
    virtual_gpu::WarpAccess access;
    access.site = event.site;
    access.block = block;
    access.target_block = block;
    access.warp = warp;
    access.lanes = lane;
    access.kind = kind_of(event.op);
    if (event.rmw == TraceRmw::CompareExchange) access.operation = virtual_gpu::AtomicOperation::CompareExchange;
    if (event.rmw == TraceRmw::Exchange) access.operation = virtual_gpu::AtomicOperation::Exchange;
    access.order = event.order;
    access.scope = event.scope;
    access.is_volatile = event.is_volatile;
    access.bytes = 4;
    access.failed = event.is_failed ? lane : 0;
    access.addresses = addresses.data();
    access.values = values.data();
    access.old_values = old_values.data();
    observer.access(access);
  }
  for (std::uint32_t block = 0; block < info.grid.x; ++block) observer.block_end(block);
  observer.end_launch();
}

std::vector<Race> races_of_trace(const std::string& name, const Trace& trace) {
  // Use the options that the detector has for programs.
  const bool has_rules = name == "barracuda" || name == "gwcp";
  const detector::GivenOptions options =
      has_rules ? detector::GivenOptions{{"rules", "ptx"}, {"polling", "no"}} : detector::GivenOptions();
  MemoryTraceReader reader(trace);
  std::vector<Race> made;
  for (const RaceReport& race : test::shown(reader, name, options)->races()) {
    const auto side = [](const RaceAccess& access) {
      return Side{access.thread, access.site, access.is_write, access.is_atomic};
    };
    made.emplace_back(side(race.first), side(race.second), race.kind);
  }
  return made;
}

/// iGUARD's 32-byte entry does not record which thread reads.
void forget_unknown_threads(const std::vector<Race>& from, std::vector<Race>& of) {
  for (std::size_t i = 0; i < std::min(from.size(), of.size()); ++i) {
    if (std::get<0>(std::get<0>(from[i])) == kNoName) std::get<0>(std::get<0>(of[i])) = kNoName;
  }
}

class RulesOfPrograms : public testing::TestWithParam<std::string> {
 protected:
  /// Compares the reports on random traces. Returns the number of traces with a race.
  std::uint64_t compare(detector::RandomTraceOptions options, std::uint64_t traces) {
    options.lock = 0;  // instructions have no lock operations
    std::uint64_t racy = 0;
    for (std::uint64_t seed = 0; seed < traces && !HasFailure(); ++seed) {
      const Trace trace = detector::random_trace(seed, options);
      std::vector<Race> expected = races_of_trace(GetParam(), trace);
      Races races(trace.tables);
      const auto observer = make_rule_detector(GetParam(), 0, races);
      for (const char* launch : {"first", "second"}) {  // each launch starts anew
        races.clear();
        show(trace, *observer);
        if (races.has_remark) break;  // there are too many locks
        forget_unknown_threads(races.found, expected);
        EXPECT_EQ(races.found, expected) << GetParam() << ", seed " << seed << ", " << launch << " launch";
      }
      racy += expected.empty() ? 0 : 1;
    }
    return racy;
  }
};

TEST_P(RulesOfPrograms, LocksAndFlags) {
  detector::RandomTraceOptions options{.steps = 24, .exit = 1, .flag = 6, .inferred = 8, .scopes = true};
  for (const std::uint32_t warp : {1U, 2U, 32U}) {
    options.warp = warp;
    EXPECT_GT(compare(options, 600), 0U);
  }
}

TEST_P(RulesOfPrograms, Barriers) {
  detector::RandomTraceOptions options{.threads_per_block = 4,
                                       .steps = 24,
                                       .barrier = 3,
                                       .warp_barrier = 3,
                                       .exit = 1,
                                       .flag = 2,
                                       .inferred = 2,
                                       .scopes = true};
  for (const std::uint32_t warp : {1U, 2U, 4U}) {
    options.warp = warp;
    EXPECT_GT(compare(options, 600), 0U);
  }
}

/// Tests trace detectors on events that are derived from the accesses of warps.
class TracesOfPrograms : public testing::TestWithParam<std::string> {};

TEST_P(TracesOfPrograms, LocksAndFlags) {
  const detector::RandomTraceOptions options{
      .warp = 2, .steps = 24, .lock = 0, .flag = 6, .inferred = 8, .scopes = true};
  std::uint64_t racy = 0;
  for (std::uint64_t seed = 0; seed < 600 && !HasFailure(); ++seed) {
    const Trace trace = detector::random_trace(seed, options);
    // The detectors decide some races only at the end of the trace, and then report them in the order of thread
    // numbers. The two forms of a detector number threads differently, so the test sorts the races.
    std::vector<Race> expected = races_of_trace(GetParam(), trace);
    std::ranges::sort(expected);
    Races races(trace.tables);
    TraceDetectors observer({{GetParam(), {}, 0}}, races);
    for (const char* launch : {"first", "second"}) {
      races.clear();
      show(trace, observer);
      std::ranges::sort(races.found);
      EXPECT_EQ(races.found, expected) << GetParam() << ", seed " << seed << ", " << launch << " launch";
    }
    racy += expected.empty() ? 0 : 1;
  }
  EXPECT_GT(racy, 0U);
}

/// The detectors that observe words of memory must report the same races as the trace detectors.
class ClocksOfPrograms : public testing::TestWithParam<std::string> {
 protected:
  /// A launch reports the exit of a lane later than a trace does. An access that waited for the exit comes after this
  /// report, so either access of a race may be first. If events share source places, the two forms may report different
  /// threads for the first race at a pair of places.
  static std::vector<Race> comparable(std::vector<Race> races, const detector::RandomTraceOptions& options) {
    for (auto& [first, second, kind] : races) {
      if (options.exit != 0 && second < first) std::swap(first, second);
      if (options.sites == 0) continue;
      first = {0, std::get<1>(first), false, false};
      second = {0, std::get<1>(second), false, false};
      kind = RaceKind::Unsynchronized;
    }
    std::ranges::sort(races);
    return races;
  }
  static void compare(detector::RandomTraceOptions options, std::uint64_t traces) {
    options.lock = 0;  // instructions have no lock operations
    std::uint64_t racy = 0;
    for (std::uint64_t seed = 0; seed < traces && !HasFailure(); ++seed) {
      const Trace trace = detector::random_trace(seed, options);
      const std::vector<Race> expected = comparable(races_of_trace(GetParam(), trace), options);
      Races races(trace.tables);
      ClockDetectors observer({{GetParam(), 0}}, races);
      for (const char* launch : {"first", "second"}) {
        races.clear();
        show(trace, observer);
        EXPECT_EQ(comparable(races.found, options), expected)
            << GetParam() << ", seed " << seed << ", " << launch << " launch\n"
            << test::text_of(trace);
      }
      racy += expected.empty() ? 0 : 1;
    }
    EXPECT_GT(racy, 0U);
  }
};

TEST_P(ClocksOfPrograms, LocksAndFlags) {
  for (const std::uint32_t warp : {1U, 2U, 32U}) {
    compare({.warp = warp, .steps = 30, .flag = 6, .inferred = 8, .scopes = true}, 600);
  }
}

TEST_P(ClocksOfPrograms, Barriers) {
  const detector::RandomTraceOptions options{.threads_per_block = 4,
                                             .steps = 40,
                                             .barrier = 3,
                                             .warp_barrier = 4,
                                             .named_barrier = 1,
                                             .exit = 1,
                                             .one_kind_of_barrier_at_a_time = true,
                                             .flag = 3,
                                             .inferred = 6,
                                             .scopes = true};
  for (const std::uint32_t warp : {1U, 2U, 32U}) {
    for (const bool has_exits : {false, true}) {
      detector::RandomTraceOptions wanted = options;
      wanted.warp = warp;
      // In a program, the mask of a warp barrier contains no exited lane. So each trace has exits or warp barriers, but
      // not both.
      (has_exits ? wanted.warp_barrier : wanted.exit) = 0;
      compare(wanted, 400);
    }
  }
}

// Between two barriers of a whole warp or block, often only one lane acts. This lane takes and releases a lock, or sets
// a flag. The whole group then uses this lane's clocks (LocalTimes::published). The trace detector, with which the test
// compares, has plain clocks without groups.
TEST_P(ClocksOfPrograms, OneLaneForItsWarp) {
  for (const std::uint32_t warp : {2U, 4U}) {
    compare({.threads_per_block = 4,
             .warp = warp,
             .steps = 60,
             .access = 3,
             .barrier = 8,
             .warp_barrier = 16,
             .one_kind_of_barrier_at_a_time = true,
             .flag = 3,
             .inferred = 6,
             .scopes = true},
            detector::wanted_traces(400));
  }
}

// With many threads and few words and sites, lists of accesses are long, and later accesses replace earlier accesses.
TEST_P(ClocksOfPrograms, ManyThreads) {
  const detector::RandomTraceOptions options{.blocks = 40,
                                             .threads_per_block = 70,
                                             .variables = 12,
                                             .steps = 20000,
                                             .access = 30,
                                             .barrier = 2,
                                             .warp_barrier = 2,
                                             .one_kind_of_barrier_at_a_time = true,
                                             .flag = 6,
                                             .inferred = 6,
                                             .scopes = true,
                                             .sites = 60};
  compare(options, 3);
}

INSTANTIATE_TEST_SUITE_P(Shadow, ClocksOfPrograms, testing::Values("barracuda", "gwcp"),
                         [](const auto& info) { return info.param; });
INSTANTIATE_TEST_SUITE_P(Shadow, TracesOfPrograms, testing::Values("barracuda", "gwcp"),
                         [](const auto& info) { return info.param; });
INSTANTIATE_TEST_SUITE_P(Shadow, RulesOfPrograms, testing::Values("haccrg", "scord", "iguard"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace ambit::shadow
