#include "model/smt/symbolic_domains.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/programs.h"

namespace ambit::smt {
namespace {

using eval::testing::ProgramBuilder;
using events::EventGraph;
using events::EventId;
using events::NodeId;
using ::testing::ElementsAre;

/// Returns, for each read of the program in program order, the values that the read can return.
std::vector<std::vector<Value>> values_of_reads(const ProgramBuilder& program) {
  const EventGraph graph = program.graph();
  std::vector<NodeId> roots;
  for (const events::Event& event : graph.events) {
    if (event.is_read()) roots.push_back(event.value);
  }
  const Candidates candidates(graph);
  Context context;
  const Domains domains(graph, graph.values, candidates, {}, roots, context);
  EXPECT_FALSE(domains.overflow());
  std::vector<std::vector<Value>> result;
  for (const NodeId root : roots) result.push_back(domains.of(root));
  return result;
}

// The domain of x contains the values of all chains that use each of the three increments at most once.
TEST(Domains, CountersCountNoFurtherThanThereAreIncrements) {
  ProgramBuilder p({"x"});
  for (int i = 0; i < 3; ++i) p.thread().rmw("r0", RmwOp::Add, "x", 1);
  const auto counts = ElementsAre(0, 1, 2, 3);
  EXPECT_THAT(values_of_reads(p), ElementsAre(counts, counts, counts));
}

// An increment of x reads at most 2 and writes at most 3. The writes of y and z are not in the cycle of increments, so
// they do not enlarge the domain of x.
TEST(Domains, WritesOutsideACycleDoNotLengthenIt) {
  ProgramBuilder p({"x", "y", "z"});
  p.thread().rmw("r0", RmwOp::Add, "x", 1);
  p.thread().rmw("r0", RmwOp::Add, "x", 1);
  p.thread().load("r0", "x").store_register("y", "r0", 10);
  p.thread().load("r0", "y").store_register("z", "r0", 100);
  p.thread().load("r0", "z");
  EXPECT_THAT(values_of_reads(p), ElementsAre(ElementsAre(0, 1, 2), ElementsAre(0, 1, 2), ElementsAre(0, 1, 2, 3),
                                              ElementsAre(0, 10, 11, 12, 13), ElementsAre(0, 100, 110, 111, 112, 113)));
}

// y = x + 1 and x = y + 2 form a cycle of two writes. A chain without a write gives 0 for both cells. A chain of one
// write gives y = 1 or x = 2. A chain of two writes gives x = 1 + 2 or y = 2 + 1.
TEST(Domains, ValuesThatChaseEachOther) {
  ProgramBuilder p({"x", "y"});
  p.thread().load("r0", "x").store_register("y", "r0", 1);
  p.thread().load("r0", "y").store_register("x", "r0", 2);
  EXPECT_THAT(values_of_reads(p), ElementsAre(ElementsAre(0, 2, 3), ElementsAre(0, 1, 3)));
}

// A copy writes the value that it read, so the cycle x -> y -> x creates no new values.
TEST(Domains, CopiesPassExistingValuesOn) {
  ProgramBuilder p({"x", "y"});
  p.thread().load("r0", "x").store_register("y", "r0");
  p.thread().load("r0", "y").store_register("x", "r0");
  p.thread().store("x", 7);
  EXPECT_THAT(values_of_reads(p), ElementsAre(ElementsAre(0, 7), ElementsAre(0, 7)));
}

}  // namespace
}  // namespace ambit::smt
