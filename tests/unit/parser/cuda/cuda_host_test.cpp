#include <gtest/gtest.h>

#include <string>

#include "tests/unit/parser/cuda/cuda_host_outcome.h"
#include "tests/unit/parser/litmus/litmus_listing.h"

// Tests the host code of CUDA sources (docs/reference/cuda-sources/launch.md). Ambit evaluates the host code, or
// reports an error that tells the user to write the launch.
namespace ambit::parser {
namespace {

/// Returns the outcome of a program with `code` in line 3. The program first allocates d (two ints) and e (one int). In
/// line 4, it launches the kernel with d and e.
std::string memory(const std::string& code, const std::string& before = "") {
  return outcome(before + "__global__ void k(int *d, int *e) { d[threadIdx.x] = e[0]; }\n" +
                 "int main(int argc, char **argv) { int *d = nullptr, *e; int h[2] = {1, 2}; cudaMalloc(&d, 8); "
                 "cudaMalloc(&e, 4);\n" +
                 code + "\nk<<<1, 2>>>(d, e); cudaMemcpy(h, d, 8, cudaMemcpyDeviceToHost); cudaFree(d); }\n");
}

/// Returns the value that the kernel receives for the host variable m, such as "st x weak = 2", or the error. `code`
/// declares m in line 3.
std::string passed(const std::string& code, const std::string& before = "") {
  const auto result = read(before + "__device__ int x; __global__ void k(int n) { x = n; }\n" +
                           "int main(int argc, char **argv) {\n" + code + "\nk<<<1, 1>>>(m); }\n");
  if (!result.ok()) return first_error(result.errors());
  const auto& program = result.value();
  return listing(*program, program->threads[0]);
}

const std::string kZeros = "d[0]=0 d[1]=0 e[0]=0";
const std::string kUnsupported = "unsupported use of";

// ---- pointer targets ----

TEST(CudaHostMemory, APointerThatMayPointElsewhereIsAnError) {
  for (const char* code : {"d = e;", "e = d;", "std::swap(d, e);", "int **p = &d; *p = e;", "int *&r = d; r = e;",
                           "auto &r = e; r = d;", "int *p = d;", "auto f = [&d, e] { d = e; }; f();", "d++;", "++d;",
                           "d += 1;", "std::tie(d) = t;", "move(&d);", "d = nullptr;"}) {
    const std::string said = memory(code);
    EXPECT_TRUE(said.starts_with("3:") && said.find(kUnsupported) != std::string::npos) << code << ": " << said;
  }
  EXPECT_TRUE(is_error(memory("d = e;"), "3:1", "'d'"));
}

TEST(CudaHostMemory, CodeThatCannotChangeItIsAccepted) {
  for (const char* code :
       {"if (d == nullptr) return 1;", "if (!d || e == NULL) exit(1);", "assert(d && e);",
        "printf(\"%p %p\\n\", (void *)d, e);", "if (argc > 2) { cudaFree(d); return 1; }",
        "cudaMemPrefetchAsync(d, 8, 0); cudaDeviceSynchronize();", "cudaMemcpy(h, d, 8, cudaMemcpyDeviceToHost);",
        "printf(\"%zu\\n\", sizeof(*d) + sizeof d[0]);", "int q = d[0] + *e; printf(\"%d %d\\n\", d[1], q);",
        "{ int *d = 0; cudaMalloc(&d, 4); init(d); }", "cudaStream_t s; cudaStreamCreate(&s); cudaEventRecord(t0, s);",
        "cudaError_t err = cudaGetLastError(); if (err != cudaSuccess) { fprintf(stderr, \"x\"); return 1; }"}) {
    EXPECT_EQ(memory(code), kZeros) << code;
  }
}

const std::string kCopy = " cudaMemcpy(d, g, 8, cudaMemcpyHostToDevice);";
const std::string kCopyVector = " cudaMemcpy(d, g.data(), g.size() * sizeof(int), cudaMemcpyHostToDevice);";

TEST(CudaHostMemory, LoopsFillArrays) {
  EXPECT_EQ(memory("int g[2]; for (int i = 0; i < 2; ++i) g[i] = 3 * i + 1;" + kCopy), "d[0]=1 d[1]=4 e[0]=0");
  EXPECT_EQ(memory("const int n = 2; int g[n]; for (int i = 0; i < n; i++) { g[n - 1 - i] = i; } g[0] = 5;" + kCopy),
            "d[0]=5 d[1]=0 e[0]=0");
  EXPECT_EQ(memory("std::vector<int> g(2, 7); g[1] = 5;" + kCopyVector), "d[0]=7 d[1]=5 e[0]=0");
  EXPECT_EQ(memory("int n = 2; std::vector<int> g(n); for (int i = 1; i <= 1; ++i) g[i] = i;" + kCopyVector),
            "d[0]=0 d[1]=1 e[0]=0");
}

TEST(CudaHostMemory, UnknownContentsAreErrors) {
  for (const std::string& code :
       {"int g[2]; for (int i = 0; i < 2; ++i) g[i] = argc;" + kCopy,
        "int g[2]; for (int i = 0; i < argc; ++i) g[i] = 1;" + kCopy,
        "int g[2]; for (int i = 0; i < 1; ++i) g[i] = 1;" + kCopy,  // g[1] is not set
        "int g[2]; for (int i = 0; i < 3; ++i) g[i] = 1;" + kCopy,  // beyond the end
        "int g[2]; for (int i = 0; i < 2; ++i) { if (argc > 1) break; g[i] = 1; }" + kCopy,
        "int g[2]; for (int i = 0; i < 2; ++i) { g[i] = 1; i += argc; }" + kCopy,
        "int g[2]; if (argc > 1) for (int i = 0; i < 2; ++i) g[i] = 1;" + kCopy,
        "int g[2]; for (int i = 0; i < 2; ++i) g[i] = 1; fill(g);" + kCopy,
        "std::vector<int> g(2, 7); g.push_back(1);" + kCopyVector, "std::vector<int> g(2, argc);" + kCopyVector,
        "std::vector<int> g(2, 7); change(g);" + kCopyVector}) {
    EXPECT_TRUE(memory(code).starts_with("3:")) << code << ": " << memory(code);
  }
}

TEST(CudaHostMemory, CheckedAllocations) {
  const std::string kernel = "__global__ void k(int *d) { d[1] = 1; }\n";
  const std::string macro =
      "#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { printf(#x); exit(1); } } while (0)\n";
  const std::string launch = " k<<<1, 1>>>(d); CHECK(cudaGetLastError()); }\n";
  const std::string own = "void check(cudaError_t e, const char *file, int line) { if (e) exit(1); }\n";
  struct Case {
    std::string before;
    const char* body;
  };
  for (const Case& one :
       {Case{macro, "int *d; CHECK(cudaMalloc(&d, 8));"},
        Case{"#include \"helper.h\"\n", "int *d; CHECK(cudaMalloc((void **)&d, 8));"},
        Case{own, "int *d; check(cudaMalloc((void**)&d, 8), __FILE__, __LINE__);"},
        Case{"", "int *d; if (cudaMalloc(&d, 8) != cudaSuccess) goto end;"},
        Case{"", "int *d, *e; if (cudaMalloc(&e, 8) != 0 || cudaMalloc(&d, 8) != 0) return 1;"},
        Case{"", "int *d = NULL; cudaError_t r; r = cudaMalloc(reinterpret_cast<void **>(&d), 8);"}}) {
    std::string text = kernel;
    text += one.before;
    text += "int main() { ";
    text += one.body;
    text += launch;
    if (text.find("goto end") != std::string::npos) text.insert(text.rfind('}'), "end: cudaFree(d); ");
    EXPECT_EQ(outcome(text), "d[0]=0 d[1]=0") << text;
  }
}

TEST(CudaHostMemory, AnAllocationThatMayNotRunIsAnError) {
  const std::string kernel = "__global__ void k(int *d) { d[0] = 1; }\n";
  EXPECT_TRUE(is_error(outcome(kernel + "int main(int c) { int *d;\nif (c) cudaMalloc(&d, 4); k<<<1, 1>>>(d); }\n"),
                       "3:8", "might not run"));
  EXPECT_EQ(outcome(kernel + "int main(int c) { int *d;\nif (c) { cudaMalloc(&d, 4); k<<<1, 1>>>(d); } }\n"), "d[0]=0");
}

// ---- memory contents ----

TEST(CudaHostMemory, WritesThatAreNotUnderstoodAreErrors) {
  for (const char* code : {"std::fill(d, d + 2, 7);",
                           "thrust::fill(d, 7);",
                           "init(d);",
                           "int *p = d; *p = 1;",
                           "(d)[0] = 9;",
                           "*(d + 0) = 9;",
                           "++*d;",
                           "--d[0];",
                           "d[0] = 9;",
                           "*d = 9;",
                           "if (argc) d[1] = 3;",
                           "d[0] = 0, d[1] = 9;",
                           "cudaMemset(d + 1, 0xff, 4);",
                           "cudaMemset(&d[1], 0xff, 4);",
                           "cudaMemcpy(d + 1, h, 4, cudaMemcpyHostToDevice);",
                           "cudaMemcpy(&d[1], h + 1, 4, cudaMemcpyHostToDevice);",
                           "cudaMemset2D(d, 8, 0xff, 8, 1);",
                           "cuMemsetD32(d, 9, 2);",
                           "for (int i = 0; i < 2; ++i) d[i] = i;",
                           "scanf(\"%d\", d);",
                           "set(d[0]);",
                           "int &r = d[0]; r = 1;",
                           "init((int *)&d[1]);",
                           "int *p = (int *)&d[0];",
                           "for (int &v : span(d, 2)) v = 1;"}) {
    const std::string said = memory(code);
    EXPECT_TRUE(said.starts_with("3:") && said.find(kUnsupported) != std::string::npos) << code << ": " << said;
  }
}

TEST(CudaHostMemory, ZerosStay) {
  for (const char* code : {"d[0] = 0;", "*d = 0;", "for (int i = 0; i < 2; ++i) { d[i] = 0; }", "cudaMemset(d, 0, 4);",
                           "if (argc > 1) cudaMemset(d, 0, 8);", "cudaMemset(d, 0, 8); cudaMemset(d, 0, 8);",
                           "memset(d, 0, 8); cudaMemsetAsync(e, 0, 4, s);"}) {
    EXPECT_EQ(memory(code), kZeros) << code;
  }
}

TEST(CudaHostMemory, TheLastWriteOfTheWholeCounts) {
  EXPECT_EQ(memory("cudaMemset(d, 0xff, 8); cudaMemset(d, 0, 8);"), kZeros);
  EXPECT_EQ(memory("cudaMemcpy(d, h, 8, cudaMemcpyHostToDevice); cudaMemset(d, 0, 8);"), kZeros);
  EXPECT_EQ(memory("cudaMemset(d, 0, 8); cudaMemset(d, 0xff, 8);"), "d[0]=-1 d[1]=-1 e[0]=0");
  EXPECT_EQ(memory("cudaMemset(d, 0xff, 8); cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);"),
            "d[0]=1 d[1]=2 e[0]=0");
  EXPECT_TRUE(is_error(memory("cudaMemset(d, 0xff, 8); d[0] = 0;"), "3:25", "the whole of 'd'"));
  EXPECT_TRUE(is_error(memory("cudaMemset(d, 0xff, 8); cudaMemset(d, 0, 4);"), "3:42", "whole"));
}

TEST(CudaHostMemory, CastsAreTakenOff) {
  EXPECT_EQ(memory("cudaMemset((void *)d, 0xff, 8);"), "d[0]=-1 d[1]=-1 e[0]=0");
  EXPECT_EQ(memory("cudaMemcpy(static_cast<void *>(d), h, 8, cudaMemcpyHostToDevice);"), "d[0]=1 d[1]=2 e[0]=0");
}

TEST(CudaHostMemory, CopiesOfAPart) {
  EXPECT_TRUE(is_error(memory("cudaMemcpy(d, h, 4, cudaMemcpyHostToDevice);"), "3:18", "the whole of 'h'"));
  EXPECT_TRUE(is_error(memory("cudaMemcpy(e, h, 4, cudaMemcpyHostToDevice);"), "3:18", "the whole of 'h'"));
  EXPECT_TRUE(is_error(memory("cudaMemcpy(d, h, 8, cudaMemcpyDeviceToHost);"), "3:1", "from the host"));
  EXPECT_TRUE(is_error(memory("char b[8] = {1}; cudaMemcpy(d, b, 8, cudaMemcpyHostToDevice);"), "3:18", "type"));
  EXPECT_EQ(memory("const int n = 1; int v = 5; cudaMemcpy(e, &v, n * sizeof(int), cudaMemcpyHostToDevice);"),
            "d[0]=0 d[1]=0 e[0]=5");
}

TEST(CudaHostMemory, SizesAreThoseOfCpp) {
  const auto cells = [](const std::string& code) {
    return outcome("__global__ void k(int *d) { d[0] = 1; }\nint main() { int *d;\n" + code + " k<<<1, 1>>>(d); }\n");
  };
  EXPECT_EQ(cells("int h[] = {1, 2,}; cudaMalloc(&d, sizeof(h));"), "d[0]=0 d[1]=0");
  EXPECT_EQ(cells("int h[] = {1, 2,}; cudaMalloc(&d, 8); cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);"),
            "d[0]=1 d[1]=2");
  EXPECT_EQ(cells("int h[2] = {}; cudaMalloc(&d, 8); cudaMemcpy(d, &h[0], 8, cudaMemcpyHostToDevice);"),
            "d[0]=0 d[1]=0");
  EXPECT_TRUE(is_error(cells("int h[2] = {1, 2}; cudaMalloc(&d, 4); cudaMemcpy(d, &h[1], 4, cudaMemcpyHostToDevice);"),
                       "3:39", "not constant"));
  EXPECT_EQ(cells("const int N = 2; cudaMalloc(&d, N * sizeof *d);"), "d[0]=0 d[1]=0");
  EXPECT_EQ(cells("cudaMalloc(&d, 2 * sizeof(d[0]));"), "d[0]=0 d[1]=0");
  EXPECT_EQ(cells("int h[2]; cudaMalloc(&d, 3 * sizeof(*h));"), "d[0]=0 d[1]=0 d[2]=0");
  EXPECT_TRUE(is_error(cells("size_t b = 8; cudaMalloc(&d, b); { size_t b = 4; cudaMemset(d, 0xff, b); }"), "3:70",
                       "the whole"));
}

TEST(CudaHostMemory, ASourceThatIsWrittenIsNotConstant) {
  for (const char* code :
       {"h[argc] = 7;", "fill(h);", "fill(2, h);", "*h = 3;", "int *p = h; p[0] = 3;", "std::iota(h, h + 2, 5);",
        "for (int &v : h) v = 3;", "int *p = (int *)&h[0]; *p = 3;", "int (&r)[2] = h; r[0] = 3;"}) {
    const std::string said = memory(std::string(code) + "\ncudaMemcpy(d, h, 8, cudaMemcpyHostToDevice);");
    EXPECT_TRUE(is_error(said, "4:1", "not constant")) << code << ": " << said;
  }
  EXPECT_EQ(
      memory("printf(\"%d\", h[0]); int s = h[0] + h[1]; use(sizeof h); cudaMemcpy(d, h, 8, cudaMemcpyHostToDevice);"),
      "d[0]=1 d[1]=2 e[0]=0");
  EXPECT_EQ(memory("h[0] = 7; cudaMemcpy(d, h, 8, cudaMemcpyHostToDevice);"), "d[0]=7 d[1]=2 e[0]=0");
}

TEST(CudaHostMemory, AWriteThatMayNotRunIsAnError) {
  for (const char* code :
       {"if (argc > 1) cudaMemset(d, 0xff, 8);", "if (argc > 1) {} else cudaMemset(d, 0xff, 8);",
        "while (f()) cudaMemset(d, 0xff, 8);", "argc > 1 && cudaMemset(d, 0xff, 8);",
        "argc > 1 and cudaMemset(d, 0xff, 8);", "auto f = [&] { cudaMemset(d, 0xff, 8); };",
        "do { if (f()) break; cudaMemset(d, 0xff, 8); } while (0);",
        "try { f(); cudaMemset(d, 0xff, 8); } catch (...) { }", "switch (argc) { case 1: cudaMemset(d, 0xff, 8); }"}) {
    const std::string said = memory(code);
    EXPECT_TRUE(said.starts_with("3:") && said.find("might not run exactly once") != std::string::npos)
        << code << ": " << said;
  }
  EXPECT_EQ(memory("do { if (cudaMemset(d, 0xff, 8)) { exit(1); } } while (0);"), "d[0]=-1 d[1]=-1 e[0]=0");
}

// cudaMalloc constructs nothing.
TEST(CudaHostMemory, InitialValuesOfFieldsAreNotThoseOfAllocatedMemory) {
  const auto allocated = [](const std::string& fields) {
    return outcome("struct Node { " + fields + " };\n__global__ void k(Node *n) { n->a = 1; }\n" +
                   "int main() { Node *n; cudaMalloc(&n, sizeof(Node)); k<<<1, 1>>>(n); }\n");
  };
  EXPECT_TRUE(is_error(allocated("int a = 7;"), "3:65", "'Node'"));
  EXPECT_TRUE(is_error(allocated("int a{7};"), "3:65", "'Node'"));
  EXPECT_EQ(allocated("int a = 0; Node() = default; __device__ int get() const { int b = 5; return a; }"), "n[0].a=0");
}

// Nothing orders an asynchronous call in one stream and a kernel in another stream.
TEST(CudaHostMemory, AWriteInAnotherStreamIsWaitedFor) {
  const std::string set = "cudaMemsetAsync(d, 0xff, 8, s);";
  EXPECT_TRUE(is_error(memory(set), "3:1", "another stream"));
  EXPECT_EQ(memory(set + " cudaStreamSynchronize(s);"), "d[0]=-1 d[1]=-1 e[0]=0");
  EXPECT_EQ(memory("cudaMemsetAsync(d, 0xff, 8);"), "d[0]=-1 d[1]=-1 e[0]=0");
  const std::string made = "cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);\n";
  const auto nonblocking = [&](const std::string& code) {
    return outcome("__global__ void k(int *d) { d[0] = 1; }\nint main() { int *d; cudaMalloc(&d, 4); " + made + code +
                   " k<<<1, 1, 0, s>>>(d); }\n");
  };
  EXPECT_TRUE(is_error(nonblocking("cudaMemset(d, 0xff, 4);"), "3:1", "another stream"));
  EXPECT_EQ(nonblocking("cudaMemset(d, 0xff, 4); cudaDeviceSynchronize();"), "d[0]=-1");
  EXPECT_EQ(outcome("__global__ void k(int *d) { d[0] = 1; }\nint main() { int *d; cudaMalloc(&d, 4);\n"
                    "cudaMemsetAsync(d, 0xff, 4, s); k<<<1, 1, 0, s>>>(d); }\n"),
            "d[0]=-1");
}

// ---- variables of the device that the host writes ----

std::string managed(const std::string& declarations, const std::string& code) {
  return outcome("__global__ void k() { m = m + 1; }\n" + declarations + "\nint main(int argc, char **argv) {\n" +
                 code + "\nk<<<1, 1>>>(); cudaDeviceSynchronize(); printf(\"%d\", m); m = 3; }\n");
}

TEST(CudaHostSymbols, WritesAreErrors) {
  for (const char* code : {"m = 1;",
                           "++m;",
                           "cudaMemset(&m, 0xff, 4);",
                           "int *p = &m; *p = 1;",
                           "int &r = m; r = 1;",
                           "set(m);",
                           "(m) = 2;",
                           "std::swap(m, q);",
                           "cudaMemcpyToSymbol(m, &argc, 4);",
                           "cudaMemcpyToSymbolAsync(m, &argc, 4);",
                           "cudaGetSymbolAddress((void **)&p, m);",
                           "std::cin >> m;",
                           "memset((void *)&m, 1, 4);",
                           "do m = 1; while (0);",
                           "std::vector<int> h(argc * m, 0); m = 1;",
                           "extern int m; m = 1;",
                           "auto f = [](int m, int b) { return m + b; }; m = 1;",
                           "void other(int m, int b); m = 1;",
                           "for (int i = 0; i < argc * m; ++i) m = 1;",
                           "enum class E { m }; m = 1;"}) {
    const std::string said = managed("__managed__ int m = 0;", code);
    EXPECT_TRUE(said.starts_with("4:") && said.find(kUnsupported) != std::string::npos) << code << ": " << said;
  }
  const std::string set = managed("__managed__ int m; void set() { m = 1; }", "set();");
  EXPECT_TRUE(is_error(set, "2:33", "'m'")) << set;
  const std::string both = managed("__managed__ int m; __host__ __device__ void set() { m = 1; }", "set();");
  EXPECT_TRUE(is_error(both, "2:53", "'m'")) << both;
  const std::string chain = managed(
      "__managed__ int m; __host__ __device__ void set() { m = 1; } __host__ __device__ void go() { set(); }", "go();");
  EXPECT_TRUE(is_error(chain, "2:53", "'m'")) << chain;
  const std::string initial =
      managed("__managed__ int m; __host__ __device__ int set() { return m = 1; } int one = set();", "");
  EXPECT_TRUE(is_error(initial, "2:59", "'m'")) << initial;
  const std::string member = managed("__managed__ int m; struct S { void set() { m = 1; } };", "S().set();");
  EXPECT_TRUE(is_error(member, "2:44", "'m'")) << member;
  const std::string constructed = managed("__managed__ int m; struct S { S() { m = 1; } } s;", "");
  EXPECT_TRUE(is_error(constructed, "2:37", "'m'")) << constructed;
  const std::string global = managed("__managed__ int m; int *p = &m;", "*p = 1;");
  EXPECT_TRUE(is_error(global, "2:30", "'m'")) << global;
}

TEST(CudaHostSymbols, ReadsAndZerosAreNot) {
  for (const char* code :
       {"m = 0;", "printf(\"%d\", m);", "int v = m + 1;", "assert(m == 0);",
        "cudaMemcpyFromSymbol(&argc, m, sizeof(m));", "{ int m = 3; m = 4; }", "std::cout << m << \"\\n\";"}) {
    EXPECT_EQ(managed("__managed__ int m = 0;", code), "m=0") << code;
  }
  EXPECT_EQ(
      managed("__device__ int m; __managed__ int q; int result() { return m; } void set(int m) { m = 2; }", "q = 1;"),
      "m=0");
  EXPECT_TRUE(is_error(managed("__managed__ int m = 5;", "m = 0;"), "4:1", "'m'"));
}

// ---- numbers ----

TEST(CudaHostValues, AVariableThatMayChangeIsNotAConstant) {
  for (const char* code : {"int m = 1; int &r = m; r = 2;",
                           "int m = 1; set(m);",
                           "int m = 1; (m) = 2;",
                           "int m = 1; std::tie(m) = x;",
                           "int m = 1; for (auto &v : {std::ref(m)}) v.get() = 2;",
                           "int m = 1; int *p = &m; *p = 2;",
                           "int m = 1; m <<= 1;",
                           "int m = 1; std::cin >> m;",
                           "int m = 1; auto f = [&m] { m = 2; }; f();",
                           "int m = 1; if (argc > 1) m = 2;",
                           "int m = 1; std::swap(m, argc);",
                           "int m = 1; (argc > 1 ? m : argc) = 2;",
                           "int m = 1; auto &&r = m; r = 2;",
                           "int m = 1; std::reference_wrapper<int> r(m);",
                           "int m = argc;",
                           "int m = 1; by_reference(3, m);",
                           "int m = 1; scanf(\"%d\", (int *)&m);",
                           "int m = 1; int *p = (int *)&m; *p = 64;",
                           "int m = 1; in.read((char *)&m, sizeof(m));",
                           "int m = 1; auto *p = (std::array<int, 1> *)&m; f(p);",
                           "int m = 1; int (&r) = m; r = 2;",
                           "int m = 1; do m = m * 2; while (m < 64);",
                           "int m = 1, i; if (argc > 1) i = 0; else i = 3, m = 2;",
                           "int m = 1; by_alias(m);",
                           "int m = 1; any<int &>(m);",
                           "int m = 1; note(argc * m, 1); m = 2;"}) {
    const std::string said = passed(code,
                                    "void by_value(int a, const int b); void by_reference(int a, int &b); "
                                    "using Ref = int &; void by_alias(Ref r); template <class T> void any(T a); ");
    EXPECT_TRUE(said.find("not a constant") != std::string::npos) << code << ": " << said;
  }
  EXPECT_TRUE(
      is_error(passed("int m = 1;\n(m) = 2;"), "5:13", "'m' is not a constant in the host code: line 4 may change it"));
}

TEST(CudaHostValues, AVariableThatIsOnlyUsedIsAConstant) {
  for (const char* code : {"int m = 2; int *h = (int *)malloc(m * sizeof(int)); free(h);",
                           "int m = 2; printf(\"%d\\n\", m);",
                           "int m = 2; std::vector<int> h(m); h.resize(m);",
                           "int m = 2; for (int i = 0; i < m; ++i) h[i] = m;",
                           "int m = 2; int b = (m + 255) / 256, c = m < 4 ? m : 4;",
                           "int m = 2; by_value(1, m);",
                           "int m = 2; std::cout << m << std::endl;",
                           "int m = 2; int t = std::min(m, 256); y += m;",
                           "int m = 2; float f = (float)m; double g = static_cast<double>(m);",
                           "int m = 2; dim3 g(m), b{m, 1};",
                           "int m = 2; int h[2] = {m, 3}; h[m] = -m;",
                           "const int m = 2; anything(m);",
                           "constexpr int m = 2; anything(&m);",
                           "int m = 2; if (m) puts(\"m\"); while (m > argc) { }",
                           "int m = 2; { int m = 1; set(m); }",
                           "int m = 2; int q = (argc + 1) & m, r = f(argc) & m;",
                           "int a = 1, m = 2; std::vector<int> h(a * m, 0);",
                           "int a = 1, m = 2; note(a > m, 3);",
                           "int m = 2; int *h = (int *)calloc(argc * m, sizeof(int));",
                           "int a = argc > 2 ? 1 : 3, m = 2;",
                           "std::size_t a = 1, m = 2;",
                           "[[maybe_unused]] int m = 2;",
                           "int m = 2; divup<int>(m);",
                           "const int &m = 2;",
                           "auto m = 2;"}) {
    EXPECT_EQ(passed(code, "void by_value(int a, const int b); template <class T> void divup(T a); "),
              "st x weak = 2\n")
        << code;
  }
}

TEST(CudaHostValues, NamesMeanWhatTheyMeanAtTheirPlace) {
  EXPECT_EQ(passed("int m = 2; { int m = 1; }"), "st x weak = 2\n");
  EXPECT_EQ(passed("int a = 1; int m = a * 2; for (int a = 5; a < 6; ++a) { }"), "st x weak = 2\n");
  const std::string inner =
      "__device__ int x; __global__ void k(int n) { x = n; }\nint main() { int a = 1; int m = a * 2; "
      "{ int a = 7; if (a) { k<<<1, 1>>>(m); } } }\n";
  const auto result = read(inner);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(listing(*result.value(), result.value()->threads[0]), "st x weak = 2\n");
}

// A local declaration hides a constant of file scope.
TEST(CudaHostValues, AConstantOfTheFileDoesNotShowThroughALocalName) {
  for (const char* code :
       {"int q = argc; int &m = q;", "auto [a, m] = f();", "enum { m = 2 };", "const auto &[m, a] = f();",
        "int a = 1; const int &m = argc;", "decltype(argc) m = 2 * argc;"}) {
    const std::string said = passed(code, "const int m = 1; ");
    EXPECT_NE(said.find("is not a constant"), std::string::npos) << code << ": " << said;
  }
  const std::string before = "const int m = 1; __device__ int x; __global__ void k(int n) { x = n; }\n";
  EXPECT_TRUE(is_error(outcome(before + "void go(const int &m) {\nk<<<1, 1>>>(m); }\n"), "3:13", "not a constant"));
  EXPECT_TRUE(is_error(outcome(before + "template <int m> void go() {\nk<<<1, 1>>>(m); }\n"), "2:23", "template"));
  EXPECT_EQ(passed("", "const int m = 1; "), "st x weak = 1\n");
}

TEST(CudaHostValues, AreTheArgumentsOfATemplateKernel) {
  const auto launched = [](const std::string& before, const std::string& code) {
    const auto result = read(before + "__device__ int x; template <int N> __global__ void k() { x = N; }\n" +
                             "int main(int argc, char **argv) {\n" + code + " }\n");
    return result.ok() ? listing(*result.value(), result.value()->threads[0]) : first_error(result.errors());
  };
  EXPECT_EQ(launched("", "constexpr int n = 2; k<n><<<1, 1>>>();"), "st x weak = 2\n");
  EXPECT_EQ(launched("const int n = 1; ", "constexpr int n = 2; k<n + 1><<<1, 1>>>();"), "st x weak = 3\n");
  EXPECT_TRUE(is_error(launched("", "int n = argc; k<n><<<1, 1>>>();"), "3:9", "not a constant"));
}

// [conv.integral]: the value is reduced modulo 2 to the power of the number of bits. [conv.bool].
TEST(CudaHostValues, AreConvertedToTheVariablesType) {
  EXPECT_EQ(passed("char m = 258;"), "st x weak = 2\n");
  EXPECT_EQ(passed("unsigned char m = 257;"), "st x weak = 1\n");
  EXPECT_EQ(passed("signed char m = 255;"), "st x weak = -1\n");
  EXPECT_EQ(passed("bool m = 2;"), "st x weak = 1\n");
  EXPECT_EQ(passed("short m = 65537;"), "st x weak = 1\n");
  EXPECT_EQ(passed("uint8_t c = 256 + 3; int m = c + 1;"), "st x weak = 4\n");
  EXPECT_EQ(passed("u8 m = 258;", "using u8 = unsigned char; "), "st x weak = 2\n");
  for (const char* type : {"float", "real", "Twice", "unknown_t"}) {
    EXPECT_TRUE(is_error(passed(std::string(type) + " m = 2;", "typedef float real; struct Twice { Twice(int); }; "),
                         "4:13", "not a constant"))
        << type;
  }
}

// [expr.arith.conv]: 2u - 4u is 4294967294, which is more than 0.
TEST(CudaHostValues, AreCalculatedInTheirTypes) {
  EXPECT_EQ(passed("unsigned a = 2, b = 4; int m = a - b > 0 ? 2 : 1;"), "st x weak = 2\n");
  EXPECT_EQ(passed("int a = 2, b = 4; int m = a - b > 0 ? 2 : 1;"), "st x weak = 1\n");
  EXPECT_EQ(passed("unsigned a = 65536; unsigned long long m = a * a + 3;"), "st x weak = 3\n");
  EXPECT_EQ(passed("int m = sizeof(int) - 8 > 0 ? 2 : 1;"), "st x weak = 2\n");
  EXPECT_EQ(passed("const unsigned z = 0; int m = ((z - 1) >> 31) + 1;"), "st x weak = 2\n");
  EXPECT_EQ(passed("int m = 4294967295 > 0 && -1 < 0 ? 2 : 1;"), "st x weak = 2\n");
  EXPECT_EQ(passed("int m = N - 1;", "constexpr unsigned N = 3; "), "st x weak = 2\n");
  EXPECT_EQ(passed("int m{};"), "st x weak = 0\n");
  EXPECT_EQ(passed("unsigned m = N - 4;", "constexpr int N = 6; "), "st x weak = 2\n");
  EXPECT_EQ(passed("size_t m = 2 * sizeof(Node);", "struct Node { int a, b; }; "), "st x weak = 16\n");
}

TEST(CudaHostValues, AParameterWithADefaultIsNotAConstant) {
  const std::string text =
      "__device__ int x; __global__ void k(int n) { x = n; }\nvoid go(int a = 1, int m = 2) {\nk<<<1, 1>>>(m); }\n"
      "int main() { go(1, 3); }\n";
  EXPECT_TRUE(is_error(outcome(text), "3:13", "not a constant"));
}

}  // namespace
}  // namespace ambit::parser
