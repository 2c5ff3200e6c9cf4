#include "runner/standalone/flow_tree.h"

#include <gtest/gtest.h>

#include "tests/unit/standalone/emitted.h"

namespace ambit::standalone {
namespace {

/// Returns the emitted function of P0, without its first and last line. P0's code is `body`.
std::string function(const std::string& body) {
  std::string text =
      emitted_text("CUDA t\n{ global int x = 0, y = 0, z = 0; }\nP0 @ block 0 { " + body + " }\nexists (x == 1)\n");
  const std::size_t begin = text.find("__device__ void P0(");
  if (begin == std::string::npos) return text;
  const std::size_t first = text.find('\n', begin) + 1;
  return text.substr(first, text.find("\n}\n", first) + 1 - first);
}

TEST(FlowTree, AnAwaitIsALoopWithItsTestAtTheEnd) {
  EXPECT_EQ(function("while (atomicCAS(&x, 0, 1) != 0) {} y = 1;"),
            "  int t0 = 0;\n"
            "  do {\n"
            "    t0 = atomicCAS(&x, 0, 1);\n"
            "  } while (t0 != 0);\n"
            "  y = 1;\n");
}

TEST(FlowTree, BranchesKeepBothSides) {
  EXPECT_EQ(function("int r = x; if (r == 1) y = 1; else if (r > 2) y = 2; else z = 3;"),
            "  int r = 0;\n"
            "  r = x;\n"
            "  if (r == 1) {\n"
            "    y = 1;\n"
            "  } else {\n"
            "    if (r > 2) {\n"
            "      y = 2;\n"
            "    } else {\n"
            "      z = 3;\n"
            "    }\n"
            "  }\n");
}

TEST(FlowTree, BothOperandsOfAnAndLeadToOneElse) {
  EXPECT_EQ(function("if (x == 1 && y == 2) z = 1; else z = 2;"),
            "  int t0 = 0;\n"
            "  int t1 = 0;\n"
            "  t0 = x;\n"
            "  if (t0 == 1) {\n"
            "    t1 = y;\n"
            "    if (t1 == 2) {\n"
            "      z = 1;\n"
            "      return;\n"
            "    }\n"
            "  }\n"
            "  z = 2;\n");
}

TEST(FlowTree, ABlockThatBreakLeavesJoinsWhatGoesOn) {
  EXPECT_EQ(function("if (x == 1 && y == 2) z = 1; else z = 2; y = 3;"),
            "  int t0 = 0;\n"
            "  int t1 = 0;\n"
            "  t0 = x;\n"
            "  do {\n"
            "    if (t0 == 1) {\n"
            "      t1 = y;\n"
            "      if (t1 == 2) {\n"
            "        z = 1;\n"
            "        break;\n"
            "      }\n"
            "    }\n"
            "    z = 2;\n"
            "  } while (0);\n"
            "  y = 3;\n");
}

TEST(FlowTree, LoopsHaveBreakAndContinue) {
  EXPECT_EQ(function("while (true) { int r = x; if (r == 3) break; if (r == 2) continue; y = r; } z = 1;"),
            "  int r = 0;\n"
            "  while (true) {\n"
            "    r = x;\n"
            "    if (r == 3) {\n"
            "      break;\n"
            "    }\n"
            "    if (r != 2) {\n"
            "      y = r;\n"
            "    }\n"
            "  }\n"
            "  z = 1;\n");
}

TEST(FlowTree, TwoLoopsWithOneHeadAreOneLoop) {
  EXPECT_EQ(function("do { while (load(x, relaxed, device) != 0) {} } while (atomicCAS(&x, 0, 1) != 0); y = 1;"),
            "  int t0 = 0;\n"
            "  int t1 = 0;\n"
            "  while (true) {\n"
            "    t0 = cuda::atomic_ref<int, cuda::thread_scope_device>(x).load(cuda::memory_order_relaxed);\n"
            "    if (t0 != 0) {\n"
            "      continue;\n"
            "    }\n"
            "    t1 = atomicCAS(&x, 0, 1);\n"
            "    if (t1 == 0) {\n"
            "      break;\n"
            "    }\n"
            "  }\n"
            "  y = 1;\n");
}

TEST(FlowTree, AnEarlyReturnLeavesTheFunction) {
  EXPECT_EQ(function("int r = x; if (r == 1) return; y = 1;"),
            "  int r = 0;\n"
            "  r = x;\n"
            "  if (r != 1) {\n"
            "    y = 1;\n"
            "  }\n");
}

TEST(FlowTree, JumpsIntoALoopHaveNoForm) {
  Thread thread;
  const Expr condition = Expr::make_register(0);
  thread.registers.push_back({"r0", kInt});
  // Instruction 0 jumps to 2. Instructions 1 to 3 are a loop with head 1, so the jump enters the loop in its middle.
  thread.code.push_back({Branch{condition, 2}, {}});
  thread.code.push_back({Fence{}, {}});
  thread.code.push_back({Fence{}, {}});
  thread.code.push_back({Branch{condition, 1}, {}});
  EXPECT_FALSE(flow_tree(thread).has_value());
  thread.code[0].operation = Branch{condition, 4};
  EXPECT_TRUE(flow_tree(thread).has_value());
}

}  // namespace
}  // namespace ambit::standalone
