// Tests kernels that runners generate from tests with wgmma. Four warps, or one warp, represent a thread of the test.
// One lane, the leader, executes the code of the thread.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "runner/cuda/emit/emit_kernel.h"
#include "runner/cuda/emit/machine_text.h"
#include "runner/cuda/emit/warpgroups.h"
#include "runner/cuda/launch/code_check.h"
#include "runner/cuda/launch/nvrtc.h"
#include "tests/support/files.h"
#include "tests/support/parsed.h"

namespace ambit::cuda {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Result<Kernel> warpgroup_kernel(const std::string& body, Shape shape = {}) {
  return emit(*test::program_of("PTX t\n" + body, "t.litmus"), shape);
}

/// Returns the text between two strings in a kernel's source.
std::string between(const std::string& source, const std::string& from, const std::string& to) {
  const std::size_t start = source.find(from);
  if (start == std::string::npos) return {};
  return source.substr(start, source.find(to, start) - start);
}

const char* const kMemory = "{ .u64 s[1] @ cta 0; .u64 m[1] @ cta 0; b @ cta 0 = mbarrier(1); }\n";
const char* const kProduct = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16";

// The leader waits and stores, and all lanes execute the products. Between products and stores, the warps meet at a
// barrier. Otherwise a store could begin before all warps have waited for their parts of the product.
TEST(Warpgroup, OneLaneLeadsAndAllMultiply) {
  const auto kernel = warpgroup_kernel(std::string(kMemory) +
                                       " P0@cta 0 ;\n"
                                       " LC00: mbarrier.try_wait.parity.shared::cta.b64 r9, [b], 0 ;\n"
                                       " beq r9, 0, LC00 ;\n " +
                                       kProduct +
                                       " [s], [m] ;\n"
                                       " wgmma.commit_group.sync.aligned ;\n"
                                       " wgmma.wait_group.sync.aligned 0 ;\n"
                                       " st.weak.shared [s], 2 ;\n"
                                       "exists (s[0] == 2)\n");
  ASSERT_TRUE(kernel.ok()) << render(kernel.errors());
  std::vector<std::string> texts;
  for (const MarkedInstruction& one : kernel.value().instructions[0]) texts.push_back(one.text);
  EXPECT_THAT(texts, ElementsAre("mbarrier.try_wait.parity.shared::cta.b64", kProduct,
                                 "wgmma.commit_group.sync.aligned", "wgmma.wait_group.sync.aligned", "st.weak.u64"));
  const std::string text = between(kernel.value().source, "void play_0", "role_of");
  const std::vector<std::string> order = {"const bool is_leader = threadIdx.x % 128 == 0;",
                                          "if (is_leader) {",
                                          "mbarrier.try_wait",
                                          "if (++steps < at.parameters.max_steps) goto L0;",
                                          "{ next = 1; goto N0; }",
                                          "if (group_goes<4>(next == 1)) {",
                                          "wgmma.fence.sync.aligned;\\n",
                                          kProduct,
                                          "wgmma.wait_group.sync.aligned 0; // ambit P0.3",
                                          "meet_group<4>();",
                                          "if (is_leader) {",
                                          "st.weak.u64",
                                          "meet_group<4>();",
                                          "wgmma.wait_group.sync.aligned 0;\"",
                                          "keep_product(at, product0);",
                                          "if (is_leader) {",
                                          "end_groups();"};
  std::size_t at = 0;
  for (const std::string& part : order) {
    at = text.find(part, at);
    ASSERT_NE(at, std::string::npos) << part << " in\n" << text;
    at += part.size();
  }
  EXPECT_TRUE(kernel.value().is_specific);
  EXPECT_EQ(missing_on(kernel.value(), 90), "");
  EXPECT_THAT(missing_on(kernel.value(), 100), HasSubstr("sm_90 only"));
}

// The number of the first warp is a multiple of four, for each warpgroup and for each copy of the test in a block.
TEST(Warpgroup, ThreadsStandForWarps) {
  const auto kernel = warpgroup_kernel(std::string(kMemory) + " P0@cta 0 | P1@cta 0 ;\n st.weak.shared [s], 1 | " +
                                       kProduct + " [s], [m] ;\nexists (s[0] == 1)\n");
  ASSERT_TRUE(kernel.ok()) << render(kernel.errors());
  const Layout& layout = kernel.value().layout;
  EXPECT_EQ(layout.warps, 8U);
  EXPECT_EQ(layout.slots(), 1U);  // 256 threads
  EXPECT_EQ(layout.shape.block_threads, 256U);
  const std::string& source = kernel.value().source;
  EXPECT_THAT(source, HasSubstr("if (place == 0 && warp == 0) return 1;"));
  EXPECT_THAT(source, HasSubstr("if (place == 0 && warp == 3) return 1;"));
  EXPECT_THAT(source, HasSubstr("if (place == 0 && warp == 4) return 0;"));
  EXPECT_THAT(source, Not(HasSubstr("if (place == 0 && warp == 5)")));
  EXPECT_THAT(between(source, "void play_0", "void play_1"), HasSubstr("is_leader = threadIdx.x % 32 == 0;"));
  // A product reads 64 rows of the first factor and 8 rows of the second factor. Each row has 32 bytes.
  EXPECT_THAT(source, HasSubstr("factor_descriptor(shared_address(at, 2048 /* m[0] */))"));
  EXPECT_EQ(kernel.value().shared_bytes, 2048U + 256U + 16U);
}

// At a block barrier, only one warp of each test thread arrives, so the barrier has the same count as in the test. At a
// cluster barrier, all warps arrive, because a cluster barrier counts all threads.
TEST(Warpgroup, BarriersCountThreadsOfTheTest) {
  const std::string product = std::string(kProduct) + " [s], [m] ";
  const auto block =
      warpgroup_kernel(std::string(kMemory) + " P0@cta 0 | P1@cta 0 ;\n bar.sync 0 | bar.sync 0 ;\n " + product +
                       " | st.weak.shared [s], 1 ;\n bar.sync 14, 2 | bar.sync 14, 2 ;\n" + "exists (s[0] == 1)\n");
  ASSERT_TRUE(block.ok()) << render(block.errors());
  const std::string multiplies = between(block.value().source, "void play_0", "void play_1");
  EXPECT_THAT(multiplies, HasSubstr("  if (is_first_warp) {\n  asm volatile(\"barrier.sync 0, 64;"));
  // The groups use the barriers from 7, so the kernel has barrier 1 where the test has barrier 14.
  EXPECT_THAT(multiplies, HasSubstr("barrier.sync 1, 64;"));
  EXPECT_THAT(between(block.value().source, "void play_1", "role_of"), Not(HasSubstr("is_first_warp")));

  const auto cluster = warpgroup_kernel(
      "{ .u64 s[1] @ cta 0; .u64 m[1] @ cta 0; .u64 t[1] @ cta 1; }\n P0@cta 0,cluster 0 | P1@cta 1,cluster 0 ;\n " +
      product + "| st.weak.shared [t], 1 ;\n barrier.cluster.arrive | barrier.cluster.arrive ;\n" +
      " barrier.cluster.wait | barrier.cluster.wait ;\nexists (t[0] == 1)\n");
  ASSERT_TRUE(cluster.ok()) << render(cluster.errors());
  EXPECT_THAT(between(cluster.value().source, "void play_1", "role_of"),
              HasSubstr("  }\n  meet_group<1>();\n  asm volatile(\"barrier.cluster.arrive;"));
}

// If the leader branches around a product, all lanes branch.
TEST(Warpgroup, AllLanesFollowTheLeadersJumps) {
  const auto kernel = warpgroup_kernel(
      std::string(kMemory) + " P0@cta 0 ;\n ld.weak.shared r0, [s] ;\n beq r0, 0, LC00 ;\n " + kProduct +
      " [s], [m] ;\n LC00: st.weak.shared [s], 2 ;\n beq r0, 7, LC01 ;\n"
      " st.weak.shared [s], 3 ;\n LC01: st.weak.shared [m], 4 ;\nexists (s[0] == 2)\n");
  ASSERT_TRUE(kernel.ok()) << render(kernel.errors());
  const std::string text = between(kernel.value().source, "void play_0", "role_of");
  EXPECT_THAT(text, HasSubstr("if (r0 == 0ll) { next = 1; goto N0; }"));
  EXPECT_THAT(text, HasSubstr("if (group_goes<4>(next == 1)) {\n    next = 0;\n    goto S3;\n  }\n"));
  EXPECT_THAT(text, HasSubstr("S3:;\n  if (is_leader) {\n"));
  EXPECT_THAT(text, HasSubstr("if (r0 == 7ll) goto L6;"));  // within a step
}

// If a thread gives up a wait, all warps that execute its code still arrive at all later barriers.
TEST(Warpgroup, AThreadThatGivesUpStillArrivesAtBarriers) {
  const auto kernel = warpgroup_kernel(
      std::string(kMemory) +
      " P0@cta 0 | P1@cta 0 ;\n LC00: mbarrier.try_wait.parity.shared::cta.b64 r9, [b], 0 | ;\n" +
      " beq r9, 0, LC00 | ;\n bar.sync 0 | bar.sync 0 ;\n " + kProduct + " [s], [m] | ;\nexists (P0:r9 == 1)\n");
  ASSERT_TRUE(kernel.ok()) << render(kernel.errors());
  EXPECT_THAT(kernel.value().source, HasSubstr("    goto D0;\n"));
  EXPECT_THAT(kernel.value().source, HasSubstr("D0:\n  if (is_first_warp) {\n"));
}

// A block of 1024 threads has 64 registers per lane, too few for 128 accumulators and the other registers of a lane.
TEST(Warpgroup, RegistersLimitTheThreadsOfABlock) {
  const auto kernel_of = [](const std::string& shape) {
    return warpgroup_kernel(std::string(kMemory) + " P0@cta 0 ;\n wgmma.mma_async.sync.aligned." + shape +
                                ".f32.f16.f16 [s], [m] ;\nexists (s[0] == 0)\n",
                            {.block_threads = 1024});
  };
  EXPECT_EQ(kernel_of("m64n8k16").value().layout.shape.block_threads, 1024U);
  const auto large = kernel_of("m64n256k16");
  ASSERT_TRUE(large.ok()) << render(large.errors());
  EXPECT_EQ(large.value().layout.shape.block_threads, 384U);
  EXPECT_THAT(large.value().source, HasSubstr("kBlockThreads = 384;"));
}

// The threads of the CUDA source are in one warp. In models, lanes of one warp differ from other threads only at warp
// barriers. So each thread of the source may become separate warps.
TEST(Warpgroup, ThreadsOfOneWarpHaveWarpsOfTheirOwn) {
  const auto program = test::program_in(test::project() / "litmus/async/cuda/04-tilelang-2634.cu");
  EXPECT_EQ(program->threads[0].place.warp, program->threads[1].place.warp);
  const auto kernel = emit(*program, {});
  ASSERT_TRUE(kernel.ok()) << render(kernel.errors());
  EXPECT_EQ(kernel.value().layout.warps, 8U);
  EXPECT_EQ(kernel.value().layout.lanes, 1U);
  std::vector<std::string> texts;
  for (const MarkedInstruction& one : kernel.value().instructions[0]) texts.push_back(one.text);
  EXPECT_THAT(
      texts, ElementsAre("barrier.sync", kProduct, "wgmma.commit_group.sync.aligned", "wgmma.wait_group.sync.aligned"));
  Program meets = *program;
  Barrier barrier;
  barrier.kind = BarrierKind::Warp;
  Instruction last;
  last.operation = barrier;
  meets.threads[1].code.push_back(last);
  const auto refused = emit(meets, {});
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(render(refused.errors()), HasSubstr("threads that share a warp in a test with wgmma"));
}

// Before its first instruction, the leader resets the maps and acquires them. A later reset by another lane would undo
// changes of the maps.
TEST(Warpgroup, TheLeaderCopiesByTensorMaps) {
  const std::string memory =
      "{ .s32 g[32]; t = tensormap(g, {8,4}, {4,2}); .s32 d[64] @ cta 0; .u64 s[1] @ cta 0; .u64 m[1] @ cta 0;"
      " b @ cta 0 = mbarrier(1); }\n";
  const auto kernel = warpgroup_kernel(
      memory + " P0@cta 0 ;\n" +
      " cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [d], [t, {4,1}], [b] ;\n " +
      kProduct + " [s], [m] ;\nexists (s[0] == 1)\n");
  ASSERT_TRUE(kernel.ok()) << render(kernel.errors());
  const std::string text = between(kernel.value().source, "void play_0", "role_of");
  EXPECT_THAT(text, HasSubstr("  if (is_leader) {\n  acquire_map(made_map(at, 0 /* t */, 0 /* g */));\n  }\n"));
  const auto nvrtc = Nvrtc::open();
  if (!nvrtc.ok()) GTEST_SKIP() << render(nvrtc.errors());
  const auto code = nvrtc.value()->compile(kernel.value().source, "t.cu", 90, Nvrtc::Target::Machine, true);
  EXPECT_TRUE(code.ok()) << render(code.errors());
}

TEST(Warpgroup, DependentGridsAreRefused) {
  const auto kernel = warpgroup_kernel(
      "{ .u64 s[1] @ cta 1; .u64 m[1] @ cta 1; x = 0; }\n P0@cta 0,grid 0 | P1@cta 1,grid 1 ;\n"
      " st.weak.global [x], 1 | griddepcontrol.wait ;\n | " +
      std::string(kProduct) + " [s], [m] ;\nexists (s[0] == 1)\n");
  ASSERT_FALSE(kernel.ok());
  EXPECT_THAT(render(kernel.errors()), HasSubstr("wgmma in grids that depend on each other is not run on hardware"));
}

TEST(Warpgroup, FactorsLieInTheBlock) {
  const std::string product = std::string(" ;\n ") + kProduct + " [g], [m]";
  for (const std::string& text :
       {"{ .u64 g[1]; .u64 m[1] @ cta 0; }\n P0@cta 0" + product + " ;\nexists (g[0] == 0)\n",
        "{ .u64 g[1] @ cta 1; .u64 m[1] @ cta 0; }\n P0@cta 0,cluster 0 | P1@cta 1,cluster 0" + product +
            " | ;\nexists (m[0] == 0)\n"}) {
    const auto kernel = warpgroup_kernel(text);
    ASSERT_FALSE(kernel.ok()) << text;
    EXPECT_THAT(render(kernel.errors()), HasSubstr("a factor of wgmma outside the shared memory"));
  }
}

/// Returns the product of the instruction `name`. One or two of its factors are in shared memory.
std::optional<Product> product_named(const std::string& name, std::size_t factors = 2) {
  MachineInstruction machine;
  machine.name = "wgmma.mma_async.sync.aligned." + name;
  for (std::size_t i = 0; i < factors; ++i) {
    machine.operands.push_back({MachineInstruction::Operand::Kind::Address, Expr::make_constant(0)});
  }
  return product_of(machine);
}

// Tests the shapes of products, and the operands after the factors (PTX ISA 9.7.15.5).
TEST(Warpgroup, ProductsOfEachTypeHaveTheirOperands) {
  const auto suffix = [](const std::string& name, std::size_t factors = 2) {
    const auto product = product_named(name, factors);
    return product ? product->suffix : "none";
  };
  EXPECT_EQ(suffix("m64n8k16.f32.f16.f16"), ", 1, 1, 1, 0, 0");
  EXPECT_EQ(suffix("m64n8k16.f32.bf16.bf16", 1), ", 1, 1, 1, 0");
  EXPECT_EQ(suffix("m64n8k8.f32.tf32.tf32"), ", 1, 1, 1");
  EXPECT_EQ(suffix("m64n8k32.f32.e4m3.e5m2"), ", 1, 1, 1");
  EXPECT_EQ(suffix("m64n8k32.s32.s8.u8.satfinite"), ", 1");
  EXPECT_EQ(suffix("m64n8k256.s32.b1.b1.and.popc"), ", 1");
  EXPECT_EQ(product_named("m64n256k16.f32.f16.f16")->accumulators, 128U);
  EXPECT_EQ(product_named("m64n256k16.f16.f16.f16")->accumulators, 64U);
  EXPECT_FALSE(product_named("m64n8k16.s32.s8.s8").has_value());
  EXPECT_FALSE(product_named("m64n12k16.f32.f16.f16").has_value());
  EXPECT_FALSE(product_named("m64n8k16.f32.f16.bf16").has_value());
  EXPECT_FALSE(product_named("m64n8k16.s32.f16.f16").has_value());
  EXPECT_FALSE(product_named("m32n8k16.f32.f16.f16").has_value());
}

/// Expects that the kernel of this product compiles.
void expect_compiles(const Nvrtc& nvrtc, const std::string& name, const std::string& factors) {
  const auto kernel = warpgroup_kernel(std::string(kMemory) + " P0@cta 0 ;\n wgmma.mma_async.sync.aligned." + name +
                                       " " + factors + " ;\nexists (s[0] == 0)\n");
  ASSERT_TRUE(kernel.ok()) << render(kernel.errors());
  const auto code = nvrtc.compile(kernel.value().source, "t", 90, Nvrtc::Target::Machine, true);
  ASSERT_TRUE(code.ok()) << name << "\n" << render(code.errors());
  EXPECT_EQ(check_ptx(kernel.value(), code.value().ptx), "") << name;
}

TEST(CompileWarpgroup, ProductsOfEachType) {
  const auto nvrtc = Nvrtc::open();
  if (!nvrtc.ok()) GTEST_SKIP() << render(nvrtc.errors());
  expect_compiles(*nvrtc.value(), "m64n16k16.f16.f16.f16", "[s], [m]");
  expect_compiles(*nvrtc.value(), "m64n256k16.f32.f16.f16", "[s], [m]");  // more registers than 1024 threads can have
  expect_compiles(*nvrtc.value(), "m64n8k16.f32.bf16.bf16", "[m]");
  expect_compiles(*nvrtc.value(), "m64n8k8.f32.tf32.tf32", "[s], [m]");
  expect_compiles(*nvrtc.value(), "m64n8k32.s32.s8.u8", "[s], [m]");
}

/// Returns the number of HGMMA instructions in the machine code that write registers. According to nvdisasm of CUDA
/// 13.0, the low 16 bits of the instruction are 0x79f0, the next 8 bits are the number of the first register, and bits
/// 32 to 63 are 0. For an empty group, the assembler emits an HGMMA without registers.
std::size_t products_in(const std::string& cubin) {
  constexpr std::size_t kInstruction = 16;
  std::size_t count = 0;
  for (std::size_t at = 0; at + kInstruction <= cubin.size(); at += kInstruction) {
    std::uint64_t word = 0;
    std::memcpy(&word, cubin.data() + at, sizeof word);
    count += word >> 32 == 0 && (word & 0xffff) == 0x79f0 && (word >> 16 & 0xff) != 0xff ? 1 : 0;
  }
  return count;
}

// The assembler drops an unused product. So the machine code must contain every product of the tests, both with waits
// and without waits between products.
TEST(CompileWarpgroup, EachProductIsInTheMachineCode) {
  const auto nvrtc = Nvrtc::open();
  if (!nvrtc.ok()) GTEST_SKIP() << render(nvrtc.errors());
  for (const auto& [file, products] : std::vector<std::pair<std::string, std::size_t>>{
           {"kernels/gemm-2x3", 6}, {"kernels/softmax-without-wait-probabilities", 3}, {"18-tilelang-2613", 2}}) {
    const auto kernel = emit(*test::program_in(test::project() / "litmus/async" / (file + ".litmus")), {});
    ASSERT_TRUE(kernel.ok()) << render(kernel.errors());
    const auto code = nvrtc.value()->compile(kernel.value().source, file, 90, Nvrtc::Target::Machine, true);
    ASSERT_TRUE(code.ok()) << render(code.errors());
    EXPECT_EQ(products_in(code.value().cubin), products) << file;
  }
}

// The assembler can insert a wait after each product, which changes the test, and then prints a message. If
// AMBIT_COMPILE_ALL is set, this test compiles the whole corpus.
TEST(CompileWarpgroup, TheAssemblerDoesNotSerialiseProducts) {
  // NOLINTNEXTLINE(cert-env33-c): the test needs a shell
  const auto shell = [](const std::string& command) { return std::system(command.c_str()); };
  if (shell("command -v nvcc >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no nvcc";
  const std::filesystem::path folder = test::project() / "litmus/async";
  std::vector<std::filesystem::path> files = {folder / "kernels/gemm-2x3.litmus", folder / "17-triton-3106.litmus"};
  if (std::getenv("AMBIT_COMPILE_ALL") != nullptr) files = test::files_in(folder, {".litmus"});
  const std::filesystem::path made =
      std::filesystem::temp_directory_path() / ("ambit-warpgroup-" + std::to_string(getpid()) + ".cu");
  std::size_t compiled = 0;
  for (const std::filesystem::path& file : files) {
    const auto program = test::program_in(file);
    if (!has_warpgroups(*program)) continue;
    const auto kernel = emit(*program, {});
    ASSERT_TRUE(kernel.ok()) << file << render(kernel.errors());
    std::ofstream(made) << kernel.value().source;
    EXPECT_EQ(shell("nvcc -w -std=c++17 -arch=sm_90a -cubin -Xptxas -v -o /dev/null '" + made.string() +
                    "' 2>&1 | grep -E 'serialized|injected|error'"),
              256)  // grep found nothing
        << file;
    ++compiled;
  }
  std::filesystem::remove(made);
  EXPECT_GE(compiled, 2U);
}

}  // namespace
}  // namespace ambit::cuda
