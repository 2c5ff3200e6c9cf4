#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>

#include "core/program.h"
#include "core/source.h"

namespace ambit::parser {

/// An expectation from the command line, in the syntax that follows `expect` in a test: "ptx: Never, norace".
struct AddedExpectation {
  SourceFilePtr text;  ///< named after the option
  std::string model;   ///< may be replaced, because tests refer to a model file by the model's name
  std::map<std::string, std::string> options;
};

/// Reads an expectation without a test. `origin`: the option's name. Errors: those of an `expect` line, except names of
/// memory; more than one expectation.
Result<AddedExpectation> read_added_expectation(const std::string& text, const std::string& origin);

/// Returns the program with these expectations after its own. They have no place in the program's source. Errors: names
/// that the program does not have; Never, Sometimes or Always without a condition; contradicting expectations.
Result<std::shared_ptr<const Program>> with_expectations(const Program& program,
                                                         std::span<const AddedExpectation> added);

}  // namespace ambit::parser
