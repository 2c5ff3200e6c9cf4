#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>

#include "core/program.h"
#include "core/source.h"

namespace ambit::parser {

/// An expectation of the command line, written as behind `expect` in a test: "ptx: Never, norace".
struct AddedExpectation {
  SourceFilePtr text;  ///< called after the option
  std::string model;   ///< may be replaced: tests know a model file by the model's name
  std::map<std::string, std::string> options;
};

/// Reads what needs no test. `origin`: the option's name. Errors: those of an `expect` line, except names of memory;
/// more than one expectation.
Result<AddedExpectation> read_added_expectation(const std::string& text, const std::string& origin);

/// Returns the program with these expectations behind its own. They have no place in the program's source. Errors:
/// names that the program does not have; Never, Sometimes or Always where it has no condition; an expectation that
/// contradicts another one.
Result<std::shared_ptr<const Program>> with_expectations(const Program& program,
                                                         std::span<const AddedExpectation> added);

}  // namespace ambit::parser
