#include "runner/cuda/code_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace ambit::cuda {
namespace {

using testing::HasSubstr;

/// Message passing's writer.
Kernel kernel(bool is_straight = true) {
  Kernel result;
  result.instructions = {{{"P0.0", "st.weak.global.s32", true},
                          {"P0.1", "fence.sc.gpu", true},
                          {"P0.2", "st.relaxed.gpu.global.s32", true}}};
  result.is_straight = {is_straight};
  return result;
}

const std::string kFirst = "\tst.weak.global.s32 [%rd1], %r1; // ambit P0.0\n";
const std::string kSecond = "\tfence.sc.gpu; // ambit P0.1\n";
const std::string kThird = "\tst.relaxed.gpu.global.s32 [%rd2], %r1; // ambit P0.2\n";

TEST(CodeCheck, InstructionsInTheirOrderAreFine) {
  EXPECT_EQ(check_ptx(kernel(), "mov.u32 %r1, 1;\n" + kFirst + kSecond + "add.s64 %rd2, %rd1, 4;\n" + kThird), "");
}

TEST(CodeCheck, SoAreWholeCopies) {
  EXPECT_EQ(check_ptx(kernel(), kFirst + kSecond + kThird + kFirst + kSecond + kThird), "");
}

TEST(CodeCheck, AMissingInstructionIsFound) {
  EXPECT_THAT(check_ptx(kernel(), kFirst + kThird), HasSubstr("P0.2 stands where P0.1 is due"));
  EXPECT_THAT(check_ptx(kernel(false), kFirst + kThird), HasSubstr("P0.1 (fence.sc.gpu) is missing"));
  EXPECT_THAT(check_ptx(kernel(), ""), HasSubstr("thread 0 has no instructions"));
  EXPECT_THAT(check_ptx(kernel(), kFirst + kSecond + kThird + kFirst),
              HasSubstr("the last copy of thread 0 lacks P0.1"));
}

TEST(CodeCheck, SoAreTwoThatChangedPlaces) {
  EXPECT_THAT(check_ptx(kernel(), kFirst + kThird + kSecond), HasSubstr("P0.2 stands where P0.1 is due"));
  // With jumps the blocks of code may stand in any order.
  EXPECT_EQ(check_ptx(kernel(false), kThird + kFirst + kSecond), "");
}

TEST(CodeCheck, AnotherInstructionUnderTheMarkIsFound) {
  EXPECT_THAT(check_ptx(kernel(), "\tst.global.s32 [%rd1], %r1; // ambit P0.0\n" + kSecond + kThird),
              HasSubstr("P0.0 is 'st.global.s32', expected 'st.weak.global.s32'"));
  EXPECT_THAT(check_ptx(kernel(), kFirst + kSecond + kThird + "nop; // ambit P0.7\n"), HasSubstr("unknown mark P0.7"));
}

}  // namespace
}  // namespace ambit::cuda
