// Tests local variables, calls and jumps in PTX modules. The tests compare the values that kernels compute.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "model/verdict/judgement.h"
#include "model/verdict/verdict.h"
#include "parser/parse.h"

namespace ambit::parser {
namespace {

using testing::HasSubstr;

constexpr std::string_view kModuleHead = ".version 8.3\n.target sm_90\n.address_size 64\n";
constexpr std::string_view kKernel =
    ".visible .entry k(.param .u64 p, .param .u32 n)\n{\n"
    ".local .align 8 .b8 depot[32]; .reg .b64 %SP; .reg .b64 %SPL;\n"
    ".reg .pred %p<9>; .reg .b16 %rs<9>; .reg .b32 %r<19>; .reg .b64 %rd<19>;\n"
    "mov.u64 %SPL, depot; cvta.local.u64 %SP, %SPL;\n"
    "ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x;\n";

/// Reads a kernel that has other functions before and after it. The arguments are an array of two elements and 3.
Result<ProgramPtr> read_local(const std::string& before, const std::string& body, const std::string& after,
                              const std::string& condition) {
  std::string text = "// ambit: launch k<<<1, 1>>>(out[2], 3);\n";
  if (!condition.empty()) text += "// ambit: forall (" + condition + ")\n// ambit: expect ptx : Always\n";
  text += std::string(kModuleHead) + before + std::string(kKernel) + body + "\nret;\n}\n" + after;
  return parse_program(std::make_shared<const SourceFile>(SourceFile{"k.ptx", text}), {});
}

std::string refusal(const Result<ProgramPtr>& read) { return read.ok() ? "no error" : render(read.errors()); }

/// Expects that every execution satisfies the condition.
void expect_always(const Result<ProgramPtr>& program) {
  ASSERT_TRUE(program.ok()) << refusal(program);
  const auto rules = load_model("ptx", {});
  Context context;
  verdict::Checker checker;
  verdict::CheckOptions options;
  options.unroll = 16;
  const auto verdict = checker.check(program.value(), rules.value(), options, context);
  ASSERT_TRUE(verdict.ok()) << render(verdict.errors());
  const verdict::Judgement judgement = verdict::judge(verdict.value());
  EXPECT_EQ(judgement.status, verdict::Status::Ok) << testing::PrintToString(judgement.reasons);
}

void expect_values(const std::string& body, const std::string& condition) {
  expect_always(read_local("", body, "", condition));
}

TEST(LocalMemory, AStructIsWrittenByFieldsAndCopiedInWords) {
  expect_values(
      "st.u32 [%SP+8], 5; st.u32 [%SP+12], %r1; ld.u64 %rd2, [%SP+8]; st.u64 [%SP+16], %rd2;\n"
      "ld.u32 %r3, [%SP+20]; ld.u32 %r4, [%SP+16]; st.global.u32 [%rd1], %r3; st.global.u32 [%rd1+4], %r4;",
      "out[0] == 3 && out[1] == 5");
  expect_values(
      "mov.u64 %rd2, 0x700000005; st.u64 [%SP], %rd2; ld.u32 %r3, [%SP]; ld.u32 %r4, [%SP+4];\n"
      "st.global.u32 [%rd1], %r3; st.global.u32 [%rd1+4], %r4;",
      "out[0] == 5 && out[1] == 7");
}

TEST(LocalMemory, NarrowAccessesTruncateAndExtend) {
  expect_values(
      "mov.u32 %r3, 0x1ff; cvt.u16.u32 %rs1, %r3; st.u8 [%SP], %rs1; ld.u8 %rs2, [%SP]; ld.s8 %rs3, [%SP];\n"
      "cvt.u32.u16 %r4, %rs2; cvt.s32.s16 %r5, %rs3; st.global.u32 [%rd1], %r4; st.global.u32 [%rd1+4], %r5;",
      "out[0] == 255 && out[1] == -1");
}

TEST(LocalMemory, AnArrayHasComputedIndices) {
  expect_values(
      "st.u32 [%SP], 10; st.u32 [%SP+4], 11; st.u32 [%SP+8], 12; st.u32 [%SP+12], 13;\n"
      "mul.wide.u32 %rd3, %r1, 4; add.u64 %rd4, %SP, %rd3; ld.u32 %r3, [%rd4]; st.u32 [%rd4], 20;\n"
      "ld.u32 %r4, [%SP+12]; st.global.u32 [%rd1], %r3; st.global.u32 [%rd1+4], %r4;",
      "out[0] == 13 && out[1] == 20");
  // for (i = 0; i < n; ++i) a[i] = i + 1; the index is in memory, too
  expect_values(
      "st.u32 [%SP+16], 0;\n"
      "$head: ld.u32 %r3, [%SP+16]; setp.ge.s32 %p1, %r3, %r1; @%p1 bra $end;\n"
      "cvt.s64.s32 %rd3, %r3; shl.b64 %rd4, %rd3, 2; add.s64 %rd5, %SP, %rd4; add.s32 %r4, %r3, 1;\n"
      "st.u32 [%rd5], %r4; st.u32 [%SP+16], %r4; bra.uni $head;\n"
      "$end: ld.u32 %r5, [%SP]; ld.u32 %r6, [%SP+8]; st.global.u32 [%rd1], %r5; st.global.u32 [%rd1+4], %r6;",
      "out[0] == 1 && out[1] == 3");
}

TEST(LocalMemory, APointerIntoALocalArrayMovesInALoop) {
  expect_values(
      "st.u32 [%SP], 1; st.u32 [%SP+4], 2; st.u32 [%SP+8], 4; mov.u32 %r3, 0; mov.u32 %r4, 0; mov.u64 %rd3, %SP;\n"
      "$head: ld.u32 %r5, [%rd3]; add.s32 %r3, %r3, %r5; add.s64 %rd3, %rd3, 4; add.s32 %r4, %r4, 1;\n"
      "setp.lt.s32 %p1, %r4, 3; @%p1 bra $head;\n"
      "st.global.u32 [%rd1], %r3; st.global.u32 [%rd1+4], %r4;",
      "out[0] == 7 && out[1] == 3");
}

TEST(LocalMemory, AnAddressInALocalVariablePointsToMemory) {
  expect_values(
      "add.s64 %rd2, %rd1, 4; st.u64 [%SP+8], %rd2; ld.u64 %rd3, [%SP+8]; st.u32 [%rd3], 9; st.u32 [%rd3+-4], 8;",
      "out[0] == 8 && out[1] == 9");
}

// In PTX from nvcc -G, functions are declared before their definition, and receive addresses of the caller's variables.
constexpr std::string_view kAddOne =
    ".visible .func (.param .b32 result) add(.param .b64 where, .param .b32 step)\n{\n"
    ".reg .b32 %r<4>; .reg .b64 %rd<2>;\n"
    "ld.param.u64 %rd1, [where]; ld.param.u32 %r1, [step]; ld.u32 %r2, [%rd1]; add.s32 %r3, %r2, %r1;\n"
    "st.u32 [%rd1], %r3; st.param.b32 [result+0], %r2; ret;\n}\n";
constexpr std::string_view kAddDeclared =
    ".visible .func (.param .b32 result) add(.param .b64 where, .param .b32 step)\n;\n";

std::string call(const std::string& where, const std::string& step, const std::string& result,
                 const std::string& guard = "") {
  return "{ .param .b64 param0; st.param.b64 [param0+0], " + where + "; .param .b32 param1; st.param.b32 [param1+0], " +
         step + "; .param .b32 retval0;\n" + guard + "call.uni (retval0), add, (param0, param1); ld.param.b32 " +
         result + ", [retval0+0]; }\n";
}

TEST(Calls, FunctionsMayBeDefinedAfterTheirUse) {
  const std::string body = "st.u32 [%SP+4], %r1; add.u64 %rd5, %SP, 4;\n" + call("%rd5", "2", "%r3") +
                           call("%rd5", "%r3", "%r4") + call("%rd1", "6", "%r6") +
                           "ld.u32 %r5, [%SP+4]; st.global.u32 [%rd1+4], %r5;";
  expect_always(read_local(std::string(kAddDeclared), body, std::string(kAddOne), "out[0] == 6 && out[1] == 8"));
  expect_always(read_local(std::string(kAddOne), body, "", "out[0] == 6 && out[1] == 8"));
}

TEST(Calls, ACallInALoopSeesTheVariablesOfEachIteration) {
  const std::string body = "mov.u32 %r7, 0; st.u32 [%SP+4], 1; add.u64 %rd5, %SP, 4;\n$head:\n" +
                           call("%rd5", "%r7", "%r3") +
                           "add.s32 %r7, %r7, 1; setp.lt.s32 %p1, %r7, 3; @%p1 bra $head;\n"
                           "ld.u32 %r5, [%SP+4]; st.global.u32 [%rd1], %r5; st.global.u32 [%rd1+4], %r3;";
  expect_always(read_local(std::string(kAddDeclared), body, std::string(kAddOne), "out[0] == 4 && out[1] == 2"));
}

TEST(Calls, AGuardedCallTakesPlaceWhereItsGuardHolds) {
  const auto body = [](const std::string& guard) {
    return "setp.eq.s32 %p1, %r1, 3;\n" + call("%rd1", "6", "%r6", guard);
  };
  expect_always(read_local(std::string(kAddDeclared), body("@%p1 "), std::string(kAddOne), "out[0] == 6"));
  expect_always(read_local(std::string(kAddDeclared), body("@!%p1 "), std::string(kAddOne), "out[0] == 0"));
}

TEST(Calls, RecursionAndPointersAreRefusedByName) {
  constexpr std::string_view kDeclared = ".func _Z4evenPi(.param .b64 a)\n;\n.func _Z3oddPi(.param .b64 a)\n;\n";
  const auto function = [](const std::string& name, const std::string& other) {
    return ".func " + name + "(.param .b64 a)\n{ .reg .b64 %rd<2>; ld.param.u64 %rd1, [a];\n" +
           "{ .param .b64 b; st.param.b64 [b], %rd1; call.uni " + other + ", (b); } ret; }\n";
  };
  const std::string body = "{ .param .b64 a; st.param.b64 [a], %rd1; call.uni _Z4evenPi, (a); }";
  EXPECT_THAT(refusal(read_local(std::string(kDeclared), body,
                                 function("_Z4evenPi", "_Z3oddPi") + function("_Z3oddPi", "_Z4evenPi"), "")),
              HasSubstr("'even(int*)' calls itself"));
  EXPECT_THAT(refusal(read_local(std::string(kDeclared), body, "", "")),
              HasSubstr("the function 'even(int*)' has no code in this module"));
  const std::string indirect =
      "mov.u64 %rd2, _Z4evenPi; { .param .b64 a; st.param.b64 [a], %rd1;\n"
      "proto: .callprototype _ (.param .b64 _); call %rd2, (a), proto; }";
  EXPECT_THAT(refusal(read_local(std::string(kDeclared), indirect, "", "")),
              HasSubstr("a call through a pointer is not supported"));
  // An unsupported call is not an error if no thread reaches it.
  const std::string unreached =
      "mov.u32 %r3, 0; setp.eq.s32 %p1, %r3, 0; @%p1 bra $done;\n" + indirect + "\n$done: st.global.u32 [%rd1], 7;";
  expect_always(read_local(std::string(kDeclared), unreached, "", "out[0] == 7"));
}

// A function's parameter and result may be 32-bit addresses in shared memory.
TEST(Calls, AddressesOfSharedMemoryPassThroughParameters) {
  constexpr std::string_view kDeclared =
      ".func (.param .b32 r) _Z4moveP(.param .b32 a)\n;\n.shared .align 4 .u32 cell;\n";
  constexpr std::string_view kMove =
      ".func (.param .b32 r) _Z4moveP(.param .b32 a)\n{ .reg .b32 %r<2>; ld.param.u32 %r1, [a];\n"
      "st.param.b32 [r], %r1; ret; }\n";
  const std::string body =
      "mov.u32 %r3, cell; { .param .b32 a; .param .b32 r; st.param.b32 [a], %r3; call.uni (r), _Z4moveP, (a);\n"
      "ld.param.b32 %r4, [r]; } st.shared.u32 [%r4], 5; ld.shared.u32 %r5, [cell]; st.global.u32 [%rd1], %r5;";
  expect_always(read_local(std::string(kDeclared), body, std::string(kMove), "out[0] == 5"));
}

// The loops have an entry in the middle of their body, and the basic blocks are in any order.
TEST(Jumps, LoopsHaveAnyForm) {
  // s = n; goto test; do { s -= 1; x += 2; test: } while (s > 0);
  expect_values(
      "mov.u32 %r3, %r1; mov.u32 %r4, 0; bra $test;\n"
      "$body: sub.s32 %r3, %r3, 1; add.s32 %r4, %r4, 2;\n"
      "$test: setp.gt.s32 %p1, %r3, 0; @%p1 bra $body;\n"
      "st.global.u32 [%rd1], %r4;",
      "out[0] == 6");
  // Like the previous loop, but the value of the entry condition is unknown, so two paths lead into the loop.
  expect_values(
      "ld.global.u32 %r5, [%rd1+4]; mov.u32 %r3, %r1; mov.u32 %r4, 0; setp.eq.s32 %p2, %r5, 0; @%p2 bra $test;\n"
      "$body: sub.s32 %r3, %r3, 1; add.s32 %r4, %r4, 2;\n"
      "$test: setp.gt.s32 %p1, %r3, 0; @%p1 bra $body;\n"
      "st.global.u32 [%rd1], %r4;",
      "out[0] == 6");
  // The exit of this loop is in the middle of the body.
  expect_values(
      "mov.u32 %r3, 0; bra $head;\n"
      "$exit: st.global.u32 [%rd1], %r3; bra $end;\n"
      "$head: setp.ge.s32 %p1, %r3, %r1; @%p1 bra $exit;\n"
      "add.s32 %r3, %r3, 1; bra $head;\n"
      "$end: st.global.u32 [%rd1+4], 1;",
      "out[0] == 3 && out[1] == 1");
}

// Two loops overlap: the code of each loop jumps into the other loop.
TEST(Jumps, OverlappingLoops) {
  expect_values(
      "mov.u32 %r3, 0; mov.u32 %r4, 0; ld.global.u32 %r5, [%rd1+4]; setp.eq.s32 %p3, %r5, 0; @%p3 bra $b;\n"
      "$a: add.s32 %r3, %r3, 1; setp.gt.s32 %p1, %r3, 4; @%p1 bra $end;\n"
      "$b: add.s32 %r4, %r4, 1; setp.eq.s32 %p2, %r4, 2; @%p2 bra $b;\n"
      "bra $a;\n"
      "$end: st.global.u32 [%rd1], %r4;",
      "out[0] == 6");
}

}  // namespace
}  // namespace ambit::parser
