#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "model/verdict/verdict.h"
#include "parser/parse.h"
#include "tests/support/files.h"

namespace ambit::parser {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::filesystem::path kFolder = test::project() / "tests/unit/compiled/ptx";

Result<ProgramPtr> read_text(std::string text, const std::optional<std::string>& launch) {
  ProgramOptions options;
  options.launch = launch;
  return parse_program(std::make_shared<const SourceFile>(SourceFile{"k.ptx", std::move(text)}), options);
}

Result<ProgramPtr> read_file(const std::string& name, const std::string& launch) {
  return read_text(test::contents(kFolder / (name + ".ptx")), launch);
}

std::string error_of(const Result<ProgramPtr>& read) { return read.ok() ? "no error" : render(read.errors()); }

events::Possibility race(const Result<ProgramPtr>& program) {
  EXPECT_TRUE(program.ok()) << error_of(program);
  if (!program.ok()) return events::Possibility::Unknown;
  const auto rules = load_model("ptx", {});
  Context context;
  verdict::CheckOptions options;
  options.questions.flags = true;
  verdict::Checker checker;
  const auto verdict = checker.check(program.value(), rules.value(), options, context);
  EXPECT_TRUE(verdict.ok()) << render(verdict.errors());
  return verdict.value().race;
}

TEST(CompiledModule, RacesAreFound) {
  EXPECT_EQ(race(read_file("lock_cas", "increment<<<2, 1>>>(data[1])")), events::Possibility::Impossible);
  EXPECT_EQ(race(read_file("lock_cas_no_fence", "increment<<<2, 1>>>(data[1])")), events::Possibility::Possible);
  EXPECT_EQ(race(read_file("reduction_tree", "sum<<<1, 4>>>(data[4])")), events::Possibility::Impossible);
  EXPECT_EQ(race(read_file("reduction_tree_no_barrier", "sum<<<1, 4>>>(data[4])")), events::Possibility::Possible);
}

constexpr std::string_view kHeader =
    ".version 8.3\n.target sm_90\n.address_size 64\n.global .align 8 .u32 table[4] = {1, -2, 3};\n"
    ".visible .entry _Z1kPiS_i(.param .u64 p, .param .u64 q, .param .u32 n)\n{\n"
    ".reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<3>;\n"
    "ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [q]; ld.param.u32 %r0, [n]; mov.u32 %r1, %tid.x;\n";

Result<ProgramPtr> read_body(const std::string& body, const std::string& launch = "k<<<1, 1>>>(a[4], b[2], 3)") {
  return read_text(std::string(kHeader) + body + "\n}\n", launch);
}

std::vector<std::string> location_names(const Result<ProgramPtr>& program) {
  if (!program.ok()) return {render(program.errors())};
  std::vector<std::string> names;
  for (const Location& location : program.value()->locations) names.push_back(location.name);
  return names;
}

// The accesses determine the element type of an array. If the distance between addresses is larger than an access, the
// elements are structs.
TEST(CompiledModule, AccessesDetermineTheElements) {
  EXPECT_THAT(
      location_names(read_body("st.global.u64 [%rd1], 1; st.global.f32 [%rd2+4], %f1;", "k<<<1, 1>>>(a[2], b[2], 3)")),
      ElementsAre("a[0]", "a[1]", "b[0]", "b[1]"));
  EXPECT_THAT(location_names(read_body("mul.wide.u32 %rd3, %r1, 16; add.s64 %rd4, %rd1, %rd3; st.global.u32 [%rd4], 1;"
                                       "st.global.u64 [%rd4+8], 2;",
                                       "k<<<1, 2>>>(a[2], b[1], 3)")),
              testing::IsSupersetOf({"a[0].f0", "a[1].f0", "a[0].f8", "a[1].f8"}));
  const auto table = read_body("ld.global.u32 %r2, [table+4];");
  ASSERT_TRUE(table.ok()) << error_of(table);
  EXPECT_EQ(table.value()->locations.at(1).name, "table[1]");
  EXPECT_EQ(table.value()->locations.at(1).initial, -2);
}

TEST(CompiledModule, ConditionsAreInComments) {
  const auto program =
      read_text("// ambit: exists (a[0] == 3)\n" + std::string(kHeader) + "st.global.u32 [%rd1], %r0;\n}\n",
                "k<<<1, 1>>>(a[4], b[2], 3)");
  ASSERT_TRUE(program.ok()) << error_of(program);
  EXPECT_EQ(program.value()->condition.quantifier, Quantifier::Exists);
  EXPECT_EQ(program.value()->threads[0].code[0].span.line, 10U);
}

// Only one launch runs: the launch in the option. Without the option, the launch in the comment runs.
TEST(CompiledModule, TheLaunchMayBeInAComment) {
  const std::string text = "// ambit: launch k<<<1, 3>>>(a[4], b[2], 3); exists (a[0] == 3)\n" + std::string(kHeader) +
                           "st.global.u32 [%rd1], %r0;\n}\n";
  const auto of_comment = read_text(text, std::nullopt);
  ASSERT_TRUE(of_comment.ok()) << error_of(of_comment);
  EXPECT_EQ(of_comment.value()->threads.size(), 3U);
  EXPECT_EQ(of_comment.value()->condition.quantifier, Quantifier::Exists);
  const auto of_option = read_text(text, "k<<<1, 2>>>(a[4], b[2], 3)");
  ASSERT_TRUE(of_option.ok()) << error_of(of_option);
  EXPECT_EQ(of_option.value()->threads.size(), 2U);
  EXPECT_EQ(of_option.value()->condition.quantifier, Quantifier::Exists);
}

TEST(CompiledModule, ErrorsOfALaunchHaveTheirPlaceInTheComment) {
  const std::string module = std::string(kHeader) + "st.global.u32 [%rd1], %r0;\n}\n";
  EXPECT_THAT(error_of(read_text("// ambit: launch k<<<1, 0>>>(a[4], b[2], 1);\n" + module, std::nullopt)),
              HasSubstr("k.ptx:1:"));
  EXPECT_THAT(
      error_of(read_text("// ambit: launch k<<<1, 1>>>(a[4], b[2], 1);\n// ambit: then launch k<<<1, 1>>>(a[4], "
                         "b[2], 1);\n" +
                             module,
                         std::nullopt)),
      HasSubstr("k.ptx:2:10: error: a PTX module can have only one launch"));
}

Result<ProgramPtr> read_with_struct(const std::string& launch, const std::string& body) {
  return read_text(
      ".version 8.3\n.target sm_90\n.address_size 64\n"
      ".visible .entry k(.param .align 8 .b8 p[40], .hidden .param .u32 m)\n{\n"
      ".reg .b32 %r<9>; .reg .b64 %rd<9>;\n" +
          body + "\n}\n",
      launch);
}

/// Returns the value that the kernel stores with its only store.
Value stored_value(const Result<ProgramPtr>& program) {
  EXPECT_TRUE(program.ok()) << error_of(program);
  if (!program.ok()) return -1;
  for (const Instruction& instruction : program.value()->threads.front().code) {
    const auto* store = std::get_if<Store>(&instruction.operation);
    if (store != nullptr && store->value.is_constant()) return store->value.constant;
  }
  return -1;
}

// A tensor map that the kernel does not use is an ordinary parameter.
TEST(CompiledModule, ParametersMayBeTensorMaps) {
  const auto program = read_text(
      ".version 9.1\n.target sm_90a\n.address_size 64\n"
      ".visible .entry k(.param .u64 .ptr .global .align 1 out, .hidden .param .align 64 .b8 map[128])\n{\n"
      ".reg .b64 %rd<2>;\nld.param.b64 %rd1, [out];\nst.global.b32 [%rd1], 1;\nret;\n}\n",
      "k<<<1, 1>>>(a[1], 0)");
  EXPECT_EQ(race(program), events::Possibility::Impossible);
  EXPECT_EQ(stored_value(program), 1);
}

// Assertions in CUDA's headers test the state space and the alignment of a pointer, so both must be known.
TEST(CompiledModule, PointersHaveKnownSpaceAndLowestBits) {
  const auto in_space = [](const std::string& space) {
    return stored_value(
        read_body("isspacep." + space + " %p1, %rd1; selp.u32 %r2, 1, 0, %p1; st.global.u32 [%rd1], %r2;"));
  };
  EXPECT_EQ(in_space("global"), 1);
  EXPECT_EQ(in_space("shared"), 0);
  EXPECT_EQ(in_space("local"), 0);
  const auto low_bits = [](const std::string& mask) {
    return stored_value(read_body("add.u64 %rd3, %rd1, 12; and.b64 %rd4, %rd3, " + mask +
                                  "; cvt.u32.u64 %r2, %rd4; st.global.u32 [%rd1], %r2;"));
  };
  EXPECT_EQ(low_bits("15"), 12);
  EXPECT_EQ(low_bits("3"), 0);
  EXPECT_EQ(low_bits("511"), -1);  // cudaMalloc guarantees 256 bytes
}

// struct { int n; float *unused; int *data; char c; long long big; }
TEST(CompiledModule, StructsAreListsOfFields) {
  const std::string body =
      "ld.param.u32 %r1, [p]; ld.param.u64 %rd1, [p+16]; ld.param.s8 %r2, [p+24]; ld.param.u32 %r3, [p+32];"
      "ld.param.u32 %r4, [m]; add.s32 %r5, %r1, %r2; add.s32 %r6, %r5, %r3; add.s32 %r7, %r6, %r4;"
      "st.global.u32 [%rd1], %r7;";
  const std::string unsigned_body = "ld.param.u64 %rd1, [p+16]; ld.param.u8 %r2, [p+24]; st.global.u32 [%rd1], %r2;";
  const auto read = [&](const std::string& argument) {
    return read_with_struct("k<<<1, 1>>>(" + argument + ", 100)", body);
  };
  EXPECT_EQ(stored_value(read("{1, u[1], data[2], -2, (long long)30}")), 129);
  EXPECT_EQ(stored_value(read_with_struct("k<<<1, 1>>>({1, u[1], data[2], -2, (long long)30}, 0)", unsigned_body)),
            254);
  EXPECT_THAT(error_of(read("{1, u[1], data[2], -2, 30}")),
              HasSubstr("argument 1 has no field of 4 bytes at byte 32, which the kernel reads"));
  EXPECT_THAT(error_of(read("7")), HasSubstr("argument 1 must be the fields of a struct of 40 bytes"));
  // A kernel may have a struct parameter that it does not read, such as a tensor map. Its argument can be any number.
  EXPECT_TRUE(read_with_struct("k<<<1, 1>>>(0, 5)", "ret;").ok());
}

TEST(CompiledModule, Errors) {
  EXPECT_THAT(error_of(read_text(std::string(kHeader) + "ret; }", std::nullopt)),
              HasSubstr("write --launch 'k<<<2, 32>>>(a[64], b[64], 1)', or a comment // ambit: launch k<<<2, "
                        "32>>>(a[64], b[64], 1); the kernels are k"));
  EXPECT_THAT(error_of(read_body("ret;", "other<<<1, 1>>>()")), HasSubstr("the module has no kernel 'other'"));
  EXPECT_THAT(error_of(read_body("ret;", "k<<<1, 1>>>(a[4], b[2])")), HasSubstr("the kernel 'k' has 3 parameters"));
  EXPECT_THAT(error_of(read_body("ret;", "k<<<1, 0>>>(a[4], b[2], 1)")), HasSubstr("--launch:1:"));
  EXPECT_THAT(error_of(read_body("st.global.u32 [%rd1], 1; st.global.u8 [%rd1+1], 2;")),
              HasSubstr("but other accesses to the same bytes of 'a' differ in size"));
  EXPECT_THAT(error_of(read_body("st.global.u32 [%rd1+-4], 1; ld.global.u64 %rd3, [%rd1+-8];")),
              HasSubstr("but other accesses to the same bytes of 'a' differ in size"));
  EXPECT_THAT(error_of(read_body("ld.global.u64 %rd3, [%rd1]; st.global.u32 [%rd3], 2;")),
              HasSubstr("computed in a way that is not supported"));
  EXPECT_THAT(error_of(read_text("// x\n.version 8.3\n.target sm_90\nretx", "k<<<1, 1>>>()")),
              HasSubstr("k.ptx:4:1: error: expected a directive"));
}

}  // namespace
}  // namespace ambit::parser
