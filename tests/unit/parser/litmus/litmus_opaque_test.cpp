/// Tests opaque values, which Ambit does not follow (docs/reference/cuda-sources.md). The tests check to which
/// variables an opaque value flows, and which operations depend on it.

#include <gtest/gtest.h>

#include "tests/unit/parser/litmus/litmus_listing.h"

namespace ambit::parser {
namespace {

const std::string kOpaqueMemory = "{ global float f, g; global int x, y, a[4]; }\n";

/// Returns a program with the code `first` of P0 in line 3 and the code `second` of P1 in line 4.
std::shared_ptr<const Program> read_program(const std::string& first, const std::string& second = "y = 1;",
                                            const std::string& condition = "") {
  return parse(kOpaqueMemory + "P0 @ block 0 { " + first + " }\nP1 @ block 1 { " + second + " }\n" + condition);
}

/// Returns the kind and the line of each use of an opaque value, such as "branch 3, address 4".
std::string uses(const Program& program) {
  std::string text;
  for (const OpaqueUse& use : program.opaque_uses) {
    text += (text.empty() ? "" : ", ") + std::string(to_string(use.kind)) + " " + std::to_string(use.span.line);
  }
  return text;
}

TEST(LitmusOpaque, DataAloneIsNotAUse) {
  const auto program =
      read_program("float r = f * 2.0f + 1; g = r > 0 ? r : -r; x = (int)r;", "y = x; x += (int)sqrtf(g);");
  EXPECT_EQ(uses(*program), "");
  EXPECT_TRUE(program->objects[0].is_opaque);  // The cell f is opaque by its type.
  EXPECT_TRUE(program->objects[2].is_opaque);  // The program assigns (int)r to the cell x.
  EXPECT_TRUE(program->objects[3].is_opaque);  // The program assigns x to the cell y.
  EXPECT_FALSE(program->objects[4].is_opaque);
}

TEST(LitmusOpaque, ADecisionIsAUse) {
  EXPECT_EQ(uses(*read_program("if (f > 0.5f) y = 1;")), "this branch 3");
  EXPECT_EQ(uses(*read_program("y = 2;", "while (f < 1) { x = 2; }")), "this branch 4");
  EXPECT_EQ(uses(*read_program("a[(int)f] = 1;")), "this address 3");
  EXPECT_EQ(uses(*read_program("atomicCAS((int*)&f, 0, 1);")), "this compare-and-swap 3");
  EXPECT_EQ(uses(*read_program("assert(f == 0.0);")), "this assertion 3");
  EXPECT_EQ(uses(*read_program("y = f > 1 ? x : a[0];")), "this branch 3") << "only one of the two cells is loaded";
  EXPECT_EQ(uses(*read_program("if (__brev(x) == 1) y = 1;")), "this branch 3");
}

TEST(LitmusOpaque, ValuesPassThroughMemoryAndRegisters) {
  EXPECT_EQ(uses(*read_program("x = (int)f;", "int r = x; if (r == 1) y = 1;")), "this branch 4");
  EXPECT_EQ(uses(*read_program("x = (int)f;", "if (y == 1) x = 1;")), "") << "the program stores no opaque value to y";
  EXPECT_EQ(uses(*read_program("int i = (int)f; a[1] = i;", "if (a[0] == 1) y = 1;")), "this branch 4")
      << "one opaque cell makes its whole array opaque";
}

TEST(LitmusOpaque, ConditionsAreUses) {
  const auto on_memory = read_program("f = 1.0f;", "y = 1;", "exists (f == 1)");
  ASSERT_EQ(on_memory->opaque_uses.size(), 1U);
  EXPECT_EQ(on_memory->opaque_uses[0].kind, OpaqueUse::Kind::Condition);
  EXPECT_FALSE(on_memory->opaque_uses[0].hides_everything());
  const auto filtered = read_program("f = 1.0f;", "y = 1;", "filter (f == 1) exists (y == 1)");
  ASSERT_EQ(filtered->opaque_uses.size(), 1U);
  EXPECT_TRUE(filtered->opaque_uses[0].hides_everything());
  EXPECT_EQ(uses(*read_program("f = 1.0f;", "y = 1;", "exists (y == 1)")), "");
}

TEST(LitmusOpaque, OutcomesLeaveThemOut) {
  std::string observed;
  const auto program = read_program("float r = f; int q = x; g = r; y = q;");
  for (const Observable& observable : program->observables) {
    observed += observable.name + " ";
  }
  EXPECT_EQ(observed, "P0:q y ");  // nothing writes x and a
}

TEST(LitmusOpaque, TheValueKeepsItsDependencies) {
  const auto program = read_program("int r = x; g = r * 0.5f;");
  const auto* store = std::get_if<Store>(&program->threads[0].code.back().operation);
  ASSERT_NE(store, nullptr);
  const std::string value = expression(*program, &program->threads[0], store->value);
  EXPECT_NE(value.find('r'), std::string::npos) << value;
  EXPECT_TRUE(store->access.is_opaque);
}

TEST(LitmusOpaque, BranchesAreExploredOnRequest) {
  ProgramOptions options;
  options.opaque_branches = true;
  const auto program = parse(kOpaqueMemory + "P0 @ block 0 { if (f > 0) y = 1; a[(int)f] = 1; }\n", options);
  ASSERT_EQ(program->opaque_uses.size(), 2U);
  EXPECT_TRUE(program->opaque_uses[0].is_explored);
  EXPECT_FALSE(program->opaque_uses[0].hides_everything());
  EXPECT_TRUE(program->opaque_uses[1].hides_everything()) << "an address can be anything";
}

TEST(LitmusOpaque, Structs) {
  const std::string body =
      "struct P { float2 at; int id; };\n__device__ P p[2];\n__device__ P moved(P old, float d) { old.at.x += d; "
      "old.id = old.id + 1; return old; }\n__global__ void k() { P mine = p[0]; p[1] = moved(mine, 0.5f); }\n"
      "launch k<<<1, 1>>>();\nexists (p[1].id == 1)\n";
  const auto program = parse(body);
  EXPECT_EQ(uses(*program), "");
  std::size_t loads = 0;
  std::size_t stores = 0;
  for (const Instruction& instruction : program->threads[0].code) {
    loads += std::holds_alternative<Load>(instruction.operation) ? 1 : 0;
    stores += std::holds_alternative<Store>(instruction.operation) ? 1 : 0;
  }
  EXPECT_EQ(loads, 3U) << "at.x, at.y, id";
  EXPECT_EQ(stores, 3U);
}

TEST(LitmusOpaque, WrongUsesOfFloatsAreErrors) {
  EXPECT_NE(errors(kOpaqueMemory + "P0 @ block 0 { x = f % 2; }\n").find("'%' needs integers, not float"),
            std::string::npos);
  EXPECT_NE(errors(kOpaqueMemory + "P0 @ block 0 { a[f] = 1; }\n").find("an index must be an integer, not float"),
            std::string::npos);
  EXPECT_NE(errors("struct S { int a; };\nstruct T { int a; };\n__device__ S s; __device__ T t;\n"
                   "__global__ void k() { s = t; }\nlaunch k<<<1, 1>>>();\n")
                .find("expected S, found T"),
            std::string::npos);
}

}  // namespace
}  // namespace ambit::parser
