#include "ptx/printer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "parser/parse.h"

namespace ambit::ptx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Result<std::string> map(const std::string& text) {
  const auto program =
      parser::parse_program(std::make_shared<const SourceFile>(SourceFile{"t.litmus", "CUDA t\n" + text}));
  if (!program.ok()) return program.errors();
  return ptx_text(*program.value());
}

std::string mapped(const std::string& text) {
  const Result<std::string> result = map(text);
  return result.ok() ? result.value() : render(result.errors());
}

/// Returns the text of each instruction of a program with one thread, whose code is `body`.
std::vector<std::string> cells(const std::string& body, const std::string& memory = "global int x = 0;") {
  std::istringstream lines(mapped("{ " + memory + " }\nP0 @ block 0 { " + body + " }\n"));
  std::vector<std::string> cells;
  bool in_table = false;
  for (std::string line; std::getline(lines, line);) {
    if (in_table && line.empty()) break;
    if (in_table) cells.push_back(line.substr(1, line.find_last_not_of(" ;")));
    in_table = in_table || line.starts_with(" P0@");
  }
  return cells;
}

// Tests each row of definitions/events.md 2.1.
TEST(PtxText, PlainAndVolatileAccesses) {
  EXPECT_THAT(cells("x = 1;"), ElementsAre("st.weak x, 1"));
  EXPECT_THAT(cells("int r0 = x;"), ElementsAre("ld.weak r0, x"));
  EXPECT_THAT(cells("v = 1; int r0 = v;", "volatile global int v = 0;"),
              ElementsAre("st.volatile v, 1", "ld.volatile r0, v"));
}

TEST(PtxText, CudaAtomicsAreRelaxedAtTheirScope) {
  EXPECT_THAT(cells("int r0 = atomicAdd(&x, 1);"), ElementsAre("atom.relaxed.gpu.add r0, x, 1"));
  EXPECT_THAT(cells("int r0 = atomicMax_block(&x, 1);"), ElementsAre("atom.relaxed.cta.max r0, x, 1"));
  EXPECT_THAT(cells("int r0 = atomicCAS_system(&x, 1, 2);"), ElementsAre("atom.relaxed.sys.cas r0, x, 1, 2"));
  EXPECT_THAT(cells("atomicExch(&x, 1);"), ElementsAre("atom.relaxed.gpu.exch _, x, 1"));
}

// If an atomic's result is unused, the atomic becomes a reduction, unless it acquires: red cannot acquire.
TEST(PtxText, UnusedResultsMakeReductions) {
  EXPECT_THAT(cells("atomicAdd(&x, 1);"), ElementsAre("red.relaxed.gpu.add x, 1"));
  EXPECT_THAT(cells("atomicOr_block(&x, 1);"), ElementsAre("red.relaxed.cta.or x, 1"));
  EXPECT_THAT(cells("fetch_add(x, 1, acq_rel, device);"), ElementsAre("atom.acq_rel.gpu.add _, x, 1"));
}

TEST(PtxText, Fences) {
  EXPECT_THAT(cells("__threadfence_block(); __threadfence(); __threadfence_system(); x = 1;"),
              ElementsAre("fence.sc.cta", "fence.sc.gpu", "fence.sc.sys", "st.weak x, 1"));
  EXPECT_THAT(cells("fence(acq_rel, cluster); fence(acquire, block); fence(release, device); x = 1;"),
              ElementsAre("fence.acq_rel.cluster", "fence.acquire.cta", "fence.release.gpu", "st.weak x, 1"));
}

TEST(PtxText, SequentiallyConsistentAccessesHaveAFenceBefore) {
  EXPECT_THAT(cells("int r0 = load(x, seq_cst, device);"), ElementsAre("fence.sc.gpu", "ld.acquire.gpu r0, x"));
  EXPECT_THAT(cells("store(x, 1, seq_cst, block);"), ElementsAre("fence.sc.cta", "st.relaxed.cta x, 1"));
  EXPECT_THAT(cells("int r0 = exchange(x, 1, seq_cst, system);"),
              ElementsAre("fence.sc.sys", "atom.acquire.sys.exch r0, x, 1"));
}

TEST(PtxText, OrdersOfTheLibrary) {
  EXPECT_THAT(cells("int r0 = load(x, acquire, block);"), ElementsAre("ld.acquire.cta r0, x"));
  EXPECT_THAT(cells("store(x, 1, release, cluster);"), ElementsAre("st.release.cluster x, 1"));
  EXPECT_THAT(cells("cuda::atomic_ref<int, cuda::thread_scope_device> a(x); a.store(3, cuda::memory_order_relaxed);"),
              ElementsAre("st.relaxed.gpu x, 3"));
}

TEST(PtxText, Barriers) {
  EXPECT_THAT(cells("x = 1; __syncthreads();"), ElementsAre("st.weak x, 1", "bar.sync 0"));
  EXPECT_THAT(cells("x = 1; __barrier(2, 1);"), ElementsAre("st.weak x, 1", "bar.sync 2, 1"));
  EXPECT_THAT(cells("x = 1; __barrier_arrive(2, 1);"), ElementsAre("st.weak x, 1", "bar.arrive 2, 1"));
  EXPECT_THAT(cells("x = 1; __syncwarp();"), ElementsAre("st.weak x, 1", "bar.warp.sync 0xffffffff"));
  EXPECT_THAT(cells("x = 1; cluster_sync();"),
              ElementsAre("st.weak x, 1", "barrier.cluster.arrive", "barrier.cluster.wait"));
}

// The loop of a spin lock becomes a conditional jump that leads back to the compare-exchange.
TEST(PtxText, LoopsBecomeLabelsAndBranches) {
  EXPECT_THAT(cells("while (atomicCAS(&x, 0, 1) != 0) {}"),
              ElementsAre("LC00: atom.relaxed.gpu.cas r0, x, 0, 1", "bne r0, 0, LC00"));
}

// PTX counts bytes: the second int of an array is 4 bytes after the first.
TEST(PtxText, ComputedAddressesAreInBytes) {
  EXPECT_THAT(cells("int r0 = a[1]; a[r0] = 2;", "global int a[2];"),
              ElementsAre("ld.weak.s32 r0, a[1]", "mov.u64 r1, a[0]", "mov.s64 r2, r0", "mul.s64 r3, r2, 4",
                          "add.u64 r4, r1, r3", "st.weak.s32 [r4], 2"));
}

TEST(PtxText, NamesThatDoNotFitAreExplainedInAComment) {
  const std::string text = mapped(R"(__device__ int r1 = 3;
__global__ void kernel() { int count = atomicAdd(&r1, 1); r1 = count; }
launch kernel<<<1, 1>>>();
exists (b0t0:count == 3)
)");
  EXPECT_THAT(text, HasSubstr("(* P0 is b0t0; P0:r0 is count; r1_ is r1 *)"));
  EXPECT_THAT(text, HasSubstr("{ r1_=3; }"));
  EXPECT_THAT(text, HasSubstr("exists (P0:r0 == 3)"));
}

TEST(PtxText, ExpectationsOfPtxModelsAreCarriedOver) {
  const std::string text = mapped(R"({ global int x = 0; }
P0 @ block 0 { x = 1; }
P1 @ block 1 { int r0 = x; }
exists (P1:r0 == 1)
label scor : race
expect ptx : Sometimes, race on x because "nothing orders them"
expect ptx-6.0(coherence=total) : Sometimes
expect sc : Sometimes, executions 2
)");
  EXPECT_THAT(text, HasSubstr("expect ptx : Sometimes, race on x because \"nothing orders them\"\n"));
  EXPECT_THAT(text, HasSubstr("expect ptx-6.0(coherence=total) : Sometimes\n"));
  EXPECT_EQ(text.find("sc :"), std::string::npos) << text;
  EXPECT_EQ(text.find("label"), std::string::npos) << text;
}

TEST(PtxText, PlacesAreWrittenWhereTheyMatter) {
  EXPECT_THAT(mapped("{ global int x = 0; }\nP0 @ gpu 1 block 2 { x = 1; }\n"), HasSubstr("P0@cta 2,gpu 1"));
  EXPECT_THAT(mapped("{ global int x = 0; }\nP0 @ block 0 warp 3 { x = 1; }\nP1 @ block 0 warp 3 lane 1 { x = 2; }\n"),
              HasSubstr("P1@lane 1,warp 3,cta 0,gpu 0"));
  EXPECT_THAT(mapped("{ global int x = 0; }\nP0 @ cluster 4 block 0 { x = 1; }\nP1 @ cluster 4 block 1 { x = 2; }\n"),
              HasSubstr("P1@cta 1,cluster 4,gpu 0"));
}

TEST(PtxText, UnsupportedConstructsAreErrorsAtTheirPlaces) {
  const auto error = [](const std::string& text) {
    const Result<std::string> result = map(text);
    return result.ok() ? "mapped:\n" + result.value() : render(result.errors());
  };
  EXPECT_THAT(error("{ shared int s[2]; }\nP0 @ block 0 { s[0] = 1; }\n"),
              HasSubstr("t.litmus:2:14: error: Ambit cannot print shared memory without a named cta"));
  EXPECT_THAT(error("{ global int x = 0; }\nP0 @ block 0 { x = 1; grid_sync(); }\n"),
              HasSubstr("t.litmus:3:23: error: a barrier of the whole grid"));
  EXPECT_THAT(error("{ global int x = 0; }\nP0 @ block 0 {\n  int r0 = x;\n  assert(r0 == 0);\n}\n"),
              HasSubstr("t.litmus:5:3: error: 'assert' is not an instruction"));
  EXPECT_THAT(error("{ global int x = 0; }\nP0 @ block 0 { int r0 = load(x, relaxed, thread); }\n"),
              HasSubstr("error: PTX has no thread scope"));
  EXPECT_THAT(error("{ global int x = 0; }\nP0 @ block 0 { int r0 = x; x = 1 << r0; }\n"),
              HasSubstr("error: the PTX litmus format has no shift"));
}

}  // namespace
}  // namespace ambit::ptx
