#include "model/events/symmetry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "model/smt/narrowing.h"
#include "model/smt/solve.h"
#include "parser/parse.h"

namespace ambit::smt {
namespace {

using events::EventGraph;
using events::EventId;
using events::Symmetry;
using ::testing::ElementsAre;
using ::testing::SizeIs;

/// Builds a kernel with the given body, launch and condition. Returns the kernel's event graph.
EventGraph kernel(const std::string& body, const std::string& launch, const std::string& condition) {
  const std::string text = "CUDA test\n{ global int x = 0, y = 0; }\n__global__ void k(int *cells) {\n" + body +
                           "\n}\nlaunch k<<<" + launch + ">>>(cells[8]);\n" + condition + "\n";
  const auto source = std::make_shared<SourceFile>(SourceFile{"test.litmus", text});
  const auto program = parser::parse_program(source);
  EXPECT_TRUE(program.ok()) << render(program.errors());
  return events::build(program.value(), {}).value();
}

events::Looked everything() {
  events::Looked looked;
  looked.sets.set();
  looked.relations.set();
  return looked;
}

Symmetry symmetry_of(const EventGraph& graph) {
  Context context;
  return Symmetry::find(graph, everything(), context);
}

rules::Rules shipped_model(const std::string& name) { return *parser::load_model(name).value(); }

constexpr const char* kCounter = "  atomicAdd(&x, 1);\n  __syncthreads();\n  if (threadIdx.x == 0) y = x;";

TEST(Symmetry, ThreadsThatDoTheSameCanBeExchanged) {
  const EventGraph graph = kernel(kCounter, "1, 4", "exists (y == 4)");
  const Symmetry symmetry = symmetry_of(graph);
  EXPECT_THAT(symmetry.alike(0), ElementsAre(0));  // only this thread continues after the barrier
  EXPECT_THAT(symmetry.alike(2), ElementsAre(1, 2, 3));
  EXPECT_THAT(symmetry.write_order(), SizeIs(3));  // the three writes have a fixed order
}

TEST(Symmetry, BlocksThatDoTheSameCanBeExchanged) {
  const EventGraph graph = kernel(
      "  __shared__ int s;\n  if (threadIdx.x == 0) s = 1;\n  __syncthreads();\n"
      "  if (threadIdx.x == 1) atomicAdd(&x, s);",
      "3, 2", "exists (x == 3)");
  const Symmetry symmetry = symmetry_of(graph);
  EXPECT_THAT(symmetry.alike(0), ElementsAre(0, 2, 4));
  EXPECT_THAT(symmetry.alike(1), ElementsAre(1, 3, 5));
  EXPECT_THAT(symmetry.write_order(), SizeIs(3));
}

TEST(Symmetry, CellsOfTheirOwnDoNotKeepThreadsApart) {
  const EventGraph graph =
      kernel("  cells[threadIdx.x] = 7;\n  atomicAdd(&x, cells[threadIdx.x]);", "1, 3", "exists (x == 21)");
  EXPECT_THAT(symmetry_of(graph).alike(1), ElementsAre(0, 1, 2));
}

TEST(Symmetry, ThreadsNamedByTheConditionStay) {
  const EventGraph graph =
      kernel("  int r = atomicAdd(&x, 1);\n  cells[threadIdx.x] = 7;", "1, 4", "exists (b0t1:r == 0 && cells[2] == 7)");
  const Symmetry symmetry = symmetry_of(graph);
  EXPECT_THAT(symmetry.alike(1), ElementsAre(1));
  EXPECT_THAT(symmetry.alike(2), ElementsAre(2));
  EXPECT_THAT(symmetry.alike(0), ElementsAre(0, 3));
}

TEST(Symmetry, ThreadsThatLeaveTheirNumberWhereItIsReadDiffer) {
  const EventGraph graph = kernel("  x = threadIdx.x;\n  y = x;", "1, 3", "exists (y == 1)");
  EXPECT_TRUE(symmetry_of(graph).is_trivial());
}

TEST(Symmetry, ThreadsOfDifferentWarpsDifferForAModelWithWarps) {
  const EventGraph graph = kernel(
      "  if (threadIdx.x % 32 == 0) atomicAdd(&x, 1);\n  if (threadIdx.x == 32) atomicAdd(&y, 1);\n"
      "  if (threadIdx.x == 33 || threadIdx.x == 1) atomicAdd(&cells[0], 1);",
      "1, 64", "exists (x == 2)");
  const auto of_thread = [&](const std::string& name) {
    for (std::uint32_t t = 0; t < graph.program->threads.size(); ++t) {
      if (graph.program->threads[t].name == name) return t;
    }
    ADD_FAILURE() << name;
    return 0U;
  };
  const std::uint32_t one = of_thread("b0t1");
  EXPECT_THAT(symmetry_of(graph).alike(one), ElementsAre(one));
  Context context;
  EXPECT_THAT(Symmetry::find(graph, {}, context).alike(one), ElementsAre(one, of_thread("b0t33")));
}

TEST(Symmetry, AConditionThatNamesThreadsAlikeKeepsThemAlike) {
  const std::string body = "  cells[threadIdx.x] = atomicAdd(&x, 1);";
  const auto alike = [&](const std::string& condition) {
    const EventGraph graph = kernel(body, "1, 3", condition);
    events::Looked looked = everything();
    looked.observables = events::Looked::Observables::Condition;
    Context context;
    return Symmetry::find(graph, looked, context).alike(0);
  };
  EXPECT_THAT(alike("forall (cells[2] < 3 && cells[0] < 3 && cells[1] < 3)"), ElementsAre(0, 1, 2));
  EXPECT_THAT(alike("exists (cells[0] == 1 && cells[2] == 1)"), ElementsAre(0, 2));
  EXPECT_THAT(alike("exists (cells[0] == 1 && cells[2] == 2)"), ElementsAre(0));
  EXPECT_THAT(alike("exists ((cells[0] == 1 || cells[1] == 2) && (cells[2] == 2 || cells[1] == 1))"), ElementsAre(0));
}

TEST(Symmetry, UnrequestedObservablesDoNotCount) {
  const EventGraph graph = kernel("  cells[threadIdx.x] = atomicAdd(&x, 1);", "1, 3", "exists (cells[0] == 1)");
  events::Looked looked = everything();
  Context context;
  EXPECT_THAT(Symmetry::find(graph, looked, context).alike(0), ElementsAre(0));
  looked.observables = events::Looked::Observables::None;
  EXPECT_THAT(Symmetry::find(graph, looked, context).alike(0), ElementsAre(0, 1, 2));
}

TEST(Symmetry, AnswersAreThoseWithoutIt) {
  const char* const bodies[] = {
      kCounter,
      "  int r = atomicAdd(&x, 1);\n  if (r == 1) y = 1;",
      "  atomicAdd_block(&x, 1);\n  atomicAdd(&y, 1);",
      "  lock(y, device);\n  x = x + 1;\n  unlock(y, device);",
      "  x = 1;\n  __threadfence();\n  atomicAdd(&y, 1);",
      // In this kernel, a transitive closure has a cycle of pairs that no path from outside enters.
      "  fetch_add(y, 1, acq_rel, system);\n  atomicAdd(&x, 1);\n  lock(y, device);\n  x = x + 1;\n"
      "  unlock(y, device);\n  atomicAdd(&x, 1);",
  };
  for (const char* body : bodies) {
    for (const char* condition : {"exists (x == 2)", "forall (x == 3 || y == 3)"}) {
      for (const char* launch : {"3, 1", "1, 3"}) {
        const EventGraph graph = kernel(body, launch, condition);
        for (const char* model : {"ptx", "cuda-cpp", "hrf-indirect", "sc"}) {
          Solver solver;
          Context context;
          const rules::Rules rules = shipped_model(model);
          const events::Answers all = solver.solve(graph, rules, {}, context, false);
          const events::Answers one = solver.solve(graph, rules, {}, context, true);
          EXPECT_EQ(all.holds.possibility, one.holds.possibility) << body << condition << launch << model;
          EXPECT_EQ(all.fails.possibility, one.fails.possibility) << body << condition << launch << model;
          for (std::size_t f = 0; f < all.flags.size(); ++f) {
            EXPECT_EQ(all.flags[f].possibility, one.flags[f].possibility) << body << condition << launch << model;
          }
        }
      }
    }
  }
}

// ---- candidates that the axioms still allow ----

Candidates narrowed(const EventGraph& graph, const rules::Rules& rules) {
  Candidates candidates(graph);
  Context context;
  narrow(candidates, graph, rules, context);
  return candidates;
}

EventId last_read(const EventGraph& graph) {
  EventId result = events::kNoEvent;
  for (EventId e = 0; e < graph.size(); ++e) {
    if (graph.events[e].is_read()) result = e;
  }
  return result;
}

TEST(Narrowing, AfterABarrierOnlyTheLastWriteIsRead) {
  const EventGraph graph = kernel(
      "  if (threadIdx.x == 0) { x = 1; x = 2; }\n  __syncthreads();\n"
      "  if (threadIdx.x == 1) y = x;",
      "1, 2", "exists (y == 1)");
  EXPECT_THAT(Candidates(graph).sources[last_read(graph)], SizeIs(3));
  for (const char* model : {"ptx", "ptx-6.0", "cuda-cpp", "hrf-direct", "sc"}) {
    EXPECT_THAT(narrowed(graph, shipped_model(model)).sources[last_read(graph)], SizeIs(1)) << model;
  }
}

TEST(Narrowing, WithoutTheBarrierEveryWriteMayBeRead) {
  const EventGraph graph =
      kernel("  if (threadIdx.x == 0) { x = 1; x = 2; }\n  if (threadIdx.x == 1) y = x;", "1, 2", "exists (y == 1)");
  EXPECT_THAT(narrowed(graph, shipped_model("ptx")).sources[last_read(graph)], SizeIs(3));
}

TEST(Narrowing, UpdatesReadFromTheWriteBeforeThemWhereAnAxiomSaysSo) {
  const LocationId x = 0;
  const EventGraph wide = kernel("  atomicAdd(&x, 1);", "3, 1", "exists (x == 3)");
  for (const char* model : {"ptx", "cuda-cpp", "hrf-indirect", "sc"}) {
    EXPECT_TRUE(narrowed(wide, shipped_model(model)).is_atomic[x]) << model;
  }
  // Updates of block scope from different blocks are not morally strong. So ptx allows an update to be lost.
  const EventGraph narrow = kernel("  atomicAdd_block(&x, 1);", "3, 1", "exists (x == 3)");
  EXPECT_FALSE(narrowed(narrow, shipped_model("ptx")).is_atomic[x]);
  EXPECT_TRUE(narrowed(narrow, shipped_model("sc")).is_atomic[x]);
  // If a plain store precedes all updates in the order, ptx allows it: the chain of updates begins with this store.
  const EventGraph begun =
      kernel("  if (threadIdx.x == 0) x = 5;\n  __syncthreads();\n  atomicAdd(&x, 1);", "1, 3", "exists (x == 3)");
  EXPECT_TRUE(narrowed(begun, shipped_model("ptx")).is_atomic[x]);
  EXPECT_TRUE(narrowed(begun, shipped_model("cuda-cpp")).is_atomic[x]);
  // A plain store between updates is not an update.
  const EventGraph mixed = kernel("  atomicAdd(&x, 1);\n  if (blockIdx.x == 0) x = 5;", "2, 1", "exists (x == 3)");
  EXPECT_FALSE(narrowed(mixed, shipped_model("ptx")).is_atomic[x]);
}

}  // namespace
}  // namespace ambit::smt
