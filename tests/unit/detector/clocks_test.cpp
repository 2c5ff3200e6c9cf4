#include <gtest/gtest.h>

#include <random>

#include "detector/algorithms/causal_order.h"
#include "detector/algorithms/happens_before.h"
#include "detector/clocks/compressed_clocks.h"
#include "tests/unit/detector/random_trace.h"

// Compares compressed vector clocks with plain clocks. Compares the values of the clocks, and the reports of detectors
// on long traces. closure_test.cpp compares reports on short traces.
namespace ambit::detector {
namespace {

TraceTables tables_of(std::uint32_t blocks, std::uint32_t threads_per_block, std::uint32_t warp) {
  TraceTables tables;
  tables.launch.grid = {blocks, 1, 1};
  tables.launch.block = {threads_per_block, 1, 1};
  tables.launch.warp = warp;
  for (std::uint32_t b = 0; b < blocks; ++b) {
    for (std::uint32_t t = 0; t < threads_per_block; ++t) tables.thread(0, b, t);
  }
  return tables;
}

/// One clock in two forms: plain and compressed.
struct Both {
  ClockId plain = 0;
  ClockId compressed = 0;
};

template <typename Compressed>
class RandomClocks {
 public:
  RandomClocks(const TraceTables& tables, std::uint64_t seed)
      : tables_(tables),
        threads_(static_cast<std::uint32_t>(tables.threads().size())),
        random_(seed),
        plain_(tables),
        compressed_(tables),
        clocks_(8) {
    plain_.reserve_threads(threads_);
    compressed_.reserve_threads(threads_);
  }
  void step() {
    Both& to = clocks_[below(8)];
    const Both& from = clocks_[below(8)];
    const std::uint32_t thread = below(threads_);
    const Epoch epoch = 1 + below(3);
    switch (below(6)) {
      case 0:
        plain_.retain(from.plain);
        compressed_.retain(from.compressed);
        plain_.release(to.plain);
        compressed_.release(to.compressed);
        to = from;
        break;
      case 1:
      case 2: to = {plain_.joined(to.plain, from.plain), compressed_.joined(to.compressed, from.compressed)}; break;
      case 3: to = {plain_.raised(to.plain, thread, epoch), compressed_.raised(to.compressed, thread, epoch)}; break;
      case 4: raise_group(to, thread, epoch, true); break;
      default: raise_group(to, thread, epoch, below(4) != 0);
    }
  }
  void compare() {
    for (const Both& clock : clocks_) {
      for (std::uint32_t t = 0; t < threads_; ++t) {
        ASSERT_EQ(plain_.at(clock.plain, t), compressed_.at(clock.compressed, t)) << "thread " << t;
      }
    }
  }
  std::size_t memory() const { return compressed_.memory(); }

 private:
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  void raise_group(Both& to, std::uint32_t thread, Epoch epoch, bool is_warp) {
    const ThreadPlace& place = tables_.threads()[thread].place;
    to.compressed = is_warp ? compressed_.raised_warp(to.compressed, thread, epoch)
                            : compressed_.raised_block(to.compressed, thread, epoch);
    for (std::uint32_t t = 0; t < threads_; ++t) {
      const ThreadPlace& other = tables_.threads()[t].place;
      if (other.block != place.block || (is_warp && other.warp != place.warp)) continue;
      to.plain = plain_.raised(to.plain, t, epoch);
    }
  }

  const TraceTables& tables_;
  std::uint32_t threads_;
  std::mt19937_64 random_;
  PlainClocks plain_;
  Compressed compressed_;
  std::vector<Both> clocks_;
};

template <typename Compressed>
void expect_equal_clocks(const TraceTables& tables, std::uint64_t seed) {
  RandomClocks<Compressed> clocks(tables, seed);
  for (int i = 0; i < 300; ++i) clocks.step();
  clocks.compare();
}

/// Arrays that no clock uses any longer are reused, so memory does not grow with the number of steps.
template <typename Compressed>
void expect_bounded_memory(const TraceTables& tables) {
  RandomClocks<Compressed> clocks(tables, 1);
  for (int i = 0; i < 300; ++i) clocks.step();
  const std::size_t before = clocks.memory();
  for (int i = 0; i < 10000; ++i) clocks.step();
  EXPECT_LE(clocks.memory(), 3 * before) << "unused arrays were kept";
}

// A shape has a number of blocks, of threads per block, and of lanes per warp. The cases: a short last warp (33 = 32 +
// 1), warps wider than an array (48), warps of one lane, more blocks than an array has (40), and one thread.
TEST(CompressedClocks, EqualPlainOnes) {
  const std::vector<std::array<std::uint32_t, 3>> shapes = {{2, 33, 32}, {3, 70, 48}, {40, 3, 1}, {40, 2, 2},
                                                            {1, 1, 32},  {2, 1, 32},  {1, 40, 4}, {5, 64, 32}};
  for (const auto& [blocks, threads, warp] : shapes) {
    const TraceTables tables = tables_of(blocks, threads, warp);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      expect_equal_clocks<CompressedClocks>(tables, seed);
      expect_equal_clocks<PatchedClocks>(tables, seed);
    }
    expect_bounded_memory<CompressedClocks>(tables);
    expect_bounded_memory<PatchedClocks>(tables);
  }
}

TEST(CompressedClocks, AGroupWithEqualTimesIsOneValue) {
  const TraceTables tables = tables_of(4, 70, 32);  // warps of 32, 32 and 6
  CompressedClocks clocks(tables);
  clocks.reserve_threads(tables.threads().size());
  ClockId clock = CompressedClocks::kZero;
  for (std::uint32_t t = 0; t < 70; ++t) clock = clocks.raised(clock, t, 3);
  EXPECT_EQ(clocks.at(clock, 69), 3U);
  EXPECT_EQ(clocks.at(clock, 70), 0U);
  for (std::uint32_t block = 1; block < 4; ++block) clock = clocks.raised_block(clock, block * 70, 3);
  EXPECT_EQ(clock, 3U) << "all threads are at time 3, so one value is enough";
  EXPECT_EQ(clocks.at(clock, 279), 3U);
}

void expect_same_reports(const Trace& trace, std::vector<std::unique_ptr<Detector>> detectors) {
  EXPECT_GE(trace.events.size(), 100000U) << "the trace ended early in a deadlock";
  MemoryTraceReader reader(trace);
  ASSERT_TRUE(replay(reader, detectors).ok());
  const auto first = detectors[0]->races();
  const auto second = detectors[1]->races();
  EXPECT_FALSE(first.empty());
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].first.event, second[i].first.event);
    EXPECT_EQ(first[i].second.event, second[i].second.event);
    EXPECT_EQ(first[i].count, second[i].count);
    EXPECT_EQ(first[i].sentence, second[i].sentence);
  }
}

/// The trace has 2,112 threads in 32 blocks of 66. It has fewer events than steps, because some threads wait.
RandomTraceOptions long_trace() {
  RandomTraceOptions options{.blocks = 32,
                             .threads_per_block = 66,
                             .locks = 40,
                             .variables = 2000,
                             .steps = 400000,
                             .access = 10,
                             .lock = 10,
                             .barrier = 3,
                             .warp_barrier = 1,
                             .one_kind_of_barrier_at_a_time = true,
                             .scopes = true,
                             .sites = 300};
  return options;
}

TEST(CompressedClocks, SameHappensBeforeReportsOnLongTraces) {
  for (const bool has_flags : {false, true}) {
    RandomTraceOptions options = long_trace();
    if (has_flags) options.flag = 6;
    const Trace trace = random_trace(7, options);
    std::vector<std::unique_ptr<Detector>> both;
    both.push_back(std::make_unique<HappensBefore<PlainClocks>>(trace.tables));
    both.push_back(std::make_unique<HappensBefore<CompressedClocks>>(trace.tables));
    expect_same_reports(trace, std::move(both));
  }
}

TEST(CompressedClocks, SameCausalOrderReportsOnLongTraces) {
  for (const auto& [overlap, barrier] :
       {std::pair{Overlap::Mutual, BarrierRule::Hard}, std::pair{Overlap::Exact, BarrierRule::Literal}}) {
    const Trace trace = random_trace(11, long_trace());
    std::vector<std::unique_ptr<Detector>> both;
    const CausalOptions options{overlap, barrier, true};
    both.push_back(std::make_unique<CausalOrder<PlainClocks>>(trace.tables, options));
    both.push_back(std::make_unique<CausalOrder<CompressedClocks>>(trace.tables, options));
    expect_same_reports(trace, std::move(both));
  }
}

// 64 blocks of 1,024 threads, which each write once and then arrive at a barrier. Each block needs one clock.
TEST(CompressedClocks, OneClockABlockAfterABarrier) {
  Trace trace{tables_of(64, 1024, 32), {}};
  const auto threads = static_cast<std::uint32_t>(trace.tables.threads().size());
  const auto add = [&](TraceOp op, std::uint32_t thread, std::uint32_t object) {
    TraceEvent event;
    event.op = op;
    event.scope = Scope::Block;
    event.thread = thread;
    event.object = object;
    trace.events.push_back(event);
  };
  const std::uint32_t first = trace.tables.location("x[0]");
  for (std::uint32_t t = 1; t < threads; ++t) trace.tables.location("x[" + std::to_string(t) + "]");
  for (std::uint32_t t = 0; t < threads; ++t) {
    add(TraceOp::Write, t, first + t);
    add(TraceOp::Barrier, t, 0);
  }
  for (std::uint32_t t = 0; t < threads; ++t) add(TraceOp::Write, t, first + t);
  auto owned = std::make_unique<HappensBefore<CompressedClocks>>(trace.tables);
  const HappensBefore<CompressedClocks>& detector = *owned;
  std::vector<std::unique_ptr<Detector>> detectors;
  detectors.push_back(std::move(owned));
  MemoryTraceReader reader(trace);
  ASSERT_TRUE(replay(reader, detectors).ok());
  EXPECT_TRUE(detectors[0]->races().empty());
  // The threads of a block share one past. A single number outside of all clocks stores this past. If each thread had
  // its own array instead, the arrays alone would take 128 bytes per thread.
  EXPECT_LT(detector.memory(), std::size_t{128} * threads);
}

}  // namespace
}  // namespace ambit::detector
