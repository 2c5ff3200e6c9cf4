#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/unit/detector/replayed.h"

// Tests rules of ScoRD and iGUARD, in traces whose result depends on one rule. All other code takes the rules from
// kernels/detectors, so tests that compare kernels with traces cannot find a wrong rule. Threads b0t0 and b0t1 are
// lanes of one warp. b0t32 is in another warp of the block, and b1t0 is in another block.
namespace ambit::detector {
namespace {

struct Case {
  std::string rule;
  std::string trace;
  std::vector<std::string> races;
  std::vector<std::string> kinds;
};

void check(const std::string& detector, const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    const Said said = replayed(detector, c.trace);
    EXPECT_EQ(said.races, c.races) << detector << ": " << c.rule;
    EXPECT_EQ(said.kinds, c.kinds) << detector << ": " << c.rule;
  }
}

TEST(PaperRules, ABarrierOfTheSecondBlockOrdersNothing) {
  for (const std::string name : {"scord", "iguard", "haccrg"}) {
    const std::string trace = "b0t0 w.volatile x\nb1t0 bar 0\nb1t1 bar 0\nb1t0 w.volatile x\n";
    EXPECT_EQ(replayed(name, trace, {}, "grid=2,1,1 block=2,1,1 warp=1").races, std::vector<std::string>{"0-3"})
        << name;
  }
}

TEST(PaperRules, ScordOwnAccesses) {
  check("scord", {{"program order excludes no race once another warp has read the word",
                   "b0t0 r.volatile x\nb0t32 r.volatile x\nb0t0 w.volatile x\n",
                   {"1-2"},
                   {"missing fence"}},
                  {"without a fence, the writer's own read leaves the write in the entry",
                   "b0t0 w.volatile x\nb0t0 r.volatile x\nb1t0 r.volatile x\n",
                   {"0-2"},
                   {"missing fence"}},
                  {"after a device fence and an own read, reads are not checked against the write",
                   "b0t0 w.volatile x\nb0t0 fence.sc.gpu\nb0t0 r.volatile x\nb1t0 r.volatile x\n",
                   {},
                   {}},
                  {"a block fence and an own read also end this check",
                   "b0t0 w.volatile x\nb0t0 fence.sc.cta\nb0t0 r.volatile x\nb0t32 r.volatile x\n",
                   {},
                   {}}});
}

TEST(PaperRules, ScordAtomics) {
  check("scord", {{"an atomic load keeps the earlier atomic store",
                   "b0t0 rmw.relaxed.gpu.add x:0->1\nb1t0 r.relaxed.gpu x\nb0t32 r.volatile x\n",
                   {"0-2"},
                   {"not atomic"}},
                  {"an atomic store after an atomic load modifies the word",
                   "b0t0 r.relaxed.gpu x\nb1t0 rmw.relaxed.gpu.add x:0->1\nb0t0 r.volatile x\n",
                   {"1-2"},
                   {"not atomic"}}});
}

TEST(PaperRules, ScordBlockFenceAfterReadersOfOtherBlocks) {
  check("scord", {{"a block fence is too narrow for a store if another block has read the word",
                   "b0t0 r.volatile x\nb1t0 r.volatile x\nb0t0 fence.sc.cta\nb0t32 w.volatile x\n",
                   {"0-3"},
                   {"missing fence"}},
                  {"a block fence is wide enough if no other block has read the word",
                   "b0t0 r.volatile x\nb0t32 r.volatile x\nb0t0 fence.sc.cta\nb0t32 w.volatile x\n",
                   {},
                   {}}});
}

TEST(PaperRules, ScordLocksNeedTheirValues) {
  const std::string section = "b0t0 fence.sc.gpu\nb0t0 w.volatile x\nb0t0 fence.sc.gpu\n";
  const std::string other =
      "b1t0 rmw.relaxed.gpu.cas l:0->1\nb1t0 fence.sc.gpu\nb1t0 w.volatile x\nb1t0 fence.sc.gpu\n";
  check("scord", {{"a compare-exchange from another value than 0 takes no lock",
                   "b0t0 rmw.relaxed.gpu.exch l:0->2\nb0t0 rmw.relaxed.gpu.cas l:2->1\n" + section +
                       "b0t0 w.relaxed.gpu l=0\n" + other,
                   {"3-8"},
                   {"no common lock"}},
                  {"an exchange that writes another value than 0 releases no lock",
                   "b0t0 rmw.relaxed.gpu.cas l:0->1\nb0t0 rmw.relaxed.gpu.exch l:1->2\n" + section + other,
                   {},
                   {}}});
}

TEST(PaperRules, IguardAccesses) {
  check("iguard",
        {{"a store is checked against the last accessor",
          "b0t0 r.volatile x\nb0t32 r.volatile x\nb0t0 w.volatile x\n",
          {"1-2"},
          {"missing fence"}},
         {"a load is checked against the last writer, not against the last reader",
          "b0t0 w.volatile x\nb0t0 fence.sc.gpu\nb0t32 r.volatile x\nb1t0 r.volatile x\n",
          {},
          {}},
         {"a block fence is enough in the block", "b0t0 w.volatile x\nb0t0 fence.sc.cta\nb0t32 w.volatile x\n", {}, {}},
         {"a fence of another lane does not count",
          "b0t0 w.volatile x\nb0t1 fence.sc.gpu\nb0t32 w.volatile x\n",
          {"0-2"},
          {"missing fence"}}});
}

}  // namespace
}  // namespace ambit::detector
