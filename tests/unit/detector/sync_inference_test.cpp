#include "detector/inference/sync_inference.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "detector/detector.h"
#include "tests/support/trace_text.h"

// Tests the critical sections and the synchronisation that SyncInference infers. The traces have the locks and flags of
// the ScoR suite, and shapes for which rules based on the program text fail. The expected actions follow from choices
// 12 and 13 of definitions 4.4:
//  - acquire: a successful compare-exchange from 0 to another value, and the thread's next fence before any access.
//    The acquire has the narrower scope of the two operations.
//  - release: a fence, then an exchange or store of 0. The release has the narrower scope of the two operations.
//  - flag: fence, atomic write, atomic read, fence. A flag synchronises two threads if all four scopes include both.
namespace ambit::detector {
namespace {

using Lines = std::vector<std::string>;

/// A trace of two blocks of 64 threads. b0t0 and b0t32 are in two warps of one block; b1t0 is in the other block.
Trace parse(const std::string& events) {
  return test::sound(test::from_text("ambit-trace 1\nlaunch grid=2,1,1 block=64,1,1 warp=32\n" + events));
}

/// Prints the actions of a trace. Each line begins with the number of the event, counted from 0.
class Listing {
 public:
  explicit Listing(Trace trace) : trace_(std::move(trace)), inference_(trace_.tables) {
    for (; now_ < trace_.events.size(); ++now_) take(inference_.on(trace_.events[now_]));
    take(inference_.finish());
  }
  const Lines& lines() const { return lines_; }
  const SyncInference& inference() const { return inference_; }
  std::uint32_t thread(const std::string& name) const { return trace_.tables.find_thread(name).value_or(kNoName); }

 private:
  void take(std::span<const Action> actions) {
    for (const Action& action : actions) {
      if (action.kind == ActionKind::Mark) marks_[action.object] = now_;
      const std::string line = describe(action);
      if (!line.empty()) lines_.push_back(line);
    }
  }
  std::string describe(const Action& action) const {
    const auto name = [&] { return trace_.tables.locations()[action.object].name; };
    switch (action.kind) {
      case ActionKind::Access: {
        const char* verb = action.is_write ? (action.is_atomic ? "updates" : "writes") : "reads";
        const std::string late = action.event == now_ ? "" : fmt::format(", known at {}", now_);
        return fmt::format("{} {} {}{}{}", action.event, verb, name(), action.lock_is_bare ? " (bare)" : "", late);
      }
      case ActionKind::Acquire:
        return fmt::format("{} {} {} {}", now_, action.is_widening ? "widens" : "acquires", name(),
                           to_string(action.scope));
      case ActionKind::Release:
        return fmt::format("{} releases {} {}, section {}", now_, name(), to_string(action.scope),
                           to_string(action.section));
      case ActionKind::Abandon: return fmt::format("{} abandons {}", now_, name());
      case ActionKind::Edge:
        return fmt::format("{} {} {}", now_, action.is_polled ? "polls" : "synchronizes with",
                           marks_.at(action.object));
      default: return "";
    }
  }

  Trace trace_;
  SyncInference inference_;
  std::size_t now_ = 0;
  std::map<std::uint32_t, std::size_t> marks_;  ///< for each mark, the event that made the mark
  Lines lines_;
};

Lines actions(const std::string& events) { return Listing(parse(events)).lines(); }

/// The macro CS.scope of the suite: a compare-exchange, a fence, a write of d, a fence, and an exchange. An empty scope
/// means that there is no fence.
struct Section {
  std::string take = "gpu";
  std::string acquire = "gpu";
  std::string release = "gpu";
  std::string give = "gpu";
};
std::string fence_line(const std::string& thread, const std::string& scope) {
  return scope.empty() ? "" : thread + " fence.sc." + scope + "\n";
}
std::string section(const std::string& thread, const Section& s) {
  return thread + " rmw.relaxed." + s.take + ".cas l:0->1\n" + fence_line(thread, s.acquire) + thread +
         " w.volatile d=1\n" + fence_line(thread, s.release) + thread + " rmw.relaxed." + s.give + ".exch l:1->0\n";
}
Section of(const std::string& scope) { return {scope, scope, scope, scope}; }

// ---- locks of the suite ----

TEST(SuiteLocks, DeviceLock) {
  EXPECT_EQ(actions(section("b0t0", of("gpu")) + section("b1t0", of("gpu"))),
            (Lines{"1 acquires l device", "2 writes d", "4 releases l device, section device",  //
                   "6 acquires l device", "7 writes d", "9 releases l device, section device"}));
}

TEST(SuiteLocks, BlockLock) {
  // In race_interblock_blklock_waw, too, two blocks have equal sections, but the sections do not exclude each other.
  for (const std::string other : {"b0t32", "b1t0"}) {
    EXPECT_EQ(actions(section("b0t0", of("cta")) + section(other, of("cta"))),
              (Lines{"1 acquires l block", "2 writes d", "4 releases l block, section block",  //
                     "6 acquires l block", "7 writes d", "9 releases l block, section block"}));
  }
}

TEST(SuiteLocks, DeviceAndBlockLock) {
  EXPECT_EQ(actions(section("b0t0", of("gpu")) + section("b0t32", of("cta"))),
            (Lines{"1 acquires l device", "2 writes d", "4 releases l device, section device",  //
                   "6 acquires l block", "7 writes d", "9 releases l block, section block"}));
}

TEST(SuiteLocks, NarrowAcquireFence) {
  // The lock's scope is at most the scope of its acquire fence, whatever the scope of the release.
  EXPECT_EQ(actions(section("b0t0", {"gpu", "cta", "gpu", "gpu"})),
            (Lines{"1 acquires l block", "2 writes d", "4 releases l device, section block"}));
}

TEST(SuiteLocks, NarrowReleaseFence) {
  EXPECT_EQ(actions(section("b0t0", {"gpu", "gpu", "cta", "gpu"})),
            (Lines{"1 acquires l device", "2 writes d", "4 releases l block, section block"}));
}

TEST(SuiteLocks, WideFencesOfABlockLock) {
  EXPECT_EQ(actions(section("b0t0", {"cta", "gpu", "gpu", "cta"})),
            (Lines{"1 acquires l block", "2 writes d", "4 releases l block, section block"}));
}

TEST(SuiteLocks, NoAcquireFence) {
  // First case: no thread takes the lock, so the compare-exchange and the exchange are ordinary atomics. The exchange
  // after the fence writes a flag. The other thread's compare-exchange reads the flag and precedes a fence.
  EXPECT_EQ(
      actions(section("b0t0", {"gpu", "", "gpu", "gpu"}) + section("b1t0", of("gpu"))),
      (Lines{"0 updates l, known at 1", "1 writes d (bare)", "3 updates l",  //
             "5 synchronizes with 2", "5 acquires l device", "6 writes d", "8 releases l device, section device"}));
  // Second case: l is known to be a lock, so l is not data. The second thread has one fence, after its write. So it
  // synchronises with the earlier release only after the write. Its exchange reads from its own compare-exchange, which
  // has read from the earlier release. So the exchange polls this release again.
  EXPECT_EQ(actions(section("b0t0", of("gpu")) + section("b1t0", {"gpu", "", "gpu", "gpu"})),
            (Lines{"1 acquires l device", "2 writes d", "4 releases l device, section device",  //
                   "6 writes d (bare)", "7 synchronizes with 3", "8 polls 3"}));
}

TEST(SuiteLocks, NoReleaseFence) {
  // The exchange does not release the section, because no fence follows the write. But the acquire fence precedes the
  // exchange. If a thread reads the exchange's value and then runs a fence, it synchronises with all events before the
  // acquire fence.
  const Listing listing(parse(section("b0t0", {"gpu", "gpu", "", "gpu"}) + section("b1t0", {"gpu", "gpu", "", "gpu"})));
  EXPECT_EQ(listing.lines(), (Lines{"1 acquires l device", "2 writes d", "3 abandons l",  //
                                    "5 synchronizes with 1", "5 acquires l device", "6 writes d", "7 abandons l"}));
  EXPECT_TRUE(listing.inference().was_abandoned(0, listing.thread("b1t0")));
}

TEST(SuiteLocks, WriteAfterUnlock) {
  EXPECT_EQ(actions("b0t0 rmw.relaxed.gpu.cas l:0->1\nb0t0 fence.sc.gpu\nb0t0 r.volatile d=0\nb0t0 w dummy=0\n"
                    "b0t0 fence.sc.gpu\nb0t0 rmw.relaxed.gpu.exch l:1->0\nb0t0 w.volatile d=1\n"),
            (Lines{"1 acquires l device", "2 reads d", "3 writes dummy", "5 releases l device, section device",
                   "6 writes d"}));
}

TEST(SuiteLocks, OneThread) {
  // norace_intrawarp_none-blklock-no-tf_waw
  EXPECT_EQ(actions(section("b0t0", {"cta", "cta", "", "cta"}) + "b0t0 w.volatile d=2\n"),
            (Lines{"1 acquires l block", "2 writes d", "3 abandons l", "4 writes d"}));
}

// ---- flags of the suite ----

TEST(SuiteFlags, PolledByExchange) {
  // norace_interblock_fence_raw: no fence follows the poll. The poll itself makes an edge, and the edge is marked as an
  // edge of a poll.
  EXPECT_EQ(actions("b0t0 w.volatile d=1\nb0t0 fence.sc.gpu\nb0t0 rmw.relaxed.gpu.exch f:0->1\n"
                    "b1t0 rmw.relaxed.gpu.exch f:1->0\nb1t0 r.volatile d=1\nb1t0 w dummy=1\n"),
            (Lines{"0 writes d", "2 updates f", "3 updates f", "3 polls 1", "4 reads d", "5 writes dummy"}));
}

TEST(SuiteFlags, PollsThatFindNothing) {
  // The producer's exchange reads the value that an earlier poll of the consumer wrote. No fence precedes this poll, so
  // the inference adds no edge from the poll.
  EXPECT_EQ(actions("b1t0 rmw.relaxed.gpu.exch f:0->0\nb0t0 w.volatile d=1\nb0t0 fence.sc.gpu\n"
                    "b0t0 rmw.relaxed.gpu.exch f:0->1\nb1t0 rmw.relaxed.gpu.exch f:1->0\n"),
            (Lines{"0 updates f", "1 writes d", "3 updates f", "4 updates f", "4 polls 2"}));
}

TEST(SuiteFlags, PolledByAdd) {
  EXPECT_EQ(actions("b0t0 fence.sc.gpu\nb0t0 rmw.relaxed.gpu.exch f:0->1\nb1t0 rmw.relaxed.gpu.add f:1->1\n"),
            (Lines{"1 updates f", "2 updates f", "2 polls 0"}));
}

TEST(SuiteFlags, PolledByLoad) {
  const std::string write = "b0t0 fence.sc.gpu\nb0t0 w.relaxed.gpu f=1\n";
  // A relaxed load acquires if a fence follows the load. An acquire load acquires without a fence. A plain or volatile
  // load never acquires.
  EXPECT_EQ(actions(write + "b1t0 r.relaxed.gpu f=1\n"), (Lines{"1 updates f", "2 reads f"}));
  EXPECT_EQ(actions(write + "b1t0 r.relaxed.gpu f=1\nb1t0 w y\nb1t0 fence.sc.gpu\n"),
            (Lines{"1 updates f", "2 reads f", "3 writes y", "4 synchronizes with 0"}));
  EXPECT_EQ(actions(write + "b1t0 r.acquire.gpu f=1\n"), (Lines{"1 updates f", "2 reads f", "2 synchronizes with 0"}));
  for (const std::string weak : {"r", "r.volatile"}) {
    EXPECT_EQ(actions(write + "b1t0 " + weak + " f=1\nb1t0 fence.sc.gpu\n"), (Lines{"1 updates f", "2 reads f"}));
  }
}

TEST(SuiteFlags, ReleaseWrite) {
  EXPECT_EQ(actions("b0t0 w.release.gpu f=1\nb1t0 r.acquire.gpu f=1\n"),
            (Lines{"0 updates f", "1 reads f", "1 synchronizes with 0"}));
}

TEST(SuiteFlags, OldValue) {
  // The load read the value that the flag had before the write.
  EXPECT_EQ(actions("b0t0 fence.sc.gpu\nb0t0 w.relaxed.gpu f=1\nb1t0 r.acquire.gpu f=0\n"),
            (Lines{"1 updates f", "2 reads f"}));
}

TEST(SuiteFlags, NarrowReleaseFence) {
  const std::string events = "b0t0 w.volatile d=1\nb0t0 fence.sc.cta\nb0t0 rmw.relaxed.gpu.exch f:0->1\n";
  const Listing far(parse(events + "b1t0 rmw.relaxed.gpu.exch f:1->0\nb1t0 fence.sc.gpu\n"));
  EXPECT_EQ(far.lines(), (Lines{"0 writes d", "2 updates f", "3 updates f"}));
  EXPECT_EQ(far.inference().failed_sync(far.thread("b0t0"), far.thread("b1t0")), RaceKind::FenceScopeTooNarrow);
  // The fence is wide enough for a thread of the same block (norace_interwarp_blkfence_raw).
  EXPECT_EQ(actions(events + "b0t32 rmw.relaxed.gpu.exch f:1->0\n"),
            (Lines{"0 writes d", "2 updates f", "3 updates f", "3 polls 1"}));
}

TEST(SuiteFlags, NarrowAtomic) {
  const Listing far(
      parse("b0t0 fence.sc.gpu\nb0t0 rmw.relaxed.gpu.exch f:0->1\nb1t0 rmw.relaxed.cta.add f:1->1\n"
            "b1t0 fence.sc.gpu\n"));
  EXPECT_EQ(far.lines(), (Lines{"1 updates f", "2 updates f"}));
  EXPECT_EQ(far.inference().failed_sync(far.thread("b0t0"), far.thread("b1t0")), RaceKind::AtomicScopeTooNarrow);
}

TEST(SuiteFlags, NoReleaseFence) {
  const Listing listing(
      parse("b0t0 w.volatile d=1\nb0t0 rmw.relaxed.gpu.exch f:0->1\n"
            "b1t0 rmw.relaxed.gpu.exch f:1->0\nb1t0 fence.sc.gpu\n"));
  EXPECT_EQ(listing.lines(), (Lines{"0 writes d", "1 updates f", "2 updates f"}));
  EXPECT_EQ(listing.inference().failed_sync(listing.thread("b0t0"), listing.thread("b1t0")), RaceKind::MissingFence);
}

TEST(SuiteFlags, HandOverThroughTwoBlocks) {
  // norace_interwarp-block_fence-atom_hrf-indirect: b0t0 releases to b0t32 with a fence of block scope, and b0t32
  // releases to b1t0 with a fence of device scope. b0t0's own message reaches only its block, so b1t0 synchronises with
  // b0t0 through b0t32. Each update of the chain receives all messages of the chain, even if an earlier update of the
  // same thread (6 or 10) has received them.
  EXPECT_EQ(actions("b0t0 rmw.relaxed.cta.exch d:0->1\nb0t0 fence.sc.cta\nb0t0 rmw.relaxed.gpu.exch f:0->1\n"
                    "b0t32 rmw.relaxed.gpu.add f:1->1\nb0t32 rmw.relaxed.gpu.exch d:1->2\nb0t32 fence.sc.gpu\n"
                    "b0t32 rmw.relaxed.gpu.exch f:1->2\n"
                    "b1t0 rmw.relaxed.gpu.add f:2->2\nb1t0 rmw.relaxed.cta.exch d:2->3\nb1t0 fence.sc.cta\n"
                    "b1t0 rmw.relaxed.gpu.exch f:2->3\n"
                    "b1t32 rmw.relaxed.gpu.add f:3->3\nb1t32 rmw.relaxed.gpu.exch d:3->3\n"),
            (Lines{"0 updates d", "2 updates f",  //
                   "3 updates f", "3 polls 1", "4 updates d", "5 synchronizes with 1", "6 updates f", "6 polls 1",
                   "7 updates f", "7 polls 5", "8 updates d", "10 updates f", "10 polls 5",
                   // b0t32's exchange continues the chain of updates of f, so b1t32 receives b0t32's message, too.
                   "11 updates f", "11 polls 5", "11 polls 9", "12 updates d"}));
}

// ---- shapes on which textual rules fail ----

TEST(Shapes, FenceElsewhereInTheSource) {
  // The fence that the thread executes next is in another function. Another fence is next in the text, but the thread
  // executes it later. Only the order of execution matters.
  EXPECT_EQ(actions("b0t0 rmw.relaxed.gpu.cas l:0->1 k:10\nb0t0 fence.sc.gpu k:90\nb0t0 w d k:12\n"
                    "b0t0 fence.sc.cta k:11\nb0t0 rmw.relaxed.gpu.exch l:1->0 k:13\n"),
            (Lines{"1 acquires l device", "2 writes d", "4 releases l block, section block"}));
}

TEST(Shapes, FenceInALoop) {
  EXPECT_EQ(
      actions("b0t0 rmw.relaxed.gpu.cas l:0->1\nb0t0 fence.sc.gpu\nb0t0 fence.sc.gpu\nb0t0 fence.sc.gpu\nb0t0 w d\n"
              "b0t0 fence.sc.gpu\nb0t0 fence.sc.gpu\nb0t0 rmw.relaxed.gpu.exch l:1->0\n"),
      (Lines{"1 acquires l device", "4 writes d", "7 releases l device, section device"}));
}

TEST(Shapes, WiderFenceFollows) {
  EXPECT_EQ(actions("b0t0 rmw.relaxed.gpu.cas l:0->1\nb0t0 fence.sc.cta\nb0t0 fence.sc.gpu\nb0t0 w d\n"
                    "b0t0 fence.sc.gpu\n"),
            (Lines{"1 acquires l block", "2 widens l device", "3 writes d"}));
  // If an access comes before the fence, the fence is too late to acquire.
  EXPECT_EQ(actions("b0t0 rmw.relaxed.gpu.cas l:0->1\nb0t0 fence.sc.cta\nb0t0 w d\nb0t0 fence.sc.gpu\n"),
            (Lines{"1 acquires l block", "2 writes d"}));
}

TEST(Shapes, WidestFenceBeforeTheRelease) {
  EXPECT_EQ(
      actions("b0t0 rmw.relaxed.gpu.cas l:0->1\nb0t0 fence.sc.gpu\nb0t0 w d\nb0t0 fence.sc.gpu\nb0t0 fence.sc.cta\n"
              "b0t0 rmw.relaxed.gpu.exch l:1->0\n"),
      (Lines{"1 acquires l device", "2 writes d", "5 releases l device, section device"}));
}

TEST(Shapes, FailedAttempts) {
  // b1t0 spins while b0t0 is in its section, then enters its own. A failed attempt takes no lock and reads no data.
  EXPECT_EQ(actions("b0t0 rmw.relaxed.gpu.cas l:0->1\nb0t0 fence.sc.gpu\nb1t0 rmw.relaxed.gpu.cas l:1!\nb0t0 w d\n"
                    "b1t0 rmw.relaxed.gpu.cas l:1!\nb0t0 fence.sc.gpu\nb0t0 rmw.relaxed.gpu.exch l:1->0\n"
                    "b1t0 rmw.relaxed.gpu.cas l:0->1\nb1t0 fence.sc.gpu\nb1t0 w d\n"),
            (Lines{"1 acquires l device", "3 writes d", "6 releases l device, section device", "8 acquires l device",
                   "9 writes d"}));
  // A fence that follows a failed attempt does not acquire.
  EXPECT_EQ(actions("b0t0 rmw.relaxed.gpu.cas l:0->1\nb0t0 fence.sc.gpu\nb1t0 rmw.relaxed.gpu.cas l:1!\n"
                    "b1t0 fence.sc.gpu\nb1t0 w d\n"),
            (Lines{"1 acquires l device", "4 writes d"}));
}

TEST(Shapes, CompareExchangeOfAnotherLocationBetween) {
  const std::string both =
      "b0t0 rmw.relaxed.gpu.cas l:0->1\nb0t0 rmw.relaxed.cta.cas m:0->1\nb0t0 fence.sc.gpu\nb0t0 w d\n";
  // One fence completes the acquire of both locks. Each lock keeps its own scope. The sections may be nested ...
  EXPECT_EQ(actions(both + "b0t0 fence.sc.gpu\nb0t0 rmw.relaxed.cta.exch m:1->0\nb0t0 rmw.relaxed.gpu.exch l:1->0\n"),
            (Lines{"2 acquires l device", "2 acquires m block", "3 writes d", "5 releases m block, section block",
                   "6 releases l device, section device"}));
  // ... or overlap. The first exchange is not a data access, so both releases share the fence before it.
  EXPECT_EQ(actions(both + "b0t0 fence.sc.gpu\nb0t0 rmw.relaxed.gpu.exch l:1->0\nb0t0 rmw.relaxed.cta.exch m:1->0\n"),
            (Lines{"2 acquires l device", "2 acquires m block", "3 writes d", "5 releases l device, section device",
                   "6 releases m block, section block"}));
}

TEST(Shapes, AccessBetweenCompareExchangeAndFence) {
  EXPECT_EQ(actions("b0t0 rmw.relaxed.gpu.cas l:0->1\nb0t0 r y\nb0t0 fence.sc.gpu\nb0t0 w d\n"),
            (Lines{"0 updates l, known at 1", "1 reads y (bare)", "3 writes d (bare)"}));
}

TEST(Shapes, AccessBetweenFenceAndUnlock) {
  EXPECT_EQ(actions("b0t0 rmw.relaxed.gpu.cas l:0->1\nb0t0 fence.sc.gpu\nb0t0 fence.sc.gpu\nb0t0 w d\n"
                    "b0t0 rmw.relaxed.gpu.exch l:1->0\n"),
            (Lines{"1 acquires l device", "3 writes d", "4 abandons l"}));
}

TEST(Shapes, UnlockByStore) {
  const std::string inside = "b0t0 rmw.relaxed.gpu.cas l:0->1\nb0t0 fence.sc.gpu\nb0t0 w d\nb0t0 fence.sc.gpu\n";
  // A store has no scope, so the release has the scope of the fence.
  for (const std::string store : {"w l=0", "w.volatile l=0", "w.relaxed.sys l=0"}) {
    EXPECT_EQ(actions(inside + "b0t0 " + store + "\n"),
              (Lines{"1 acquires l device", "2 writes d", "4 releases l device, section device"}))
        << store;
  }
  EXPECT_EQ(actions(inside + "b0t0 w.relaxed.cta l=0\n"),
            (Lines{"1 acquires l device", "2 writes d", "4 releases l block, section block"}));
}

TEST(Shapes, UnlockByReleaseOperation) {
  EXPECT_EQ(actions("b0t0 rmw.acquire.gpu.cas l:0->1\nb0t0 w d\nb0t0 w.release.gpu l=0\n"),
            (Lines{"0 acquires l device", "1 writes d", "2 releases l device, section device"}));
}

TEST(Shapes, UnlockWithAnotherValue) {
  // The value 2 does not mean that the lock is free. So the exchange does not end the section.
  const Trace trace = parse(
      "b0t0 rmw.relaxed.gpu.cas l:0->1\nb0t0 fence.sc.gpu\nb0t0 w d\nb0t0 fence.sc.gpu\n"
      "b0t0 rmw.relaxed.gpu.exch l:1->2\n");
  EXPECT_EQ(Listing(trace).lines(), (Lines{"1 acquires l device", "2 writes d"}));
  MemoryTraceReader reader(trace);
  const auto result = replay(reader, {});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result.value().open_sections, std::vector<std::string>{"b0t0 holds l"});
}

TEST(Shapes, UnlockByAnotherThread) {
  // If a thread does not hold the lock, it cannot release the lock.
  EXPECT_EQ(actions("b0t0 rmw.relaxed.gpu.cas l:0->1\nb0t0 fence.sc.gpu\nb0t0 w d\n"
                    "b1t0 fence.sc.gpu\nb1t0 rmw.relaxed.gpu.exch l:1->0\n"),
            (Lines{"1 acquires l device", "2 writes d"}));
}

TEST(Shapes, CompareExchangeOfData) {
  // The value of x changes from 0 to 5 and never back. If a fence follows, x may be a lock that is never released ...
  const Trace held = parse("b0t0 rmw.relaxed.gpu.cas x:0->5\nb0t0 fence.sc.gpu\nb0t0 w d\n");
  EXPECT_EQ(Listing(held).lines(), (Lines{"1 acquires x device", "2 writes d"}));
  MemoryTraceReader reader(held);
  EXPECT_EQ(replay(reader, {}).value().open_sections, std::vector<std::string>{"b0t0 holds x"});
  // ... but x is not a lock if its value changes from a number other than 0, if its value changes to 0, or if no fence
  // follows.
  EXPECT_EQ(actions("init x=4\nb0t0 rmw.relaxed.gpu.cas x:4->5\nb0t0 fence.sc.gpu\n"), (Lines{"0 updates x"}));
  EXPECT_EQ(actions("b0t0 rmw.relaxed.gpu.cas x:0->0\nb0t0 fence.sc.gpu\n"), (Lines{"0 updates x"}));
  EXPECT_EQ(actions("b0t0 rmw.relaxed.gpu.cas x:0->5\n"), (Lines{"0 updates x, known at 1"}));
}

TEST(Shapes, ExchangeLock) {
  // There is no compare-exchange, so there is no section. One thread runs a fence and an exchange that writes 0. The
  // other thread's exchange reads this 0, and a fence follows. The two exchanges with their fences synchronise like a
  // flag. (Exchanges by the same thread continue the chain.)
  const auto exchange_lock = [](const std::string& thread) {
    return thread + " rmw.relaxed.gpu.exch l:0->1\n" + thread + " fence.sc.gpu\n" + thread + " w d\n" + thread +
           " fence.sc.gpu\n" + thread + " rmw.relaxed.gpu.exch l:1->0\n";
  };
  EXPECT_EQ(actions(exchange_lock("b0t0") + exchange_lock("b1t0")),
            (Lines{"0 updates l", "2 writes d", "4 updates l",  //
                   "5 updates l", "5 polls 3", "6 synchronizes with 3", "7 writes d", "9 updates l", "9 polls 3"}));
}

TEST(Shapes, HandOverOfALockIsNotAFlag) {
  // The second compare-exchange reads the value that the release wrote. The inference adds no edge from the release to
  // the compare-exchange, because predictive detectors may swap the sections of a lock. (The test DeviceLock uses
  // fences; this test uses acquire and release operations.)
  EXPECT_EQ(actions("b0t0 rmw.acquire.gpu.cas l:0->1\nb0t0 w.release.gpu l=0\n"
                    "b1t0 rmw.acquire.gpu.cas l:0->1\nb1t0 w.release.gpu l=0\n"),
            (Lines{"0 acquires l device", "1 releases l device, section device", "2 acquires l device",
                   "3 releases l device, section device"}));
}

/// Returns the number of edges in a trace under the rules of PTX. The inference joins the messages of many threads.
std::size_t joined_edges(const std::string& events) {
  const Trace trace = parse(events);
  SyncInference inference(trace.tables, SyncInference::Depth::All, SyncInference::Rules::Ptx);
  inference.join_flags();
  std::size_t edges = 0;
  for (const TraceEvent& event : trace.events) {
    const std::span<const Action> actions = inference.on(event);
    edges += static_cast<std::size_t>(std::ranges::count(actions, ActionKind::Edge, &Action::kind));
  }
  return edges;
}

// 40 threads increment a counter. Other threads wait for all 40 increments. They wait by acquire reads, or by relaxed
// reads and a fence.
TEST(Shapes, AFlagOfManyThreadsGivesOneEdge) {
  std::string arrivals;
  for (int i = 0; i < 40; ++i) {
    arrivals +=
        fmt::format("b0t{0} w d{0}=1\nb0t{0} fence.acq_rel.gpu\nb0t{0} red.relaxed.gpu.add f:{0}->{1}\n", i, i + 1);
  }
  EXPECT_EQ(joined_edges(arrivals + "b1t0 r.acquire.gpu f=40\n"), 1U);
  // A repeated read adds no edge.
  EXPECT_EQ(joined_edges(arrivals + "b1t0 r.acquire.gpu f=40\nb1t0 r.acquire.gpu f=40\n"), 1U);
  EXPECT_EQ(joined_edges(arrivals + "b1t0 r.relaxed.gpu f=40\nb1t0 r.relaxed.gpu f=40\n"), 0U);
  EXPECT_EQ(joined_edges(arrivals + "b1t0 r.relaxed.gpu f=40\nb1t0 fence.acq_rel.gpu\n"), 1U);
  EXPECT_EQ(joined_edges(arrivals + "b1t0 r.relaxed.gpu f=40\nb1t0 fence.acq_rel.cta\n"), 0U);
}

TEST(Shapes, NamedLocks) {
  EXPECT_EQ(actions("b0t0 acq l.gpu\nb0t0 w d\nb0t0 rel l.cta\n"),
            (Lines{"0 acquires l device", "1 writes d", "2 releases l block, section block"}));
}

}  // namespace
}  // namespace ambit::detector
