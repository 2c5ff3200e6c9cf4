// Tests kernels of tests with tensor maps: descriptors made by the driver, and instructions that use and change them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "runner/cuda/emit/emit_kernel.h"
#include "runner/cuda/launch/code_check.h"
#include "runner/cuda/launch/nvrtc.h"
#include "tests/support/files.h"
#include "tests/support/parsed.h"

namespace ambit::cuda {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Result<Kernel> tensor_kernel(const std::string& body) {
  return emit(*test::program_of("PTX t\n" + body, "t.litmus"), {.block_threads = 64});
}

std::vector<std::string> marked_texts(const Kernel& kernel, std::size_t thread) {
  std::vector<std::string> texts;
  for (const MarkedInstruction& instruction : kernel.instructions[thread]) texts.push_back(instruction.text);
  return texts;
}

const char* const kMaps =
    "{ .s32 g[32]; t = tensormap(g, {8,4}, {4,2}); .s32 s[64] @ cta 0; b @ cta 0 = mbarrier(1); }\n P0@cta 0 ;\n";
const char* const kCopy =
    " cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [s], [t, {4,1}], [b] ;\n";
const char* const kCondition = "exists (P0:r1 == 1)\n";

TEST(EmitTensorMaps, ACopyNamesTheDescriptorOfItsInstance) {
  const auto kernel = tensor_kernel(std::string(kMaps) + kCopy + " mov r1, 1 ;\n" + kCondition);
  ASSERT_TRUE(kernel.ok()) << render(kernel.errors());
  EXPECT_THAT(marked_texts(kernel.value(), 0),
              ElementsAre("cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes"));
  const std::string& source = kernel.value().source;
  EXPECT_THAT(source,
              HasSubstr("[%0], [%1, {%2, %3}], [%4]; // ambit P0.0\" :  : \"r\"(shared_address(at, 0 /* s[0] */)), "
                        "\"l\"(made_map(at, 0 /* t */, 0 /* g */)), \"r\"(4), \"r\"(1), "
                        "\"r\"(shared_address(at, 256 /* b */))"));
  EXPECT_THAT(source, HasSubstr("  acquire_map(made_map(at, 0 /* t */, 0 /* g */));\n"));
  EXPECT_THAT(source, HasSubstr("kSharedAlignment = 128;"));
  ASSERT_EQ(kernel.value().tensor_maps.size(), 1U);
  const KernelTensorMap& map = kernel.value().tensor_maps.front();
  EXPECT_EQ(map.array, 0U);
  EXPECT_THAT(map.sizes, ElementsAre(8U, 4U));
  EXPECT_THAT(map.box, ElementsAre(4U, 2U));
  EXPECT_EQ(tensor_element(map.element), 3U);  // CU_TENSOR_MAP_DATA_TYPE_INT32
  EXPECT_FALSE(kernel.value().is_specific);
}

/// CUtensorMapDataType of cuda.h: UINT8 0, UINT16 1, UINT32 2, INT32 3, UINT64 4, INT64 5.
TEST(EmitTensorMaps, TypesHaveTheNumbersOfTheDriver) {
  EXPECT_EQ(tensor_element({8, false}), 0U);
  EXPECT_EQ(tensor_element({16, true}), 1U);
  EXPECT_EQ(tensor_element({32, false}), 2U);
  EXPECT_EQ(tensor_element({64, false}), 4U);
  EXPECT_EQ(tensor_element({64, true}), 5U);
}

// In the test, operand 1 means that the field changes. The kernel then writes the declared value of the field.
TEST(EmitTensorMaps, AChangeWritesWhatTheDeclarationSays) {
  const auto kernel = tensor_kernel(std::string(kMaps) +
                                    " tensormap.replace.tile.global_address.global.b1024.b64 [t], 1 ;\n"
                                    " tensormap.replace.tile.rank.global.b1024.b32 [t], 1 ;\n"
                                    " tensormap.replace.tile.box_dim.global.b1024.b32 [t], 0, 1 ;\n"
                                    " tensormap.replace.tile.global_dim.global.b1024.b32 [t], 1, 1 ;\n"
                                    " tensormap.replace.tile.global_stride.global.b1024.b64 [t], 0, 1 ;\n"
                                    " tensormap.replace.tile.elemtype.global.b1024.b32 [t], 1 ;\n"
                                    " tensormap.replace.tile.swizzle_mode.global.b1024.b32 [t], 1 ;\n" +
                                    kCopy + " mov r1, 1 ;\n" + kCondition);
  ASSERT_TRUE(kernel.ok()) << render(kernel.errors());
  EXPECT_TRUE(kernel.value().is_specific);
  EXPECT_EQ(kernel.value().widest_cell, 128U);  // the descriptor is a cell of the test, and the array has 128 bytes
  EXPECT_FALSE(kernel.value().starts_at_zero);
  const std::string& source = kernel.value().source;
  const std::string at_t = "\"l\"((at.cell(97 /* t */) + 0))";
  EXPECT_THAT(source, HasSubstr("global_address.global.b1024.b64 [%0], %1; // ambit P0.0\" :: " + at_t +
                                ", \"l\"(at.cell(0 /* g */))"));
  EXPECT_THAT(source, HasSubstr("rank.global.b1024.b32 [%0], %1; // ambit P0.1\" :: " + at_t + ", \"r\"(1)"));
  EXPECT_THAT(source, HasSubstr("box_dim.global.b1024.b32 [%0], 0, %1; // ambit P0.2\" :: " + at_t + ", \"r\"(4)"));
  EXPECT_THAT(source, HasSubstr("global_dim.global.b1024.b32 [%0], 1, %1; // ambit P0.3\" :: " + at_t + ", \"r\"(4)"));
  EXPECT_THAT(source,
              HasSubstr("global_stride.global.b1024.b64 [%0], 0, %1; // ambit P0.4\" :: " + at_t + ", \"l\"(32ull)"));
  EXPECT_THAT(source, HasSubstr("elemtype.global.b1024.b32 [%0], 3; // ambit P0.5\" :: " + at_t + " :"));
  EXPECT_THAT(source, HasSubstr("swizzle_mode.global.b1024.b32 [%0], 0; // ambit P0.6\" :: " + at_t + " :"));
  EXPECT_THAT(source, HasSubstr("  reset_map((at.cell(97 /* t */) + 0), made_map(at, 0 /* t */, 0 /* g */));\n"
                                "  release_maps();\n"));
  EXPECT_THAT(source, HasSubstr("  acquire_map((at.cell(97 /* t */) + 0));\n"));
}

TEST(EmitTensorMaps, AnOrdinaryStoreWritesTheBytesThatTheDescriptorHasThere) {
  const auto kernel =
      tensor_kernel(std::string(kMaps) + " st.weak.global [t], 1 ;\n" + kCopy + " mov r1, 1 ;\n" + kCondition);
  ASSERT_TRUE(kernel.ok()) << render(kernel.errors());
  EXPECT_THAT(kernel.value().source, HasSubstr("*reinterpret_cast<const int*>(made_map(at, 0 /* t */, 0 /* g */))"));
}

// tensormap.cp_fenceproxy has .sync.aligned: a warp runs 32 instances, each with its own descriptor.
TEST(EmitTensorMaps, AWholeWarpCopiesTheDescriptorOfEachInstance) {
  const std::string replace = " tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [s], 0, 2 ;\n";
  const std::string copy =
      " tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.cta.sync.aligned [t], [s], 128 ;\n";
  const std::string head = "{ .s32 g[32]; t = tensormap(g, {32}, {4}); s @ cta 0; }\n P0@cta 0 ;\n";
  const auto kernel = tensor_kernel(head + replace + copy + " mov r1, 1 ;\n" + kCondition);
  ASSERT_TRUE(kernel.ok()) << render(kernel.errors());
  const std::string& source = kernel.value().source;
  EXPECT_THAT(source, HasSubstr("  for (unsigned lane = 0; lane < 32; ++lane) {\n"));
  EXPECT_THAT(source,
              HasSubstr("[%0], [%1], 128; // ambit P0.1\" :  : \"l\"(of_lane((at.cell(33 /* t */) + 0), lane)), "
                        "\"r\"(of_lane(shared_address(at, 0 /* s */), lane))"));
  EXPECT_THAT(source, HasSubstr("  reset_map(shared_at(at, 0 /* s */), made_map(at, 0 /* t */, 0 /* g */));\n"));
  EXPECT_THAT(source, HasSubstr("kSharedBytes = 128;"));
  const auto after =
      tensor_kernel(head + " mov r1, 1 ;\n beq r1, 0, LC00 ;\n mov r1, 1 ;\n LC00: mov r1, 2 ;\n" + copy + kCondition);
  ASSERT_FALSE(after.ok());
  EXPECT_THAT(render(after.errors()), HasSubstr("an instruction of a whole warp after a jump"));
}

TEST(EmitTensorMaps, ImpossibleDescriptorsAreRefused) {
  const auto message = [](const std::string& code, const std::string& condition = kCondition) {
    const auto kernel = tensor_kernel(std::string(kMaps) + code + " mov r1, 1 ;\n" + condition);
    return kernel.ok() ? std::string("accepted") : render(kernel.errors());
  };
  const std::string change = " tensormap.replace.tile.rank.global.b1024.b32 [t], 1 ;\n";
  EXPECT_THAT(message(change, "exists (t == 1)\n"), HasSubstr("the bytes of the tensor map 't' are opaque"));
  EXPECT_THAT(message(change + " ld.weak.global r2, [t] ;\n"), HasSubstr("the bytes of a tensor map are opaque"));
  EXPECT_THAT(
      message(" st.weak.shared [s], 1 ;\n"
              " tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.cta.sync.aligned [t], [s], "
              "128 ;\n"),
      HasSubstr("an ordinary store to a copy of a tensor map"));
  EXPECT_THAT(message(" tensormap.replace.tile.box_dim.global.b1024.b32 [t], 2, 1 ;\n"),
              HasSubstr("the tensor map does not have this dimension"));
  EXPECT_THAT(message(" tensormap.replace.tile.global_address.global.b1024.b32 [t], 1 ;\n"),
              HasSubstr("the fields global_address and global_stride are .b64"));
  EXPECT_THAT(message(" tensormap.replace.tile.global_stride.global.b1024.b64 [t], 1, 1 ;\n"),
              HasSubstr("the tensor map does not have this dimension"));
  EXPECT_THAT(message(" tensormap.replace.tile.rank.shared::cta.b1024.b32 [s], 1 ;\n"),
              HasSubstr("must belong to a declared tensor map"));
  EXPECT_THAT(
      message(
          " cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [s+16], [t, {0,0}], [b] ;\n"),
      HasSubstr("must begin at a multiple of 128 bytes"));
}

/// Compiles to machine code, because the assembler checks the operands of each instruction.
TEST(EmitTensorMaps, EveryFormCompiles) {
  const auto nvrtc = Nvrtc::open();
  if (!nvrtc.ok()) GTEST_SKIP() << render(nvrtc.errors());
  const std::string clusters =
      "{ .u32 g[32]; t = tensormap(g, {8,4}, {4,2}); .shared .u32 s[8]; .shared b = mbarrier(1); }\n"
      " P0@cta 0,cluster 0 | P1@cta 1,cluster 0 ;\n"
      " cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [s], [t, "
      "{0,0}], "
      "[b], 3 | ld.weak.shared r1, [s] ;\nexists (P1:r1 == 1)\n";
  std::vector<std::string> bodies = {clusters};
  for (const char* change : {"rank.global.b1024.b32 [t], 1", "elemtype.global.b1024.b32 [t], 1",
                             "interleave_layout.global.b1024.b32 [t], 1", "swizzle_mode.global.b1024.b32 [t], 1",
                             "fill_mode.global.b1024.b32 [t], 1", "global_dim.global.b1024.b32 [t], 0, 1",
                             "global_stride.global.b1024.b64 [t], 0, 1", "element_stride.global.b1024.b32 [t], 0, 1"}) {
    bodies.push_back(std::string(kMaps) + " tensormap.replace.tile." + change + " ;\n" + kCopy + " mov r1, 1 ;\n" +
                     kCondition);
  }
  for (const std::string& body : bodies) {
    const auto kernel = tensor_kernel(body);
    ASSERT_TRUE(kernel.ok()) << body << render(kernel.errors());
    const auto code =
        nvrtc.value()->compile(kernel.value().source, "t.cu", 90, Nvrtc::Target::Machine, kernel.value().is_specific);
    ASSERT_TRUE(code.ok()) << body << render(code.errors());
    EXPECT_EQ(check_ptx(kernel.value(), code.value().ptx), "") << body;
  }
}

}  // namespace
}  // namespace ambit::cuda
