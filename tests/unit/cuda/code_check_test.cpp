#include "runner/cuda/launch/code_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace ambit::cuda {
namespace {

using testing::HasSubstr;

/// Returns a kernel with the writer of message passing: a store, a fence and a store.
Kernel kernel(bool is_straight = true) {
  Kernel result;
  result.instructions = {{{"P0.0", "st.weak.global.s32", true, {1}},
                          {"P0.1", "fence.sc.gpu", true, {2}},
                          {"P0.2", "st.relaxed.gpu.global.s32", true, {}}}};
  result.is_straight = {is_straight};
  result.source = "x = 1; // ambit P0.0\nfence(); // ambit P0.1\ny = 1; // ambit P0.2\nresult = 1;\n";
  return result;
}

const std::string kFirst = "\tst.weak.global.s32 [%rd1], %r1; // ambit P0.0\n";
const std::string kSecond = "\tfence.sc.gpu; // ambit P0.1\n";
const std::string kThird = "\tst.relaxed.gpu.global.s32 [%rd2], %r1; // ambit P0.2\n";

TEST(CodeCheck, InstructionsInTheirOrderAreFine) {
  EXPECT_EQ(check_ptx(kernel(), "mov.u32 %r1, 1;\n" + kFirst + kSecond + "add.s64 %rd2, %rd1, 4;\n" + kThird), "");
}

TEST(CodeCheck, WholeCopiesAreFine) {
  EXPECT_EQ(check_ptx(kernel(), kFirst + kSecond + kThird + kFirst + kSecond + kThird), "");
}

TEST(CodeCheck, AMissingInstructionIsFound) {
  EXPECT_THAT(check_ptx(kernel(), kFirst + kThird), HasSubstr("expected P0.1, found P0.2"));
  EXPECT_THAT(check_ptx(kernel(false), kFirst + kThird), HasSubstr("P0.1 (fence.sc.gpu) is missing"));
  EXPECT_THAT(check_ptx(kernel(), ""), HasSubstr("thread 0 has no instructions"));
  EXPECT_THAT(check_ptx(kernel(), kFirst + kSecond + kThird + kFirst),
              HasSubstr("the last copy of thread 0 lacks P0.1"));
}

TEST(CodeCheck, SwappedInstructionsAreFound) {
  EXPECT_THAT(check_ptx(kernel(), kFirst + kThird + kSecond), HasSubstr("expected P0.1, found P0.2"));
  // If the code has jumps, its basic blocks may be in any order.
  EXPECT_EQ(check_ptx(kernel(false), kThird + kFirst + kSecond), "");
}

TEST(CodeCheck, AnotherInstructionUnderTheMarkIsFound) {
  EXPECT_THAT(check_ptx(kernel(), "\tst.global.s32 [%rd1], %r1; // ambit P0.0\n" + kSecond + kThird),
              HasSubstr("P0.0 is 'st.global.s32', expected 'st.weak.global.s32'"));
  EXPECT_THAT(check_ptx(kernel(), kFirst + kSecond + kThird + "nop; // ambit P0.7\n"), HasSubstr("unknown mark P0.7"));
}

/// Returns a listing of machine code. Each pair is a source line and an instruction.
std::string listing(const std::vector<std::pair<int, std::string>>& code) {
  std::string text;
  for (const auto& [line, instruction] : code) {
    text += "\t//## File \"t.cu\", line " + std::to_string(line) + "\n        /*0000*/  " + instruction + " ;\n";
  }
  return text;
}

const std::vector<std::pair<int, std::string>> kMachine = {{1, "STG.E desc[UR4][R2.64], R5"},
                                                           {2, "MEMBAR.SC.GPU"},
                                                           {2, "ERRBAR"},
                                                           {2, "CCTL.IVALL"},
                                                           {4, "STG.E desc[UR4][R8.64], R5"},
                                                           {3, "STG.E.STRONG.GPU desc[UR4][R6.64], R5"}};

/// Returns the listing of those instructions of kMachine that `order` lists, in this order.
std::string in_order(const std::vector<std::size_t>& order) {
  std::vector<std::pair<int, std::string>> code;
  for (const std::size_t i : order) code.push_back(kMachine[i]);
  return listing(code);
}

TEST(CodeCheck, MachineCodeInOrderIsFine) { EXPECT_EQ(check_sass(kernel(), listing(kMachine)), ""); }

TEST(CodeCheck, MachineCodeThatLacksAnInstructionIsRefused) {
  EXPECT_EQ(check_sass(kernel(), in_order({1, 2, 3, 5})), "P0.0 (st.weak.global.s32) is missing from the machine code");
  EXPECT_EQ(check_sass(kernel(), ""), "P0.0 (st.weak.global.s32) is missing from the machine code");
  // The store of the result has a separate source line, and does not belong to the test.
  EXPECT_EQ(check_sass(kernel(), in_order({4, 1, 3, 5})), "P0.0 (st.weak.global.s32) is missing from the machine code");
}

TEST(CodeCheck, WeakerMachineCodeIsRefused) {
  EXPECT_EQ(check_sass(kernel(), in_order({0, 1, 2, 5})),
            "P0.1 (fence.sc.gpu) became 'MEMBAR.SC.GPU', expected 'MEMBAR.GPU.SC; CCTL.IVALL'");
}

TEST(CodeCheck, SwappedMachineCodeIsRefused) {
  EXPECT_EQ(check_sass(kernel(), in_order({1, 2, 3, 0, 5})), "P0.0 follows P0.1");
  EXPECT_EQ(check_sass(kernel(), in_order({0, 5, 1, 2, 3})), "P0.2 follows P0.0");
  // The store is now between the two machine instructions of the fence.
  EXPECT_THAT(check_sass(kernel(), in_order({0, 1, 5, 3})), HasSubstr("P0.1 (fence.sc.gpu) became 'MEMBAR.SC.GPU'"));
}

// The compiler may split code at unconditional jumps, and may place the pieces in any order.
TEST(CodeCheck, PiecesOfMachineCodeMayBeAnywhere) {
  std::vector<std::pair<int, std::string>> code = {kMachine[5], {4, "BRA `(.L_x_1)"}};
  code.insert(code.end(), kMachine.begin(), kMachine.begin() + 4);
  EXPECT_EQ(check_sass(kernel(), listing(code)), "");
  code[1].second = "@P0 BRA `(.L_x_1)";
  EXPECT_EQ(check_sass(kernel(), listing(code)), "P0.0 follows P0.2");
}

TEST(CodeCheck, TheMachineCodeIsShownByInstruction) {
  EXPECT_EQ(sass_text(kernel(), in_order({0, 1, 2, 3})),
            "P0.0   st.weak.global.s32                   STG.E\n"
            "P0.1   fence.sc.gpu                         MEMBAR.SC.GPU; CCTL.IVALL\n"
            "P0.2   st.relaxed.gpu.global.s32            -\n");
}

// Two weak stores and a fence.
TEST(CodeCheck, WeakAccessesMayChangePlacesButNotPassAFence) {
  Kernel weak = kernel();
  weak.instructions[0] = {{"P0.0", "st.weak.global.s32", true, {1}, true},
                          {"P0.1", "st.weak.global.s64", true, {2}, true},
                          {"P0.2", "fence.sc.gpu", true, {}}};
  const std::pair<int, std::string> first{1, "STG.E desc[UR4][R2.64], R5"};
  const std::pair<int, std::string> second{2, "STG.E.64 desc[UR4][R4.64], R6"};
  const std::pair<int, std::string> fence{3, "MEMBAR.SC.GPU"};
  const std::pair<int, std::string> rest{3, "CCTL.IVALL"};
  EXPECT_EQ(check_sass(weak, listing({first, second, fence, rest})), "");
  EXPECT_EQ(check_sass(weak, listing({second, first, fence, rest})), "");
  EXPECT_EQ(check_sass(weak, listing({first, fence, rest, second})), "P0.1 follows P0.2");
  // An access that is marked as removable may be missing in the machine code.
  EXPECT_EQ(check_sass(weak, listing({second, fence, rest})),
            "P0.0 (st.weak.global.s32) is missing from the machine code");
  weak.instructions[0][0].may_go = true;
  EXPECT_EQ(check_sass(weak, listing({second, fence, rest})), "");
}

}  // namespace
}  // namespace ambit::cuda
