#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "model/verdict/judgement.h"
#include "model/verdict/verdict.h"
#include "parser/parse.h"
#include "tests/support/files.h"

namespace ambit::parser {
namespace {

using testing::HasSubstr;

const std::filesystem::path kSources = test::project() / "tests/unit/compiled";

SourceFilePtr source_of(const std::filesystem::path& file) {
  return std::make_shared<const SourceFile>(SourceFile{file.filename().string(), test::contents(file)});
}

SourceFilePtr source_of(std::string text, std::string name) {
  return std::make_shared<const SourceFile>(SourceFile{std::move(name), std::move(text)});
}

Result<ProgramPtr> read_compiled(const SourceFilePtr& source, SourceFilePtr ptx) {
  ProgramOptions options;
  options.compiled = std::move(ptx);
  return parse_program(source, options);
}

std::string refusal_of(const Result<ProgramPtr>& read) { return read.ok() ? "no error" : render(read.errors()); }

/// Expects the verdict of the model ptx on the compiled form of a file of litmus/cuda.
class Corpus : public testing::TestWithParam<std::string> {};

TEST_P(Corpus, CompiledKernelsMeetTheExpectationsOfTheirSource) {
  const auto program = read_compiled(source_of(test::project() / "litmus/cuda" / (GetParam() + ".cu")),
                                     source_of(kSources / "ptx" / (GetParam() + ".ptx")));
  ASSERT_TRUE(program.ok()) << render(program.errors());
  const auto rules = load_model("ptx", {});
  ASSERT_TRUE(rules.ok()) << render(rules.errors());
  Context context;
  context.set_timeout(std::chrono::seconds(100));
  verdict::Checker checker;
  const auto verdict = checker.check(program.value(), rules.value(), {}, context);
  ASSERT_TRUE(verdict.ok()) << render(verdict.errors());
  const verdict::Judgement judgement = verdict::judge(verdict.value());
  EXPECT_EQ(judgement.status, verdict::Status::Ok) << testing::PrintToString(judgement.reasons);
}

/// Returns whether Ambit refuses the compiled form of a file. The test CompiledSource.Refusals has the reasons.
bool is_refused(const std::string& name) { return name == "helper_by_pointer" || name == "helper_by_pointer_overlap"; }

std::vector<std::string> corpus() {
  std::vector<std::string> names;
  for (const auto& file : test::files_in(test::project() / "litmus/cuda", {".cu"})) {
    if (!is_refused(file.stem().string())) names.push_back(file.stem().string());
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(CompiledSources, Corpus, testing::ValuesIn(corpus()),
                         [](const auto& info) { return info.param; });

TEST(CompiledSource, Refusals) {
  const auto error = [](const std::string& name) {
    return refusal_of(read_compiled(source_of(test::project() / "litmus/cuda" / (name + ".cu")),
                                    source_of(kSources / "ptx" / (name + ".ptx"))));
  };
  EXPECT_THAT(error("helper_by_pointer_overlap"), HasSubstr("7:3: error: this access has 1 bytes"));
  EXPECT_THAT(error("helper_by_pointer"), HasSubstr("this access has 1 bytes, but the variable has cells of 4 bytes"));
}

/// The compiled form has the same cells as the source, even for structs, pointers in memory and array fields. If the
/// compiler has merged accesses, the compiled form has one access for them.
TEST(CompiledSource, CellsOfStructs) {
  const auto program = read_compiled(source_of(kSources / "linked_items.cu"), source_of(kSources / "linked_items.ptx"));
  ASSERT_TRUE(program.ok()) << render(program.errors());
  std::vector<std::string> stored;
  std::size_t stores_to_total = 0;
  for (const Thread& thread : program.value()->threads) {
    for (const Instruction& instruction : thread.code) {
      const auto* store = std::get_if<Store>(&instruction.operation);
      if (store == nullptr || !store->access.address.is_constant()) continue;
      const auto location = program.value()->location_at(store->access.address.constant);
      ASSERT_TRUE(location);
      stored.push_back(program.value()->locations[*location].name);
      if (stored.back() == "total") ++stores_to_total;
    }
  }
  EXPECT_THAT(stored, testing::IsSupersetOf({"items[2].key", "items[2].value", "items[2].extra[1]", "head", "out[1]"}));
  EXPECT_EQ(stores_to_total, 1U);
}

TEST(CompiledSource, RemarksSayWhatTheCompilerDid) {
  const auto program = read_compiled(source_of(kSources / "linked_items.cu"), source_of(kSources / "linked_items.ptx"));
  ASSERT_TRUE(program.ok()) << render(program.errors());
  const std::string remarks = render(program.value()->remarks);
  EXPECT_THAT(remarks, HasSubstr("linked_items.cu:10"));
  EXPECT_THAT(remarks, HasSubstr("has the write of 'total' from this line once, but the source has it 3 times"));
}

constexpr std::string_view kSource = R"(
__device__ int x;
__global__ void k(int *data) { data[threadIdx.x] = x; }
// ambit: launch k<<<1, 2>>>(data[2]);
)";

std::string module_with(const std::string& body) {
  return ".version 8.3\n.target sm_90\n.address_size 64\n.global .align 4 .u32 x;\n"
         ".visible .entry _Z1kPi(.param .u64 p)\n{\n.reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n"
         "ld.param.u64 %rd1, [p]; cvta.to.global.u64 %rd2, %rd1; mov.u32 %r1, %tid.x;\n" +
         body + "\n}\n";
}

Result<ProgramPtr> read_kernel(const std::string& body) {
  return read_compiled(source_of(std::string(kSource), "k.cu"), source_of(module_with(body), "k.ptx"));
}

/// Returns the locations that the last thread accesses, in order.
std::vector<std::string> accesses_of(const std::string& body) {
  const auto program = read_kernel(body);
  if (!program.ok()) return {render(program.errors())};
  std::vector<std::string> names;
  for (const Instruction& instruction : program.value()->threads.back().code) {
    const MemoryAccess* access = access_of(instruction.operation);
    if (access == nullptr) continue;
    if (!access->address.is_constant()) {
      names.emplace_back("?");
      continue;
    }
    const auto location = program.value()->location_at(access->address.constant);
    names.push_back(location ? program.value()->locations[*location].name : "out of bounds");
  }
  return names;
}

TEST(CompiledSource, AddressesAreCells) {
  using testing::ElementsAre;
  EXPECT_THAT(accesses_of("mul.wide.u32 %rd3, %r1, 4; add.s64 %rd4, %rd2, %rd3; st.global.u32 [%rd4], %r1;"),
              ElementsAre("data[1]"));
  EXPECT_THAT(accesses_of("shl.b32 %r2, %r1, 2; cvt.u64.u32 %rd3, %r2; add.s64 %rd4, %rd2, %rd3;"
                          "st.global.u32 [%rd4+-4], 1; ld.global.u32 %r3, [x];"),
              ElementsAre("data[0]", "x"));
  EXPECT_THAT(accesses_of("st.global.v2.u32 [%rd2], {%r1, 7};"), ElementsAre("data[0]", "data[1]"));
  EXPECT_THAT(accesses_of("ld.global.u32 %r2, [x]; mul.wide.u32 %rd3, %r2, 4; add.s64 %rd4, %rd2, %rd3;"
                          "st.global.u32 [%rd4], 1;"),
              ElementsAre("x", "?"));
}

/// Compiled code, such as library code, may access a variable with another size than that of the variable's type.
TEST(CompiledSource, AccessesMayHaveTypesThatTheSourceLacks) {
  EXPECT_THAT(accesses_of("st.global.u8 [x], 1;"), testing::ElementsAre("x[0]"));
}

/// The launch makes an array of two elements of the source's type. An access of one byte must not make the elements
/// smaller.
TEST(CompiledSource, AccessesDoNotResizeAnArrayOfTheLaunch) {
  EXPECT_THAT(accesses_of("st.global.u8 [%rd2+7], 1;"),
              testing::ElementsAre(testing::HasSubstr("1 bytes, but the variable has cells of 4 bytes")));
}

TEST(CompiledSource, KnownBranchesAreTaken) {
  using testing::ElementsAre;
  EXPECT_THAT(accesses_of("setp.eq.u32 %p1, %r1, 0; @%p1 bra L; st.global.u32 [x], 1; L: ret;"), ElementsAre("x"));
  EXPECT_THAT(accesses_of("setp.ne.u32 %p1, %r1, 0; @%p1 bra L; st.global.u32 [x], 1; L: st.global.u32 [%rd2], 1;"),
              ElementsAre("data[0]"));
  EXPECT_THAT(accesses_of("brx.idx %r1, T; T: .branchtargets A, B; A: st.global.u32 [x], 1; ret;"
                          "B: st.global.u32 [%rd2], 1; ret;"),
              ElementsAre("data[0]"));
}

TEST(CompiledSource, OrdersAndScopesArePtx) {
  const auto program = read_kernel(
      "ld.acquire.cta.global.u32 %r2, [x]; st.release.gpu.global.u32 [x], 1; membar.gl; fence.acq_rel.sys;"
      "red.relaxed.cta.global.add.u32 [x], 1; ld.volatile.global.u32 %r3, [x]; @%p1 exit; bar.sync 1, 64;");
  ASSERT_TRUE(program.ok()) << refusal_of(program);
  const auto& code = program.value()->threads[0].code;
  EXPECT_EQ(std::get<Load>(code[0].operation).access.order, Order::Acquire);
  EXPECT_EQ(std::get<Load>(code[0].operation).access.scope, Scope::Block);
  EXPECT_EQ(std::get<Store>(code[1].operation).access.order, Order::Release);
  EXPECT_EQ(std::get<Fence>(code[2].operation).order, Order::SeqCst);
  EXPECT_EQ(std::get<Fence>(code[2].operation).scope, Scope::Device);
  EXPECT_EQ(std::get<Fence>(code[3].operation).scope, Scope::System);
  EXPECT_TRUE(std::get<Rmw>(code[4].operation).is_reduction);
  EXPECT_TRUE(std::get<Load>(code[5].operation).access.is_volatile);
}

TEST(CompiledSource, Errors) {
  const auto error = [](const std::string& body) { return refusal_of(read_kernel(body)); };
  EXPECT_THAT(error("tex.1d.v4.s32.s32 {%r1, %r1, %r1, %r1}, [x, {%r1}];"),
              HasSubstr("the instruction 'tex.1d.v4.s32.s32' of the compiled kernel (line 9 of its PTX)"));
  EXPECT_THAT(error("future.op %r1;"), HasSubstr("'future.op'"));
  EXPECT_THAT(error("mov.u32 %r2, %envreg3; st.global.u32 [x], %r2;"), HasSubstr("special register %envreg3"));
  EXPECT_THAT(error("ld.global.u32 %r2, [x]; st.global.u8 [x], 1;"),
              HasSubstr("1 bytes, but the variable has cells of 4 bytes"));
  EXPECT_THAT(error("st.global.u32 [%rd8], 1;"), HasSubstr("computed in a way that is not supported"));
  EXPECT_THAT(error("add.u32 %r1, %r99, 1;"), HasSubstr("k.ptx:9:14: error: register '%r99' is not declared"));
  EXPECT_THAT(refusal_of(read_compiled(source_of(std::string(kSource), "k.cu"),
                                       source_of(".version 8.3\n.target sm_90\n", "k.ptx"))),
              HasSubstr("the compiled code has no kernel 'k'"));
  EXPECT_THAT(
      refusal_of(read_compiled(source_of("CUDA t\n{ global int x = 0; }\nP0 @ block 0 { x = 1; }\n", "t.litmus"),
                               source_of(module_with("ret;"), "k.ptx"))),
      HasSubstr("--compiled applies only to CUDA sources"));
}

}  // namespace
}  // namespace ambit::parser
