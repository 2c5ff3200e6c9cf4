#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/standalone/emitted.h"

namespace ambit::standalone {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string threads(const std::string& memory, const std::string& code, const std::string& rest = "exists (x == 1)") {
  return emitted_text("CUDA t\n{ " + memory + " }\n" + code + "\n" + rest + "\n");
}
std::string body(const std::string& code, const std::string& memory = "global int x = 0;") {
  return threads(memory, "P0 @ block 0 { " + code + " }");
}

TEST(ProgramText, OperationsHaveCudasNames) {
  EXPECT_THAT(body("atomicAdd_block(&x, 2);"), HasSubstr("  atomicAdd_block(&x, 2);\n"));
  EXPECT_THAT(body("int r = exchange(x, 1, relaxed, system);"), HasSubstr("  r = atomicExch_system(&x, 1);\n"));
  EXPECT_THAT(body("store(x, 1, release, device);"),
              HasSubstr("cuda::atomic_ref<int, cuda::thread_scope_device>(x).store(1, cuda::memory_order_release);"));
  EXPECT_THAT(body("fence(seq_cst, block);"), HasSubstr("  __threadfence_block();\n"));
  EXPECT_THAT(body("fence(acquire, device);"),
              HasSubstr("cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);"));
  EXPECT_THAT(body("fetch_add(x, 1, relaxed, device);", "global long long x = 0;"),
              HasSubstr("atomicAdd((unsigned long long *)&x, 1ull);"));
  EXPECT_THAT(body("lock(x); unlock(x);"),
              HasSubstr("t0 = atomicCAS(&x, 0, 1);\n  } while (t0 != 0);\n  __threadfence();"));
}

// Signed overflow is undefined in C++, so nvcc compiles r + 1 < 0 as r < -1. So the program
// computes with unsigned numbers.
TEST(ProgramText, ArithmeticWraps) {
  const std::string memory = "global int x = 0; global unsigned u = 0; global short s = 0;";
  EXPECT_THAT(body("int r = x; int q = r + 1;", memory), HasSubstr("  q = (int)(r + 1u);\n"));
  EXPECT_THAT(body("int r = x; int q = r * r;", memory), HasSubstr("  q = (int)((unsigned)r * r);\n"));
  EXPECT_THAT(body("int r = x; int q = -r;", memory), HasSubstr("  q = (int)(0u - r);\n"));
  EXPECT_THAT(body("unsigned r = u; unsigned q = r - 1;", memory), HasSubstr("  q = r - 1u;\n"));
  EXPECT_THAT(body("int r = x; int q = r << 3; int p = r << q;", memory), HasSubstr("  p = r << (q & 31);\n"));
  EXPECT_THAT(body("unsigned r = u; unsigned q = r / 3; unsigned p = r / q;", memory),
              HasSubstr("  q = r / 3u;\n  p = (q == 0 ? (unsigned)-1 : r / q);\n"));
}

TEST(ProgramText, NamesOfTheHostsHeadersAreRenamed) {
  const std::string index = body("index = 1;", "global int x = 0, index = 0;");
  EXPECT_THAT(index, HasSubstr("#ifndef __AMBIT__\n#define index index_of_the_test\n#endif\n"));
  EXPECT_THAT(body("x = 1;"), Not(HasSubstr("of_the_test")));
}

TEST(ProgramText, VolatileIsOfTheVariableOrOfTheAccess) {
  EXPECT_THAT(body("x = 1;", "volatile global int x = 0;"), HasSubstr("__device__ volatile int x;\n"));
  const std::string mixed =
      emitted_text("PTX t\n{ x=0; }\n P0@cta 0,gpu 0 ;\n st.volatile x, 1 ;\n st.weak x, 2 ;\nexists (x == 1)\n");
  EXPECT_THAT(mixed, HasSubstr("__device__ int x;\n"));
  EXPECT_THAT(mixed, HasSubstr("  *(volatile int *)&x = 1;\n  x = 2;\n"));
}

TEST(ProgramText, ThreadsAreWhereTheTestPlacesThem) {
  const std::string text =
      threads("global int x = 0;", "P0 @ block 0 { x = 1; }\nP1 @ block 2 warp 1 lane 3 { x = 2; }");
  EXPECT_THAT(text, HasSubstr("if (blockIdx.x == 0 && threadIdx.x == 0) {\n    P0();"));
  EXPECT_THAT(text, HasSubstr("else if (blockIdx.x == 2 && threadIdx.x == 35) {\n    P1();"));
  EXPECT_THAT(text, HasSubstr("// ambit: launch test_kernel<<<3, 36>>>();"));
}

TEST(ProgramText, IdleThreadsArriveAtBarriers) {
  const std::string text = threads(
      "global int x = 0;", "P0 @ block 0 { x = 1; __syncthreads(); }\nP1 @ block 0 { __syncthreads(); int r = x; }");
  EXPECT_THAT(text, HasSubstr("else if (blockIdx.x == 0) {\n    __barrier_sync(0);\n  }"));
}

TEST(ProgramText, SharedMemoryBeginsWithTheTestsValues) {
  const std::string text =
      threads("shared int s = 5; global int x = 0;", "P0 @ block 0 { x = s; }", "forall (x == 5 && b0:s == 5)");
  EXPECT_THAT(text, HasSubstr("#ifdef __AMBIT__\n__shared__ int s = 5;\n#else\n__shared__ int s;\n#endif"));
  EXPECT_THAT(text, HasSubstr("if (threadIdx.x == 0) {\n    s = 5;\n  }"));
  EXPECT_THAT(text, HasSubstr("OBSERVE(0, s);"));
}

TEST(ProgramText, ConditionsAndExpectationsAreComments) {
  const std::string text = threads("global int x = 0;", "P0 @ block 1 { int r0 = x; }",
                                   "exists (P0:r0 == 1)\nexpect ptx : Never, norace because \"nobody writes\"\n"
                                   "label mine : norace\ndetect scord : norace");
  EXPECT_THAT(text, HasSubstr("// ambit: exists (b1t0:P0_r0 == 1)\n"
                              "// ambit: expect ptx : Never, norace because \"nobody writes\"\n"
                              "// ambit: label mine : norace\n"
                              "// ambit: detect scord : norace\n"));
  EXPECT_THAT(text, HasSubstr("const char *const kNames[] = {\"P0:r0\"};"));
}

TEST(ProgramText, KernelsKeepTheirText) {
  const std::string text = emitted_text(
      "CUDA t\n\n__device__ int lock = 0;\n__global__ void kmain(volatile unsigned int *data, int n) {\n"
      "  data[0] = n;  // mine\n}\nlaunch kmain<<<2, 33>>>(data[4], 7);\n\nforall (data[0] == 7)\n"
      "expect ptx : Always\n  because \"all write 7\"\n");
  EXPECT_THAT(text, HasSubstr("__device__ int lock = 0;\n__global__ void kmain(volatile unsigned int *data, int n) {\n"
                              "  data[0] = n;  // mine\n}\n// ambit: launch kmain<<<2, 33>>>(data[4], 7);\n\n"
                              "// ambit: forall (data[0] == 7)\n// ambit: expect ptx : Always\n"
                              "// ambit:   because \"all write 7\"\n"));
  EXPECT_THAT(text, HasSubstr("namespace memory {\n__device__ unsigned int data[4];\n}"));
  EXPECT_THAT(text, HasSubstr("auto &data = on_device(memory::data);"));
  EXPECT_THAT(text, HasSubstr("kmain<<<2, 33>>>(data, 7);"));
}

TEST(ProgramText, ASourceKeepsItsHostCodeUnderAnotherName) {
  const std::string text = emitted_text(
      "__global__ void k(int *d) { d[threadIdx.x] = 1; }\nint main() {\n  int *d;\n  cudaMalloc(&d, 8);\n"
      "  cudaMemset(d, 255, 8);\n  k<<<1, 2>>>(d);\n}\n// ambit: forall (d[0] == 1)\n",
      "t.cu");
  EXPECT_THAT(text, HasSubstr("#ifndef __AMBIT__\n#define main main_of_the_test\n#endif\n"));
  EXPECT_THAT(text, HasSubstr("= { - 1 ,  - 1 ,};"));
  EXPECT_THAT(text, HasSubstr("k<<<1, 2>>>(d);"));
}

TEST(ProgramText, AnAssumptionDropsTheRun) {
  const std::string text = body("int r = x; assume(r == 0);");
  EXPECT_THAT(text, HasSubstr("#define assume(e) if (!(e)) { is_dropped = 1; return; }"));
  EXPECT_THAT(text, HasSubstr("is_dropped).value() == 0"));
}

TEST(ProgramText, UnsupportedConstructsAreErrorsAtTheirPlaces) {
  EXPECT_THAT(body("fence(acquire, cluster);"),
              HasSubstr("t.litmus:3:16: error: CUDA C++ has no fence at cluster scope"));
  EXPECT_THAT(body("__barrier(1, 2);"), HasSubstr("error: CUDA counts the arrivals at a barrier in whole warps of 32"));
  EXPECT_THAT(threads("global int x = 0;", "P0 @ gpu 0 block 0 { x = 1; }\nP1 @ gpu 1 block 0 { x = 2; }"),
              HasSubstr("error: threads on several GPUs: one launch runs on one GPU"));
  EXPECT_THAT(
      threads("global int x = 0;", "P0 @ block 0 { if (x == 1) __syncthreads(); }\nP1 @ block 0 { __syncthreads(); }"),
      HasSubstr("error: a barrier that some threads of block 0 may skip or repeat"));
  EXPECT_THAT(
      emitted_text("PTX t\n{ x=0; t @ texture aliases x; }\n P0@cta 0,gpu 0 ;\n tld r0, t ;\nexists (P0:r0 == 1)\n"),
      HasSubstr("error: CUDA C++ has no plain access by the texture proxy"));
}

TEST(ProgramText, BarriersOfCudaAreNamedBarriers) {
  const std::string text = threads("global int x = 0;", "P0 @ block 0 { __barrier(3); }");
  EXPECT_THAT(text, HasSubstr("  __barrier_sync(3);\n"));
  EXPECT_THAT(text, Not(HasSubstr("__barrier(3)")));
  // A barrier of the test may have a count only if the count is the number of the block's threads, and if all threads
  // arrive in the same way.
  EXPECT_THAT(threads("global int x = 0;", "P0 @ block 0 { __barrier(3, 2); }\nP1 @ block 0 { __barrier(3, 2); }"),
              HasSubstr("  __barrier_sync(3);\n"));
  EXPECT_THAT(
      threads("global int x = 0;", "P0 @ block 0 { __barrier(3, 2); __barrier(3, 2); }\nP1 @ block 0 { x = 1; }"),
      HasSubstr("error: CUDA counts the arrivals"));
}

TEST(ProgramText, LaunchesGiveContents) {
  const std::string text = emitted_text(
      "__global__ void k(int *data, float *x, int *out) { if (data[blockIdx.x] > 0) out[0] = 1; }\n"
      "// ambit: launch k<<<(2, 1), 1>>>(int data[3] = {1, -2}, float x[2] = 1.5, int[1]);\n",
      "t.cu");
  EXPECT_THAT(text, HasSubstr("__device__ int data[ 3 ] = {1, -2};\n"));
  EXPECT_THAT(text, HasSubstr("__device__ float x[ 2 ] = {1.5, 1.5,};\n"));
  EXPECT_THAT(text, HasSubstr("__device__ int out[ 1 ];\n"));
  EXPECT_THAT(text, HasSubstr("k<<<dim3( 2 , 1 ), 1>>>(data, x, out);\n"));
}

TEST(ProgramText, KernelsKeepTheirAsynchronousOperations) {
  const std::string copy =
      "__global__ void k(const uint64_t *g, uint64_t *out) { __shared__ alignas(16) uint64_t s[2];\n"
      "cuda::ptx::cp_async_bulk(cuda::ptx::space_global, cuda::ptx::space_shared, out, s, 16); }\n"
      "// ambit: launch k<<<1, 1>>>(g[2], out[2]);\n";
  const std::string text = emitted_text(copy, "t.cu");
  EXPECT_THAT(text, HasSubstr("// nvcc -std=c++17 -arch=sm_90 FILE"));
  EXPECT_THAT(text, HasSubstr("alignas(16) __device__ unsigned long long out [ 2 ];\n"));
  EXPECT_THAT(text, HasSubstr("k<<<1, 1>>>(pointer(g), pointer(out));\n"));
}

std::string column(const std::string& memory, const std::string& code, const std::string& condition = "x == 0") {
  return emitted_text("PTX t\n{ x=0; " + memory + " }\n P0@cta 0 ;\n " + code + " ;\nexists (" + condition + ")\n");
}

TEST(ProgramText, AsynchronousOperationsOfPtxAreInstructions) {
  const std::string memory = ".u64 s[2] @ cta 0 = {1,2}; .u64 g[2]; b @ cta 0 = mbarrier(1);";
  const std::string load = column(memory,
                                  "mbarrier.arrive.expect_tx.shared::cta.b64 r2, [b], 16 ;\n"
                                  " cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [s], [g], 16, [b] ;\n"
                                  " mbarrier.test_wait.shared::cta.b64 r1, [b], r2",
                                  "P0:r1 == 1 /\\ s[1] == 0");
  EXPECT_THAT(load, HasSubstr("alignas(16) __shared__ unsigned long long s[2]"));
  EXPECT_THAT(load, HasSubstr("\n__shared__ unsigned long long b;\n"));
  // In a test, the declaration of an mbarrier initialises it. In a program, an instruction must initialise it.
  EXPECT_THAT(load, HasSubstr("mbarrier.init.shared::cta.b64 [%0], 1;"));
  EXPECT_THAT(load,
              HasSubstr("asm volatile(\"mbarrier.arrive.expect_tx.shared::cta.b64 %0, [%1], 16;\" : \"=l\"(state_"));
  EXPECT_THAT(load, HasSubstr("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%0], [%1], 16, [%2];\" : "
                              " : \"r\"((unsigned)__cvta_generic_to_shared(&s[0])), \"l\"(&g[0]), "));
  EXPECT_THAT(load, HasSubstr("mbarrier.test_wait.shared::cta.b64 ambit_p, [%1], %2;"));
  EXPECT_THAT(load, HasSubstr("// ambit: exists (b0t0:P0_r1 == 1 && b0:s[1] == 0)"));
  EXPECT_THAT(column(memory, "fence.proxy.async.shared::cta ;\n cp.async.wait_all"),
              HasSubstr("asm volatile(\"fence.proxy.async.shared::cta;\" : : : \"memory\");"));
}

TEST(ProgramText, AsynchronousOperationsThatNoProgramHas) {
  EXPECT_THAT(
      column(".u64 g[2]; t = tensormap(g, {2}, {2}); .u64 s[2] @ cta 0;",
             "cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [t, {0}], [s]"),
      HasSubstr(
          "t.litmus:4:2: error: the printer of programs does not support tensor copies of threads: use a kernel"));
  EXPECT_THAT(column("s @ cta 0; m @ cta 0;", "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 [s], [m]"),
              HasSubstr("t.litmus:2:8: error: this factor of wgmma is not an array"));
  EXPECT_THAT(column("s[1] @ cta 0; m[1] @ cta 0;",
                     "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 [s], [m] ;\n bar.sync 8"),
              HasSubstr("error: a barrier with a number above 7 in a test with wgmma"));
  EXPECT_THAT(column("b @ cta 0 = mbarrier(1);", "mbarrier.arrive.expect_tx.shared::cta.b64 r1, [b], 16", "P0:r1 == 0"),
              HasSubstr("conditions on 'P0:r1', the state of an mbarrier"));
  EXPECT_THAT(emitted_text("PTX t\n{ s @ cta 1; }\n P0@cta 0 | P1@cta 1 ;\n cp.async.wait_all | st.weak s, 1 ;\n"
                           " ld.weak r1, s | ;\nexists (P0:r1 == 1)\n"),
              HasSubstr("this shared memory is in another cluster, so the thread cannot access it"));
}

// To address shared memory of another block, a thread uses the rank of that block in the cluster. The program runs a
// cluster barrier before the test and after the test.
TEST(ProgramText, ClustersOfPtxAreThoseOfTheLaunch) {
  const std::string text = emitted_text(
      "PTX t\n{ .u64 s[1] @ cta 1; b @ cta 1 = mbarrier(1); .shared c = mbarrier(2); }\n"
      " P0@cta 0,cluster 0 | P1@cta 1,cluster 0 ;\n"
      " st.weak.shared::cluster [s], 1 | ld.weak.shared r0, [s] ;\n"
      " mbarrier.arrive.release.cluster.shared::cluster.b64 _, [b] | mbarrier.init.shared::cta.b64 [c], 2 ;\n"
      " mbarrier.arrive.shared::cta.b64 _, [c] | ;\n"
      " barrier.cluster.arrive | barrier.cluster.arrive ;\n"
      " barrier.cluster.wait | barrier.cluster.wait ;\nexists (P1:r0 == 1 /\\ s[0] == 1)\n");
  EXPECT_THAT(text, HasSubstr("__global__ __cluster_dims__(2) void test_kernel() {"));
  EXPECT_THAT(text, HasSubstr("  (*cooperative_groups::this_cluster().map_shared_rank(&s[0], 1)) = 1ull;\n"));
  EXPECT_THAT(text, HasSubstr("\"r\"(shared_in_block((unsigned)__cvta_generic_to_shared(&b), 1))"));
  EXPECT_THAT(text, HasSubstr("  asm volatile(\"barrier.cluster.arrive;\" : : : \"memory\");\n"));
  EXPECT_THAT(text, HasSubstr("    asm volatile(\"mbarrier.init.shared::cta.b64 [%0], 1;\" : : \"r\"((unsigned)"
                              "__cvta_generic_to_shared(&b)) : \"memory\");\n"));
  // Each block initialises its own mbarrier.
  EXPECT_THAT(text, HasSubstr("    if (blockIdx.x == 0) asm volatile(\"mbarrier.init.shared::cta.b64 [%0], 2;"));
  EXPECT_THAT(text, HasSubstr("fence.mbarrier_init.release.cluster;\" : : : \"memory\");\n  }\n"
                              "  cooperative_groups::this_cluster().sync();\n"));
  EXPECT_THAT(text, HasSubstr("  __nanosleep(10000);\n#endif\n#ifndef __AMBIT__\n"
                              "  cooperative_groups::this_cluster().sync();\n"));
  EXPECT_THAT(text, HasSubstr("// ambit: exists (b1t0:P1_r0 == 1 && b1:s[0] == 1)"));
}

// 128 threads execute the products, and the first of these threads executes all other code. When Ambit reads the
// program (__AMBIT__), one thread replaces the 128 threads, as in the test.
TEST(ProgramText, AThreadWithWgmmaIsAWarpgroup) {
  const std::string text = emitted_text(
      "PTX t\n{ .u64 s[1] @ cta 0; .u64 m[1] @ cta 0; b @ cta 0 = mbarrier(1); }\n P0@cta 0 | P1@cta 0 ;\n"
      " st.weak.shared [s], 1 | LC00: mbarrier.try_wait.parity.shared::cta.b64 r9, [b], 0 ;\n"
      " mbarrier.arrive.shared::cta.b64 _, [b] | beq r9, 0, LC00 ;\n"
      "  | wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 [s], [m] ;\n"
      "  | wgmma.commit_group.sync.aligned ;\n"
      "  | wgmma.wait_group.sync.aligned 0 ;\n"
      "  | beq r9, 2, LC01 ;\n"
      "  | wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 [s], [m] ;\n"
      "  | LC01: st.weak.shared [s], 2 ;\n"
      "exists (P1:r9 == 1)\n");
  EXPECT_THAT(text, HasSubstr("// nvcc -std=c++17 -gencode arch=compute_90a,code=sm_90a FILE"));
  EXPECT_THAT(text, HasSubstr("#ifdef __AMBIT__\nalignas(16) __shared__ unsigned long long s[1];\n#else\n"
                              "alignas(16) __shared__ unsigned long long s[256];\n#endif\n"));
  EXPECT_THAT(text, HasSubstr("  if (LEADS) {\n    do {\n"));
  EXPECT_THAT(text, HasSubstr("    } while (r9 == 0ll);\n  }\n  MEET();\n  asm volatile(\"wgmma.fence.sync.aligned;"));
  EXPECT_THAT(text, HasSubstr("wgmma.wait_group.sync.aligned 0;\" :  :  : \"memory\");\n  MEET();\n"
                              "  if (LEADER_SAYS(r9 != 2ll)) {\n    asm volatile(\"wgmma.fence"));
  EXPECT_THAT(text, HasSubstr("  if (IS_THREAD(128, 0)) {\n    P0();\n  } else if (IS_GROUP(0, 32)) {\n"));
  EXPECT_THAT(text, HasSubstr("    if (LEADS) OBSERVE(0, P1_r9);\n"));
  EXPECT_THAT(text, HasSubstr("  keep(product0);\n#endif\n"));
  EXPECT_THAT(text, HasSubstr("  test_kernel<<<1, 160>>>();\n"));
  EXPECT_THAT(text, HasSubstr("// ambit: launch test_kernel<<<1, 33>>>();\n// ambit: exists (b0t32:P1_r9 == 1)\n"));
}

TEST(ProgramText, TheHostEncodesTensorMaps) {
  const std::string text = emitted_text(
      "__device__ CUtensorMap u;\n__global__ void k(const __grid_constant__ CUtensorMap t, CUtensorMap *maps) {\n"
      "__shared__ alignas(128) int s[4];\n"
      "cuda::device::experimental::cp_async_bulk_tensor_1d_shared_to_global(&t, 4, s);\n"
      "cuda::device::experimental::cp_async_bulk_tensor_1d_shared_to_global(&u, 0, s);\n"
      "cuda::device::experimental::cp_async_bulk_tensor_1d_shared_to_global(&maps[1], 0, s); }\n"
      "// ambit: { global int g[8] = {1, ...}; }\n// ambit: t = tensormap(g, {8}, {4});\n"
      "// ambit: u = tensormap(g, {8}, {4});\n// ambit: maps[1] = tensormap(g, {8}, {4});\n"
      "// ambit: launch k<<<1, 1>>>(t, maps[2]);\n",
      "t.cu");
  EXPECT_THAT(text, HasSubstr("  const CUtensorMap t = tensor_map(g, {8}, {4});\n"));
  EXPECT_THAT(text, HasSubstr("    const CUtensorMap map = tensor_map(g, {8}, {4});\n"
                              "    check(cudaMemcpy((void *)&u, &map, sizeof map, cudaMemcpyHostToDevice));\n"));
  EXPECT_THAT(text, HasSubstr("cudaMemcpy((void *)&maps[1], &map, "));
  EXPECT_THAT(text, HasSubstr("alignas(16) __device__ int g [ 8 ] = { 1 ,"));
  EXPECT_THAT(text, HasSubstr("#include <cuda.h>\n"));
}

}  // namespace
}  // namespace ambit::standalone
