/// Tests control flow, types and functions. The expected code of each construct was derived from the rules of C++.

#include <gtest/gtest.h>

#include "tests/unit/parser/litmus/litmus_listing.h"

namespace ambit::parser {
namespace {

TEST(LitmusStatements, IfElse) {
  EXPECT_EQ(lowered("int r0 = x; if (r0 == 1) y = 1; else y = 2; x = 3;"),
            "r0 = ld x weak\n"
            "if (r0 != 1) goto 4\n"
            "st y weak = 1\n"
            "goto 5\n"
            "st y weak = 2\n"
            "st x weak = 3\n");
}

TEST(LitmusStatements, WhileSpinsWithOneBackwardBranch) {
  EXPECT_EQ(lowered("while (atomicAdd(&x, 0) != 1) {} y = 1;"),
            "%0 = rmw.add x rlx.device (0)\n"
            "if (%0 != 1) goto 0\n"
            "st y weak = 1\n");
  EXPECT_EQ(lowered("while (v == 0);"), "%0 = ld v rlx.system volatile\nif (%0 == 0) goto 0\n");
}

TEST(LitmusStatements, WhileWithABody) {
  EXPECT_EQ(lowered("int i = 0; while (i < y) { x = i; i++; }"),
            "i = 0\n"
            "%0 = ld y weak\n"
            "if (i >= %0) goto 6\n"
            "st x weak = i\n"
            "i = i + 1\n"
            "goto 1\n");
}

TEST(LitmusStatements, DoWhile) {
  EXPECT_EQ(lowered("int r0; do { r0 = x; } while (r0 == 0);"), "r0 = ld x weak\nif (r0 == 0) goto 0\n");
}

TEST(LitmusStatements, BreakAndContinue) {
  EXPECT_EQ(lowered("while (true) { int r0 = x; if (r0 == 1) break; if (r0 == 2) continue; y = r0; }"),
            "r0 = ld x weak\n"
            "if (r0 == 1) goto 5\n"
            "if (r0 == 2) goto 4\n"
            "st y weak = r0\n"
            "goto 0\n");
}

TEST(LitmusStatements, ForOfConstantTripCountIsWrittenOut) {
  EXPECT_EQ(lowered("for (int i = 0; i < 3; i++) data[i] = i;"),
            "i = 0\nst data[0] weak = 0\ni = 1\nst data[1] weak = 1\ni = 2\nst data[2] weak = 2\ni = 3\n");
  // After a break, the value of the counter is unknown.
  EXPECT_EQ(lowered("int i; for (i = 0; i < 2; i++) if (x == i) break; y = i;"),
            "i = 0\n"
            "%0 = ld x weak\n"
            "if (%0 == 0) goto 7\n"
            "i = 1\n"
            "%1 = ld x weak\n"
            "if (%1 == 1) goto 7\n"
            "i = 2\n"
            "st y weak = i\n");
}

TEST(LitmusStatements, UnreachableDeclarationInASwitchIsVisibleAfterLaterLabels) {
  EXPECT_EQ(lowered("switch (1) { case 0: break; int z; case 1: z = y; } int w = y; x = w;"),
            "z = ld y weak\n"
            "w = ld y weak\n"
            "st x weak = w\n");
}

TEST(LitmusStatements, LoopCarriedVariablesAreNotFolded) {
  EXPECT_EQ(lowered("int n = 0; while (x == 0) n = n + 1; y = n;"),
            "n = 0\n"
            "%0 = ld x weak\n"
            "if (%0 != 0) goto 5\n"
            "n = n + 1\n"
            "goto 1\n"
            "st y weak = n\n");
  EXPECT_EQ(lowered("int n = 0; for (int i = 0; i < x; i++) n += 2; y = n;"),
            "n = 0\n"
            "i = 0\n"
            "%0 = ld x weak\n"
            "if (i >= %0) goto 7\n"
            "n = n + 2\n"
            "i = i + 1\n"
            "goto 2\n"
            "st y weak = n\n");
  // The parser knows the counter of an unrolled loop. It also knows values that the body computes from constants.
  EXPECT_EQ(lowered("int n = 1; for (int i = 0; i < 2; i++) n *= 3; y = n;"),
            "n = 1\ni = 0\nn = 3\ni = 1\nn = 9\ni = 2\nst y weak = 9\n");
}

TEST(LitmusStatements, ValuesKnownOnOnePathOnlyAreNotFolded) {
  EXPECT_EQ(lowered("int r0 = 0; if (x == 1) r0 = 5; y = r0;"),
            "r0 = 0\n%0 = ld x weak\nif (%0 != 1) goto 4\nr0 = 5\nst y weak = r0\n");
  EXPECT_EQ(lowered("int r0 = 5; if (x == 1) r0 = 5; y = r0;"),
            "r0 = 5\n%0 = ld x weak\nif (%0 != 1) goto 4\nr0 = 5\nst y weak = 5\n");
  // If one branch returns, the values after the `if` come from the other branch.
  EXPECT_EQ(lowered("int r0 = 0; if (x == 1) { r0 = 5; return; } y = r0;"),
            "r0 = 0\n%0 = ld x weak\nif (%0 != 1) goto 5\nr0 = 5\ngoto 6\nst y weak = 0\n");
}

TEST(LitmusStatements, DeadBranchesFold) {
  EXPECT_EQ(lowered("int t = 3; if (t == 0) x = 1; else if (t > 2) x = 2; else x = 3;"), "t = 3\nst x weak = 2\n");
  EXPECT_EQ(lowered("while (false) x = 1; if (1) y = 1;"), "st y weak = 1\n");
  EXPECT_EQ(lowered("x = 1; return; x = 2;"), "st x weak = 1\n");
  EXPECT_EQ(lowered("int t = 0; if (t == 1 && x == 1) y = 1;"), "t = 0\n");
  EXPECT_EQ(lowered("int t = 0; if (t == 0 || x == 1) y = 1;"), "t = 0\nst y weak = 1\n");
}

TEST(LitmusStatements, ConditionsWithMemoryOperationsShortCircuit) {
  EXPECT_EQ(lowered("if (x == 1 && y == 1) data[0] = 1;"),
            "%0 = ld x weak\n"
            "if (%0 != 1) goto 5\n"
            "%1 = ld y weak\n"
            "if (%1 != 1) goto 5\n"
            "st data[0] weak = 1\n");
  EXPECT_EQ(lowered("if (x == 1 || y == 1) data[0] = 1;"),
            "%0 = ld x weak\n"
            "if (%0 == 1) goto 4\n"
            "%1 = ld y weak\n"
            "if (%1 != 1) goto 5\n"
            "st data[0] weak = 1\n");
  EXPECT_EQ(lowered("int r0 = x; int r1 = y; if (r0 == 1 && r1 == 1) data[0] = 1;"),
            "r0 = ld x weak\n"
            "r1 = ld y weak\n"
            "if (!((r0 == 1) && (r1 == 1))) goto 4\n"
            "st data[0] weak = 1\n");
  EXPECT_EQ(lowered("int r0 = (x == 1 && y == 1);"),
            "%0 = ld x weak\n"
            "if (%0 != 1) goto 6\n"
            "%1 = ld y weak\n"
            "if (%1 != 1) goto 6\n"
            "%2 = 1\n"
            "goto 7\n"
            "%2 = 0\n"
            "r0 = %2\n");
}

TEST(LitmusStatements, ConditionalExpressions) {
  EXPECT_EQ(lowered("int r0 = x; y = r0 == 1 ? 2 : 3;"), "r0 = ld x weak\nst y weak = (r0 == 1) ? 2 : 3\n");
  // Only the selected operand of ?: reads memory.
  EXPECT_EQ(lowered("int r0 = x; int r1 = r0 == 1 ? y : 7;"),
            "r0 = ld x weak\n"
            "if (r0 != 1) goto 5\n"
            "%0 = ld y weak\n"
            "%1 = i64(%0)\n"
            "goto 6\n"
            "%1 = 7\n"
            "r1 = i32(%1)\n");
}

TEST(LitmusStatements, UsualArithmeticConversions) {
  // unsigned wins over int of the same width. A wider type wins over a narrower type. char and short become int.
  EXPECT_EQ(lowered("int r0 = x; unsigned r1 = u; if (r0 < r1) y = 1;"),
            "r0 = ld x weak\nr1 = ld u weak\nif (u32(r0) >=.u32 r1) goto 4\nst y weak = 1\n");
  EXPECT_EQ(lowered("int r0 = x; w = r0 + 1LL;"), "r0 = ld x weak\nst w weak = i64(r0) +.i64 1\n");
  EXPECT_EQ(lowered("char r0 = c; short r1 = h; x = r0 + r1;"),
            "r0 = ld c weak\nr1 = ld h weak\nst x weak = i32(r0) + i32(r1)\n");
  EXPECT_EQ(lowered("int r0 = x; c = r0;"), "r0 = ld x weak\nst c weak = i8(r0)\n");
  EXPECT_EQ(lowered("x = -1 < 1u; y = 2147483647 + 1; w = 2147483648 + 1; u = 0 - 1;"),
            "st x weak = 0\nst y weak = -2147483648\nst w weak = 2147483649\nst u weak = 4294967295\n");
  EXPECT_EQ(lowered("x = 7 / 2; y = -7 % 3; x = 1 << 4; y = 0x10 | 010;"),
            "st x weak = 3\nst y weak = -1\nst x weak = 16\nst y weak = 24\n");
  EXPECT_EQ(lowered("bool r0 = 5; x = r0; x = (bool)256; x = static_cast<unsigned char>(257);"),
            "r0 = 1\nst x weak = 1\nst x weak = 1\nst x weak = 1\n");
}

TEST(LitmusStatements, Pointers) {
  EXPECT_EQ(lowered("int *p = data; p[2] = 1; *p = 2; *(p + 1) = 3; p++; *p = 4;"),
            "p = 12884901888\n"
            "st data[2] weak = 1\n"
            "st data[0] weak = 2\n"
            "st data[1] weak = 3\n"
            "p = 12884901889\n"
            "st data[1] weak = 4\n");
  EXPECT_EQ(lowered("int r0 = x; data[r0] = 1;"), "r0 = ld x weak\nst [12884901888 +.i64 i64(r0)] weak = 1\n");
  EXPECT_EQ(lowered("int r0 = x; int *p = r0 ? &x : &y; *p = 1;"),
            "r0 = ld x weak\n"
            "p = (r0 != 0) ? 4294967296 : 8589934592\n"
            "st [p] weak = 1\n");
}

TEST(LitmusStatements, ShadowedVariablesHaveRegistersOfTheirOwn) {
  EXPECT_EQ(lowered("int r0 = x; { int r0 = y; x = r0; } y = r0;"),
            "r0 = ld x weak\nr0'2 = ld y weak\nst x weak = r0'2\nst y weak = r0\n");
  // Two registers share a slot if they are never live at the same time.
  EXPECT_EQ(lowered("{ int r0 = x; } { int r0 = y; }"), "r0 = ld x weak\nr0 = ld y weak\n");
}

std::string with_function(const std::string& functions, const std::string& code) {
  const auto program = parse("__device__ int x, y, data[2];\n" + functions + "\nP0 @ block 0 {\n" + code + "\n}\n");
  return program->threads.empty() ? "" : listing(*program, program->threads[0]);
}

TEST(LitmusFunctions, AreInlined) {
  EXPECT_EQ(with_function("__device__ void put(int *p, int v) { *p = v; }", "put(&x, 1); put(data + 1, 2);"),
            "st x weak = 1\nst data[1] weak = 2\n");
  EXPECT_EQ(with_function("__device__ int get(int *p) { return *p + 1; }", "int r0 = get(&x);"),
            "%0 = ld x weak\nr0 = %0 + 1\n");
  EXPECT_EQ(with_function("__device__ int twice(int a) { return 2 * a; }", "x = twice(twice(3));"), "st x weak = 12\n");
}

TEST(LitmusFunctions, EarlyReturns) {
  EXPECT_EQ(with_function("__device__ int pick(int a) { if (a == 1) return x; return 7; }", "int r0 = pick(y);"),
            "%0 = ld y weak\n"
            "if (%0 != 1) goto 5\n"
            "%1 = ld x weak\n"
            "%2 = %1\n"
            "goto 6\n"
            "%2 = 7\n"
            "r0 = %2\n");
}

TEST(LitmusFunctions, ReferenceParametersChangeTheVariable) {
  EXPECT_EQ(with_function("__device__ void set(int &a) { a = 5; }", "int r0 = 1; set(r0); x = r0; set(y);"),
            "r0 = 1\nr0 = 5\nst x weak = 5\nst y weak = 5\n");
  EXPECT_EQ(with_function("__device__ void set(int &a) { if (x == 1) return; a = 5; }", "int r0 = 1; set(r0); x = r0;"),
            "r0 = 1\n%0 = ld x weak\nif (%0 == 1) goto 4\nr0 = 5\nst x weak = r0\n");
}

TEST(LitmusFunctions, CountingTheTripsOfALoopLeavesNoRegisters) {
  EXPECT_EQ(with_function("__device__ void f(int &i) { int t = i; i = t + 1; }",
                          "for (int i = 0; i < 1; f(i)) x = i; int q = y; int j = 0; f(j); x = q;"),
            "i = 0\n"
            "st x weak = 0\n"
            "%f.t = 0\n"
            "i = 1\n"
            "q = ld y weak\n"
            "j = 0\n"
            "%f.t = 0\n"
            "j = 1\n"
            "st x weak = q\n");
}

TEST(LitmusFunctions, ParametersThatAreAssignedAreCopies) {
  EXPECT_EQ(with_function("__device__ int count(int n) { while (n < x) n++; return n; }", "int r0 = 1; y = count(r0);"),
            "r0 = 1\n"
            "%count.n = 1\n"
            "%0 = ld x weak\n"
            "if (%count.n >= %0) goto 6\n"
            "%count.n = %count.n + 1\n"
            "goto 2\n"
            "st y weak = %count.n\n");
}

TEST(LitmusFunctions, VolatilePointerParametersMakeVolatileAccesses) {
  EXPECT_EQ(with_function("__device__ void put(volatile int *p) { *p = 1; }", "put(&x);"),
            "st x rlx.system volatile = 1\n");
}

TEST(LitmusFunctions, AUserFunctionHidesAShortForm) {
  EXPECT_EQ(with_function("__device__ void lock(int *l) { while (atomicCAS(l, 0, 1) != 0) {} }", "lock(&x);"),
            "%0 = rmw.cas x rlx.device (0 -> 1)\nif (%0 != 0) goto 0\n");
}

}  // namespace
}  // namespace ambit::parser
