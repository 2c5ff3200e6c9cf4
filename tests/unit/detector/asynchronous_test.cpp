#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "detector/algorithms/registry.h"
#include "detector/detector.h"
#include "tests/unit/detector/replayed.h"

// Tests which races barracuda and gwcp report for asynchronous operations in hand-written traces.
namespace ambit::detector {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* kOneBlock = "grid=1,1,1 block=64,1,1 warp=32";

/// Returns the races that both order-based detectors report.
std::vector<std::string> races(const std::string& body) {
  const Said barracuda = replayed("barracuda", body, {}, kOneBlock);
  const Said gwcp = replayed("gwcp", body, {}, kOneBlock);
  EXPECT_EQ(barracuda.races, gwcp.races);
  return barracuda.races;
}

TEST(AsynchronousTraces, AGroupSynchronisesTheIssuingThread) {
  const std::string copy =
      "b0t0 issue.copy b0t0.1\n"
      "b0t0.1 r g=0\n"
      "b0t0.1 w b0:s=0\n";
  EXPECT_THAT(races(copy + "b0t0 wait.copy.all\nb0t0 r b0:s\n"), IsEmpty());
  EXPECT_THAT(races(copy + "b0t0 r b0:s\n"), ElementsAre("2-3"));                            // no wait
  EXPECT_THAT(races(copy + "b0t0 wait.copy pending=0\nb0t0 r b0:s\n"), ElementsAre("2-4"));  // no commit
  EXPECT_THAT(races(copy + "b0t0 commit.copy\nb0t0 wait.copy pending=0\nb0t0 r b0:s\n"), IsEmpty());
  EXPECT_THAT(races(copy + "b0t0 commit.copy\nb0t0 wait.copy pending=1\nb0t0 r b0:s\n"), ElementsAre("2-5"));
  // Neither a wait by another thread nor a barrier completes the copy.
  EXPECT_THAT(races(copy + "b0t0 commit.copy\nb0t32 wait.copy pending=0\nb0t32 r b0:s\n"), ElementsAre("2-5"));
  EXPECT_THAT(races(copy + "b0t0 commit.copy\nb0t0 bar 0 mask=all\nb0t32 bar 0 mask=all\nb0t32 r b0:s\n"),
              ElementsAre("2-6"));
}

TEST(AsynchronousTraces, AWaitForReadsDoesNotCoverWrites) {
  const std::string store =
      "b0t0 issue.bulk b0t0.1\n"
      "b0t0.1 r.async b0:s\n"
      "b0t0.1 w.async g\n"
      "b0t0 commit.bulk\n"
      "b0t0 wait.bulk.read pending=0\n";
  EXPECT_THAT(races(store + "b0t0 w b0:s\n"), IsEmpty());
  EXPECT_THAT(races(store + "b0t0 r g\n"), ElementsAre("2-5"));
  EXPECT_THAT(races(store + "b0t0 wait.bulk pending=0\nb0t0 r g\n"), IsEmpty());
}

TEST(AsynchronousTraces, TheAsyncProxyNeedsAFenceOfItsSpace) {
  const auto stored = [](const std::string& fence) {
    return "b0t32 w b0:s\n" + fence +
           "b0t32 bar 0 mask=all\nb0t0 bar 0 mask=all\nb0t0 issue.bulk b0t0.1\nb0t0.1 r.async b0:s\n";
  };
  EXPECT_THAT(races(stored("")), ElementsAre("0-4"));
  EXPECT_THAT(races(stored("b0t32 fence.proxy.async\n")), IsEmpty());
  EXPECT_THAT(races(stored("b0t32 fence.proxy.async.shared::cta\n")), IsEmpty());
  EXPECT_THAT(races(stored("b0t32 fence.proxy.async.global\n")), ElementsAre("0-5"));
  // cp.async belongs to the generic proxy, so it needs no proxy fence.
  EXPECT_THAT(races("b0t0 w b0:s\nb0t0 issue.copy b0t0.1\nb0t0.1 w b0:s\n"), IsEmpty());
}

TEST(AsynchronousTraces, ACompletionHandsOnItsOwnOperationOnly) {
  const std::string load =
      "b0t0 mbarrier.init b0:b\nb0t0 bar 0 mask=all\nb0t32 bar 0 mask=all\n"
      "b0t0 w x\n"
      "b0t0 issue b0t0.1\nb0t0.1 r.async g\nb0t0.1 w.async b0:s\nb0t0.1 complete b0:b=0\n";
  EXPECT_THAT(races(load + "b0t32 mbarrier.wait.acquire.cta b0:b=1\nb0t32 r b0:s\n"), IsEmpty());
  EXPECT_THAT(races(load + "b0t32 mbarrier.wait.acquire.cta b0:b=0\nb0t32 r b0:s\n"), ElementsAre("6-9"));
  EXPECT_THAT(races(load + "b0t32 mbarrier.wait.relaxed.cta b0:b=1\nb0t32 r b0:s\n"), ElementsAre("6-9"));
  EXPECT_THAT(races(load + "b0t32 mbarrier.wait.relaxed.cta b0:b=1\nb0t32 fence.acq_rel.cta\nb0t32 r b0:s\n"),
              IsEmpty());
  EXPECT_THAT(races(load + "b0t32 mbarrier.wait.acquire.cta b0:b=1\nb0t32 r x\n"), ElementsAre("3-9"));
  EXPECT_THAT(
      races(load + "b0t0 mbarrier.arrive.release.cta b0:b=0\nb0t32 mbarrier.wait.acquire.cta b0:b=1\n" + "b0t32 r x\n"),
      IsEmpty());
  EXPECT_THAT(races("b0t0 mbarrier.init b0:b\nb0t32 mbarrier.arrive.release.cta b0:b=0\n"), ElementsAre("0-1"));
}

TEST(AsynchronousTraces, OtherDetectorsGiveUp) {
  for (const DetectorDescription& description : detectors()) {
    if (description.looks_at == LooksAt::Programs) continue;
    const Said said = replayed(description.name, "b0t0 w x\nb0t0 issue.bulk b0t0.1\nb0t0.1 r.async x\n", {}, kOneBlock);
    if (description.orders_operations) {
      EXPECT_THAT(said.races, ElementsAre("0-2")) << description.name;
    } else {
      EXPECT_THAT(said.races, IsEmpty()) << description.name;
      EXPECT_THAT(said.remarks, ElementsAre("gave up: it does not support asynchronous operations"))
          << description.name;
    }
  }
}

}  // namespace
}  // namespace ambit::detector
