#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/unit/detector/replayed.h"

namespace ambit::detector {
namespace {

using testing::ElementsAre;
using testing::StartsWith;
using Races = std::vector<std::string>;
using Options = std::map<std::string, std::string>;

Said boyer(const std::string& body, const Options& options = {}) {
  return replayed("boyer", body, options, "grid=2,1,1 block=2,1,1 warp=32");
}

/// Returns one read or write per lane of a warp, all at one site. Lane i accesses element `index(i)` of an array.
template <typename Index>
Said warp_access(const std::string& how, int lanes, const std::string& banks, Index index) {
  std::string body;
  for (int lane = 0; lane < lanes; ++lane) {
    body += "b0t" + std::to_string(lane) + " " + how + " b0:s[" + std::to_string(index(lane)) + "] k.cu:7\n";
  }
  return replayed("boyer", body, {{"banks", banks}}, "grid=1,1,1 block=64,1,1 warp=32");
}

TEST(Boyer, ReadAfterWriteAndWriteAfterReadOfAnotherThread) {
  EXPECT_EQ(boyer("b0t0 w b0:s\nb0t1 r b0:s\n").races, Races{"0-1"});
  EXPECT_EQ(boyer("b0t0 r b0:s\nb0t1 w b0:s\n").races, Races{"0-1"});
  EXPECT_EQ(boyer("b0t0 w b0:s\nb0t0 r b0:s\n").races, Races{}) << "all writes are by the reader";
  EXPECT_EQ(boyer("b0t0 w g\nb0t1 r g\n").races, Races{}) << "the detector counts only accesses to shared memory";
}

TEST(Boyer, WriteAfterWriteOnlyOnRequest) {
  EXPECT_EQ(boyer("b0t0 w b0:s\nb0t1 w b0:s\n").races, Races{});
  EXPECT_EQ(boyer("b0t0 w b0:s\nb0t1 w b0:s\n", {{"waw", "yes"}}).races, Races{"0-1"});
}

TEST(Boyer, ABarrierStartsTheCountsAgain) {
  EXPECT_EQ(boyer("b0t0 w b0:s\nb0t0 bar 0\nb0t1 bar 0\nb0t1 r b0:s\n").races, Races{});
}

// The barrier resets all counts. After the barrier, b0t1 writes once before b0t0 reads, and b0t0 does not write.
TEST(Boyer, OwnCountsStartAgainToo) {
  EXPECT_EQ(boyer("b0t0 w b0:s\nb0t0 bar 0\nb0t1 bar 0\nb0t1 w b0:s\nb0t0 r b0:s\n").races, Races{"3-4"});
}

TEST(Boyer, BankConflicts) {
  // The distance of the two words is 16 words. With 16 banks, both words are in one bank; with 32 banks, in two banks.
  const std::string apart = "b0t0 w b0:s[0] k.cu:1\nb0t1 w b0:s[16] k.cu:1\n";
  ASSERT_EQ(boyer(apart).remarks.size(), 1U);
  EXPECT_TRUE(boyer(apart).remarks[0].starts_with("k.cu:1: 2-way bank conflict at bank 0"));
  EXPECT_TRUE(boyer(apart, {{"banks", "32"}}).remarks.empty());
  EXPECT_TRUE(boyer("b0t0 r b0:s[0] k.cu:1\nb0t1 r b0:s[0] k.cu:1\n").remarks.empty()) << "one word is broadcast";
}

TEST(Boyer, DegreesOfBankConflicts) {
  // Stride 2. With 16 banks, lanes 0 and 8 of a half warp access bank 0. With 32 banks, lanes 0 and 16 of a warp access
  // bank 0.
  const auto twice = [](int lane) { return 2 * lane; };
  EXPECT_THAT(warp_access("r", 16, "16", twice).remarks, ElementsAre(StartsWith("k.cu:7: 2-way bank conflict")));
  EXPECT_TRUE(warp_access("r", 16, "32", twice).remarks.empty()) << "lanes 0 to 15 use 16 of 32 banks";
  EXPECT_THAT(warp_access("r", 32, "32", twice).remarks, ElementsAre(StartsWith("k.cu:7: 2-way bank conflict")));
  // With stride 32, all lanes access one bank.
  const auto far = [](int lane) { return 32 * lane; };
  EXPECT_THAT(warp_access("w", 32, "32", far).remarks, ElementsAre(StartsWith("k.cu:7: 32-way bank conflict")));
  EXPECT_THAT(warp_access("w", 32, "16", far).remarks, ElementsAre(StartsWith("k.cu:7: 16-way bank conflict")));
  // With strides 1, 17 and 33, the lanes access different banks. Lanes of two half warps may share a bank.
  for (const int stride : {1, 17, 33}) {
    for (const std::string banks : {"16", "32"}) {
      const auto index = [&](int lane) { return stride * lane; };
      EXPECT_TRUE(warp_access("r", 32, banks, index).remarks.empty()) << stride << " " << banks;
    }
  }
}

TEST(Boyer, OneInstructionIsOneSiteAndOneWarp) {
  // s[0] and s[16] are in one bank, but no instruction in this trace reads both.
  EXPECT_TRUE(boyer("b0t0 r b0:s[0] k.cu:1\nb0t1 r b0:s[16] k.cu:2\n").remarks.empty());
  EXPECT_TRUE(boyer("b0t0 r b0:s[0]\nb0t1 r b0:s[16]\n").remarks.empty()) << "sites are not known";
  EXPECT_TRUE(boyer("b0t0 r b0:s[0] k.cu:1\nb0t0 r b0:s[16] k.cu:1\n").remarks.empty()) << "one lane accesses twice";
  EXPECT_TRUE(boyer("b0t0 r b0:s[0] k.cu:1\nb1t1 r b1:s[16] k.cu:1\n").remarks.empty())
      << "the lanes are in two blocks";
}

TEST(Boyer, NamesAnotherThread) {
  // b0t1 is the last writer and also the reader, so the other writer is b0t0.
  EXPECT_EQ(boyer("b0t0 w b0:s\nb0t1 w b0:s\nb0t1 r b0:s\n").races, Races{"0-2"});
  EXPECT_TRUE(boyer("b0t0 w b0:s\nb0t1 w b0:s\nb0t1 r b0:s\n").sentences[0].starts_with("b0t0 writes b0:s"));
}

TEST(Boyer, BlocksHaveCountsOfTheirOwn) {
  EXPECT_EQ(boyer("b0t0 w b0:s\nb1t0 r b1:s\n").races, Races{});
  const std::string other_barrier = "b0t0 w b0:s\nb1t0 bar 0\nb1t1 bar 0\nb0t1 r b0:s\n";
  EXPECT_EQ(boyer(other_barrier).races, Races{"0-3"}) << "a barrier of another block does not order these accesses";
}

TEST(Boyer, AtomicsAreInNoCount) {
  EXPECT_EQ(boyer("b0t0 rmw.relaxed.cta.add b0:s:0->1\nb0t1 r b0:s\n").races, Races{});
}

}  // namespace
}  // namespace ambit::detector
