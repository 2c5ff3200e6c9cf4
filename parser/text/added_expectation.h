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
  SourceFilePtr text;  ///< the text; its file name is the name of the option
  /// name of the model, which may replace the path of its file, because tests refer to models by name
  std::string model;
  std::map<std::string, std::string> options;
};

/// Reads an expectation without a test. `origin` is the option's name. Errors: those of an `expect` line, except for
/// names of memory; the text has more than one expectation.
Result<AddedExpectation> read_added_expectation(const std::string& text, const std::string& origin);

/// Returns the program with these expectations after its own expectations. They have no place in the program's source.
/// Errors: the program does not have a name; Never, Sometimes or Always without a condition; expectations contradict
/// each other.
Result<std::shared_ptr<const Program>> with_expectations(const Program& program,
                                                         std::span<const AddedExpectation> added);

}  // namespace ambit::parser
