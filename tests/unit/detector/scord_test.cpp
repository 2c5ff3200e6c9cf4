#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "core/race_report.h"
#include "tests/unit/detector/replayed.h"

// Tests rules that ScoRD and iGUARD share, and rules that differ. Threads b0t0 and b0t1 are lanes of one warp. b0t32 is
// in another warp of the block, and b1t0 is in another block.
namespace ambit::detector {
namespace {

using Options = std::map<std::string, std::string>;
using Races = std::vector<std::string>;

const std::string kNone = "missing fence";
const std::string kNarrowFence = "fence scope too narrow";
const std::string kNarrowAtomic = "atomic scope too narrow";
const std::string kLanes = "intra-warp";
const std::string kLocks = "no common lock";
const std::string kWeak = "no synchronisation";

struct Row {
  std::string trace;
  std::string scord;   ///< expected kind of race; "" if no race is expected
  std::string iguard;  ///< expected kind of race; "" if no race is expected
  std::string because;
};

void check(const std::vector<Row>& rows) {
  const auto expected = [](const std::string& kind) { return kind.empty() ? Races{} : Races{kind}; };
  for (const Row& row : rows) {
    for (const std::string rules : {"paper", "source"}) {
      const Options options = {{"rules", rules}};
      EXPECT_EQ(replayed("scord", row.trace, options).kinds, expected(row.scord))
          << "scord " << rules << ": " << row.because;
      EXPECT_EQ(replayed("iguard", row.trace, options).kinds, expected(row.iguard))
          << "iguard " << rules << ": " << row.because;
    }
  }
}

std::string cas(const std::string& thread, const std::string& scope = "gpu", const std::string& lock = "l") {
  return thread + " rmw.relaxed." + scope + ".cas " + lock + ":0->1\n";
}
std::string exch(const std::string& thread, const std::string& scope = "gpu", const std::string& lock = "l") {
  return thread + " rmw.relaxed." + scope + ".exch " + lock + ":1->0\n";
}
std::string fence(const std::string& thread, const std::string& scope = "gpu") {
  return thread + " fence.sc." + scope + "\n";
}
std::string write(const std::string& thread) { return thread + " w.volatile x\n"; }
std::string read(const std::string& thread) { return thread + " r.volatile x\n"; }
std::string section(const std::string& thread, const std::string& scope = "gpu", const std::string& lock = "l") {
  return cas(thread, scope, lock) + fence(thread, scope) + write(thread) + fence(thread, scope) +
         exch(thread, scope, lock);
}

TEST(MetadataDetectors, Fences) {
  check({
      {write("b0t0") + read("b1t0"), kNone, kNone, "no fence"},
      {write("b0t0") + fence("b0t0") + read("b1t0"), "", "", "a device fence reaches another block"},
      {write("b0t0") + fence("b0t0", "cta") + read("b1t0"), kNarrowFence, kNarrowFence,
       "a block fence does not reach another block"},
      {write("b0t0") + fence("b0t0", "cta") + read("b0t32"), "", "", "a block fence reaches the block"},
      {write("b0t0") + fence("b1t0") + read("b1t0"), kNone, kNone, "a fence of the reader does not help"},
      {write("b0t0") + fence("b0t1") + read("b1t0"), "", kNone, "ScoRD counts fences per warp, iGUARD per thread"},
      {read("b0t0") + write("b1t0"), kNone, kNone, "write after read"},
      {read("b0t0") + fence("b0t0") + write("b1t0"), "", "", "write after read, fenced"},
      {read("b0t0") + read("b1t0"), "", "", "no thread writes"},
      {write("b0t0") + fence("b0t0") + read("b1t0") + read("b0t32"), "", "",
       "the second reader also reads a fenced write"},
      {"b0t0 w x\n" + fence("b0t0") + "b1t0 r x\n", kWeak, "", "ScoRD requires strong accesses around a fence"},
      {"b0t0 w.relaxed.gpu x\n" + fence("b0t0") + "b1t0 r.relaxed.gpu x\n", "", "", "an atomic access is strong"},
      {"b0t0 w b0:s\nb0t32 r b0:s\n", "", "", "shared memory is not watched"},
  });
}

TEST(MetadataDetectors, Warps) {
  check({
      {write("b0t0") + read("b0t1"), "", kLanes, "ScoRD treats a warp as one thread"},
      {"b0t0 w x k.cu:1\nb0t1 w x k.cu:1\n", "", "", "lanes of one instruction have not diverged"},
      {"b0t0 w x k.cu:1\nb0t1 w x k.cu:2\n", "", kLanes, "the lanes run different instructions"},
      // The lanes converge again at the reads. The detector compares only b0t1's read with b0t0's write.
      {"b0t0 w x k.cu:1\nb0t0 r x k.cu:2\nb0t1 r x k.cu:2\n", "", "",
       "the writer also executes the reading instruction"},
  });
  // All lanes of the trace take part in the warp barrier.
  const std::string launch = "grid=2,1,1 block=2,1,1 warp=2";
  const std::string synced = "b0t0 w x\nb0t0 warpbar\nb0t1 warpbar\nb0t1 r x\n";
  EXPECT_EQ(replayed("iguard", synced, {}, launch).races, Races{});
  EXPECT_EQ(replayed("iguard", "b0t0 w x\nb0t1 r x\n", {}, launch).races, Races{"0-1"});
}

TEST(MetadataDetectors, Barriers) {
  const std::string launch = "grid=2,1,1 block=2,1,1 warp=1";  // two warps a block
  const std::string barrier = "b0t0 bar 0\nb0t1 bar 0\n";
  for (const std::string name : {"scord", "iguard"}) {
    EXPECT_EQ(replayed(name, "b0t0 w x\n" + barrier + "b0t1 w x\n", {}, launch).races, Races{}) << name;
    EXPECT_EQ(replayed(name, "b0t0 w x\n" + barrier + "b1t0 w x\n", {}, launch).races, Races{"0-3"})
        << name << ": a barrier affects only its block";
    // b1 has read the word, too. b1 ran no fence, so b0's barrier does not order b1's read before the write.
    EXPECT_EQ(replayed(name, "b0t0 r.volatile x\nb1t0 r.volatile x\n" + barrier + "b0t1 w.volatile x\n", {}, launch)
                  .races.size(),
              1U)
        << name;
    const std::string grid = "b0t0 w.volatile x\nb0t0 bar.grid 0\nb0t1 bar.grid 0\nb1t0 bar.grid 0\nb1t1 bar.grid 0\n";
    EXPECT_EQ(replayed(name, grid + "b1t0 r.volatile x\n", {}, launch).races, Races{})
        << name << ": a barrier of the grid includes a fence";
  }
}

TEST(MetadataDetectors, Atomics) {
  const auto add = [](const std::string& thread, const std::string& scope) {
    return thread + " rmw.relaxed." + scope + ".add x:0->1\n";
  };
  check({
      {add("b0t0", "gpu") + add("b1t0", "gpu"), "", "", "both scopes include both threads"},
      {add("b0t0", "cta") + add("b1t0", "gpu"), kNarrowAtomic, kNarrowAtomic, "the first scope is too narrow"},
      {add("b0t0", "gpu") + add("b1t0", "cta"), "", "", "the second scope is checked only at a third access"},
      {add("b0t0", "cta") + add("b0t32", "cta"), "", "", "both threads are in one block"},
      {add("b0t0", "gpu") + write("b1t0"), "not atomic", "not atomic", "one access is not atomic"},
      {add("b0t0", "gpu") + "b1t0 rmw.relaxed.gpu.cas x:1!\n", "", "", "a failed compare-exchange is an atomic"},
      {cas("b0t0", "gpu", "x") + "b1t0 rmw.relaxed.gpu.cas x:1!\n" + fence("b0t0") + exch("b0t0", "gpu", "x"), "", "",
       "spinning on a lock"},
  });
}

TEST(MetadataDetectors, Locks) {
  std::string others;  // l is location 0 and m is 12; their signatures share no bits
  for (int i = 0; i < 10; ++i) others += "b1t0 r y" + std::to_string(i) + "\n";
  const std::string bare = cas("b1t0") + write("b1t0") + fence("b1t0") + exch("b1t0");
  const std::string half = cas("b1t0") + fence("b1t0", "cta") + write("b1t0") + fence("b1t0") + exch("b1t0");
  check({
      {section("b0t0") + section("b1t0"), "", "", "one device lock"},
      {section("b0t0", "gpu", "l") + others + section("b1t0", "gpu", "m"), kLocks, kLocks, "two locks"},
      {section("b0t0") + bare, kLocks, kLocks, "a lock is active only after a fence"},
      {bare + section("b0t0"), kLocks, kLocks, "the order of the blocks does not matter"},
      {section("b0t0") + half, kLocks, kLocks, "after a block fence, the lock is a block lock"},
      {section("b0t0", "cta") + section("b0t32", "cta"), "", "", "a block lock within a block"},
      {section("b0t0", "gpu") + section("b0t32", "cta"), "", "", "a device lock is also a block lock"},
      {section("b0t0") + write("b1t0"), kLocks, kLocks, "the second block does not hold the lock"},
      {write("b1t0") + fence("b1t0") + section("b0t0"), kLocks, kLocks, "the first block does not hold the lock"},
      {write("b0t0") + section("b0t0") + section("b1t0"), "", kLocks,
       "iGUARD stores the locks that all accesses of a thread share; ScoRD stores the locks of the last access"},
      {"b0t0 acq l.gpu\n" + write("b0t0") + "b0t0 rel l.gpu\nb1t0 acq l.gpu\n" + write("b1t0") + "b1t0 rel l.gpu\n", "",
       "", "a lock that the trace names"},
  });
}

// l is location 0 and m is location 2. In the published source code, a lock's number and the block's number are
// combined by exclusive or. So m of block 1 looks like l.
TEST(MetadataDetectors, TheSourcesSignaturesConfuseNeighbouringLocks) {
  const std::string trace = section("b0t0", "gpu", "l") + section("b1t0", "gpu", "m");
  EXPECT_EQ(replayed("scord", trace, {{"rules", "paper"}}).kinds, Races{kLocks});
  EXPECT_EQ(replayed("scord", trace, {{"rules", "source"}}).kinds, Races{}) << "2 ^ (1 + 1) is 0";
  EXPECT_EQ(replayed("iguard", trace, {{"rules", "paper"}}).kinds, Races{kLocks});
  // The signature of number 0 has bits 0 and 3. In block 1, m has number 2 ^ 1. The signature of m also has bit 3.
  EXPECT_EQ(replayed("iguard", trace, {{"rules", "source"}}).kinds, Races{});
}

// race_interblock_none-lock_rtraw: b0 reads x under the lock and writes x after the section; b1 reads x under the lock.
// There are eight orders. In the first, b1's section comes first. In the others, b0's section comes first, and b0's
// write comes before one of b1's six events or after all of them. Under the rules of its source code, ScoRD finds the
// race in four orders: it does not record a second reader under a lock. iGUARD stores only the last accessor, so it
// misses the race in the first order.
TEST(MetadataDetectors, AReadUnderALockAndAWriteAfterTheSection) {
  const std::string first = cas("b0t0") + fence("b0t0") + read("b0t0") + fence("b0t0") + exch("b0t0");
  const std::vector<std::string> other = {cas("b1t0"),           fence("b1t0"), read("b1t0"),
                                          "b1t0 w.volatile y\n", fence("b1t0"), exch("b1t0")};
  std::vector<std::string> orders(1);
  for (const std::string& event : other) orders[0] += event;
  orders[0] += first + write("b0t0");
  for (std::size_t place = 0; place <= other.size(); ++place) {
    std::string order = first;
    for (std::size_t i = 0; i < other.size(); ++i) order += (i == place ? write("b0t0") : "") + other[i];
    if (place == other.size()) order += write("b0t0");
    orders.push_back(order);
  }
  const auto found = [&](const std::string& name, const std::string& rules) {
    std::string text;
    for (const std::string& order : orders) text += replayed(name, order, {{"rules", rules}}).races.empty() ? '-' : 'x';
    return text;
  };
  EXPECT_EQ(found("scord", "paper"), "xxxxxxxx");
  EXPECT_EQ(found("scord", "source"), "xxxx----");
  EXPECT_EQ(found("iguard", "paper"), "-xxxxxxx");
  EXPECT_EQ(found("iguard", "source"), "-xxxxxxx");
}

// A plain read of a warp's own write is no race, even if other warps have read the value under the lock.
TEST(MetadataDetectors, AWarpReadsItsOwnWrite) {
  const std::string other = cas("b1t0") + fence("b1t0") + read("b1t0") + fence("b1t0") + exch("b1t0");
  const std::string own = cas("b0t0") + fence("b0t0") + "b0t0 r x\n" + fence("b0t0") + exch("b0t0");
  EXPECT_EQ(replayed("scord", section("b0t0") + other + own).kinds, Races{});
}

// b1 reads without a lock. A later write by b0 under a lock races with b1's read. Neither b0's program order nor b0's
// barrier, which order the write after b0's own read, can prevent this race.
TEST(Iguard, ReadersOfOtherBlocksAreRemembered) {
  const std::string reads = read("b0t0") + read("b1t0") + read("b0t0");
  const std::string launch = "grid=2,1,1 block=2,1,1 warp=1";
  EXPECT_EQ(replayed("iguard", reads + "b0t0 bar 0\nb0t1 bar 0\n" + section("b0t1"), {}, launch).kinds, Races{kLocks});
  EXPECT_EQ(replayed("iguard", reads + section("b0t0"), {}, launch).kinds, Races{kLocks});
  const std::string alone = read("b0t0") + "b0t0 bar 0\nb0t1 bar 0\n" + section("b0t1");
  EXPECT_EQ(replayed("iguard", alone, {}, launch).kinds, Races{}) << "without b1's read, the barrier is enough";
}

// Lane 0 takes l and lane 1 takes m, in one instruction or in two instructions. Lane 0 writes x, and b1 writes x under
// m. If the detector stored one set of locks per warp, lane 0 would seem to hold m, too.
TEST(Iguard, LanesHaveTheirOwnLocksOnceSeveralTakeThem) {
  const auto trace = [](const std::string& site) {
    return "b0t0 rmw.relaxed.gpu.cas l:0->1 k.cu:1\nb0t1 rmw.relaxed.gpu.cas m:0->1 " + site + "\n" + fence("b0t0") +
           fence("b0t1") + write("b0t0") + fence("b0t0") + fence("b0t1") + exch("b0t0") + exch("b0t1", "gpu", "m") +
           section("b1t0", "gpu", "m");
  };
  EXPECT_EQ(replayed("iguard", trace("k.cu:1")).kinds, Races{kLocks});
  EXPECT_EQ(replayed("iguard", trace("k.cu:2")).kinds, Races{}) << "a miss";
}

TEST(Scord, StrongAccessesOnlyOnRequest) {
  const std::string plain = "b0t0 w x\n" + fence("b0t0") + "b1t0 w x\n";
  EXPECT_EQ(replayed("scord", plain).kinds, Races{kWeak});
  EXPECT_EQ(replayed("scord", plain, {{"strong", "no"}}).kinds, Races{});
}

// After 64 fences, a six-bit counter has its old value again.
TEST(MetadataDetectors, CountersOfTheSourceWrap) {
  std::string fences;
  for (int i = 0; i < 64; ++i) fences += fence("b0t0");
  for (const std::string name : {"scord", "iguard"}) {
    const std::string trace = write("b0t0") + fences + read("b1t0");
    EXPECT_EQ(replayed(name, trace, {{"rules", "paper"}}).races, Races{}) << name;
    EXPECT_EQ(replayed(name, trace, {{"rules", "source"}}).kinds, Races{kNone}) << name << ": a false positive";
  }
}

// Two fences of a full warp count as 2, not 64.
TEST(Scord, AWarpCountsAFenceOnce) {
  std::string fences;
  for (int i = 0; i < 2; ++i) {
    for (int lane = 0; lane < 32; ++lane) fences += "b0t" + std::to_string(lane) + " fence.sc.gpu k:1\n";
  }
  for (const std::string rules : {"paper", "source"}) {
    EXPECT_EQ(replayed("scord", write("b0t0") + fences + read("b1t0"), {{"rules", rules}}).races, Races{}) << rules;
  }
}

// The threads of two blocks arrive alternately at one barrier of the grid. The barrier counts once per block. If it
// counted once per thread, the eight-bit counter would have its old value after 256 arrivals.
TEST(MetadataDetectors, ABarrierOfTheGridCountsOnceForABlock) {
  std::string barrier;
  for (int thread = 0; thread < 256; ++thread) {
    for (const std::string block : {"b0t", "b1t"}) barrier += block + std::to_string(thread) + " bar.grid 0\n";
  }
  for (const std::string name : {"scord", "iguard"}) {
    EXPECT_EQ(replayed(name, "b0t0 w x\n" + barrier + "b0t32 w x\n", {{"rules", "source"}},
                       "grid=2,1,1 block=256,1,1 warp=32")
                  .races,
              Races{})
        << name;
  }
}

// Seven bits represent 128 block numbers. So block 128 looks like block 0, and the first warp of block 128 looks like
// the first warp of block 0.
TEST(Scord, BlockNumbersOfTheSourceWrap) {
  std::string trace;
  for (int block = 1; block < 128; ++block)
    trace += "b" + std::to_string(block) + "t0 r y" + std::to_string(block) + "\n";
  trace = "b0t0 w.volatile x\n" + trace + "b128t0 w.volatile x\n";
  const std::string launch = "grid=256,1,1 block=32,1,1 warp=32";
  EXPECT_EQ(replayed("scord", trace, {{"rules", "paper"}}, launch).races.size(), 1U);
  EXPECT_EQ(replayed("scord", trace, {{"rules", "source"}}, launch).races, Races{}) << "a miss";
}

// The number of a word is its position in the order of first uses. Words share an entry if their numbers differ by
// 4096. So an access to a second word with the same entry replaces the record of b0's write.
TEST(Scord, TheCacheForgets) {
  std::string trace = write("b0t0");
  for (int i = 0; i < 4096; ++i) trace += "b0t0 r y[" + std::to_string(i) + "]\n";
  trace += write("b1t0");
  EXPECT_EQ(replayed("scord", trace).races.size(), 1U);
  EXPECT_EQ(replayed("scord", trace, {{"cache", "yes"}}).races, Races{});
}

// A warp has four slots for locks. A device lock takes two slots, so a third device lock replaces the first.
TEST(Scord, LocksBeyondTheTableAreForgotten) {
  const std::string inner = cas("b0t0", "gpu", "m") + cas("b0t0", "gpu", "n") + fence("b0t0") + write("b0t0") +
                            fence("b0t0") + exch("b0t0", "gpu", "n") + exch("b0t0", "gpu", "m");
  const std::string nested = cas("b0t0") + inner + exch("b0t0");
  EXPECT_EQ(replayed("scord", nested + section("b1t0")).kinds, Races{kLocks}) << "a false positive";
}

TEST(MetadataDetectors, ReportsNameTwoThreads) {
  // The entry is from b0t0's own read, but the report must name b1's access.
  const std::string trace = cas("b0t0") + fence("b0t0") + read("b0t0") + fence("b0t0") + exch("b0t0") + cas("b1t0") +
                            fence("b1t0") + read("b1t0") + fence("b1t0") + exch("b1t0") + write("b0t0");
  for (const std::string name : {"scord", "iguard"}) {
    const Said said = replayed(name, trace);
    EXPECT_EQ(said.races, Races{"7-10"}) << name;
    ASSERT_EQ(said.sentences.size(), 1U);
    EXPECT_EQ(said.sentences[0], "b1t0 reads x, b0t0 writes x: no lock is held at both accesses");
  }
}

TEST(MetadataDetectors, ForksAndJoinsFence) {
  const std::string trace = "b0t0 w.volatile x\nb0t0 fork b1t0\nb1t0 w.volatile x\nb0t0 join b1t0\nb0t0 r.volatile x\n";
  EXPECT_EQ(replayed("iguard", trace).races, Races{});
  EXPECT_EQ(replayed("scord", trace).races, Races{});
}

}  // namespace
}  // namespace ambit::detector
