#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "parser/parse.h"

namespace ambit::parser {
namespace {

using testing::HasSubstr;

std::string transaction_errors(const std::string& body) {
  const std::string text = "CUDA t\n{ global int x = 0, y = 0; }\nP0 @ block 0 {\n" + body + "\n}\nexists (x == 0)\n";
  const auto program = parse_program(std::make_shared<const SourceFile>(SourceFile{"t.litmus", text}));
  return program.ok() ? std::string() : render(program.errors());
}

std::shared_ptr<const Program> program_of(const std::string& body) {
  const std::string text = "CUDA t\n{ global int x = 0, y = 0; }\nP0 @ block 0 {\n" + body + "\n}\nexists (x == 0)\n";
  auto program = parse_program(std::make_shared<const SourceFile>(SourceFile{"t.litmus", text}));
  EXPECT_TRUE(program.ok()) << render(program.errors());
  return program.ok() ? program.value() : nullptr;
}

std::size_t begins(const Program& program) {
  std::size_t count = 0;
  for (const Instruction& instruction : program.threads[0].code) {
    count += std::holds_alternative<TransactionBegin>(instruction.operation) ? 1 : 0;
  }
  return count;
}

TEST(Transactions, TheScopeIsDeviceUnlessItIsWritten) {
  for (const auto& [word, scope] : {std::pair("atomic", Scope::Device), std::pair("atomic(block)", Scope::Block),
                                    std::pair("atomic(cuda::thread_scope_system)", Scope::System)}) {
    const auto program = program_of(std::string(word) + " { x = 1; }");
    ASSERT_NE(program, nullptr);
    for (const Instruction& instruction : program->threads[0].code) {
      const auto* begin = std::get_if<TransactionBegin>(&instruction.operation);
      if (begin != nullptr) {
        EXPECT_EQ(begin->scope, scope) << word;
      }
    }
    EXPECT_EQ(begins(*program), 1U);
  }
}

TEST(Transactions, NestingIsFlat) {
  const auto program = program_of("atomic(system) { x = 1; atomic(block) { y = 1; } }");
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(begins(*program), 1U);
  EXPECT_THAT(transaction_errors("atomic(block) { atomic(device) { x = 1; } }"),
              HasSubstr("wider than the scope of the enclosing transaction"));
}

TEST(Transactions, AnAbortEndsTheOuterTransaction) {
  const auto program = program_of("atomic { x = 1; atomic { if (y == 0) abort; } }");
  ASSERT_NE(program, nullptr);
  std::size_t ends = 0;
  for (const Instruction& instruction : program->threads[0].code) {
    const auto* end = std::get_if<TransactionEnd>(&instruction.operation);
    if (end == nullptr) continue;
    ++ends;
    EXPECT_TRUE(end->aborted.has_value());
  }
  EXPECT_EQ(ends, 1U);
}

TEST(Transactions, Errors) {
  EXPECT_THAT(transaction_errors("abort;"), HasSubstr("4:1: error: 'abort' outside a transaction"));
  EXPECT_THAT(transaction_errors("atomic(thread) { x = 1; }"), HasSubstr("not atomic for any other thread"));
  EXPECT_THAT(transaction_errors("atomic(devcie) { x = 1; }"), HasSubstr("hint: did you mean 'device'?"));
  EXPECT_THAT(transaction_errors("atomic { __syncthreads(); }"), HasSubstr("inside a transaction"));
  EXPECT_THAT(transaction_errors("atomic { return; }"), HasSubstr("'return' leaves the transaction"));
  EXPECT_THAT(transaction_errors("while (x == 0) { atomic { break; } }"), HasSubstr("'break' leaves the transaction"));
  EXPECT_THAT(transaction_errors("while (x == 0) { atomic { continue; } }"),
              HasSubstr("'continue' leaves the transaction"));
  EXPECT_EQ(transaction_errors("atomic { while (x == 0) { if (y == 1) break; } }"), "");
}

TEST(Transactions, AbortIsNotAReservedWord) { EXPECT_EQ(transaction_errors("int abort = 1; x = abort;"), ""); }

}  // namespace
}  // namespace ambit::parser
