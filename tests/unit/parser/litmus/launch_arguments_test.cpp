/// Tests the sizes and arguments of launches, both in litmus tests and for CUDA sources.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tests/unit/parser/litmus/litmus_listing.h"

namespace ambit::parser {
namespace {

using testing::HasSubstr;

constexpr std::string_view kKernels =
    "struct Pair { int a; long long b; };\n"
    "struct Node { int *next; int value; };\n"
    "__global__ void k(int *data, int n) { data[0] = n; }\n"
    "__global__ void f(float *data, float x) { data[0] = x; }\n"
    "__global__ void w(unsigned long long *data) { data[0] = 1; }\n"
    "__global__ void s(Node node) { *node.next = node.value; }\n"
    "__global__ void p(Pair *pairs) { pairs[0].a = 1; }\n"
    "__global__ void q(int **data) { int *x = data[0]; }\n"
    "__device__ int x;\n";

/// Returns the memory that the launch creates, such as "data[0]=7 data[1]=0".
std::string cells(const Program& program) {
  std::string text;
  for (const Location& location : program.locations) {
    if (location.name == "x") continue;
    text += (text.empty() ? "" : " ") + location.name + "=" + std::to_string(location.initial);
  }
  return text;
}

Result<ProgramPtr> read_cuda(const std::string& launch) {
  ProgramOptions options;
  options.launch = launch;
  const std::string code = std::string(kKernels).substr(kKernels.find("__global__ void k"));
  const std::string structs = std::string(kKernels.substr(0, kKernels.find("__global__ void k")));
  return parse_program(std::make_shared<const SourceFile>(SourceFile{"k.cu", structs + code}), options);
}

/// Uses a launch in a litmus test, and in the option --launch for a CUDA source. Expects that both give the same cells,
/// and returns these cells.
std::string cells_of(const std::string& launch) {
  const auto litmus = parse(std::string(kKernels) + "launch " + launch + ";\n");
  const auto cuda = read_cuda(launch);
  EXPECT_TRUE(cuda.ok()) << render(cuda.errors());
  if (cuda.ok()) {
    EXPECT_EQ(cells(*cuda.value()), cells(*litmus)) << launch;
  }
  return cells(*litmus);
}

/// Returns the error for a CUDA source with this launch. The error has a position in the option --launch.
std::string error_of(const std::string& launch) {
  const auto read = read_cuda(launch);
  return read.ok() ? "no error" : render(read.errors());
}

TEST(LaunchArguments, AnArrayHasATypeANameAndContents) {
  const std::vector<std::pair<std::string, std::string>> table = {
      {"data[2]", "data[0]=0 data[1]=0"},
      {"a[2]", "a[0]=0 a[1]=0"},
      {"int a[2]", "a[0]=0 a[1]=0"},
      {"int[2]", "data[0]=0 data[1]=0"},
      {"a[2] = 7", "a[0]=7 a[1]=7"},
      {"int a[2] = -7", "a[0]=-7 a[1]=-7"},
      {"int[2]=7", "data[0]=7 data[1]=7"},
      {"int[3] = {1, -2}", "data[0]=1 data[1]=-2 data[2]=0"},
      {"a[3] = {1, ...}", "a[0]=1 a[1]=1 a[2]=1"},
      {"int a[] = {1, 2}", "a[0]=1 a[1]=2"},
      {"a[1 + 1] = 2 * 3", "a[0]=6 a[1]=6"},
      {"int a[2] = {}", "a[0]=0 a[1]=0"},
  };
  for (const auto& [argument, wanted] : table)
    EXPECT_EQ(cells_of("k<<<1, 1>>>(" + argument + ", 5)"), wanted) << argument;
}

TEST(LaunchArguments, TypesOfElements) {
  EXPECT_EQ(cells_of("f<<<1, 1>>>(float data[1] = 1.5, -2.5f)"), "data[0]=0");  // Ambit does not follow these values
  EXPECT_EQ(cells_of("f<<<1, 1>>>(float[2] = {1, -0.5}, 1)"), "data[0]=0 data[1]=0");
  EXPECT_EQ(cells_of("w<<<1, 1>>>(unsigned long long[1] = 0x100000000)"), "data[0]=4294967296");
  EXPECT_EQ(cells_of("p<<<1, 1>>>(pairs[2] = {{1, 2}, {3}})"), "pairs[0].a=1 pairs[1].a=3 pairs[0].b=2 pairs[1].b=0");
  EXPECT_EQ(cells_of("k<<<1, 1>>>(a[1] = 300, (char)7)"), "a[0]=300");
}

TEST(LaunchArguments, FieldsOfAStruct) {
  EXPECT_EQ(cells_of("s<<<1, 1>>>({data[1], 7})"), "data[0]=0");
  EXPECT_EQ(cells_of("s<<<1, 1>>>({int data[2] = {4, 5}, 7})"), "data[0]=4 data[1]=5");
  EXPECT_EQ(cells_of("s<<<1, 1>>>({int[1] = 3, 7})"), "next[0]=3");
  EXPECT_EQ(cells_of("s<<<1, 1>>>(Node{data[1] = 9, 7})"), "data[0]=9");
  EXPECT_EQ(cells_of("s<<<1, 1>>>({&x, 7})"), "");
}

TEST(LaunchArguments, Sizes) {
  for (const std::string sizes :
       {"2, 3", "dim3(2), dim3(3)", "(2, 1), (3, 1, 1)", "dim3(1, 2), (1, 3)", "(2), (3), 16"}) {
    const auto program = parse(std::string(kKernels) + "launch k<<<" + sizes + ">>>(data[1], 5);\n");
    EXPECT_EQ(program->threads.size(), 6U) << sizes;
    EXPECT_EQ(program->blocks.size(), 2U) << sizes;
  }
  EXPECT_THAT(error_of("k<<<dim3(1, 1, 1, 1), 1>>>(data[1], 5)"),
              HasSubstr("--launch:1:5: error: 'dim3' takes 1 to 3"));
  EXPECT_THAT(error_of("k<<<(1, 1, 1, 1), 1>>>(data[1], 5)"), HasSubstr("a launch has 1 to 3 sizes in parentheses"));
  EXPECT_THAT(error_of("k<<<1>>>(data[1], 5)"), HasSubstr("expected <<<blocks, threads>>>"));
  EXPECT_THAT(error_of("k<<<1, n>>>(data[1], 5)"), HasSubstr("the size of a launch must be a constant"));
  EXPECT_THAT(error_of("k<<<0x80000000, 1>>>(data[1], 5)"), HasSubstr("above CUDA's limit of 2147483647"));
  EXPECT_THAT(error_of("k<<<1, 0>>>(data[1], 5)"), HasSubstr("at least one block and one thread"));
}

TEST(LaunchArguments, Errors) {
  const std::vector<std::pair<std::string, std::string>> table = {
      {"k<<<1, 1>>>(float data[2], 5)",
       "--launch:1:13: error: 'data' has elements of type float, but the parameter 'data' points to int"},
      {"k<<<1, 1>>>(float[2], 5)", "leave out the type, or write int data[N]"},
      {"k<<<1, 1>>>(volatile int data[2], 5)", "has elements of type volatile int"},
      {"k<<<1, 1>>>(unsigned a[2], 5)",
       "'a' has elements of type unsigned int, but the parameter 'data' points to int"},
      {"k<<<1, 1>>>(foo a[2], 5)", "--launch:1:13: error: unknown type 'foo'"},
      {"k<<<1, 1>>>(data[2] = {1, 2, 3}, 5)", "--launch:1:30: error: 'data' has 2 elements but 3 initial values"},
      {"k<<<1, 1>>>(data[2] = 1.5, 5)", "a floating-point number cannot be the initial value of type int"},
      {"k<<<1, 1>>>(data[2] = 0x100000000, 5)", "out of range for the type int (32 bits)"},
      {"k<<<1, 1>>>(data[2] = n, 5)", "an initial value must be a constant"},
      {"k<<<1, 1>>>(data[n], 5)", "the number in brackets must be a constant"},
      {"k<<<1, 1>>>(int data[], 5)", "an array of a launch needs its length"},
      {"k<<<1, 1>>>(data[0], 5)", "the length of 'data' is 0"},
      {"k<<<1, 1>>>(void data[2], 5)", "cannot have elements of type 'void'"},
      {"k<<<1, 1>>>(__shared__ int data[2], 5)", "an array of a launch is in global memory"},
      {"k<<<1, 1>>>(data = 5, 5)", "only an array of a launch has contents"},
      {"k<<<1, 1>>>(&x = {5}, 5)", "only an array of a launch has contents"},
      {"k<<<1, 1>>>(data[2], a[2])", "the argument for 'n' must be a constant"},
      {"k<<<1, 1>>>({1, 2}, 5)", "the argument for 'data' must be memory, but this is a list of fields"},
      {"k<<<1, 1>>>(data[2], 1.5)", "the argument for 'n' must be a constant"},
      {"k<<<1, 1>>>(data[2])", "the kernel 'k' has 2 parameters, but 1 argument is passed here"},
      {"k<<<1, 1>>>(data[2]", "--launch:1:20: error: expected ')', found the end of the launch"},
      {"k<<<1, 1", "found the end of the launch"},
  };
  for (const auto& [launch, wanted] : table) EXPECT_THAT(error_of(launch), HasSubstr(wanted)) << launch;
}

// The second launch uses the array as the first launch has left it.
TEST(LaunchArguments, AnArrayHasContentsOnce) {
  const std::string text(kKernels);
  const auto program = parse(text + "launch k<<<1, 1>>>(a[1] = 3, 5);\nthen launch k<<<1, 1>>>(a[1], 6);\n");
  EXPECT_EQ(cells(*program), "a[0]=3");
  EXPECT_THAT(errors(text + "launch k<<<1, 1>>>(a[1], 5);\nthen launch k<<<1, 1>>>(a[1] = 3, 6);\n"),
              HasSubstr("'a' already exists, so this argument cannot change its contents"));
  EXPECT_THAT(errors(text + "launch k<<<1, 1>>>(int[1], 5);\nthen launch k<<<1, 1>>>(int[1], 6);\n"),
              HasSubstr("this array needs a name, because there is already memory with the name of its parameter"));
  EXPECT_THAT(errors("__global__ void u(int *) {}\nlaunch u<<<1, 1>>>(int[1]);\n"),
              HasSubstr("this array needs a name, because the kernel's parameter has none"));
}

TEST(LaunchArguments, PointersAsElements) {
  const auto program = parse(std::string(kKernels) + "launch q<<<1, 1>>>(int *data[2] = &x);\n");
  EXPECT_THAT(cells(*program), testing::StartsWith("data[0]="));
  EXPECT_NE(program->locations.back().initial, 0);
  EXPECT_THAT(errors(std::string(kKernels) + "launch q<<<1, 1>>>(float *data[2]);\n"),
              HasSubstr("'data' has elements of type float*"));
}

}  // namespace
}  // namespace ambit::parser
