#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "parser/parse.h"

// Tests kernels with `void *` parameters: the launch in a hint, and the launches that Ambit accepts.
namespace ambit::parser {
namespace {

Result<std::shared_ptr<const Program>> read_text(const std::string& text) {
  return parse_program(std::make_shared<const SourceFile>(SourceFile{"test.cu", text}), {});
}

/// For the kernel `code`, returns the launch that Ambit's hint suggests.
std::string suggested_launch(const std::string& code) {
  const auto program = read_text(code);
  EXPECT_FALSE(program.ok());
  if (program.ok()) return "";
  const std::string& hint = program.errors().front().hint;
  const std::string start = "// ambit: launch ";
  const std::size_t at = hint.find(start);
  return at == std::string::npos ? "no launch in: " + hint : hint.substr(at + start.size());
}

TEST(CudaVoidPointer, TheHintNamesTheTypeOfTheCastAndTheLaunchIsAccepted) {
  const std::vector<std::pair<std::string, std::string>> kernels = {
      {"__global__ void k(void *p) { float *q = (float *)p; q[threadIdx.x] = 1; }", "k<<<2, 32>>>(float p[64]);"},
      {"__global__ void k(void *p) { ((unsigned char *)p)[threadIdx.x] = 1; }", "k<<<2, 32>>>(unsigned char p[64]);"},
      {"__global__ void k(const void *p, void *out) {\n"
       "  const int *in = static_cast<const int *>(p); auto *o = reinterpret_cast<double *>(out);\n"
       "  o[threadIdx.x] = in[threadIdx.x]; }",
       "k<<<2, 32>>>(int p[64], double out[64]);"},
      {"__global__ void k(void *__restrict__ p, int n) { *(unsigned long long *)p = n; }",
       "k<<<2, 32>>>(unsigned long long p[64], 64);"},
      {"struct S { int a; int b; }; __global__ void k(void *p) { ((S *)p)[threadIdx.x].a = 1; }",
       "k<<<2, 32>>>(S p[64]);"},
      {"template <typename T> __global__ void k(void *p) { ((T *)p)[threadIdx.x] = 1; }",
       "k<int><<<2, 32>>>(int p[64]);"},
      {"__global__ void k(void *p) { uint4 *q = (uint4 *)p; q[threadIdx.x].x = 1; }", "k<<<2, 32>>>(uint4 p[64]);"},
      {"__device__ void f(int *q) { *q = 1; }\n__global__ void k(void *p) { f((int *)p); }",
       "k<<<2, 32>>>(int p[64]);"},
      {"__global__ void k(void *p, int *x) { *x = p != nullptr; }", "k<<<2, 32>>>(int p[64], x[64]);"},
      {"__global__ void k(void *p) { }", "k<<<2, 32>>>(int p[64]);"},
  };
  for (const auto& [code, launch] : kernels) {
    EXPECT_EQ(suggested_launch(code), launch) << code;
    const auto program = read_text(code + "\n// ambit: launch " + launch + "\n");
    EXPECT_TRUE(program.ok()) << code << "\n" << (program.ok() ? "" : render(program.errors()));
  }
}

TEST(CudaVoidPointer, TakesTheTypeOfDeclaredMemory) {
  const auto program = read_text(
      "__device__ float data[4];\n__global__ void k(void *p) { ((float *)p)[threadIdx.x] = 1; }\n"
      "// ambit: launch k<<<1, 4>>>(data);\n");
  ASSERT_TRUE(program.ok()) << render(program.errors());
  EXPECT_EQ(program.value()->locations.size(), 4U);
}

TEST(CudaVoidPointer, AnArrayNeedsAType) {
  const auto program =
      read_text("__global__ void k(void *p) { ((float *)p)[threadIdx.x] = 1; }\n// ambit: launch k<<<1, 4>>>(p[4]);\n");
  ASSERT_FALSE(program.ok());
  EXPECT_EQ(program.errors().front().message, "the parameter 'p' points to void, so this array needs a type");
  EXPECT_EQ(program.errors().front().hint, "write the type: int p[N]");
}

TEST(CudaVoidPointer, AccessesOfAnotherTypeAreRejected) {
  const auto program = read_text(
      "__global__ void k(void *p) { ((short *)p)[threadIdx.x] = 1; }\n// ambit: launch k<<<1, 4>>>(int p[4]);\n");
  ASSERT_FALSE(program.ok());
  EXPECT_THAT(program.errors().front().message, testing::HasSubstr("a type that it does not have"));
}

}  // namespace
}  // namespace ambit::parser
