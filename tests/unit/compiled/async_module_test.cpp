// Tests modules without a source that have asynchronous and tensor-core instructions.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "model/verdict/verdict.h"
#include "parser/parse.h"
#include "tests/support/files.h"

namespace ambit::parser {
namespace {

using events::Possibility;
using testing::HasSubstr;

const std::filesystem::path kKernels = test::project() / "tests/unit/compiled/kernels";

Result<ProgramPtr> read_async(std::string text, const std::string& launch) {
  ProgramOptions options;
  options.launch = launch;
  return parse_program(std::make_shared<const SourceFile>(SourceFile{"k.ptx", std::move(text)}), options);
}

Possibility async_race(const Result<ProgramPtr>& program) {
  EXPECT_TRUE(program.ok()) << render(program.errors());
  if (!program.ok()) return Possibility::Unknown;
  const auto rules = load_model("ptx", {});
  Context context;
  verdict::CheckOptions options;
  options.questions.flags = true;
  verdict::Checker checker;
  const auto verdict = checker.check(program.value(), rules.value(), options, context);
  EXPECT_TRUE(verdict.ok()) << render(verdict.errors());
  return verdict.ok() ? verdict.value().race : Possibility::Unknown;
}

/// A kernel with the parameters a and b, 64 bytes of shared memory at %r1, and an mbarrier at %r2.
std::string kernel(const std::string& body, const std::string& directives = "") {
  return ".version 8.6\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u64 b) " +
         directives +
         "\n{\n.reg .b64 %rd<9>; .reg .b32 %r<20>; .reg .pred %p<5>; .reg .f32 %f<9>;\n"
         ".shared .align 16 .b8 s[64]; .shared .align 8 .b64 bar;\n"
         "ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; mov.u32 %r1, s; mov.u32 %r2, bar; mov.u32 %r3, %tid.x;\n" +
         body + "ret;\n}\n";
}

constexpr const char* kLoadResult = "ld.shared.u32 %r9, [%r1]; st.global.u32 [%rd2], %r9;\n";
constexpr const char* kWait =
    "{ .reg .pred P; L: mbarrier.try_wait.parity.shared::cta.b64 P, [%r2], 0; @P bra D; bra L; D: }\n";

TEST(AsyncModule, CopiesOfGroups) {
  const std::string copy = "cp.async.cg.shared.global [%r1], [%rd1], 16;\ncp.async.commit_group;\n";
  const std::string launch = "k<<<1, 1>>>(a[4], b[1])";
  EXPECT_EQ(async_race(read_async(kernel(copy + "cp.async.wait_group 0;\n" + kLoadResult), launch)),
            Possibility::Impossible);
  EXPECT_EQ(async_race(read_async(kernel(copy + kLoadResult), launch)), Possibility::Possible);
  EXPECT_EQ(async_race(read_async(kernel(copy + "cp.async.wait_group 1;\n" + kLoadResult), launch)),
            Possibility::Possible);
}

/// A predicate or a size can exclude bytes of the source from a copy. The copy does not read these bytes, so it does
/// not race with the store of thread 1.
TEST(AsyncModule, SourceSizes) {
  const auto body = [](const std::string& last) {
    return kernel(
        "setp.eq.u32 %p1, %r3, 0; setp.eq.u32 %p2, %r3, 7; mov.u32 %r5, 0; @%p1 bra COPY;\n"
        "st.global.u32 [%rd1], 5; bra END;\nCOPY:\ncp.async.ca.shared.global [%r1], [%rd1], 8, " +
        last + ";\ncp.async.wait_all;\n" + kLoadResult + "END:\n");
  };
  const std::string launch = "k<<<1, 2>>>(a[4], b[1])";
  EXPECT_EQ(async_race(read_async(body("0"), launch)), Possibility::Impossible);
  EXPECT_EQ(async_race(read_async(body("%r5"), launch)), Possibility::Impossible);
  EXPECT_EQ(async_race(read_async(body("%p1"), launch)), Possibility::Impossible);
  EXPECT_EQ(async_race(read_async(body("%p2"), launch)), Possibility::Possible);
  EXPECT_EQ(async_race(read_async(body("4"), launch)), Possibility::Possible);
  const auto refused = read_async(body("6"), launch);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(render(refused.errors()), HasSubstr("cp.async reads 6 of 8 bytes"));
}

// Found by ambit_module_fuzz: the reader divided the bytes of the copy into cells, and checked the number of bytes only
// afterwards.
TEST(AsyncModule, AHugeSizeIsAnError) {
  for (const char* size : {"2147483648", "9223372036854775807"}) {
    const auto refused =
        read_async(kernel(fmt::format("cp.async.cg.shared.global [%r1], [%rd1], {};\n{}", size, kLoadResult)),
                   "k<<<1, 1>>>(a[4], b[1])");
    ASSERT_FALSE(refused.ok()) << size;
    EXPECT_THAT(render(refused.errors()), HasSubstr(fmt::format("the size of the copy is {}", size)));
  }
}

// A copy that is out of bounds in all executions has no location. Ambit must still report the copy. Found by
// ambit_module_fuzz.
TEST(AsyncModule, ACopyOutOfBoundsIsReported) {
  for (const char* address : {"[%r1], [%rd3]", "[%r4], [%rd1]"}) {
    const auto program = read_async(
        kernel("add.u64 %rd3, %rd1, 4096; add.u32 %r4, %r1, 4096;\n" +
               fmt::format("cp.async.ca.shared.global {}, 4;\n", address) + "cp.async.wait_all;\n" + kLoadResult),
        "k<<<1, 1>>>(a[4], b[1])");
    ASSERT_TRUE(program.ok()) << render(program.errors());
    const auto graph = events::build(program.value(), {});
    ASSERT_TRUE(graph.ok()) << render(graph.errors());
    EXPECT_TRUE(std::ranges::any_of(graph.value().incidents, [](const events::Incident& one) {
      return one.kind == events::Incident::Kind::OutOfBounds && one.condition == events::ValueGraph::kTrue;
    })) << address;
  }
}

TEST(AsyncModule, BulkCopiesAndBarriers) {
  const std::string copy =
      "mbarrier.init.shared::cta.b64 [%r2], 1;\nmbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 16;\n"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], 16, [%r2];\n";
  const std::string launch = "k<<<1, 1>>>(a[4], b[1])";
  EXPECT_EQ(async_race(read_async(kernel(copy + kWait + kLoadResult), launch)), Possibility::Impossible);
  EXPECT_EQ(async_race(read_async(kernel(copy + kLoadResult), launch)), Possibility::Possible);
  const auto store = [](const std::string& fence, const std::string& wait) {
    return kernel("st.shared.u32 [%r1], 1;\n" + fence +
                  "cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r1], 16;\ncp.async.bulk.commit_group;\n" +
                  "cp.async.bulk.wait_group" + wait + " 0;\nld.global.u32 %r9, [%rd2]; st.global.u32 [%rd1], %r9;\n");
  };
  const std::string arrays = "k<<<1, 1>>>(a[1], b[4])";
  const std::string fence = "fence.proxy.async.shared::cta;\n";
  EXPECT_EQ(async_race(read_async(store(fence, ""), arrays)), Possibility::Impossible);
  EXPECT_EQ(async_race(read_async(store("", ""), arrays)), Possibility::Possible);
  EXPECT_EQ(async_race(read_async(store(fence, ".read"), arrays)), Possibility::Possible);
}

/// fence.acq_rel.cluster orders accesses to global memory; a fence that is restricted to shared memory does not.
TEST(AsyncModule, RestrictedFencesAreNotFullFences) {
  const auto body = [](const std::string& release, const std::string& acquire) {
    return kernel(
        "setp.eq.u32 %p1, %r3, 0; @%p1 bra A;\nL: ld.relaxed.cluster.global.u32 %r5, [%rd2];\n"
        "setp.eq.u32 %p2, %r5, 0; @%p2 bra L;\n" +
        acquire + "ld.global.u32 %r6, [%rd1]; bra END;\nA: st.global.u32 [%rd1], 1;\n" + release +
        "st.relaxed.cluster.global.u32 [%rd2], 1;\nEND:\n");
  };
  const std::string launch = "k<<<1, 2>>>(a[1], b[1])";
  EXPECT_EQ(async_race(read_async(body("fence.acq_rel.cluster;\n", "fence.acq_rel.cluster;\n"), launch)),
            Possibility::Impossible);
  EXPECT_EQ(async_race(read_async(body("fence.release.sync_restrict::shared::cta.cluster;\n",
                                       "fence.acquire.sync_restrict::shared::cluster.cluster;\n"),
                                  launch)),
            Possibility::Possible);
}

/// Every elect.sync chooses the same lane of the mask. Only this lane runs the store.
TEST(AsyncModule, Elections) {
  const std::string twice =
      "elect.sync _|%p1, 0xffffffff;\n@%p1 st.global.u32 [%rd1], 1;\nelect.sync %r5|%p2, 0xffffffff;\n"
      "@%p2 st.global.u32 [%rd1], 2;\n";
  EXPECT_EQ(async_race(read_async(kernel(twice), "k<<<1, 32>>>(a[1], b[1])")), Possibility::Impossible);
  const auto outside = read_async(kernel("elect.sync _|%p1, 0xfffffffe;\n"), "k<<<1, 32>>>(a[1], b[1])");
  ASSERT_FALSE(outside.ok());
  EXPECT_THAT(render(outside.errors()), HasSubstr("the mask does not include lane 0"));
}

/// Lanes read rows that they have not written, so the warp barrier is needed.
TEST(AsyncModule, FragmentsAndProducts) {
  const auto body = [](const std::string& between) {
    return kernel(
        "and.b32 %r5, %r3, 3; shl.b32 %r6, %r5, 4; add.s32 %r7, %r1, %r6;\nshl.b32 %r8, %r3, 2;\n"
        "setp.gt.u32 %p1, %r3, 15; @%p1 bra NEXT; add.s32 %r10, %r1, %r8; st.shared.u32 [%r10], %r3;\nNEXT:\n" +
        between +
        "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r11}, [%r7];\nmov.f32 %f1, 0f00000000;\n"
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f2, %f3, %f4, %f5}, {%r11, %r11}, {%r11}, "
        "{%f1, %f1, %f1, %f1};\n");
  };
  const std::string launch = "k<<<1, 32>>>(a[1], b[1])";
  EXPECT_EQ(async_race(read_async(body("bar.warp.sync -1;\n"), launch)), Possibility::Impossible);
  EXPECT_EQ(async_race(read_async(body(""), launch)), Possibility::Possible);
}

/// ldmatrix gives a lane elements of several rows. Other lanes give the rows' addresses, so these must be constants.
TEST(AsyncModule, RowsOfFragmentsHaveConstantAddresses) {
  const auto program = read_async(
      kernel("st.shared.u32 [%r1], %r3; ld.global.u32 %r5, [%rd1]; and.b32 %r6, %r5, 1; shl.b32 %r6, %r6, 4;\n"
             "add.s32 %r7, %r1, %r6; ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r11}, [%r7];\n"),
      "k<<<1, 32>>>(a[1], b[1])");
  ASSERT_FALSE(program.ok());
  EXPECT_THAT(render(program.errors()), HasSubstr("the row address of ldmatrix must be a constant"));
}

TEST(AsyncModule, HintsHaveNoEffect) {
  const std::string hints =
      "setmaxnreg.dec.sync.aligned.u32 40;\nprefetch.global.L2 [%rd1];\n"
      "cp.async.bulk.prefetch.L2.global [%rd1], 16;\n";
  EXPECT_EQ(async_race(read_async(kernel(hints), "k<<<1, 2>>>(a[4], b[1])")), Possibility::Impossible);
}

/// Reads the stored PTX of pipelines, without the CUDA sources of the pipelines.
TEST(AsyncModule, PipelinesOfSources) {
  const auto verdict = [](const std::string& name, const std::string& launch) {
    return async_race(read_async(test::contents(kKernels / (name + ".ptx")), launch));
  };
  const std::string ring = "sum_tiles<<<1, 40>>>(in[24], out[8])";
  EXPECT_EQ(verdict("cutlass_ring", ring), Possibility::Impossible);
  EXPECT_EQ(verdict("cutlass_ring_no_fence", ring), Possibility::Possible);
  const std::string product = "product<<<1, 32>>>(A[96], B[48], C[32])";
  EXPECT_EQ(verdict("multistage_gemm", product), Possibility::Impossible);
  EXPECT_EQ(verdict("multistage_gemm_no_barrier", product), Possibility::Possible);
}

}  // namespace
}  // namespace ambit::parser
