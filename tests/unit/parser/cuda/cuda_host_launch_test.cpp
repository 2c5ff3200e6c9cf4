#include <gtest/gtest.h>

#include <string>

#include "tests/unit/parser/cuda/cuda_host_outcome.h"

// Tests launches in the host code of CUDA sources (docs/reference/cuda-sources/launch.md). A launch must run exactly
// once and pass known values. Also tests comments that resemble Ambit's comments.
namespace ambit::parser {
namespace {

// ---- number of launches ----

std::string often(const std::string& code, const std::string& before = "") {
  return outcome("__device__ int x; __global__ void k() { x = 1; }\n" + before +
                 "\nint main(int argc, char **argv) {\n" + code + " }\n");
}

TEST(CudaHostLaunch, SeveralRunOneAfterTheOther) {
  const auto result = read(
      "__device__ int x; __global__ void k(int n) { x += n; }\n"
      "int main() { k<<<1, 1>>>(1); cudaDeviceSynchronize(); k<<<1, 1>>>(2); }\n");
  ASSERT_TRUE(result.ok()) << render(result.errors());
  const Program& program = *result.value();
  ASSERT_EQ(program.threads.size(), 2U);
  // A barrier separates the launches. The last instruction of the first thread arrives without waiting. The first
  // instruction of the second thread waits.
  const auto* last = std::get_if<Barrier>(&program.threads[0].code.back().operation);
  const auto* first = std::get_if<Barrier>(&program.threads[1].code.front().operation);
  ASSERT_TRUE(last != nullptr && first != nullptr);
  EXPECT_TRUE(last->arrive_only);
  EXPECT_FALSE(first->arrive_only);
  EXPECT_EQ(last->id, first->id);
  EXPECT_EQ(program.threads[0].code.size(), 3U) << "load, store, barrier";
}

/// Returns the GPU of each thread, such as "0 1 | 0". The sign "|" separates launches that run one after the other.
std::string stages(const std::string& code) {
  const auto result =
      read("__device__ int x; __global__ void k() { x = 1; }\nint main() { int device = 0;\n" + code + " }\n");
  if (!result.ok()) return first_error(result.errors());
  std::string text;
  for (const Thread& thread : result.value()->threads) {
    const auto* boundary = std::get_if<Barrier>(&thread.code.front().operation);
    const bool follows = boundary != nullptr && !boundary->arrive_only;
    text += (text.empty() ? "" : follows ? " | " : " ") + std::to_string(thread.place.gpu);
  }
  return text;
}

TEST(CudaHostLaunch, SetDeviceChoosesTheGpu) {
  EXPECT_EQ(stages("cudaSetDevice(0); k<<<1, 1>>>(); cudaSetDevice(1); k<<<1, 1>>>();"), "0 1");
  EXPECT_EQ(stages("k<<<1, 1>>>(); cudaDeviceSynchronize(); cudaSetDevice(1); k<<<1, 1>>>();"), "0 | 1");
  EXPECT_EQ(stages("k<<<1, 1>>>(); cudaSetDevice(1); cudaDeviceSynchronize(); k<<<1, 1>>>();"), "0 1");
  EXPECT_EQ(stages("k<<<1, 1>>>(); cudaSetDevice(1); cudaSetDevice(0); k<<<1, 1>>>();"), "0 | 0");
  // The GPU's number is unknown, but it is the same for all launches.
  EXPECT_EQ(stages("cudaSetDevice(device + 1); k<<<1, 1>>>(); k<<<1, 1>>>();"), "0 | 0");
}

TEST(CudaHostLaunch, UnknownSetDeviceIsAnError) {
  EXPECT_TRUE(is_error(stages("k<<<1, 1>>>(); cudaSetDevice(pick()); k<<<1, 1>>>();"), "3:16", "must be a constant"));
  EXPECT_TRUE(is_error(stages("k<<<1, 1>>>(); if (device) cudaSetDevice(1); k<<<1, 1>>>();"), "3:28",
                       "might not run exactly once"));
  EXPECT_TRUE(is_error(stages("k<<<1, 1>>>(); cudaSetDevice(1); k<<<1, 1>>>(); cudaSetDevice(0); k<<<1, 1>>>();"),
                       "3:67", "is concurrent with the launch in line 3"));
  EXPECT_TRUE(is_error(stages("k<<<1, 1>>>(); cudaStreamSynchronize(0); cudaSetDevice(1); k<<<1, 1>>>();"), "3:16",
                       "which launches on several GPUs this call waits for"));
}

TEST(CudaHostLaunch, SeveralThatMayNotFollowEachOtherAreErrors) {
  EXPECT_TRUE(is_error(often("if (argc) k<<<1, 1>>>(); k<<<1, 1>>>();"), "4:26", "might not run exactly once"));
  EXPECT_TRUE(is_error(often("k<<<1, 1, 0, s>>>(); k<<<1, 1, 0, t>>>();"), "4:22", "different streams"));
  EXPECT_TRUE(is_error(often("for (;;) k<<<1, 1>>>(); k<<<1, 1>>>();"), "4:10", "loop"));
  EXPECT_TRUE(is_error(often("k<<<1, 1>>>(); go();", "void go() { k<<<1, 1>>>(); }"), "4:1", "several functions"));
}

TEST(CudaHostLaunch, ThatMayRunSeveralTimesIsAnError) {
  EXPECT_TRUE(is_error(often("auto f = [&] { k<<<1, 1>>>(); }; f(); f();"), "4:16", "lambda"));
  EXPECT_TRUE(is_error(often("again: k<<<1, 1>>>(); if (argc) goto again;"), "4:8", "goto"));
  EXPECT_TRUE(is_error(often("if (argc) goto last; x(); last: k<<<1, 1>>>();"), "4:33", "goto"));
  EXPECT_TRUE(is_error(often("while (argc--) if (argc) k<<<1, 1>>>();"), "4:26", "loop"));
  EXPECT_TRUE(is_error(often("do k<<<1, 1>>>(); while (argc--);"), "4:4", "loop"));
  EXPECT_TRUE(is_error(often("switch (argc) { case 1: k<<<1, 1>>>(); }"), "4:25", "switch"));
  EXPECT_TRUE(is_error(often("go(); go();", "void go() { k<<<1, 1>>>(); }"), "4:7", "2 places"));
  EXPECT_TRUE(is_error(often("for (;;) go();", "void go() { k<<<1, 1>>>(); }"), "4:10", "loop"));
  EXPECT_TRUE(is_error(often("a(); a();", "void go() { k<<<1, 1>>>(); }  void a() { go(); }"), "4:6", "2 places"));
  EXPECT_TRUE(is_error(often("S().run();", "struct S { void run() { k<<<1, 1>>>(); } };"), "2:26", "outside"));
}

TEST(CudaHostLaunch, OfAFunctionWhoseCallsAreNotCountedIsAnError) {
  const std::string go = "void go() { k<<<1, 1>>>(); }";
  EXPECT_TRUE(is_error(often("bench(go, 9);", go), "4:7", "used as a value"));
  EXPECT_TRUE(is_error(often("std::thread t(&go);", go), "4:16", "used as a value"));
  EXPECT_TRUE(is_error(often("go();", "void go() { k<<<1, 1>>>(); go(); }"), "2:28", "calls itself"));
  EXPECT_TRUE(
      is_error(often("a();", "void b(); void a() { b(); } void b() { k<<<1, 1>>>(); if (x) a(); }"), "4:1", "2"));
  EXPECT_TRUE(is_error(often("App a; for (;;) a.run();", "void App::run() { k<<<1, 1>>>(); }"), "4:19", "loop"));
  EXPECT_TRUE(is_error(often("for (;;) App::main();", "void App::main() { k<<<1, 1>>>(); }"), "4:15", "loop"));
  EXPECT_TRUE(is_error(often("App a;", "App::App() { k<<<1, 1>>>(); }"), "4:1", "used as a value"));
  EXPECT_TRUE(is_error(often("App a; a();", "void App::operator()() { k<<<1, 1>>>(); }"), "2:11", "how often"));
  EXPECT_TRUE(is_error(often("void go(); for (;;) go();", go), "4:21", "2 places"));
  EXPECT_TRUE(is_error(often("k<<<1, 1>>>(); for (;;) cudaGraphLaunch(g, s);"), "4:25", "cudaGraphLaunch"));
  EXPECT_TRUE(is_error(often("\n#pragma omp parallel\n{ k<<<1, 1>>>(); }"), "6:3", "#pragma omp"));
  EXPECT_TRUE(is_error(often("\n#pragma omp parallel\n{ go(); }", go), "6:3", "#pragma omp"));
  EXPECT_EQ(often("\n#pragma omp parallel for\nfor (int i = 0; i < 9; ++i) { f(i); }\nk<<<1, 1>>>();"), "x=0");
  EXPECT_TRUE(is_error(often("bool go = true; while (go) ::go();", go), "4:30", "loop"));
  EXPECT_EQ(often("a.run(); go(); other.go();", go), "x=0");
}

TEST(CudaHostLaunch, ThatRunsOnceIsRead) {
  EXPECT_EQ(often("if (argc > 5) goto end; k<<<1, 1>>>(); end: return 0;"), "x=0");
  EXPECT_EQ(often("do { k<<<1, 1>>>(); } while (0);"), "x=0");
  EXPECT_EQ(often("for (int i = 0; i < 3; ++i) { } if (argc) { k<<<1, 1>>>(); }"), "x=0");
  EXPECT_EQ(often("go();", "void go(); void go() { k<<<1, 1>>>(); }"), "x=0");
  EXPECT_EQ(often("try { k<<<1, 1>>>(); } catch (...) { }"), "x=0");
}

// In host code, `buf[2]` is an element of an array of pointers. In a launch of a litmus test, `buf[2]` would be an
// array of 2 elements.
TEST(CudaHostLaunch, PassesKnownValues) {
  const std::string kernel =
      "__device__ int g[2]; __managed__ int v; int *p;\n__global__ void k(int *d) { d[0] = 1; }\n";
  const auto launched = [&](const std::string& argument) {
    return outcome(kernel + "int main() { int *buf[3], *d; cudaMalloc(&d, 8); cudaMalloc(&buf[2], 8);\nk<<<1, 1>>>(" +
                   argument + "); }\n");
  };
  for (const char* argument : {"buf[2]", "d[1]", "d + 1", "&d[1]", "v.data()", "s.d", "f()", "&d[0] + 1", "g + 1"}) {
    EXPECT_TRUE(is_error(launched(argument), "4:13", "expected memory that this function allocates")) << argument;
  }
  EXPECT_TRUE(is_error(launched("p"), "4:13", "'p' is not memory"));
  EXPECT_EQ(launched("&v"), "v=0");
  EXPECT_EQ(launched("g"), "g[0]=0 g[1]=0");
  EXPECT_EQ(launched("&g[1]"), "g[0]=0 g[1]=0");
  EXPECT_EQ(launched("((int *)(d))"), "d[0]=0 d[1]=0");
}

TEST(CudaHostLaunch, StatementsInStatements) {
  std::string chain = "if (argc == 1) { }";
  for (int i = 0; i < 1000; ++i) chain += " else if (argc == 3) { }";
  EXPECT_EQ(often(chain + " k<<<1, 1>>>();"), "x=0");
  const std::string deep = often(std::string(300, '{') + "k<<<1, 1>>>();" + std::string(300, '}'));
  EXPECT_TRUE(is_error(deep, "4:301", "nested too deep")) << deep;
}

// When nvcc compiles the host code, __CUDA_ARCH__ is not defined.
TEST(CudaHostLaunch, DeviceOnlyCodeIsNotHostCode) {
  const std::string kernel = "__global__ void k(int *d) { d[0] = 1; }\n";
  const std::string launch = "int main() { int *d; cudaMalloc(&d, N * 4); k<<<1, 1>>>(d); }\n";
  EXPECT_EQ(outcome(kernel + "#ifdef __CUDA_ARCH__\n#define N 1\n#else\n#define N 2\n#endif\n" + launch),
            "d[0]=0 d[1]=0");
  EXPECT_TRUE(
      is_error(outcome(kernel + "#ifdef __CUDA_ARCH__\nconst int N = 1;\n#else\nconst int N = 2;\n#endif\n" + launch),
               "5:11", "'N' has different declarations"));
  const std::string both = outcome(
      "__global__ void k() { m = m + 1; }\n__managed__ int m; __host__ __device__ void f() {\n#ifndef __CUDA_ARCH__\n"
      "m = 1;\n#endif\n}\nint main() { f(); k<<<1, 1>>>(); }\n");
  EXPECT_TRUE(is_error(both, "4:1", "'m'")) << both;
  EXPECT_EQ(outcome("const int N = 1;\n#if __CUDA_ARCH__ >= 700\n__device__ void f(int *d) { d[0] = 1; }\n#endif\n"
                    "__global__ void k(int *d) {\n#if __CUDA_ARCH__ >= 700\nf(d);\n#endif\n}\n" +
                    launch),
            "d[0]=0");
}

// A typical program with a launch. It checks for errors, uses a stream and events, prints output, and reads the
// results.
TEST(CudaHostLaunch, OfAnOrdinaryProgram) {
  EXPECT_EQ(outcome(R"(
#define CHECK(call)                                                                        \
  do {                                                                                     \
    cudaError_t e = (call);                                                                \
    if (e != cudaSuccess) {                                                                \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e));           \
      std::exit(EXIT_FAILURE);                                                             \
    }                                                                                      \
  } while (0)
__device__ unsigned ticket = 0;
__managed__ int done;
__global__ void count(int *counter, unsigned n) {
  if (blockIdx.x * blockDim.x + threadIdx.x < n) atomicAdd(counter, 1);
  atomicAdd(&ticket, 1);
  done = 1;
}
static void usage(const char *name) { fprintf(stderr, "usage: %s\n", name); }
bool run(int argc, char **argv) {
  if (argc > 1) return usage(argv[0]), false;
  unsigned n = 4, threads = 2, blocks = (n + threads - 1) / threads;
  size_t bytes = sizeof(int);
  int *counter = nullptr, seen = 0;
  std::vector<int> expected(n, 1);
  printf("%u blocks of %u threads\n", blocks, threads);
  CHECK(cudaMalloc(&counter, bytes));
  assert(counter != nullptr);
  CHECK(cudaMemset(counter, 0, sizeof(int)));
  done = 0;
  cudaStream_t stream;
  cudaEvent_t start, stop;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaEventCreate(&start));
  auto begin = std::chrono::steady_clock::now();
  CHECK(cudaEventRecord(start, stream));
  count<<<blocks, threads, 0, stream>>>(counter, n);
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(stop, stream));
  CHECK(cudaDeviceSynchronize());
  float ms = 0;
  cudaEventElapsedTime(&ms, start, stop);
  CHECK(cudaMemcpy(&seen, counter, bytes, cudaMemcpyDeviceToHost));
  unsigned tickets;
  CHECK(cudaMemcpyFromSymbol(&tickets, ticket, sizeof(ticket)));
  std::cout << seen << " of " << n << " in " << ms << " ms, " << done << std::endl;
  cudaFree(counter);
  return seen == (int)n;
}
int main(int argc, char **argv) { return run(argc, argv) ? 0 : 1; }
)"),
            "ticket=0 done=0 counter[0]=0");
}

// ---- comments ----

TEST(CudaComments, ThatAreNearlyOursAreErrors) {
  const std::string text = "__device__ int x;\n__global__ void k() { x = 1; }\nint main() { k<<<1, 1>>>(); }\n";
  for (const char* comment : {"// ambit expect ptx : race", "// Ambit: expect ptx : race", "//ambit :expect ptx : race",
                              "/* AMBIT: expect ptx : race */", "/// Ambit : ~exists (x == 1)"}) {
    const auto result = read(text + comment + "\n");
    ASSERT_FALSE(result.ok()) << comment;
    EXPECT_EQ(result.errors().front().span.line, 4U) << comment;
    EXPECT_EQ(result.errors().front().hint, "did you mean 'ambit:'?") << comment;
  }
  for (const char* comment :
       {"// Ambit: a checker of memory models", "// ambit expects a race here", "// Ambit exists.",
        "#if 0\n// Ambit: expect ptx : race\n#endif", "// see Ambit: expect ptx : race"}) {
    EXPECT_EQ(outcome(text + comment + "\n"), "x=0") << comment;
  }
}

}  // namespace
}  // namespace ambit::parser
