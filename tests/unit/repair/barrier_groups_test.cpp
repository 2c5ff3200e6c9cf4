#include "model/repair/barrier_groups.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/parsed.h"

namespace ambit::repair {
namespace {

/// Returns the lines of each group of barriers, such as "3 7*, 5". A star follows a uniform group.
std::string groups_of(const std::string& text) {
  Context context;
  const auto graph = events::build(test::program_of(text), {}, context);
  EXPECT_TRUE(graph.ok());
  std::string all;
  for (const BarrierGroup& group : find_barrier_groups(graph.value(), explain::find_sites(graph.value()))) {
    std::string lines;
    for (const explain::Site& site : group.sites) lines += (lines.empty() ? "" : " ") + std::to_string(site.span.line);
    all += (all.empty() ? "" : ", ") + lines + (group.is_uniform ? "*" : "");
  }
  return all;
}

TEST(BarrierGroups, BarriersOfTwoThreadsMeetInOrder) {
  EXPECT_EQ(groups_of(R"(CUDA a
{ global int x = 0; }
P0 @ block 0 {
  __syncthreads();
  __syncthreads();
}
P1 @ block 0 {
  __syncthreads();
  __syncthreads();
}
)"),
            "4 8*, 5 9*");
}

TEST(BarrierGroups, ThreadsWithDifferentNumbersOfBarriersHaveOneGroup) {
  EXPECT_EQ(groups_of(R"(CUDA b
{ global int x = 0; }
P0 @ block 0 {
  __syncthreads();
  __syncthreads();
}
P1 @ block 0 {
  __syncthreads();
}
)"),
            "4 5 8");
}

TEST(BarrierGroups, BarriersOfOtherBlocksAndNumbersAreSeparate) {
  EXPECT_EQ(groups_of(R"(CUDA c
{ global int x = 0; }
P0 @ block 0 {
  __syncthreads();
  __barrier(1);
}
P1 @ block 0 {
  __syncthreads();
  __barrier(1);
}
P2 @ block 1 {
  __syncthreads();
}
)"),
            "4 8*, 5 9*, 12*");
}

TEST(BarrierGroups, AConditionalBarrierIsNotUniform) {
  EXPECT_EQ(groups_of(R"(CUDA d
{ global int x = 0; }
P0 @ block 0 {
  int r = load(x, relaxed, block);
  if (r == 0) __syncthreads();
}
)"),
            "5");
}

TEST(BarrierGroups, AnArrivalAndItsWaitBelongTogether) {
  EXPECT_EQ(groups_of(R"(PTX e
{ x=0; }
 P0@cta 0,cluster 0,gpu 0 | P1@cta 1,cluster 0,gpu 0 ;
 barrier.cluster.arrive   | barrier.cluster.arrive   ;
 barrier.cluster.wait     | barrier.cluster.wait     ;
)"),
            "4 4 5 5*");
}

}  // namespace
}  // namespace ambit::repair
