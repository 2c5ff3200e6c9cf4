// In kernels, each access in a transaction calls a memory of kernels/stm, and a failed attempt starts again.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>

#include "core/stm.h"
#include "parser/parse.h"
#include "runner/cuda/emit/emit_kernel.h"
#include "runner/cuda/launch/code_check.h"
#include "runner/cuda/launch/nvrtc.h"
#include "runner/cuda/launch/test_run.h"
#include "tests/support/files.h"
#include "tests/support/parsed.h"

namespace ambit::cuda {
namespace {

using testing::HasSubstr;
using testing::Not;

Result<Kernel> kernel_of(const std::string& body, std::optional<Stm> stm = Stm::Pstm, Shape shape = {}) {
  shape.stm = stm;
  return emit(*test::program_of("CUDA t\n" + body, "t.litmus"), shape);
}

const char* const kAbort =
    "{ global int x = 0, y = 0; }\n"
    "P0 @ block 0 { int r0; atomic { r0 = x; if (r0 == 1) abort; y = r0 + 2; } }\n"
    "P1 @ block 1 { x = 1; }\n";

TEST(EmitTransactions, AccessesGoThroughTheMemory) {
  const auto kernel = kernel_of(kAbort);
  ASSERT_TRUE(kernel.ok()) << render(kernel.errors());
  const std::string& source = kernel.value().source;
  EXPECT_THAT(source, HasSubstr("stm::Transaction<stm::Pstm, 2> transaction(transactional_memory(at), 1);"));
  EXPECT_THAT(source, HasSubstr("const unsigned word = word_of(at, at.cell(0 /* x */));\n"
                                "    r0 = (int)(int)transaction.read(word);\n"));
  EXPECT_THAT(source, HasSubstr("transaction.write(word, (unsigned)("));
  EXPECT_THAT(source, HasSubstr("transaction.abort();"));
  // A store outside transactions is the plain PTX instruction.
  ASSERT_EQ(kernel.value().instructions[1].size(), 1U);
  EXPECT_EQ(kernel.value().instructions[1][0].text, "st.weak.global.s32");
  EXPECT_TRUE(kernel.value().instructions[0].empty());
}

// A failed attempt starts again with the old register values. There are at most max_steps attempts.
TEST(EmitTransactions, AFailedAttemptBeginsAgain) {
  const auto kernel = kernel_of(kAbort);
  ASSERT_TRUE(kernel.ok());
  EXPECT_THAT(kernel.value().source, HasSubstr("    r0 = before_r0;\n"));
  EXPECT_THAT(kernel.value().source, HasSubstr("if (++steps < at.parameters.max_steps) goto B"));
}

// Cells and entries are copied in the same order, so the distance from a cell to its entry is constant.
TEST(EmitTransactions, EntriesFollowTheCells) {
  const auto kernel = kernel_of(kAbort);
  ASSERT_TRUE(kernel.ok());
  EXPECT_EQ(kernel.value().cells, 10U);
  EXPECT_THAT(kernel.value().source, HasSubstr("constexpr unsigned kFirstEntry = 8;"));
  EXPECT_THAT(kernel.value().source, HasSubstr("*reinterpret_cast<unsigned*>(at.cell(9)) = 0;  // entry of y"));
}

TEST(EmitTransactions, TestsWithoutTransactionsHaveNoMemory) {
  const auto kernel = kernel_of("{ global int x = 0; }\nP0 @ block 0 { x = 1; }\n");
  ASSERT_TRUE(kernel.ok());
  EXPECT_THAT(kernel.value().source, Not(HasSubstr("stm::")));
  EXPECT_EQ(kernel.value().cells, 1U);
}

TEST(EmitTransactions, RefusesWhatTheMemoriesDoNotHold) {
  const auto message = [](const std::string& body, std::optional<Stm> stm = Stm::Istm, Shape shape = {}) {
    const auto kernel = kernel_of(body, stm, shape);
    return kernel.ok() ? std::string() : render(kernel.errors());
  };
  EXPECT_THAT(message(kAbort, std::nullopt), HasSubstr("a GPU has no transactions"));
  EXPECT_THAT(message(kAbort, Stm::Istm, {.records = true}), HasSubstr("the recorder has no transactions"));
  EXPECT_THAT(message("{ global long long x = 0; }\nP0 @ block 0 { atomic { x = 1; } }\n"),
              HasSubstr("words of 32 bits"));
  EXPECT_THAT(message("{ shared int s = 0; }\nP0 @ block 0 { atomic { s = 1; } }\n"), HasSubstr("only global memory"));
  EXPECT_THAT(message("{ global int x = 0; }\nP0 @ block 0 { atomic { fence(seq_cst, device); x = 1; } }\n"),
              HasSubstr("no fences in transactions"));
  EXPECT_THAT(message("{ global int x = 0; }\nP0 @ block 0 { atomic { while (x == 0) {} } }\n"),
              HasSubstr("which a loop can exceed"));
}

TEST(EmitTransactions, OnlyCountedRunsHaveTransactions) {
  const auto program = test::program_of(std::string("CUDA t\n") + kAbort, "t.litmus");
  RunOptions options;
  options.record = 10;
  options.in_gpu = {"scord"};
  options.stm = Stm::Estm;
  const std::vector<RunPart> parts = parts_of(*program, options, {});
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].shape({}).stm, Stm::Estm);
}

// All tests in the corpus of transactions compile with each transactional memory.
TEST(EmitTransactions, TheCorpusCompiles) {
  const auto nvrtc = Nvrtc::open();
  if (!nvrtc.ok()) GTEST_SKIP() << render(nvrtc.errors());
  std::size_t compiled = 0;
  for (const auto& file : test::files_in(test::project() / "litmus/transactions")) {
    if (file.parent_path().filename() == "stm") continue;  // these programs are the transactional memories
    const auto programs = parser::parse_programs(parser::read_source(file.string()).value());
    ASSERT_TRUE(programs.ok()) << file;
    // The four memories take turns: each compiles every fourth test.
    const auto stm = static_cast<Stm>(compiled % 4);
    const auto kernel = emit(*programs.value().front(), {.stm = stm});
    ASSERT_TRUE(kernel.ok()) << render(kernel.errors());
    const auto code = nvrtc.value()->compile(kernel.value().source, "t.cu", 90, Nvrtc::Target::Ptx);
    ASSERT_TRUE(code.ok()) << file << "\n" << render(code.errors());
    EXPECT_EQ(check_ptx(kernel.value(), code.value().ptx), "") << file;
    ++compiled;
  }
  EXPECT_GT(compiled, 20U);
}

}  // namespace
}  // namespace ambit::cuda
