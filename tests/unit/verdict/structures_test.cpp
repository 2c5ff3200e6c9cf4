#include <gtest/gtest.h>

#include <filesystem>

#include "model/verdict/judgement.h"
#include "model/verdict/verdict.h"
#include "parser/parse.h"
#include "tests/support/files.h"
#include "tests/support/parsed.h"

namespace ambit::verdict {
namespace {

/// Tests programs with pointers in memory. Each access through a pointer has many possible targets, and the two engines
/// find these targets in different ways. The files explain their expectations.
TEST(Structures, BothEnginesMeetTheExpectations) {
  Checker checker;
  std::size_t verdicts = 0;
  for (const std::filesystem::path& file : test::files_in(test::project() / "litmus/structures", {".litmus", ".cu"})) {
    const auto source = parser::read_source(file.string());
    ASSERT_TRUE(source.ok()) << file;
    const auto program = parser::parse_program(source.value());
    ASSERT_TRUE(program.ok()) << render(program.errors());
    for (const Expectation& expectation : program.value()->expectations) {
      for (const Engine engine : {Engine::Explicit, Engine::Smt}) {
        Context context;
        CheckOptions options;
        options.engine = engine;
        const auto verdict = checker.check(program.value(), test::shipped_model(expectation.model), options, context);
        ASSERT_TRUE(verdict.ok()) << render(verdict.errors());
        EXPECT_EQ(judge(verdict.value()).status, Status::Ok)
            << file << " " << expectation.model << (engine == Engine::Smt ? " smt" : " explicit");
        ++verdicts;
      }
    }
  }
  EXPECT_GE(verdicts, 30U);
}

}  // namespace
}  // namespace ambit::verdict
