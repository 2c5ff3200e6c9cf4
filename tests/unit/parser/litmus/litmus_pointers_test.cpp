/// Tests pointers in memory (language.md, "Pointers"): the lowered code, the initial values and the error messages.

#include <gtest/gtest.h>

#include "tests/unit/parser/litmus/litmus_listing.h"

namespace ambit::parser {
namespace {

constexpr const char* kMemory = R"(
struct Node { int value; Node *next; };
__device__ Node pool[2] = {{1, &pool[1]}, {2, nullptr}};
__device__ int x;
__device__ Node *head = &pool[1];
__device__ Node *volatile shy = pool;
__device__ int *word = &x;
__device__ cuda::atomic<Node *, cuda::thread_scope_block> top{&pool[0]};
)";

std::string code_of(const std::string& code) {
  const auto program = parse(kMemory + ("P0 @ block 0 { " + code + " }\n"));
  return program == nullptr ? "" : listing(*program, program->threads.at(0));
}

std::string errors_of(const std::string& code) { return errors(kMemory + ("P0 @ block 0 { " + code + " }\n")); }

// The array `pool` of structs has two objects, pool.value and pool.next. A pointer to the struct pool[1] is the address
// of pool[1].value.
TEST(LitmusPointers, InitialValuesAreAddresses) {
  const auto program = parse(std::string(kMemory) + "P0 @ block 0 { x = 1; }\n");
  ASSERT_NE(program, nullptr);
  const auto initial = [&](std::string_view name) {
    for (const Location& cell : program->locations) {
      if (cell.name == name) return program->pointer_name(cell.initial).value_or("none");
    }
    return std::string("no cell");
  };
  EXPECT_EQ(initial("pool[0].next"), "pool[1]");
  EXPECT_EQ(initial("pool[1].next"), "none");
  EXPECT_EQ(initial("head"), "pool[1]");
  EXPECT_EQ(initial("shy"), "pool[0]");
  EXPECT_EQ(initial("word"), "x");
  EXPECT_EQ(initial("top"), "pool[0]");
}

TEST(LitmusPointers, EachAccessToAPointerIsAnAccess) {
  EXPECT_EQ(code_of("Node *n = head;"), "n = ld head weak\n");
  EXPECT_EQ(code_of("Node *n = shy;"), "n = ld shy rlx.system volatile\n");
  EXPECT_EQ(code_of("head = nullptr;"), "st head weak = 0\n");
  EXPECT_EQ(code_of("*word = 3;"), "%0 = ld word weak\nst [%0] weak = 3\n");
  EXPECT_EQ(code_of("Node *n = head; int r = n->value;"), "n = ld head weak\nr = ld [n +.i64 0] weak\n");
  // The object of field `next` follows the object of field `value`.
  EXPECT_EQ(code_of("Node *n = head->next;"), "%0 = ld head weak\nn = ld [%0 +.i64 4294967296] weak\n");
}

TEST(LitmusPointers, AtomicsOnPointers) {
  EXPECT_EQ(code_of("Node *n = top.load(cuda::memory_order_acquire);"), "n = ld top acq.block\n");
  EXPECT_EQ(code_of("Node *n = load(head, acquire, device);"), "n = ld head acq.device\n");
  EXPECT_EQ(code_of("store(head, nullptr, release, device);"), "st head rel.device = 0\n");
  EXPECT_EQ(code_of("cuda::atomic_ref<Node *, cuda::thread_scope_device> a(head); Node *n = a.exchange(nullptr);"),
            "n = rmw.exch head sc.device (0)\n");
  EXPECT_EQ(code_of("Node *old = (Node *)atomicCAS((unsigned long long *)&head, 0ull, (unsigned long long)head);"),
            "%0 = ld head weak\n%1 = rmw.cas head rlx.device (0 -> u64(%0))\nold = i64(%1)\n");
}

TEST(LitmusPointers, Errors) {
  EXPECT_NE(errors_of("int *p = head;").find("expected int*, found Node*"), std::string::npos);
  EXPECT_NE(errors_of("head = 5;").find("expected Node*, found int"), std::string::npos);
  EXPECT_NE(errors_of("atomicExch(&head, nullptr);").find("CUDA has no 'atomicExch' for pointers"), std::string::npos);
  EXPECT_NE(errors_of("top += 1;").find("of a pointer in memory is not supported"), std::string::npos);
  EXPECT_NE(errors_of("int r = head->weight;").find("the struct 'Node' has no field 'weight'"), std::string::npos);
  EXPECT_NE(errors("__device__ int **p;\nP0 @ block 0 { }\n").find("'p' cannot be in memory"), std::string::npos);
  EXPECT_NE(errors("__device__ int *p = &y;\nP0 @ block 0 { }\n").find("'y' is not the name of memory"),
            std::string::npos);
  EXPECT_NE(errors("__device__ int x[2], *p = &x[2];\nP0 @ block 0 { }\n").find("index 2 is out of range"),
            std::string::npos);
  EXPECT_NE(
      errors("struct S { int a[2]; };\n__device__ S *p;\nP0 @ block 0 { }\n").find("whose first field is an array"),
      std::string::npos);
}

TEST(LitmusPointers, ConditionsNameAddresses) {
  const auto program = parse(std::string(kMemory) +
                             "P0 @ block 0 { Node *n = head; }\n"
                             "exists (P0:n == &pool[1] && head != nullptr && word == &x && P0:n != &pool[0].next)\n");
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(program->observables.size(), 3U);
}

}  // namespace
}  // namespace ambit::parser
