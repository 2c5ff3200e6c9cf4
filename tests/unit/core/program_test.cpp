#include "core/program.h"

#include <gtest/gtest.h>

namespace ambit {
namespace {

/// Returns a program with x at location 0, a[2] at locations 1 and 2, and an alias b of a.
Program with_alias() {
  Program program;
  program.objects.push_back({"x", kInt, MemorySpace::Global, 1, false, true, 0, {}});
  program.objects.push_back({"a", kInt, MemorySpace::Global, 2, true, true, 1, {}});
  program.locations = {{"x", 0, 0, kInt, 0}, {"a[0]", 1, 0, kInt, 0}, {"a[1]", 1, 1, kInt, 0}};
  EXPECT_FALSE(program.has_aliases());
  program.objects.push_back(program.objects[1]);
  program.objects[2].name = "b";
  program.objects[2].alias_of = 1;
  return program;
}

TEST(Program, AddressesLeadToCells) {
  const Program program = with_alias();
  EXPECT_EQ(program.location_at(make_address(0, 0)), 0U);
  EXPECT_EQ(program.location_at(make_address(1, 1)), 2U);
  EXPECT_EQ(program.location_at(make_address(2, 1)), 2U);
  EXPECT_EQ(program.location_at(make_address(0, 1)), std::nullopt);
  EXPECT_EQ(program.location_at(make_address(2, 2)), std::nullopt);
  EXPECT_EQ(program.location_at(make_address(3, 0)), std::nullopt);
  EXPECT_EQ(program.location_at(0), std::nullopt);
  EXPECT_EQ(program.location_at(-1), std::nullopt);
}

TEST(Program, AddressesHaveNames) {
  const Program program = with_alias();
  EXPECT_TRUE(program.has_aliases());
  EXPECT_EQ(program.name_at(make_address(0, 0)), "x");
  EXPECT_EQ(program.name_at(make_address(1, 1)), "a[1]");
  EXPECT_EQ(program.name_at(make_address(2, 1)), "b[1]");
  EXPECT_EQ(program.name_at(make_address(2, 2)), std::nullopt);
}

TEST(Program, PartsOfAnAddress) {
  EXPECT_EQ(object_of(make_address(7, 3)), 7);
  EXPECT_EQ(index_of(make_address(7, 3)), 3U);
  EXPECT_EQ(object_of(0), -1);  // null
}

TEST(Program, ProxiesHaveTheirPtxNames) {
  EXPECT_EQ(to_string(Proxy::Generic), "generic");
  EXPECT_EQ(to_string(Proxy::Constant), "constant");
  EXPECT_EQ(to_string(Proxy::Texture), "texture");
  EXPECT_EQ(to_string(Proxy::Surface), "surface");
  EXPECT_EQ(to_string(Proxy::Async), "async");
}

}  // namespace
}  // namespace ambit
