// Tests kernels that runners generate from tests with asynchronous operations. A kernel has the same instructions as
// its test, and each object of the test is in contiguous memory.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "runner/cuda/emit/emit_kernel.h"
#include "runner/cuda/launch/code_check.h"
#include "runner/cuda/launch/nvrtc.h"
#include "tests/support/files.h"
#include "tests/support/parsed.h"

namespace ambit::cuda {
namespace {

using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Result<Kernel> asynchronous_kernel(const std::string& body, Shape shape = {}) {
  return emit(*test::program_of("PTX t\n" + body, "t.litmus"), shape);
}

std::vector<std::string> instruction_texts(const std::vector<MarkedInstruction>& instructions) {
  std::vector<std::string> texts;
  for (const MarkedInstruction& instruction : instructions) texts.push_back(instruction.text);
  return texts;
}

const char* const kLoad =
    "{ .u64 s[2] @ cta 0; .u64 g[2]={1,1}; b @ cta 0 = mbarrier(1); }\n"
    " P0@cta 0 ;\n"
    " mbarrier.arrive.expect_tx.shared::cta.b64 _, [b], 16 ;\n"
    " cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [s], [g], 16, [b] ;\n"
    " LC00: mbarrier.try_wait.parity.shared::cta.b64 r9, [b], 0 ;\n"
    " beq r9, 0, LC00 ;\n"
    " ld.weak.shared r0, [s+8] ;\n";

TEST(EmitAsynchronous, TheInstructionsAreThoseOfTheSource) {
  const auto kernel = asynchronous_kernel(std::string(kLoad) + "exists (P0:r0 == 0)\n");
  ASSERT_TRUE(kernel.ok()) << render(kernel.errors());
  EXPECT_THAT(instruction_texts(kernel.value().instructions[0]),
              ElementsAre("mbarrier.arrive.expect_tx.shared::cta.b64",
                          "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes",
                          "mbarrier.try_wait.parity.shared::cta.b64", "ld.weak.u64"));
  const std::string& source = kernel.value().source;
  EXPECT_THAT(source, HasSubstr("reset_mbarrier(shared_at(at, 16 /* b */), 1);"));
  EXPECT_THAT(source, HasSubstr("[%0], [%1], 16, [%2]; // ambit P0.1\" :  : \"r\"(shared_address(at, 0 /* s[0] */)), "
                                "\"l\"((at.cell(2 /* g[0] */) + 0)), \"r\"(shared_address(at, 16 /* b */))"));
  EXPECT_THAT(source, HasSubstr("shared_at(at, 8 /* s[1] */)"));
}

// The state of an mbarrier has more bits than the test's register, so the kernel keeps the whole state for the wait.
TEST(EmitAsynchronous, StatesOfMbarriersAreOpaque) {
  const std::string body =
      "{ x; b @ cta 0 = mbarrier(1); }\n P0@cta 0 ;\n"
      " mbarrier.arrive.shared::cta.b64 r1, [b] ;\n"
      " LC00: mbarrier.try_wait.shared::cta.b64 r2, [b], r1 ;\n beq r2, 0, LC00 ;\n";
  const auto kernel = asynchronous_kernel(body + "exists (P0:r2 == 0)\n");
  ASSERT_TRUE(kernel.ok()) << render(kernel.errors());
  EXPECT_THAT(kernel.value().source, HasSubstr("mbarrier.arrive.shared::cta.b64 %0, [%1]; // ambit P0.0\" : "
                                               "\"=l\"(state_"));
  for (const char* condition : {"P0:r1 == 0", "b == 0"}) {
    const auto refused = asynchronous_kernel(body + "exists (" + condition + ")\n");
    ASSERT_FALSE(refused.ok()) << condition;
    EXPECT_THAT(render(refused.errors()), HasSubstr("opaque on hardware"));
  }
}

// If a wait never ends, the thread gives up the wait, but still arrives at all later barriers.
TEST(EmitAsynchronous, AThreadThatGivesUpStillArrivesAtBarriers) {
  const auto kernel = asynchronous_kernel(
      "{ x; b @ cta 0 = mbarrier(1); }\n"
      " P0@cta 0 | P1@cta 0 ;\n"
      " bar.sync 0 | bar.sync 0 ;\n"
      " LC00: mbarrier.try_wait.parity.shared::cta.b64 r2, [b], 0 | bar.sync 0 ;\n"
      " beq r2, 0, LC00 | ;\n"
      " bar.sync 0 | ;\n"
      "exists (P0:r2 == 0)\n");
  ASSERT_TRUE(kernel.ok()) << render(kernel.errors());
  EXPECT_THAT(instruction_texts(kernel.value().instructions[0]),
              ElementsAre("barrier.sync", "mbarrier.try_wait.parity.shared::cta.b64", "barrier.sync", "barrier.sync"));
  EXPECT_THAT(kernel.value().source, HasSubstr("goto D1;"));
}

// With --mbarrier hardware, an mbarrier without a block in the test is in the block of its first user.
TEST(EmitAsynchronous, MbarriersThatCountAsAtomicsCanBeThoseOfTheHardware) {
  const std::string head = "{ x; b = mbarrier(2); P1:r9=0; }\n P0@cta 0,cluster 0 | P1@cta ";
  const std::string body =
      " ;\n st.weak x, 1 | mbarrier.arrive r0, b ;\n mbarrier.arrive r0, b | mbarrier.test_wait r1, b, ";
  const std::string condition = " ;\nexists (P1:r1 == 1)\n";
  const auto kernel = asynchronous_kernel(head + "0,cluster 0" + body + "r0" + condition, {.hardware_mbarriers = true});
  ASSERT_TRUE(kernel.ok()) << render(kernel.errors());
  EXPECT_THAT(instruction_texts(kernel.value().instructions[1]),
              ElementsAre("mbarrier.arrive.b64", "mbarrier.test_wait.b64"));
  EXPECT_THAT(kernel.value().source, HasSubstr("reset_mbarrier(shared_at(at, 0 /* b */), 2);"));
  const auto atomics = asynchronous_kernel(head + "0,cluster 0" + body + "r0" + condition);
  ASSERT_TRUE(atomics.ok()) << render(atomics.errors());
  EXPECT_FALSE(atomics.value().layout.is_asynchronous);
  const auto remote = asynchronous_kernel(head + "1,cluster 0" + body + "r0" + condition, {.hardware_mbarriers = true});
  EXPECT_THAT(render(remote.errors()), HasSubstr("access only objects of the thread's own block"));
  const auto invented =
      asynchronous_kernel(head + "0,cluster 0" + body + "r9" + condition, {.hardware_mbarriers = true});
  EXPECT_THAT(render(invented.errors()), HasSubstr("a state that no arrival of this thread returned is opaque"));
  const auto without = emit(*test::program_of("CUDA t\n{ global int x = 0; }\nP0 @ block 0 { x = 1; }\n", "t.litmus"),
                            {.hardware_mbarriers = true});
  EXPECT_TRUE(without.ok());
}

TEST(EmitAsynchronous, WhatHopperLacksIsRefused) {
  for (const char* file : {"03-sglang-39124", "10-triton-fbexp-1723"}) {
    const auto program = test::program_in(test::project() / "litmus/async" / (std::string(file) + ".litmus"));
    EXPECT_FALSE(emit(*program, {}).ok()) << file;
  }
  const auto recorder = asynchronous_kernel(std::string(kLoad) + "exists (P0:r0 == 0)\n", {128, 1, true});
  ASSERT_FALSE(recorder.ok());
  EXPECT_THAT(render(recorder.errors()), HasSubstr("the recorder does not support asynchronous operations"));
}

Result<Kernel> kernel_of_source(const std::string& body, const std::string& launch, Shape shape = {}) {
  return emit(*test::program_of("__global__ void k(const int *in, int *out) {\n" + body + "}\n// ambit: launch k" +
                                    launch + "(in[4], out[4]);\n",
                                "t.cu"),
              shape);
}

// In the kernel, a call of a libcu++ function becomes the PTX instructions that the header of libcu++ contains for this
// function.
TEST(EmitAsynchronous, OperationsOfCudaSourcesAreTheirInstructions) {
  const auto kernel = emit(*test::program_in(test::project() / "litmus/async/cuda/01-FlashKDA-24.cu"), {});
  ASSERT_TRUE(kernel.ok()) << render(kernel.errors());
  EXPECT_THAT(instruction_texts(kernel.value().instructions[0]),
              ElementsAre("barrier.sync", "cp.async.bulk.global.shared::cta.bulk_group", "cp.async.bulk.commit_group",
                          "cp.async.bulk.wait_group"));
}

// Where the source copies a token, the kernel copies two values: the state that the hardware returned, and the number
// that represents the token in models.
TEST(EmitAsynchronous, TokensOfCudaSourcesAreStatesOfTheHardware) {
  const auto kernel = kernel_of_source(
      "__shared__ cuda::barrier<cuda::thread_scope_block> bar[2];\n"
      "init(&bar[1], 1);\nauto token = bar[1].arrive();\nauto other = token;\nbar[1].wait(std::move(other));\n",
      "<<<1, 1>>>");
  ASSERT_TRUE(kernel.ok()) << render(kernel.errors());
  EXPECT_THAT(instruction_texts(kernel.value().instructions[0]),
              ElementsAre("mbarrier.init.shared.b64", "mbarrier.arrive.shared.b64", "mbarrier.try_wait.shared.b64"));
  const std::string& source = kernel.value().source;
  EXPECT_THAT(source, HasSubstr("reset_mbarrier(shared_at(at, 0 /* b0:bar[0] */), 0);\n"
                                "  reset_mbarrier(shared_at(at, 8 /* b0:bar[1] */), 0);"));
  EXPECT_THAT(source, HasSubstr("\"=l\"(state_"));
  EXPECT_THAT(source, ContainsRegex("state_[0-9]+ = state_[0-9]+;"));
}

// If runs are recorded and the test has no asynchronous operations, the kernel replaces mbarriers by atomics. The
// recorder supports atomics, but no mbarriers.
TEST(EmitAsynchronous, MbarriersOfCudaSourcesAreThoseOfTheHardwareUnlessRecorded) {
  const std::string body =
      "__shared__ cuda::barrier<cuda::thread_scope_block> bar;\ninit(&bar, 1);\nbar.arrive_and_wait();\n";
  const auto plain = kernel_of_source(body, "<<<1, 1>>>");
  ASSERT_TRUE(plain.ok()) << render(plain.errors());
  EXPECT_THAT(plain.value().source, HasSubstr("mbarrier.try_wait.shared.b64"));
  const auto recorded = kernel_of_source(body, "<<<1, 1>>>", {128, 1, true});
  ASSERT_TRUE(recorded.ok()) << render(recorded.errors());
  EXPECT_THAT(recorded.value().source, Not(HasSubstr("mbarrier.try_wait")));
}

// The fields of a struct are separate objects, so the bytes of the struct are not contiguous.
TEST(EmitAsynchronous, CopiesOfStructsAreRefused) {
  const auto program = test::program_in(test::project() / "litmus/async/cuda/31-triton-9046+control.cu");
  const auto refused = emit(*program, {});
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(render(refused.errors()), HasSubstr("'cp.async.bulk' of structs is not run on hardware"));
}

/// Compiles to machine code, because only the assembler checks the operands of an instruction. If AMBIT_COMPILE_ALL is
/// set, compiles the whole corpus.
TEST(CompileCorpus, Asynchronous) {
  const auto nvrtc = Nvrtc::open();
  if (!nvrtc.ok()) GTEST_SKIP() << render(nvrtc.errors());
  const std::vector<std::filesystem::path> files = test::files_in(test::project() / "litmus/async");
  const std::size_t step = std::getenv("AMBIT_COMPILE_ALL") != nullptr ? 1 : 14;
  std::size_t compiled = 0;
  for (std::size_t i = 0; i < files.size(); i += step) {
    if (files[i].extension() != ".litmus") continue;
    const auto kernel = emit(*test::program_in(files[i]), {.block_threads = 128});
    if (!kernel.ok()) continue;  // WhatHopperLacksIsRefused
    const auto code = nvrtc.value()->compile(kernel.value().source, files[i].stem().string(), 90,
                                             Nvrtc::Target::Machine, kernel.value().is_specific);
    ASSERT_TRUE(code.ok()) << files[i] << "\n" << render(code.errors());
    EXPECT_EQ(check_ptx(kernel.value(), code.value().ptx), "") << files[i];
    ++compiled;
  }
  EXPECT_GT(compiled, 3U);
}

}  // namespace
}  // namespace ambit::cuda
