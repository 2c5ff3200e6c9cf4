/// The parser drops unused cells at the end of an array.

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/parser/litmus/litmus_listing.h"

namespace ambit::parser {
namespace {

std::shared_ptr<const Program> kernel(const std::string& body, const std::string& condition) {
  return parse(
      "{ global int x = 0, y[500]; }\n__global__ void k() {\n  __shared__ int a[1000];\n  int t = threadIdx.x;\n" +
      body + "\n}\nlaunch k<<<2, 4>>>();\n" + condition);
}

std::size_t cells_of(const Program& program, const std::string& object) {
  for (const MemoryObject& candidate : program.objects) {
    if (candidate.name != object) continue;
    EXPECT_EQ(program.locations[candidate.first].name, object + "[0]");
    return candidate.length;
  }
  return 0;
}

TEST(UntouchedCells, AreDroppedAfterTheLastTouchedOrObservedCell) {
  const auto program = kernel("  a[2 * t] = t;\n  x = 1;", "exists (y[3] == 0 && b1:a[9] == 0)");
  EXPECT_EQ(cells_of(*program, "b0:a"), 7U);
  EXPECT_EQ(cells_of(*program, "b1:a"), 10U) << "the condition names the last cell";
  EXPECT_EQ(cells_of(*program, "y"), 4U);
  EXPECT_EQ(program->locations.size(), 1U + 4U + 7U + 10U);
  for (const Observable& observable : program->observables) {
    EXPECT_EQ(program->locations[observable.location].name, observable.name);
  }
}

TEST(UntouchedCells, StayWhereAnIndexIsComputed) {
  EXPECT_EQ(cells_of(*kernel("  a[x % 10] = t;", "exists (x == 0)"), "b0:a"), 1000U);
  EXPECT_EQ(cells_of(*kernel("  a[x % 10] = t;", "exists (x == 0)"), "y"), 1U)
      << "the computed index belongs to another array";
  EXPECT_EQ(cells_of(*kernel("  if (t == 9) a[1001] = t;", "exists (x == 0)"), "b0:a"), 1U)
      << "this access is never executed";
}

TEST(UntouchedCells, AreNotInOutcomes) {
  const auto program = kernel("  a[t] = t;", "");
  for (const Observable& observable : program->observables) {
    if (observable.kind != Observable::Kind::Memory) continue;
    EXPECT_EQ(program->locations[observable.location].name, observable.name);
  }
  EXPECT_EQ(cells_of(*program, "b0:a"), 4U);
}

}  // namespace
}  // namespace ambit::parser
