#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "litmus_listing.h"
#include "parser/parse.h"

// The host code of CUDA sources (docs/cuda-sources.md, "The launch"): either what C++ makes of it is known, or an error
// asks for the launch.
namespace ambit::parser {
namespace {

Result<std::shared_ptr<const Program>> read(const std::string& text) {
  return parse_program(std::make_shared<const SourceFile>(SourceFile{"host.cu", text}));
}

/// The first error: "4:12 what".
std::string first_error(const Diagnostics& errors) {
  const Diagnostic& first = errors.front();
  return std::to_string(first.span.line) + ":" + std::to_string(first.span.column) + " " + first.message;
}

/// Initial values of all cells, "d[0]=0 d[1]=5", or the first error.
std::string outcome(const std::string& text) {
  const auto result = read(text);
  if (!result.ok()) return first_error(result.errors());
  std::string cells;
  for (const Location& cell : result.value()->locations) {
    cells += (cells.empty() ? "" : " ") + cell.name + "=" + std::to_string(cell.initial);
  }
  return cells;
}

/// `code` stands in line 3, behind allocations of d, two ints, and e, one; the launch of both stands in line 4.
std::string memory(const std::string& code, const std::string& before = "") {
  return outcome(before + "__global__ void k(int *d, int *e) { d[threadIdx.x] = e[0]; }\n" +
                 "int main(int argc, char **argv) { int *d = nullptr, *e; int h[2] = {1, 2}; cudaMalloc(&d, 8); "
                 "cudaMalloc(&e, 4);\n" +
                 code + "\nk<<<1, 2>>>(d, e); cudaMemcpy(h, d, 8, cudaMemcpyDeviceToHost); cudaFree(d); }\n");
}

/// What the kernel is passed for the host variable m, which `code` in line 3 declares: "st x weak = 2", or the error.
std::string passed(const std::string& code, const std::string& before = "") {
  const auto result = read(before + "__device__ int x; __global__ void k(int n) { x = n; }\n" +
                           "int main(int argc, char **argv) {\n" + code + "\nk<<<1, 1>>>(m); }\n");
  if (!result.ok()) return first_error(result.errors());
  const auto& program = result.value();
  return listing(*program, program->threads[0]);
}

bool is_error(const std::string& text, const std::string& place, const std::string& part) {
  return text.starts_with(place + " ") && text.find(part) != std::string::npos;
}

const std::string kZeros = "d[0]=0 d[1]=0 e[0]=0";
const std::string kNotUnderstood = "is not understood";

// ---- what points where

TEST(CudaHostMemory, APointerThatMayPointElsewhereIsAnError) {
  for (const char* code : {"d = e;", "e = d;", "std::swap(d, e);", "int **p = &d; *p = e;", "int *&r = d; r = e;",
                           "auto &r = e; r = d;", "int *p = d;", "auto f = [&d, e] { d = e; }; f();", "d++;", "++d;",
                           "d += 1;", "std::tie(d) = t;", "move(&d);", "d = nullptr;"}) {
    const std::string said = memory(code);
    EXPECT_TRUE(said.starts_with("3:") && said.find(kNotUnderstood) != std::string::npos) << code << ": " << said;
  }
  EXPECT_TRUE(is_error(memory("d = e;"), "3:1", "'d'"));
}

TEST(CudaHostMemory, WhatCannotChangeItIsRead) {
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

TEST(CudaHostMemory, CheckedAllocations) {
  const std::string kernel = "__global__ void k(int *d) { d[1] = 1; }\n";
  const std::string macro =
      "#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { printf(#x); exit(1); } } while (0)\n";
  const std::string launch = " k<<<1, 1>>>(d); CHECK(cudaGetLastError()); }\n";
  const std::string own = "void check(cudaError_t e, const char *file, int line) { if (e) exit(1); }\n";
  for (const std::string& code :
       {kernel + macro + "int main() { int *d; CHECK(cudaMalloc(&d, 8));" + launch,
        kernel + "#include \"helper.h\"\nint main() { int *d; CHECK(cudaMalloc((void **)&d, 8));" + launch,
        kernel + own + "int main() { int *d; check(cudaMalloc((void**)&d, 8), __FILE__, __LINE__);" + launch,
        kernel + "int main() { int *d; if (cudaMalloc(&d, 8) != cudaSuccess) goto end;" + launch,
        kernel + "int main() { int *d, *e; if (cudaMalloc(&e, 8) != 0 || cudaMalloc(&d, 8) != 0) return 1;" + launch,
        kernel + "int main() { int *d = NULL; cudaError_t r; r = cudaMalloc(reinterpret_cast<void **>(&d), 8);" +
            launch}) {
    std::string text = code;
    if (text.find("goto end") != std::string::npos) text.insert(text.rfind('}'), "end: cudaFree(d); ");
    EXPECT_EQ(outcome(text), "d[0]=0 d[1]=0") << text;
  }
}

TEST(CudaHostMemory, AnAllocationThatMayNotRunIsAnError) {
  const std::string kernel = "__global__ void k(int *d) { d[0] = 1; }\n";
  EXPECT_TRUE(is_error(outcome(kernel + "int main(int c) { int *d;\nif (c) cudaMalloc(&d, 4); k<<<1, 1>>>(d); }\n"),
                       "3:8", "not known"));
  EXPECT_EQ(outcome(kernel + "int main(int c) { int *d;\nif (c) { cudaMalloc(&d, 4); k<<<1, 1>>>(d); } }\n"), "d[0]=0");
}

// ---- what it holds

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
                           "for (int &v : span(d, 2)) v = 1;"}) {
    const std::string said = memory(code);
    EXPECT_TRUE(said.starts_with("3:") && said.find(kNotUnderstood) != std::string::npos) << code << ": " << said;
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
  EXPECT_TRUE(is_error(memory("cudaMemset(d, 0xff, 8); d[0] = 0;"), "3:25", "whole of 'd'"));
  EXPECT_TRUE(is_error(memory("cudaMemset(d, 0xff, 8); cudaMemset(d, 0, 4);"), "3:42", "whole"));
}

TEST(CudaHostMemory, CastsAreTakenOff) {
  EXPECT_EQ(memory("cudaMemset((void *)d, 0xff, 8);"), "d[0]=-1 d[1]=-1 e[0]=0");
  EXPECT_EQ(memory("cudaMemcpy(static_cast<void *>(d), h, 8, cudaMemcpyHostToDevice);"), "d[0]=1 d[1]=2 e[0]=0");
}

TEST(CudaHostMemory, CopiesOfAPart) {
  EXPECT_TRUE(is_error(memory("cudaMemcpy(d, h, 4, cudaMemcpyHostToDevice);"), "3:18", "whole of 'h'"));
  EXPECT_TRUE(is_error(memory("cudaMemcpy(e, h, 4, cudaMemcpyHostToDevice);"), "3:18", "whole of 'h'"));
  EXPECT_TRUE(is_error(memory("cudaMemcpy(d, h, 8, cudaMemcpyDeviceToHost);"), "3:1", "from the host"));
  EXPECT_TRUE(is_error(memory("char b[8] = {1}; cudaMemcpy(d, b, 8, cudaMemcpyHostToDevice);"), "3:18", "type"));
  EXPECT_EQ(memory("const int n = 1; int v = 5; cudaMemcpy(e, &v, n * sizeof(int), cudaMemcpyHostToDevice);"),
            "d[0]=0 d[1]=0 e[0]=5");
}

TEST(CudaHostMemory, ASourceThatIsWrittenIsNotConstant) {
  for (const char* code : {"h[0] = 7;", "fill(h);", "fill(2, h);", "*h = 3;", "int *p = h; p[0] = 3;",
                           "std::iota(h, h + 2, 5);", "for (int &v : h) v = 3;"}) {
    const std::string said = memory(std::string(code) + "\ncudaMemcpy(d, h, 8, cudaMemcpyHostToDevice);");
    EXPECT_TRUE(is_error(said, "4:1", "not constant")) << code << ": " << said;
  }
  EXPECT_EQ(
      memory("printf(\"%d\", h[0]); int s = h[0] + h[1]; use(sizeof h); cudaMemcpy(d, h, 8, cudaMemcpyHostToDevice);"),
      "d[0]=1 d[1]=2 e[0]=0");
}

TEST(CudaHostMemory, AWriteThatMayNotRunIsAnError) {
  for (const char* code :
       {"if (argc > 1) cudaMemset(d, 0xff, 8);", "if (argc > 1) {} else cudaMemset(d, 0xff, 8);",
        "while (f()) cudaMemset(d, 0xff, 8);", "argc > 1 && cudaMemset(d, 0xff, 8);",
        "auto f = [&] { cudaMemset(d, 0xff, 8); };", "do { if (f()) break; cudaMemset(d, 0xff, 8); } while (0);",
        "try { f(); cudaMemset(d, 0xff, 8); } catch (...) { }", "switch (argc) { case 1: cudaMemset(d, 0xff, 8); }"}) {
    const std::string said = memory(code);
    EXPECT_TRUE(said.starts_with("3:") && said.find("whether this runs") != std::string::npos) << code << ": " << said;
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

// An asynchronous call and a kernel in another stream have no order.
TEST(CudaHostMemory, AWriteInAnotherStreamIsWaitedFor) {
  const std::string set = "cudaMemsetAsync(d, 0xff, 8, s);";
  EXPECT_TRUE(is_error(memory(set), "3:1", "another stream"));
  EXPECT_EQ(memory(set + " cudaStreamSynchronize(s);"), "d[0]=-1 d[1]=-1 e[0]=0");
  EXPECT_EQ(memory("cudaMemsetAsync(d, 0xff, 8);"), "d[0]=-1 d[1]=-1 e[0]=0");
  EXPECT_EQ(outcome("__global__ void k(int *d) { d[0] = 1; }\nint main() { int *d; cudaMalloc(&d, 4);\n"
                    "cudaMemsetAsync(d, 0xff, 4, s); k<<<1, 1, 0, s>>>(d); }\n"),
            "d[0]=-1");
}

// ---- variables of the device that the host writes

std::string managed(const std::string& declarations, const std::string& code) {
  return outcome("__global__ void k() { m = m + 1; }\n" + declarations + "\nint main(int argc, char **argv) {\n" +
                 code + "\nk<<<1, 1>>>(); cudaDeviceSynchronize(); printf(\"%d\", m); m = 3; }\n");
}

TEST(CudaHostSymbols, WritesAreErrors) {
  for (const char* code :
       {"m = 1;", "++m;", "cudaMemset(&m, 0xff, 4);", "int *p = &m; *p = 1;", "int &r = m; r = 1;", "set(m);",
        "(m) = 2;", "std::swap(m, q);", "cudaMemcpyToSymbol(m, &argc, 4);", "cudaMemcpyToSymbolAsync(m, &argc, 4);",
        "cudaGetSymbolAddress((void **)&p, m);", "std::cin >> m;"}) {
    const std::string said = managed("__managed__ int m = 0;", code);
    EXPECT_TRUE(said.starts_with("4:") && said.find(kNotUnderstood) != std::string::npos) << code << ": " << said;
  }
  const std::string set = managed("__managed__ int m; void set() { m = 1; }", "set();");
  EXPECT_TRUE(is_error(set, "2:33", "'m'")) << set;
  const std::string both = managed("__managed__ int m; __host__ __device__ void set() { m = 1; }", "set();");
  EXPECT_TRUE(is_error(both, "2:53", "'m'")) << both;
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

// ---- numbers

TEST(CudaHostValues, AVariableThatMayChangeIsNoConstant) {
  for (const char* code :
       {"int m = 1; int &r = m; r = 2;", "int m = 1; set(m);", "int m = 1; (m) = 2;", "int m = 1; std::tie(m) = x;",
        "int m = 1; for (auto &v : {std::ref(m)}) v.get() = 2;", "int m = 1; int *p = &m; *p = 2;",
        "int m = 1; m <<= 1;", "int m = 1; std::cin >> m;", "int m = 1; auto f = [&m] { m = 2; }; f();",
        "int m = 1; if (argc > 1) m = 2;", "int m = 1; std::swap(m, argc);", "int m = 1; (argc > 1 ? m : argc) = 2;",
        "int m = 1; auto &&r = m; r = 2;", "int m = 1; std::reference_wrapper<int> r(m);", "int m = argc;",
        "int m = 1; by_reference(3, m);"}) {
    const std::string said = passed(code, "void by_value(int a, const int b); void by_reference(int a, int &b); ");
    EXPECT_TRUE(said.find("not a constant") != std::string::npos) << code << ": " << said;
  }
  EXPECT_TRUE(
      is_error(passed("int m = 1;\n(m) = 2;"), "5:13", "'m' is not a constant of the host code: line 4 may change it"));
}

TEST(CudaHostValues, AVariableThatIsOnlyUsedIsAConstant) {
  for (const char* code :
       {"int m = 2; int *h = (int *)malloc(m * sizeof(int)); free(h);", "int m = 2; printf(\"%d\\n\", m);",
        "int m = 2; std::vector<int> h(m); h.resize(m);", "int m = 2; for (int i = 0; i < m; ++i) h[i] = m;",
        "int m = 2; int b = (m + 255) / 256, c = m < 4 ? m : 4;", "int m = 2; by_value(1, m);",
        "int m = 2; std::cout << m << std::endl;", "int m = 2; int t = std::min(m, 256); y += m;",
        "int m = 2; float f = (float)m; double g = static_cast<double>(m);", "int m = 2; dim3 g(m), b{m, 1};",
        "int m = 2; int h[2] = {m, 3}; h[m] = -m;", "const int m = 2; anything(m);",
        "constexpr int m = 2; anything(&m);", "int m = 2; if (m) puts(\"m\"); while (m > argc) { }",
        "int m = 2; { int m = 1; set(m); }"}) {
    EXPECT_EQ(passed(code, "void by_value(int a, const int b); "), "st x weak = 2\n") << code;
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

// [conv.integral]: modulo 2 to the number of bits; [conv.bool].
TEST(CudaHostValues, AreConvertedToTheVariablesType) {
  EXPECT_EQ(passed("char m = 258;"), "st x weak = 2\n");
  EXPECT_EQ(passed("unsigned char m = 257;"), "st x weak = 1\n");
  EXPECT_EQ(passed("signed char m = 255;"), "st x weak = -1\n");
  EXPECT_EQ(passed("bool m = 2;"), "st x weak = 1\n");
  EXPECT_EQ(passed("short m = 65537;"), "st x weak = 1\n");
  EXPECT_EQ(passed("uint8_t c = 256 + 3; int m = c + 1;"), "st x weak = 4\n");
  EXPECT_TRUE(is_error(passed("float m = 2;"), "4:13", "not a constant"));
}

TEST(CudaHostValues, AParameterWithADefaultIsNoConstant) {
  const std::string text =
      "__device__ int x; __global__ void k(int n) { x = n; }\nvoid go(int a = 1, int m = 2) {\nk<<<1, 1>>>(m); }\n"
      "int main() { go(1, 3); }\n";
  EXPECT_TRUE(is_error(outcome(text), "3:13", "not a constant"));
}

// ---- how often

std::string often(const std::string& code, const std::string& before = "") {
  return outcome("__device__ int x; __global__ void k() { x = 1; }\n" + before +
                 "\nint main(int argc, char **argv) {\n" + code + " }\n");
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

TEST(CudaHostLaunch, ThatRunsOnceIsRead) {
  EXPECT_EQ(often("if (argc > 5) goto end; k<<<1, 1>>>(); end: return 0;"), "x=0");
  EXPECT_EQ(often("do { k<<<1, 1>>>(); } while (0);"), "x=0");
  EXPECT_EQ(often("for (int i = 0; i < 3; ++i) { } if (argc) { k<<<1, 1>>>(); }"), "x=0");
  EXPECT_EQ(often("go();", "void go(); void go() { k<<<1, 1>>>(); }"), "x=0");
  EXPECT_EQ(often("try { k<<<1, 1>>>(); } catch (...) { }"), "x=0");
}

// What programs have around a launch: checks, a stream, events, output, and the results behind it.
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

// ---- comments

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
