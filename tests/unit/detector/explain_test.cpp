#include <gtest/gtest.h>

#include <sstream>

#include "tests/support/replay.h"
#include "trace/text_trace.h"

// Tests the sentences in barracuda's reports for the shapes of the ScoR suite. Each shape has one deliberate fault; the
// expected missing link was derived by hand. Threads b0t0 and b0t1 share a warp. b0t32 is in another warp of the block.
namespace ambit::detector {
namespace {

std::vector<RaceReport> reports(const std::string& events) {
  const std::string text = "ambit-trace 1\nlaunch grid=2,1,1 block=64,1,1 warp=32\n" + events;
  trace::TextTraceReader reader(std::make_unique<std::istringstream>(text), "test");
  return test::shown(reader, "barracuda")->races();
}

void expect(const std::string& events, RaceKind kind, RaceLevel level, const std::string& sentence) {
  const auto races = reports(events);
  ASSERT_EQ(races.size(), 1U) << events;
  const RaceReport& report = races.front();
  EXPECT_EQ(to_string(report.kind), to_string(kind)) << events;
  EXPECT_EQ(to_string(report.level), to_string(level)) << events;
  EXPECT_EQ(report.sentence, sentence);
}

TEST(Explain, NothingBetween) {
  expect("b0t0 w x k:1\nb0t1 r x k:2\n", RaceKind::IntraWarp, RaceLevel::Warp,
         "b0t0 writes x (k:1), b0t1 reads x (k:2): both are lanes of one warp, and no warp barrier separates them");
  expect("b0t0 w x k:1\nb0t32 w x k:2\n", RaceKind::MissingBarrier, RaceLevel::Block,
         "b0t0 writes x (k:1), b0t32 writes x (k:2): both are in one block, and no barrier separates them");
  expect("b0t0 r x k:1\nb1t0 w x k:2\n", RaceKind::Unsynchronized, RaceLevel::Device,
         "b0t0 reads x (k:1), b1t0 writes x (k:2): they are in different blocks, and nothing synchronises them");
}

TEST(Explain, Atomics) {
  expect("b0t0 red.relaxed.cta x k:1\nb1t0 red.relaxed.gpu x k:2\n", RaceKind::AtomicScopeTooNarrow, RaceLevel::Device,
         "b0t0 updates x (k:1), b1t0 updates x (k:2): both are atomic, but the block scope of one does not reach the "
         "other thread");
  expect("b0t0 red.relaxed.gpu x k:1\nb1t0 r x k:2\n", RaceKind::NotAtomic, RaceLevel::Device,
         "b0t0 updates x (k:1), b1t0 reads x (k:2): one of them is not atomic");
}

/// b0t0 writes data, runs a fence and writes the flag. b1t0 reads the flag, runs another fence and reads data.
std::string message(const std::string& release_fence, const std::string& scope, const std::string& acquire_fence) {
  return "b0t0 w data=1 k:1\n" + release_fence + "b0t0 w.relaxed." + scope + " flag=1 k:2\nb1t0 r.relaxed." + scope +
         " flag=1 k:3\n" + acquire_fence + "b1t0 r data=1 k:4\n";
}

TEST(Explain, Flags) {
  const std::string begin = "b0t0 writes data (k:1), b1t0 reads data (k:4): b1t0 reads a flag of b0t0";
  expect(message("b0t0 fence.sc.cta\n", "gpu", "b1t0 fence.sc.gpu\n"), RaceKind::FenceScopeTooNarrow, RaceLevel::Device,
         begin + ", but the fence before the flag does not reach the other thread");
  expect(message("", "gpu", "b1t0 fence.sc.gpu\n"), RaceKind::MissingFence, RaceLevel::Device,
         begin + ", but no fence precedes the write of the flag");
  expect(message("b0t0 fence.sc.gpu\n", "gpu", ""), RaceKind::MissingFence, RaceLevel::Device,
         begin + ", but no fence follows the read");
  // The accesses to the flag race, too: they are two block-scoped atomics of different blocks.
  const auto races = reports(message("b0t0 fence.sc.gpu\n", "cta", "b1t0 fence.sc.gpu\n"));
  ASSERT_EQ(races.size(), 2U);
  EXPECT_EQ(races[0].kind, RaceKind::AtomicScopeTooNarrow);
  EXPECT_EQ(races[1].kind, RaceKind::AtomicScopeTooNarrow);
  EXPECT_EQ(races[1].sentence, begin + " with an atomic whose scope does not reach the other thread");
}

/// A critical section on lock l that writes x. A compare-exchange takes l and an exchange releases l, with `scope`.
std::string section(const std::string& thread, const std::string& site, const std::string& scope, bool acquires,
                    bool releases) {
  return thread + " rmw.relaxed." + scope + ".cas l:0->1\n" + (acquires ? thread + " fence.sc.gpu\n" : "") + thread +
         " w x " + site + "\n" + (releases ? thread + " fence.sc.gpu\n" : "") + thread + " rmw.relaxed." + scope +
         ".exch l:1->0\n";
}

TEST(Explain, Locks) {
  const std::string begin = "b0t0 writes x (k:1), b1t0 writes x (k:2): ";
  const auto both = [](const std::string& first, const std::string& second) { return first + second; };
  expect(both(section("b0t0", "k:1", "gpu", true, true), section("b1t0", "k:2", "gpu", false, true)),
         RaceKind::MissingFence, RaceLevel::Device,
         begin + "b1t0 took lock l without an acquire fence before its access");
  expect(both(section("b0t0", "k:1", "gpu", true, false), section("b1t0", "k:2", "gpu", true, true)),
         RaceKind::MissingFence, RaceLevel::Device,
         begin + "b0t0 gave lock l back without a release fence after its access");
  expect(both(section("b0t0", "k:1", "gpu", true, true), "b1t0 w x k:2\n"), RaceKind::NoCommonLock, RaceLevel::Device,
         begin + "b0t0 holds l, b1t0 holds no lock");
  expect("b0t0 acq l.gpu\nb0t0 w x k:1\nb0t0 rel l.gpu\nb1t0 acq m.gpu\nb1t0 w x k:2\nb1t0 rel m.gpu\n",
         RaceKind::NoCommonLock, RaceLevel::Device, begin + "b0t0 holds l, b1t0 holds m");
  expect(both(section("b0t0", "k:1", "cta", true, true), section("b1t0", "k:2", "gpu", true, true)),
         RaceKind::LockScopeTooNarrow, RaceLevel::Device,
         begin + "lock l is taken with block scope, which does not reach the other thread");
}

}  // namespace
}  // namespace ambit::detector
