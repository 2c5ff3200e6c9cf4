#include "generate/families.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "generate/oracle.h"

namespace ambit::generate {
namespace {

// The size of a family is a product of three numbers: partitions of the threads into blocks (2, 5 and 15 for 2, 3 and 4
// threads), scopes of accesses (2), and choices of orderings. A choice with a fence counts twice, for the fence's two
// scopes; any other choice counts once. For example, IRIW has 2 + 2 * 3 choices.
TEST(Families, EveryPlacementScopeOrderAndFenceIsThere) {
  std::map<std::string, std::size_t> sizes;
  std::set<std::string> names;
  for (const GeneratedTest& test : family_tests()) {
    EXPECT_TRUE(names.insert(test.name).second) << test.name;
    ++sizes[test.name.substr(
        0, test.name.find("+cta") == std::string::npos ? test.name.find("+gpu+") : test.name.find("+cta+"))];
  }
  const std::map<std::string, std::size_t> expected = {
      {"IRIW", 15 * 2 * (2 + 2 * 3)}, {"ISA2", 5 * 2 * (3 + 2 * 10)}, {"WRC", 5 * 2 * (3 + 2 * 4)},
      {"RWC", 5 * 2 * (3 + 2 * 4)},   {"WWC", 5 * 2 * (5 + 2 * 5)},   {"WRW+2W", 5 * 2 * (3 + 2 * 4)},
      {"2+2W", 2 * 2 * (2 + 2 * 3)},  {"3.2W", 5 * 2 * (2 + 2 * 7)},  {"Z6.3", 5 * 2 * (2 + 2 * 7)}};
  EXPECT_EQ(sizes, expected);
}

TEST(Families, SequentialConsistencyForbidsTheCondition) {
  for (const auto& tests : {family_tests(), gpu_family_tests()}) {
    for (const GeneratedTest& test : tests) EXPECT_EQ(judge(test, Model::Sc).witnesses, 0U) << test.name;
  }
}

// Two, three and four threads can be divided between two GPUs in 1, 3 and 7 ways. Scopes and orderings are as in the
// previous test.
TEST(Families, EveryDivisionBetweenTwoGpusIsThere) {
  std::map<std::string, std::size_t> sizes;
  std::set<std::string> names;
  for (const GeneratedTest& test : gpu_family_tests()) {
    EXPECT_TRUE(names.insert(test.name).second) << test.name;
    std::set<int> gpus;
    for (const GeneratedThread& thread : test.threads) gpus.insert(thread.place.gpu);
    EXPECT_EQ(gpus, (std::set<int>{0, 1})) << test.name;
    ++sizes[test.name.substr(
        0, test.name.find("+gpu+") == std::string::npos ? test.name.find("+sys+") : test.name.find("+gpu+"))];
  }
  const std::map<std::string, std::size_t> expected = {{"MP", 2 * (2 + 2 * 3)},        {"SB", 2 * (2 + 2 * 3)},
                                                       {"LB", 2 * (5 + 2 * 5)},        {"IRIW", 7 * 2 * (2 + 2 * 3)},
                                                       {"ISA2", 3 * 2 * (3 + 2 * 10)}, {"WRC", 3 * 2 * (3 + 2 * 4)},
                                                       {"2+2W", 2 * (2 + 2 * 3)}};
  EXPECT_EQ(sizes, expected);
}

// Fences with the accesses' scope forbid ISA2 if this scope is wide enough (definitions 2.2). The test finds the
// generated tests by their names.
TEST(Families, NamesSayWhatTheTestsAre) {
  const auto is_allowed = [](const std::string& name) {
    for (const auto& tests : {family_tests(), gpu_family_tests()}) {
      const auto test = std::ranges::find(tests, name, &GeneratedTest::name);
      if (test != tests.end()) return judge(*test, Model::Ptx).witnesses > 0;
    }
    ADD_FAILURE() << "no test named " << name;
    return false;
  };
  EXPECT_FALSE(is_allowed("ISA2+gpu+f-f-f+fence.gpu+0_1_2"));
  EXPECT_TRUE(is_allowed("ISA2+gpu+f-f-f+fence.cta+0_1_2"));
  EXPECT_FALSE(is_allowed("ISA2+cta+f-f-f+fence.cta+012"));
  EXPECT_TRUE(is_allowed("ISA2+gpu+rlx-rlx-rlx+0_1_2"));
  EXPECT_TRUE(is_allowed("IRIW+gpu+acq-acq+0_1_2_3"));
  // Device scope is too narrow for threads on two GPUs, but wide enough for threads on one GPU.
  EXPECT_TRUE(is_allowed("MP+gpu+rel-acq+g0_1"));
  EXPECT_FALSE(is_allowed("MP+sys+rel-acq+g0_1"));
  EXPECT_TRUE(is_allowed("WRC+gpu+rel-acq+g0_12"));
  EXPECT_TRUE(is_allowed("SB+sys+fsc-fsc+fence.gpu+g0_1"));
  EXPECT_FALSE(is_allowed("SB+sys+fsc-fsc+fence.sys+g0_1"));
}

}  // namespace
}  // namespace ambit::generate
