#include "model/repair/cost_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace ambit::repair {
namespace {

using testing::HasSubstr;

Result<CostTable> table_of(std::string text) {
  return CostTable::read(std::make_shared<const SourceFile>(SourceFile{"costs", std::move(text)}));
}

TEST(CostTable, ReplacesWhatTheFileNames) {
  const auto table = table_of("# ours\nlock 3   # cheap\n\nfence-device never\n");
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(table.value().of(Cost::Lock), 3);
  EXPECT_FALSE(table.value().allows(Cost::FenceDevice));
  EXPECT_EQ(table.value().of(Cost::Barrier), CostTable().of(Cost::Barrier));
}

TEST(CostTable, NamesEachErrorWithItsPlace) {
  const auto table = table_of("lock 1\nlok 2\nlock 3\nbarrier\natomic 0\natomic-x 1 2\n");
  ASSERT_FALSE(table.ok());
  const std::string errors = render(table.errors());
  EXPECT_THAT(errors, HasSubstr("costs:2:1: error: unknown change 'lok'"));
  EXPECT_THAT(errors, HasSubstr("did you mean 'lock'?"));
  EXPECT_THAT(errors, HasSubstr("costs:3:1: error: 'lock' has two costs"));
  EXPECT_THAT(errors, HasSubstr("costs:4:1: error: expected one cost for 'barrier'"));
  EXPECT_THAT(errors, HasSubstr("costs:5:8: error: expected one cost for 'atomic'"));
  EXPECT_THAT(errors, HasSubstr("costs:6:1: error: unknown change 'atomic-x'"));
}

TEST(CostTable, EveryCostHasItsOwnName) {
  for (std::size_t i = 0; i < kCostNames.size(); ++i) EXPECT_EQ(static_cast<std::size_t>(kCostNames[i].cost), i);
}

}  // namespace
}  // namespace ambit::repair
