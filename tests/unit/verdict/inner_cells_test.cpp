#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "model/events/inner_cells.h"
#include "model/events/update_values.h"
#include "model/verdict/verdict.h"
#include "tests/support/parsed.h"

// Tests two simplifications. If all operations access a range of cells as a whole, the range becomes one cell. The
// number of updates of an mbarrier limits the mbarrier's possible values.
namespace ambit {
namespace {

const std::string kCopy =
    "mbarrier.arrive.expect_tx.shared::cta.b64 _, [b], 8192 ;\n"
    "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [s], [g], 8192, [b] ;\n"
    "LC00: mbarrier.try_wait.parity.shared::cta.b64 r9, [b], 0 ;\nbeq r9, 0, LC00 ;\n";

std::shared_ptr<const Program> copy_and(const std::string& more, const std::string& tail = "") {
  return test::program_of("PTX test\n{ .u64 s[1024] @ cta 0; .u64 g[1024]; b @ cta 0 = mbarrier(1); }\nP0@cta 0 ;\n" +
                          kCopy + more + tail);
}

std::vector<std::string> cells_of(const std::shared_ptr<const Program>& program) {
  Context context;
  const auto reduced = events::without_inner_cells(program, {}, context);
  std::vector<std::string> names;
  for (const Location& location : reduced->locations) names.push_back(location.name);
  return names;
}

using Names = std::vector<std::string>;

TEST(InnerCells, AnUnaccessedCopyHasOneCellAtEachEnd) {
  EXPECT_EQ(cells_of(copy_and("")), (Names{"s[0..1023]", "g[0..1023]", "b"}));
}

TEST(InnerCells, CellsThatOthersAccessAreSeparateAtBothEnds) {
  const Names cells = cells_of(copy_and("ld.weak.shared.u64 r0, [s+32] ;\nst.weak.global.u64 [g+80], 1 ;\n"));
  EXPECT_EQ(cells, (Names{"s[0..3]", "s[4]", "s[5..9]", "s[10]", "s[11..1023]",  //
                          "g[0..3]", "g[4]", "g[5..9]", "g[10]", "g[11..1023]", "b"}));
}

TEST(InnerCells, ConditionsAndExpectationsNameCells) {
  const Names named = {"s[0..6]", "s[7]", "s[8..1023]", "g[0..6]", "g[7]", "g[8..1023]", "b"};
  EXPECT_EQ(cells_of(copy_and("", "\nexists (g[7] == 1)\n")), named);
  EXPECT_EQ(cells_of(copy_and("", "\nexpect ptx : race on s[7] because \"test\"\n")), named);
}

TEST(InnerCells, SmallProgramsStayAsTheyAre) {
  const auto program = test::program_in("litmus/async/45-ptx-tensor-load.litmus");
  Context context;
  EXPECT_EQ(events::without_inner_cells(program, {}, context), program);
}

/// In the tile, a reader computes the address of its element. So in both stages, the cells that the reader may access
/// remain separate.
TEST(InnerCells, StagesOfAPipeline) {
  const Names cells = cells_of(test::program_in("litmus/async/cuda/tiles-1024.cu"));
  const auto count = [&](const std::string& object) {
    return std::ranges::count_if(cells, [&](const std::string& name) { return name.starts_with(object); });
  };
  EXPECT_EQ(count("b0:tile"), 8);
  EXPECT_EQ(count("g"), 16);
}

TEST(InnerCells, VerdictsNameTheRange) {
  verdict::Checker checker;
  Context context;
  const auto verdict =
      checker.check(copy_and("st.weak.shared.u64 [s+8], 1 ;\n"), test::shipped_model("ptx"), {}, context);
  ASSERT_TRUE(verdict.ok()) << render(verdict.errors());
  EXPECT_EQ(verdict.value().race, events::Possibility::Impossible);
  EXPECT_LT(verdict.value().graph->size(), 40U);
}

/// There are 4 phases with two copies each, so the transaction count has a limit.
TEST(UpdateValues, MbarriersOfAPipeline) {
  const auto program = test::program_in("litmus/async/pipeline/copies-2x4.litmus");
  const auto graph = events::build(program, {});
  ASSERT_TRUE(graph.ok());
  Context context;
  const auto values = events::values_of_updates(graph.value(), context);
  std::map<std::string, std::size_t> updates;
  for (const auto& [read, of_read] : values) {
    ++updates[program->locations[graph.value().events[read].locations.front()].name];
  }
  // These updates are arrivals of the issuing thread, completions of the copies, and arrivals of the reader.
  EXPECT_EQ(updates, (std::map<std::string, std::size_t>{{"f", 4 + 8}, {"e", 4}}));
  for (const auto& [read, of_read] : values) {
    EXPECT_TRUE(graph.value().events[read].is_mbarrier);
    EXPECT_FALSE(of_read.empty());
    EXPECT_LE(of_read.size(), 400U);
  }
}

TEST(UpdateValues, ACounterTakesEachValueOnce) {
  const auto program = test::program_of(
      "PTX test\n{ x=0; }\nP0@cta 0 | P1@cta 1 ;\n"
      "red.relaxed.gpu.add [x], 1 | red.relaxed.gpu.add [x], 1 ;\nred.relaxed.gpu.add [x], 1 | red.relaxed.gpu.add "
      "[x], 5 ;\n");
  const auto graph = events::build(program, {});
  ASSERT_TRUE(graph.ok());
  Context context;
  const auto values = events::values_of_updates(graph.value(), context, 1);
  ASSERT_EQ(values.size(), 4U);
  EXPECT_EQ(values.begin()->second, (std::vector<Value>{0, 1, 2, 5, 6, 7}));
  EXPECT_EQ(values.rbegin()->second, (std::vector<Value>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace ambit
