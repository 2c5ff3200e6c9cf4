/// The parser reports all errors of a CUDA source in one run. After a missing bracket in a statement, it still reports
/// later errors. It does not report errors that are only consequences of the missing bracket.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "parser/parse.h"

namespace ambit::parser {
namespace {

/// Returns one line for each error: "LINE:COLUMN MESSAGE".
std::string places_of_errors(const std::string& text) {
  const auto result = parse_program(std::make_shared<const SourceFile>(SourceFile{"test.cu", text}), {});
  std::string found;
  if (result.ok()) return found;
  for (const Diagnostic& error : result.errors()) {
    found += std::to_string(error.span.line) + ":" + std::to_string(error.span.column) + " " + error.message + "\n";
  }
  return found;
}

constexpr const char* kOneLaunch = "// ambit: launch k<<<1, 2>>>(data[4])\n";

TEST(CudaRecovery, AMissingBracketHidesNothing) {
  EXPECT_EQ(places_of_errors(std::string(R"(__global__ void k(int *x) {
  atomicAdd(x, 1;
  y = 2;
  x[0 = 3;
  atomicAd(x, 1);
  for (int i = 0; i < 2; i++) { x[i] = z; }
}
)") + kOneLaunch),
            "2:17 expected ')', found ';'\n"
            "4:7 expected ']', found '='\n"
            "3:3 unknown name 'y'\n"
            "5:3 unknown function 'atomicAd'\n"
            "6:40 unknown name 'z'\n");
}

TEST(CudaRecovery, EveryBracketOfAStatementIsClosed) {
  EXPECT_EQ(places_of_errors(std::string("__global__ void k(int *x) {\n  x[(threadIdx.x = 1;\n}\n") + kOneLaunch),
            "2:21 expected ')', found ';'\n2:21 expected ']', found ';'\n");
}

// The parser's fuzzer found this. Ambit uses names with '$' for type parameters, so a source must not contain them.
TEST(CudaRecovery, ANameWithADollarIsAnError) {
  for (const char* name : {"$x", "cuda::in$x", "a::b$$c", "0x7$y"}) {
    const std::string text = std::string("__global__ void k(int *x) {\n  ") + name + "();\n  *x = y;\n}\n" + kOneLaunch;
    EXPECT_NE(places_of_errors(text).find("does not read names with '$'"), std::string::npos) << name;
  }
}

// The parser's fuzzer found these inputs: a function without a return type, and assembly without operands.
TEST(CudaRecovery, FunctionsWithoutATypeAndAssemblyInANumber) {
  EXPECT_NE(places_of_errors("__global__ void k(int *x) { *x = y; }\n"
                             "intmain() {\n  int *x;\n  cudaMalloc(&x, 4);\n  k<<<1, 1>>>(x);\n}\n")
                .find("unknown name 'y'"),
            std::string::npos);
  EXPECT_NE(
      places_of_errors(std::string("__global__ void k(int *x) {\n  *x = 1;7asm volatile(\"a\");\n}\n") + kOneLaunch),
      "");
}

// The parser's fuzzer found this: if a constant appeared in its own type, the reader did not terminate.
TEST(CudaRecovery, ATypeThatNamesItsConstant) {
  for (const char* constants : {"const N N = N + 1;\n", "const N M = N + 1;\nconst M N = M + 1;\n"}) {
    EXPECT_NE(places_of_errors(std::string(constants) + "__global__ void k(int *x) { *x = N; }\n" + kOneLaunch), "");
  }
}

// After an error in host code, the parser still reads the launch.
TEST(CudaRecovery, AMissingBracketOfTheHostHidesNoErrorOfAKernel) {
  EXPECT_EQ(places_of_errors(R"(#include <cstdio>
__global__ void k(int *x) { *x = y; }
int main() {
  int *x;
  cudaMalloc(&x, sizeof(int);
  k<<<1, 1>>>(x);
}
)"),
            "5:29 expected ')', found ';'\n2:34 unknown name 'y'\n");
}

// The reader does not repair a faulty declaration, so each use of the declared name is an error.
TEST(CudaRecovery, DeclarationsAreNotMended) {
  EXPECT_EQ(
      places_of_errors(std::string("__device__ int a[3 = {1, 2, 3};\n__global__ void k(int *x) { *x = a[1]; }\n") +
                       kOneLaunch),
      "1:20 expected ']', found '='\n");
}

// If a brace is missing, the parser cannot know the structure of the code.
TEST(CudaRecovery, BracesAreNotMended) {
  EXPECT_EQ(places_of_errors("__global__ void k(int *x) {\n  if (x[0] == 1) {\n  y = 2;\n}\n"),
            "1:27 this '{' is not closed\n");
  EXPECT_EQ(places_of_errors("__global__ void k(int *x) {\n  x[0] = (1 }\n"), "2:13 unmatched '}'\n");
  EXPECT_EQ(places_of_errors("__global__ void k(int *x) { } }\n"), "1:31 unmatched '}'\n");
}

// The reader reports the missing brackets as one error, and does not read the following code.
TEST(CudaRecovery, StatementsThatLackManyBracketsAreNotMended) {
  const std::string many(100'000, '[');
  EXPECT_EQ(places_of_errors("__global__ void k(int *x) {\n  x" + many + " = 1;\n  y = 2;\n}\n" + kOneLaunch),
            "2:100005 expected ']', found '='\n");
}

// The parentheses of `for` and `if` may contain semicolons.
TEST(CudaRecovery, ForAndIfMayHoldSemicolons) {
  EXPECT_EQ(places_of_errors(std::string("__global__ void k(int *x) { for (int i = 0; i < 2; i++) x[i] = 1; }\n") +
                             kOneLaunch),
            "");
  EXPECT_EQ(places_of_errors(std::string("__global__ void k(int *x) { *x = 1; }\n"
                                         "int f() { if (int e = 0; e != 0) return 1; return 0; }\n") +
                             kOneLaunch),
            "");
}

}  // namespace
}  // namespace ambit::parser
