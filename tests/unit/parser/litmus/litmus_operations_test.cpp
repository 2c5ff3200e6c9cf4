/// Tests every row of the statement table in language/statements.md: the events of an operation, their order and scope.

#include <gtest/gtest.h>

#include "tests/unit/parser/litmus/litmus_listing.h"

namespace ambit::parser {
namespace {

TEST(LitmusOperations, PlainAccessesAreWeak) {
  EXPECT_EQ(lowered("x = 1; int r0 = x;"), "st x weak = 1\nr0 = ld x weak\n");
  EXPECT_EQ(lowered("data[1] = 7; int r0 = data[3];"), "st data[1] weak = 7\nr0 = ld data[3] weak\n");
  EXPECT_EQ(lowered("s = 1;"), "st b0:s weak = 1\n");
}

TEST(LitmusOperations, VolatileAccessesAreRelaxedAtSystemScopeAndNotAtomic) {
  EXPECT_EQ(lowered("v = 1; int r0 = v;"), "st v rlx.system volatile = 1\nr0 = ld v rlx.system volatile\n");
  EXPECT_EQ(lowered("*(volatile int *)&x = 1;"), "st x rlx.system volatile = 1\n");
}

TEST(LitmusOperations, CompoundAssignmentIsALoadAndAStore) {
  EXPECT_EQ(lowered("x += 2;"), "%0 = ld x weak\nst x weak = %0 + 2\n");
  EXPECT_EQ(lowered("x++;"), "%0 = ld x weak\nst x weak = %0 + 1\n");
  EXPECT_EQ(lowered("--v;"), "%0 = ld v rlx.system volatile\nst v rlx.system volatile = %0 - 1\n");
  EXPECT_EQ(lowered("int r0 = x++;"), "%0 = ld x weak\nst x weak = %0 + 1\nr0 = %0\n");
  EXPECT_EQ(lowered("int r0 = ++x;"), "%0 = ld x weak\nst x weak = %0 + 1\nr0 = %0 + 1\n");
}

TEST(LitmusOperations, CudaAtomicsAreRelaxedAtDeviceScope) {
  EXPECT_EQ(lowered("int r0 = atomicAdd(&x, 1);"), "r0 = rmw.add x rlx.device (1)\n");
  EXPECT_EQ(lowered("int r0 = atomicSub(&x, 1);"), "r0 = rmw.sub x rlx.device (1)\n");
  EXPECT_EQ(lowered("int r0 = atomicExch(&x, 1);"), "r0 = rmw.exch x rlx.device (1)\n");
  EXPECT_EQ(lowered("int r0 = atomicMin(&x, 1);"), "r0 = rmw.min x rlx.device (1)\n");
  EXPECT_EQ(lowered("int r0 = atomicMax(&x, 1);"), "r0 = rmw.max x rlx.device (1)\n");
  EXPECT_EQ(lowered("unsigned r0 = atomicInc(&u, 4);"), "r0 = rmw.inc u rlx.device (4)\n");
  EXPECT_EQ(lowered("unsigned r0 = atomicDec(&u, 4);"), "r0 = rmw.dec u rlx.device (4)\n");
  EXPECT_EQ(lowered("int r0 = atomicAnd(&x, 1);"), "r0 = rmw.and x rlx.device (1)\n");
  EXPECT_EQ(lowered("int r0 = atomicOr(&x, 1);"), "r0 = rmw.or x rlx.device (1)\n");
  EXPECT_EQ(lowered("int r0 = atomicXor(&x, 1);"), "r0 = rmw.xor x rlx.device (1)\n");
  EXPECT_EQ(lowered("int r0 = atomicCAS(&x, 2, 3);"), "r0 = rmw.cas x rlx.device (2 -> 3)\n");
}

TEST(LitmusOperations, CudaAtomicsTakeTheirScopeFromTheirName) {
  EXPECT_EQ(lowered("int r0 = atomicAdd_block(&x, 1);"), "r0 = rmw.add x rlx.block (1)\n");
  EXPECT_EQ(lowered("int r0 = atomicCAS_system(&x, 0, 1);"), "r0 = rmw.cas x rlx.system (0 -> 1)\n");
}

TEST(LitmusOperations, AnAtomicOnAVolatileObjectIsAnAtomicAndNotVolatile) {
  EXPECT_EQ(lowered("int r0 = atomicAdd((int *)&v, 1);"), "r0 = rmw.add v rlx.device (1)\n");
  EXPECT_EQ(lowered("int r0 = atomicAdd(&v, 1);"), "r0 = rmw.add v rlx.device (1)\n");
}

TEST(LitmusOperations, AnUnusedResultMakesAReductionButNotOfExchangeAndCas) {
  EXPECT_EQ(lowered("atomicAdd(&x, 1);"), "red.add x rlx.device (1)\n");
  EXPECT_EQ(lowered("atomicMax(&x, 1);"), "red.max x rlx.device (1)\n");
  EXPECT_EQ(lowered("(void)atomicOr(&x, 1);"), "red.or x rlx.device (1)\n");
  EXPECT_EQ(lowered("atomicExch(&x, 1);"), "rmw.exch x rlx.device (1)\n");
  EXPECT_EQ(lowered("atomicCAS(&x, 0, 1);"), "rmw.cas x rlx.device (0 -> 1)\n");
  EXPECT_EQ(lowered("fetch_add(x, 1, release, block);"), "red.add x rel.block (1)\n");
  // PTX has no red instruction that acquires, so the compiler keeps the atom instruction.
  EXPECT_EQ(lowered("fetch_add(x, 1, acq_rel, block);"), "rmw.add x acq_rel.block (1)\n");
}

TEST(LitmusOperations, Fences) {
  EXPECT_EQ(lowered("__threadfence_block(); __threadfence(); __threadfence_system();"),
            "fence sc.block\nfence sc.device\nfence sc.system\n");
  EXPECT_EQ(lowered("fence(acquire, block); fence(acq_rel, cluster);"), "fence acq.block\nfence acq_rel.cluster\n");
  EXPECT_EQ(lowered("cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);"),
            "fence rel.device\n");
  EXPECT_EQ(lowered("cuda::atomic_thread_fence(cuda::std::memory_order_seq_cst);"), "fence sc.system\n");
}

TEST(LitmusOperations, ShortForms) {
  EXPECT_EQ(lowered("int r0 = load(x, acquire, device);"), "r0 = ld x acq.device\n");
  EXPECT_EQ(lowered("store(x, 2, release, block);"), "st x rel.block = 2\n");
  EXPECT_EQ(lowered("int r0 = exchange(x, 2, acq_rel, system);"), "r0 = rmw.exch x acq_rel.system (2)\n");
  EXPECT_EQ(lowered("int r0 = fetch_sub(x, 2, relaxed, cluster);"), "r0 = rmw.sub x rlx.cluster (2)\n");
  EXPECT_EQ(lowered("int r0 = fetch_and(x, 2, seq_cst, thread);"), "r0 = rmw.and x sc.thread (2)\n");
  // The compare_exchange with few arguments returns the old value, as atomicCAS does.
  EXPECT_EQ(lowered("int r0 = compare_exchange(x, 0, 1, acquire, block);"), "r0 = rmw.cas x acq.block (0 -> 1)\n");
  EXPECT_EQ(lowered("int *p = &data[1]; int r0 = load(*p, relaxed, block); r0 = load(p, relaxed, block);"),
            "p = 12884901889\nr0 = ld data[1] rlx.block\nr0 = ld data[1] rlx.block\n");
  EXPECT_EQ(lowered("char r0 = load(c, relaxed, block);"), "r0 = ld c rlx.block\n");
}

TEST(LitmusOperations, AtomicRefMembers) {
  const std::string ref = "cuda::atomic_ref<int, cuda::thread_scope_block> b(x); ";
  EXPECT_EQ(lowered(ref + "int r0 = b.load(cuda::memory_order_acquire);"), "r0 = ld x acq.block\n");
  EXPECT_EQ(lowered(ref + "b.store(1, cuda::std::memory_order_release);"), "st x rel.block = 1\n");
  EXPECT_EQ(lowered(ref + "b.store(1); int r0 = b.load();"), "st x sc.block = 1\nr0 = ld x sc.block\n");
  EXPECT_EQ(lowered(ref + "int r0 = b.exchange(3, cuda::memory_order_relaxed);"), "r0 = rmw.exch x rlx.block (3)\n");
  EXPECT_EQ(lowered(ref + "int r0 = b.fetch_max(3);"), "r0 = rmw.max x sc.block (3)\n");
  EXPECT_EQ(lowered("cuda::atomic_ref<int> b{data[2]}; b = 1;"), "st data[2] sc.system = 1\n");
  EXPECT_EQ(lowered("cuda::atomic_ref<int, cuda::thread_scope_device>(x).store(1, cuda::memory_order_relaxed);"),
            "st x rlx.device = 1\n");
}

TEST(LitmusOperations, AtomicObjectsAreSeqCstWhenUsedAsValues) {
  EXPECT_EQ(lowered("a = 1; int r0 = a;"), "st a sc.device = 1\nr0 = ld a sc.device\n");
  EXPECT_EQ(lowered("int r0 = a++; int r1 = ++a;"),
            "r0 = rmw.add a sc.device (1)\n%0 = rmw.add a sc.device (1)\nr1 = %0 + 1\n");
  EXPECT_EQ(lowered("int r0 = (a |= 4);"), "%0 = rmw.or a sc.device (4)\nr0 = %0 | 4\n");
  EXPECT_EQ(lowered("a -= 2;"), "rmw.sub a sc.device (2)\n");
  EXPECT_EQ(lowered("int r0 = a.load(cuda::memory_order_relaxed);"), "r0 = ld a rlx.device\n");
}

TEST(LitmusOperations, CompareExchangeMemberUpdatesExpectedAndYieldsSuccess) {
  EXPECT_EQ(lowered("int e = 5; bool ok = a.compare_exchange_strong(e, 9, cuda::memory_order_acq_rel); int r0 = e;"),
            "e = 5\n"
            "%0 = rmw.cas a acq_rel.device (5 -> 9)\n"
            "e = %0\n"
            "ok = u8((%0 == 5))\n"
            "r0 = e\n");
  EXPECT_EQ(lowered("int e = 0; while (!a.compare_exchange_weak(e, 1)) e = 0;"),
            "e = 0\n"
            "%0 = e\n"
            "%1 = rmw.cas a sc.device (%0 -> 1)\n"
            "e = %1\n"
            "if (%1 == %0) goto 7\n"
            "e = 0\n"
            "goto 1\n");
}

TEST(LitmusOperations, Barriers) {
  EXPECT_EQ(lowered("__syncthreads();"), "barrier.block 0\n");
  EXPECT_EQ(lowered("__syncwarp(); __syncwarp(3);"), "barrier.warp mask ffffffff\nbarrier.warp mask 3\n");
  EXPECT_EQ(lowered("__barrier(1); __barrier(2, 64); __barrier_arrive(2, 64);"),
            "barrier.block 1\nbarrier.block 2 count 64\nbarrier.block 2 count 64 arrive\n");
  EXPECT_EQ(lowered("cluster_sync(); grid_sync();"), "barrier.cluster\nbarrier.grid\n");
}

TEST(LitmusOperations, LockIsASpinAndAFenceUnlockAFenceAndAnExchange) {
  EXPECT_EQ(lowered("lock(x); unlock(x);"),
            "%0 = rmw.cas x rlx.device (0 -> 1) lock\n"
            "if (%0 != 0) goto 0\n"
            "fence sc.device\n"
            "fence sc.device\n"
            "rmw.exch x rlx.device (0) unlock\n");
  EXPECT_EQ(lowered("lock(x, block); unlock(x, system);"),
            "%0 = rmw.cas x rlx.block (0 -> 1) lock\n"
            "if (%0 != 0) goto 0\n"
            "fence sc.block\n"
            "fence sc.system\n"
            "rmw.exch x rlx.system (0) unlock\n");
}

TEST(LitmusOperations, AssertAndAssume) {
  EXPECT_EQ(lowered("int r0 = x; assume(r0 > 0); assert(r0 == 1);"),
            "r0 = ld x weak\nassume (r0 > 0)\nassert (r0 == 1)\n");
}

TEST(LitmusOperations, SpansMarkTheOperation) {
  const auto program = parse("{ global int x; }\nP0 @ block 0 {\n  int r0 = 1 + atomicAdd(&x, 2);\n}\n");
  const Instruction& add = program->threads.at(0).code.at(0);
  EXPECT_EQ(add.span, (SourceSpan{4, 16, 16}));  // `atomicAdd(&x, 2)`; the header is line 1
}

}  // namespace
}  // namespace ambit::parser
