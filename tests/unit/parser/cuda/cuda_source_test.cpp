#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "core/opaque.h"
#include "parser/parse.h"
#include "tests/unit/parser/litmus/litmus_listing.h"

// Tests CUDA sources (docs/reference/cuda-sources.md). The expected code follows from the language reference. A plain
// access is weak. A call of __threadfence() is a seq_cst fence at device scope. A call of atomicX is a relaxed
// operation at device scope.
namespace ambit::parser {
namespace {

Result<std::shared_ptr<const Program>> read_source(const std::string& text, const ProgramOptions& options = {}) {
  return parse_program(std::make_shared<const SourceFile>(SourceFile{"test.cu", text}), options);
}

std::shared_ptr<const Program> parse_cuda(const std::string& text, const ProgramOptions& options = {}) {
  const auto read_program = read_source(text, options);
  EXPECT_TRUE(read_program.ok()) << (read_program.ok() ? "" : render(read_program.errors()));
  return read_program.ok() ? read_program.value() : std::make_shared<const Program>();
}

/// Returns the code of the first thread of a program with `declarations` and a kernel with the body `code`.
std::string kernel(const std::string& declarations, const std::string& code) {
  const auto program = parse_cuda(declarations + "\n__device__ int x, y;\n__global__ void k(int *data) {" + code +
                                  "}\n// ambit: launch k<<<1, 1>>>(data[4]);\n");
  return program->threads.empty() ? "no thread" : listing(*program, program->threads[0]);
}

std::string errors_in(const std::string& text) {
  const auto result = read_source(text);
  return result.ok() ? "" : render(result.errors());
}

/// Returns the initial values of all cells, such as "d[0]=0 d[1]=5".
std::string cells(const Program& program) {
  std::string text;
  for (const Location& cell : program.locations) {
    text += (text.empty() ? "" : " ") + cell.name + "=" + std::to_string(cell.initial);
  }
  return text;
}

// ---- preprocessing ----

TEST(CudaPreprocessor, ConstantAndFunctionLikeMacros) {
  EXPECT_EQ(kernel("#define N 3\n#define ADD(a, b) ((a) + (b) * N)", "x = ADD(1, 2);"), "st x weak = 7\n");
  EXPECT_EQ(kernel("#define PUT(v) x = v; \\\n  y = v", "PUT(2);"), "st x weak = 2\nst y weak = 2\n");
}

// [cpp.rescan]: if a macro's expansion contains the macro's name, this name is not expanded again. Arguments are
// expanded before they replace the parameters.
TEST(CudaPreprocessor, RescanAndSelfReference) {
  EXPECT_EQ(kernel("#define x x\n#define A B\n#define B 4\n#define ID(v) v", "x = ID(A);"), "st x weak = 4\n");
  EXPECT_EQ(kernel("#define F(v) v\n#define G F", "x = G(6);"), "st x weak = 6\n");
}

TEST(CudaPreprocessor, PastingQuotingAndVariableArguments) {
  EXPECT_EQ(kernel("#define NAME(a) x##a\n#undef x\n__device__ int x1;", "NAME(1) = 2;"), "st x1 weak = 2\n");
  EXPECT_EQ(kernel("#define LOG(f, ...) printf(f #__VA_ARGS__, __VA_ARGS__)", "LOG(\"a\", 1, 2); x = 1;"),
            "st x weak = 1\n");
}

// GNU extension: in `, ##__VA_ARGS__`, the preprocessor removes the comma if there are no arguments. Otherwise the
// comma stays, and ## does not join the comma with the first argument.
TEST(CudaPreprocessor, TheCommaBeforeNoArguments) {
  const std::string log = "#define LOG(f, ...) printf(f, ##__VA_ARGS__)\n#define SAY(f, rest...) printf(f, ##rest)\n";
  EXPECT_EQ(kernel(log, "LOG(\"a\"); LOG(\"%d\", 1); SAY(\"a\"); SAY(\"%d %d\", 1, 2); x = 1;"), "st x weak = 1\n");
  EXPECT_EQ(kernel("#define EACH(a, ...) atomicAdd(a, ##__VA_ARGS__)", "EACH(&x, 1);"), "red.add x rlx.device (1)\n");
}

TEST(CudaPreprocessor, JoinsWords) {
  const std::string join = "#define JOIN(a, b) a##b\n";
  EXPECT_EQ(kernel(join, "x = JOIN(, 2); y = JOIN(3, ); JOIN(x, ) = JOIN(1, 2) JOIN(, ) ;"),
            "st x weak = 2\nst y weak = 3\nst x weak = 12\n");
  EXPECT_NE(errors_in(join + "int JOIN(x, ;)").find("## joins 'x' and ';', which do not form one token"),
            std::string::npos);
  EXPECT_NE(errors_in(join + "#define LEFT(a, b) d[1] = 1 a##b\n__global__ void k(int *d) { LEFT(, 2); }\n"
                             "// ambit: launch k<<<1, 1>>>(d[2]);\n")
                .find("expected ';', found '2'"),
            std::string::npos);
  std::string doubled = "abcd";
  for (int i = 0; i < 30; ++i) doubled.insert(0, "D(").append(")");
  EXPECT_NE(errors_in("#define D_(x) x##x\n#define D(x) D_(x)\nint " + doubled + ";\n").find("more than 200000 words"),
            std::string::npos);
}

TEST(CudaPreprocessor, LinesThatGoOn) {
  EXPECT_EQ(kernel("", "x = 1; // a comment \\\n x = 2;\ny = 3;"), "st x weak = 1\nst y weak = 3\n");
  EXPECT_EQ(kernel("", "x = 1; // a comment \\ \r\n x = 2;\ny = 3;"), "st x weak = 1\nst y weak = 3\n");
  EXPECT_NE(errors_in("int a\\\nb;\n").find("test.cu:1:6: error: a word that continues"), std::string::npos);
}

TEST(CudaPreprocessor, WordsForOperators) {
  EXPECT_EQ(
      kernel("#define A 1\n#if defined(A) and not defined(B)\n#define V 5\n#endif", "if (V bitand 4 and V) x = V;"),
      "st x weak = 5\n");
}

TEST(CudaPreprocessor, InvalidDirectives) {
  const std::string text = "\n#if 0\nx = 1;\n#elseif 1\nx = 2;\n#endif\ny = 3;\n";
  EXPECT_EQ(kernel("", text), "st y weak = 3\n");
  EXPECT_NE(errors_in("#if 1\n#elseif 1\n#endif\n").find("unknown directive '#elseif'"), std::string::npos);
}

// The values of these names are known only to nvcc and to its headers.
TEST(CudaPreprocessor, VersionsAreNotGuessed) {
  for (const char* line : {"#if CUDART_VERSION >= 11000", "#ifdef __CUDACC_VER_MAJOR__", "#if defined(CUDA_VERSION)"}) {
    EXPECT_NE(errors_in(std::string(line) + "\n#endif\n").find("is not known"), std::string::npos) << line;
  }
  EXPECT_EQ(kernel("#define CUDART_VERSION 12000\n#if CUDART_VERSION > 11000\n#define V 1\n#endif", "x = V;"),
            "st x weak = 1\n");
}

TEST(CudaPreprocessor, RawTexts) {
  EXPECT_EQ(kernel("const char *a = \"%\" PRIxPTR\"\\n\", *b = R\"(a\")\\n)\", *c = u8R\"x( )\" )x\";", "x = 1;"),
            "st x weak = 1\n");
}

TEST(CudaSource, ManyNamesInOneDeclaration) {
  std::string names = "int a";
  for (int i = 0; i < 4000; ++i) names += ", a" + std::to_string(i);
  EXPECT_NE(errors_in(names + ";\n").find("test.cu:1:5: error: too many names in one declaration"), std::string::npos);
}

TEST(CudaPreprocessor, Branches) {
  const std::string text = "\n#if defined(A) && A > 1\nx = 1;\n#elif defined B\nx = 2;\n#else\nx = 3;\n#endif\n";
  EXPECT_EQ(kernel("", text), "st x weak = 3\n");
  EXPECT_EQ(kernel("#define A 2", text), "st x weak = 1\n");
  EXPECT_EQ(kernel("#define A 1\n#define B", text), "st x weak = 2\n");
  EXPECT_EQ(kernel("", "\n#ifndef Q\n#if 0\nx = 1;\n#else\nx = 2;\n#endif\n#endif\n"), "st x weak = 2\n");
}

TEST(CudaPreprocessor, DefinesOfTheCommandLine) {
  const std::string text =
      "__device__ int x;\n__global__ void k() {\n#ifdef BOTH\n  x = BOTH;\n#endif\n  x = N;\n}\n"
      "// ambit: launch k<<<1, 1>>>();\n";
  ProgramOptions options;
  options.defines = {"N=4", "BOTH"};
  const auto program = parse_cuda(text, options);
  EXPECT_EQ(listing(*program, program->threads[0]), "st x weak = 1\nst x weak = 4\n");
}

TEST(CudaPreprocessor, AnErrorInAnExpansionPointsAtTheUse) {
  const std::string message = errors_in(
      "#define BAD(p) atomicAdd(p, none)\n__device__ int x;\n__global__ void k() {\n  BAD(&x);\n}\n"
      "// ambit: launch k<<<1, 1>>>();\n");
  EXPECT_NE(message.find("test.cu:4:3: error: unknown name 'none'"), std::string::npos) << message;
}

TEST(CudaPreprocessor, SpansAreThoseOfTheFile) {
  const auto program = parse_cuda(
      "#define ONE 1\n__device__ int x;\n__global__ void k() {\n  x = ONE + 2;\n}\n"
      "// ambit: launch k<<<1, 1>>>();\n");
  EXPECT_EQ(program->threads[0].code[0].span, (SourceSpan{4, 3, 11}));  // x = ONE + 2
}

// ---- declarations ----

TEST(CudaSource, HostCodeIsSkipped) {
  const auto program = parse_cuda(R"(
#include <vector>
template <typename T> struct Timer { std::vector<T> all; Timer() : all{1, 2} { } ~Timer() = default; };
static std::string text = "}{";
float average(float a) { auto f = [](auto v) { return v < 1.5f ? '\'' : '"'; }; return f(a) / 2.0e-3; }
__device__ int x;
__global__ void k() { x = 1; }
int main() { Timer<float> t; if (average(1.0f) > 1'000) return 1; k<<<1, 1>>>(); }
)");
  ASSERT_EQ(program->threads.size(), 1U);
  EXPECT_EQ(program->name, "test");
  EXPECT_EQ(listing(*program, program->threads[0]), "st x weak = 1\n");
}

TEST(CudaSource, UnreachableCodeIsNotRead) {
  const auto program = parse_cuda(
      "__device__ int x;\n__device__ float unused(float f) { return f * 0.5f; }\n"
      "__global__ void other() { asm(\"\"); }\n__global__ void k() { x = 1; }\n"
      "// ambit: launch k<<<1, 1>>>();\n");
  EXPECT_EQ(program->threads.size(), 1U);
}

// PTX ISA 9.7.1 and 9.7.8: a shift by the width or more shifts out all bits. Operands "n" become text in the assembly.
TEST(CudaSource, AssemblyComputesLikePtx) {
  const auto result = [](const std::string& text) {
    return kernel("", "long long r; asm(\"" + text + "\" : \"=l\"(r) : \"n\"(4)); x = r;");
  };
  EXPECT_THAT(result("mul.hi.u32 %0, 0x80000000, 6;"), ::testing::StartsWith("%0 = 3\n"));
  EXPECT_THAT(result("mad.wide.u32 %0, 65536, 65536, 0x100000000;"), ::testing::StartsWith("%0 = 8589934592\n"));
  EXPECT_THAT(result("{ bfe.u64 %0, 0xabcd, %1, %1 + 4; }"), ::testing::StartsWith("%0 = 188\n"));
  EXPECT_THAT(result("shl.b64 %0, 1, 64"), ::testing::StartsWith("%0 = 0\n"));
  EXPECT_THAT(errors_in("__global__ void k(int *x) { asm(\"add.s32 %0, %7, 1;\" : \"=r\"(*x)); }\n// ambit: launch "
                        "k<<<1, 1>>>(x[1]);"),
              ::testing::HasSubstr("names '%7', which it does not declare"));
}

// Ambit computes no saturation and no carries, and no operations on two numbers in one register.
TEST(CudaSource, AssemblyThatAmbitDoesNotComputeHasNoValue) {
  const auto source = [](const std::string& text) {
    return "__global__ void k(int *x) { int r = 5; asm(\"" + text +
           "\" : \"=r\"(r) : \"r\"(3)); *x = r; }\n// ambit: launch k<<<1, 1>>>(x[1]);";
  };
  for (const char* text : {"add.sat.s32 %0, %1, 4;", "add.cc.u32 %0, %1, 4;", "cvt.sat.u8.s32 %0, %1;"}) {
    EXPECT_TRUE(has_opaque_values(*parse_cuda(source(text)))) << text;
  }
  EXPECT_THAT(errors_in(source("min.s16x2 %0, %1, 0x00020003;")), ::testing::HasSubstr("min.s16x2"));
  EXPECT_FALSE(has_opaque_values(*parse_cuda(source("pmevent.mask 1; mov.u32 %0, %1;"))));
}

TEST(CudaSource, Attributes) {
  EXPECT_EQ(
      kernel("extern \"C\" __device__ __forceinline__ static int f(const int *__restrict__ p) noexcept { return *p; }\n"
             "__device__ __align__(8) int z;",
             "[[maybe_unused]] const int r = f(&z); x = r;"),
      "%0 = ld z weak\nr = %0\nst x weak = r\n");
}

TEST(CudaSource, ConstantsEnumeratorsAliasesNamespaces) {
  const std::string declarations =
      "namespace app { constexpr int N = 2; enum Color { Red, Green = N + 3, Blue }; enum class Mode : unsigned { Off "
      "= 8, On }; "
      "typedef int i32; using word = i32; const float pi = 3.14f; }\n";
  EXPECT_EQ(kernel(declarations, "x = app::Blue + app::Color::Green;"), "st x weak = 11\n");
  EXPECT_EQ(kernel(declarations, "x = static_cast<int>(app::Mode::On);"), "st x weak = 9\n");
  EXPECT_EQ(kernel(declarations, "app::word w = x; y = w > app::N;").find("w = ld"), 0U);
}

TEST(CudaSource, LibcuWithNamespaces) {
  EXPECT_EQ(kernel("using namespace cuda;\n__device__ atomic<int, thread_scope_block> a;",
                   "a.store(1, memory_order_release);"),
            "st a rel.block = 1\n");
  EXPECT_EQ(kernel("namespace c = cuda;\nusing A = c::atomic<int, c::thread_scope_device>;\n__device__ A a;",
                   "x = a.load(c::memory_order_acquire);"),
            "%0 = ld a acq.device\nst x weak = %0\n");
}

TEST(CudaSource, Templates) {
  const std::string declarations =
      "constexpr int K = 2;\ntemplate <typename T, int N = K> __device__ T times(T v) { return v * N; }\n"
      "template <int N> __device__ int sum() { return N + times<int, N + 1>(N); }\n";
  EXPECT_EQ(kernel(declarations, "x = times<int>(5);"), "st x weak = 10\n");
  EXPECT_EQ(kernel(declarations, "x = times<int, 4>(5) + sum<K>();"), "st x weak = 28\n");  // 20 + (2 + 2 * 3)
}

TEST(CudaSource, TemplateKernelsAreLaunchedByArguments) {
  const auto program = parse_cuda(
      "template <typename T, int N> __global__ void k(T *p) { p[N] = N; }\n"
      "int main() { unsigned *d; cudaMalloc(&d, 16); k<unsigned, 3><<<1, 1>>>(d); }\n");
  EXPECT_EQ(listing(*program, program->threads[0]), "st d[3] weak = 3\n");
}

// ---- structs ----

TEST(CudaStructs, FieldsAreCells) {
  const auto program = parse_cuda(R"(
struct Inner { unsigned char c[2]; };
struct Node { int value = 7; cuda::atomic<int, cuda::thread_scope_device> flag; Inner in; };
__device__ Node one = {1, 2, {{3, 4}}};
__device__ Node two[2] = {{5}};
__global__ void k() { one.value = 1; two[1].in.c[1] = 2; }
// ambit: launch k<<<1, 1>>>();
// ambit: exists (two[1].in.c[1] == 2 && one.flag == 2)
)");
  EXPECT_EQ(
      cells(*program),
      "one.value=1 one.flag=2 one.in.c[0]=3 one.in.c[1]=4 two[0].value=5 two[1].value=7 two[0].flag=0 two[1].flag=0 "
      "two[0].in.c[0]=0 two[0].in.c[1]=0 two[1].in.c[0]=0 two[1].in.c[1]=0");
  EXPECT_EQ(listing(*program, program->threads[0]), "st one.value weak = 1\nst two[1].in.c[1] weak = 2\n");
  EXPECT_EQ(program->observables[0].name, "two[1].in.c[1]");
}

TEST(CudaStructs, PointersReferencesAndMembers) {
  const std::string declarations =
      "struct Queue { int items[4]; int head; __device__ void push(int v) { items[head % 4] = v; this->head = next(); "
      "}\n"
      "  __device__ int next() const { return 3; } };\n__device__ Queue q[2];\n"
      "__device__ void clear(Queue &r) { r.head = 0; }";
  EXPECT_EQ(kernel(declarations, "clear(q[1]);"), "st q[1].head weak = 0\n");
  EXPECT_EQ(kernel(declarations, "Queue *p = &q[1]; p->items[2] = 5; (p - 1)->head = 1; (*p).items[0] = 6;"),
            "p = 4294967297\nst q[1].items[2] weak = 5\nst q[0].head weak = 1\nst q[1].items[0] weak = 6\n");
}

TEST(CudaStructs, MemberFunctions) {
  const std::string declarations =
      "struct Lock { int word; __device__ void acquire() { while (!try_once()) { } __threadfence(); }\n"
      "  __device__ bool try_once() { return atomicCAS(&word, 0, 1) == 0; } };\n__device__ Lock l;";
  const std::string code = kernel(declarations, "l.acquire(); x = 1;");
  EXPECT_NE(code.find("rmw.cas l.word rlx.device (0 -> 1)"), std::string::npos) << code;
  EXPECT_NE(code.find("fence sc.device\nst x weak = 1"), std::string::npos) << code;
}

TEST(CudaStructs, SizesAreThoseOfCpp) {
  EXPECT_EQ(kernel("struct S { char a; long long b; short c; };", "x = sizeof(S) + sizeof(int *) + sizeof(char);"),
            "st x weak = 33\n");  // 24 + 8 + 1
  EXPECT_NE(kernel("__device__ int a[alignof(int4) / sizeof(int)];", "a[3] = 1;").find("st a[3] weak = 1\n"),
            std::string::npos);
}

// ---- statements ----

TEST(CudaStatements, LocalArrays) {
  const std::string code =
      kernel("", "int a[3] = {1, 2}; for (int i = 0; i < 3; ++i) a[i] += i; x = a[0] * 100 + a[1] * 10 + a[2];");
  EXPECT_NE(code.find("st x weak = 132\n"), std::string::npos) << code;  // 1, 3, 2
}

TEST(CudaStatements, LocalArraysThatMemoryReachesAreNotFolded) {
  const std::string code = kernel("", "int a[2]; a[0] = x; a[1] = a[0]; y = a[1];");
  EXPECT_NE(code.find("a[0] = ld x weak"), std::string::npos) << code;
  EXPECT_NE(code.find("st y weak = a[1]"), std::string::npos) << code;
}

TEST(CudaStatements, AnElementAssignedInALoopIsForgottenAtItsHead) {
  const std::string code = kernel("", "int a[1] = {0}; while (y == 0) { a[0] = 1; } x = a[0];");
  EXPECT_NE(code.find("st x weak = a[0]"), std::string::npos) << code;
}

TEST(CudaStatements, SwitchOnAConstantKeepsOnePath) {
  const std::string text = "switch (n) { case 1: x = 1; break; case 2: x = 2; case 3: x = 3; break; default: x = 4; }";
  EXPECT_EQ(kernel("#define n 1", text), "st x weak = 1\n");
  EXPECT_EQ(kernel("#define n 2", text), "st x weak = 2\nst x weak = 3\n");
  EXPECT_EQ(kernel("#define n 9", text), "st x weak = 4\n");
}

TEST(CudaStatements, SwitchOnMemory) {
  const std::string code = kernel("", "switch (y) { case 1: x = 1; break; case 2: x = 2; }");
  EXPECT_NE(code.find("ld y weak"), std::string::npos) << code;
  EXPECT_NE(code.find("== 1"), std::string::npos) << code;
  EXPECT_NE(code.find("== 2"), std::string::npos) << code;
  EXPECT_NE(code.find("st x weak = 1"), std::string::npos) << code;
}

TEST(CudaStatements, ContinueInASwitchIsTheLoops) {
  const std::string code = kernel("", "for (int i = 0; i < 2; ++i) { switch (i) { case 0: continue; } x = i; }");
  EXPECT_NE(code.find("st x weak = 1\n"), std::string::npos) << code;
  EXPECT_EQ(code.find("st x weak = 0\n"), std::string::npos) << code;
}

// printf is not a memory operation, but the thread reads printf's arguments from memory.
TEST(CudaStatements, PrintfReadsItsArguments) {
  EXPECT_EQ(kernel("", "printf(\"%d %d\\n\", x, 1); y = 1;"), "%0 = ld x weak\nst y weak = 1\n");
}

TEST(CudaStatements, AssertWithAReason) {
  EXPECT_EQ(kernel("", "assert(x == 1 && \"why\");"), "%0 = ld x weak\nassert (%0 == 1)\n");
}

TEST(CudaStatements, CooperativeGroups) {
  const std::string declarations = "namespace cg = cooperative_groups;\nusing namespace cooperative_groups;";
  EXPECT_EQ(kernel(declarations,
                   "cg::this_grid().sync(); auto b = this_thread_block(); b.sync(); cg::sync(b); "
                   "this_cluster().sync(); x = b.thread_rank() + b.size();"),
            "barrier.grid\nbarrier.block 0\nbarrier.block 0\nbarrier.cluster\nst x weak = 1\n");
}

// ---- launches ----

TEST(CudaLaunch, OfTheHostCodeThroughACheckingMacro) {
  const auto program = parse_cuda(R"(
#define CHECK(call) do { if ((call) != cudaSuccess) { printf("%s", #call); exit(1); } } while (0)
__global__ void k(short *d) { d[1] = 1; }
int main(int argc, char **argv) {
  const int n = 2;
  short *d = nullptr, *unused;
  CHECK(cudaMalloc((void **)&d, n * sizeof(*d)));
  CHECK(cudaMemset(d, 0, n * sizeof(*d)));
  k<<<1, 1>>>(d);
  CHECK(cudaGetLastError());
}
)");
  EXPECT_EQ(cells(*program), "d[0]=0 d[1]=0");
}

TEST(CudaLaunch, SizesAndInitialValues) {
  const auto program = parse_cuda(R"(
__global__ void k(volatile unsigned int *const d, const long long n, int *e, bool b) { d[n] = gridDim.y + b + e[1]; }
int main() {
  const int blocks = 2, n = blocks * 2;
  dim3 grid(1, blocks), block = dim3(3);
  unsigned *d = nullptr;
  int *e, h[] = {4, 5};
  cudaMalloc((void **)&d, (n + 1) * sizeof(unsigned));
  cudaMemset(d, 0xff, (n + 1) * sizeof(unsigned));
  cudaMallocManaged(&e, sizeof(h));
  cudaMemcpy(e, h, sizeof(h), cudaMemcpyHostToDevice);
  k<<<grid, block, 0, stream>>>(d, n, (int *)e, true);
}
)");
  EXPECT_EQ(cells(*program),
            "d[0]=4294967295 d[1]=4294967295 d[2]=4294967295 d[3]=4294967295 d[4]=4294967295 e[0]=4 e[1]=5");
  ASSERT_EQ(program->threads.size(), 6U);
  EXPECT_EQ(program->threads[5].name, "b1t2");
  EXPECT_EQ(listing(*program, program->threads[0]),
            "%0 = ld e[1] weak\nst d[4] rlx.system volatile = 3 +.u32 u32(%0)\n");
}

TEST(CudaLaunch, DynamicSharedMemoryHasTheLaunchsSize) {
  const auto program = parse_cuda(
      "__global__ void k() { extern __shared__ short s[]; s[threadIdx.x] = 1; }\n"
      "int main() { k<<<1, 2, 2 * sizeof(short)>>>(); }\n");
  EXPECT_EQ(cells(*program), "b0:s[0]=0 b0:s[1]=0");
}

TEST(CudaLaunch, OptionBeforeCommentBeforeHost) {
  const std::string text =
      "#define N 2\n__global__ void k(int *d) { d[0] = gridDim.x; }\n"
      "int main() { int *h; cudaMalloc(&h, 4); k<<<1, 1>>>(h); }\n";
  EXPECT_EQ(cells(*parse_cuda(text)), "h[0]=0");
  const std::string annotated = text + "// ambit: launch k<<<N, 1>>>(c[N])\n";
  const auto commented = parse_cuda(annotated);
  EXPECT_EQ(cells(*commented), "c[0]=0 c[1]=0");
  EXPECT_EQ(commented->threads.size(), 2U);
  ProgramOptions options;
  options.launch = "k<<<3, 1>>>(o[1])";
  const auto chosen = parse_cuda(annotated, options);
  EXPECT_EQ(cells(*chosen), "o[0]=0");
  EXPECT_EQ(chosen->threads.size(), 3U);
}

TEST(CudaLaunch, ErrorsOfTheOptionPointIntoIt) {
  ProgramOptions options;
  options.launch = "k<<<1, 1>>>(d[1], 2)";
  const auto result = read_source("__global__ void k(int *d) { d[0] = 1; }\n", options);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(render(result.errors()).substr(0, 20), "--launch:1:1: error:");
}

TEST(CudaLaunch, InvalidLaunchOptionGetsAnExample) {
  ProgramOptions options;
  options.launch = "2, 32";
  const auto result = read_source("__global__ void k(int *d, int n) { d[0] = n; }\n", options);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(render(result.errors()),
            "--launch:1:1: error: expected a launch KERNEL<<<BLOCKS, THREADS>>>(ARGUMENTS), found '2'\n"
            "  2, 32\n"
            "  ^\n"
            "  hint: such as --launch 'k<<<2, 32>>>(d[64], 64)'\n");
}

TEST(CudaLaunch, UnknownKernelNamesTheKernelsOfTheFile) {
  const std::string text =
      "__global__ void block_sum(int *d) { d[0] = 1; }\n__global__ void scan(int *d) { d[0] = 2; }\n";
  const auto hint_of = [&](const char* launch) {
    ProgramOptions options;
    options.launch = launch;
    const auto result = read_source(text, options);
    return result.ok() ? std::string("no error")
                       : result.errors().front().message + "; " + result.errors().front().hint;
  };
  EXPECT_EQ(hint_of("block<<<1, 2>>>(d[1])"), "unknown kernel 'block'; did you mean 'block_sum'?");
  EXPECT_EQ(hint_of("space::k<int><<<1, 2>>>(d[1])"),
            "unknown kernel 'k'; the kernels of this file are block_sum, scan");
  EXPECT_EQ(hint_of("scan<<<1, 2>>>(d[1])"), "no error");
}

// ---- comments ----

TEST(CudaAnnotations, LinesBlocksAndPlaces) {
  const auto program = parse_cuda(R"(
#define TWO 2
__device__ int x;
__global__ void k() { x = TWO; }
// ambit: launch k<<<1, 1>>>();
/* ambit:
 *   exists (x == TWO
 *           && x != 3)
 *   expect ptx-6.0 : Always, norace because "one thread"
 */
// ambit: expect hrf-relaxed(incl=nest) : Always because "one "
// ambit:   "thread"
// ambit: label scor : norace
// ambit without a colon is a comment, and so is this: ambit: nothing
)");
  EXPECT_EQ(expression(*program, nullptr, *program->condition.proposition), "((x == 2) && (x != 3))");
  EXPECT_EQ(program->condition.span.line, 7U);
  ASSERT_EQ(program->expectations.size(), 2U);
  EXPECT_EQ(program->expectations[0].model, "ptx-6.0");
  EXPECT_EQ(program->expectations[0].span.line, 9U);
  EXPECT_EQ(program->expectations[1].because, "one thread");
  EXPECT_EQ(program->expectations[1].options.at("incl"), "nest");
  EXPECT_EQ(program->labels.size(), 1U);
}

TEST(CudaAnnotations, ThoseOfABranchNotTakenAreIgnored) {
  const std::string text =
      "__device__ int x;\n__global__ void k() { x = 1; }\n// ambit: launch k<<<1, 1>>>();\n#ifdef B\n"
      "// ambit: expect ptx : race\n#else\n// ambit: expect ptx : norace\n#endif\n";
  EXPECT_EQ(parse_cuda(text)->expectations[0].race, false);
  ProgramOptions options;
  options.defines = {"B"};
  EXPECT_EQ(parse_cuda(text, options)->expectations[0].race, true);
}

TEST(CudaSource, IsRecognisedByItsContentsInAPipe) {
  const auto source = std::make_shared<const SourceFile>(
      SourceFile{"<stdin>", "__device__ int x;\n__global__ void k() { x = 1; }\n// ambit: launch k<<<1, 1>>>();\n"});
  EXPECT_TRUE(parse_program(source).ok());
}

}  // namespace
}  // namespace ambit::parser
