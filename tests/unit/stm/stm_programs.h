#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "api/check/stm_program.h"
#include "parser/parse.h"
#include "runner/sim/simulate.h"
#include "tests/support/files.h"

namespace ambit {

using ProgramPtr = std::shared_ptr<const Program>;
using Outcomes = std::set<std::vector<Value>>;

/// Returns a test of litmus/transactions.
inline ProgramPtr transaction_test(const std::string& name) {
  const auto path = test::project() / "litmus/transactions" / (name + ".litmus");
  return parser::parse_program(parser::read_source(path.string()).value()).value();
}

/// Returns the tests of litmus/transactions. Omits the folder stm, whose tests contain the code of the memories.
inline std::vector<ProgramPtr> transaction_tests() {
  std::vector<ProgramPtr> tests;
  for (const auto& file : test::files_in(test::project() / "litmus/transactions")) {
    if (file.parent_path().filename() != "stm") tests.push_back(transaction_test(file.stem().string()));
  }
  return tests;
}

inline ProgramPtr coded(const Program& program, Stm stm, std::uint32_t attempts) {
  return with_stm(program, {stm, attempts}).value();
}

}  // namespace ambit
