#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>

#include "base/source.h"
#include "core/program.h"

namespace ambit::parser {

/// An expectation from the command line, in the syntax that follows `expect` in a test: "ptx: Never, norace".
struct AddedExpectation {
  SourceFilePtr text;  ///< the text, with the option's name as file name
  /// The name of the model. If the model is a file, the name is the model's name, not the path, because tests refer to
  /// models by name.
  std::string model;
  std::map<std::string, std::string> options;
};

/// Reads an expectation from the command line. `origin` is the name of the option. Errors: the errors of an `expect`
/// line, except errors about names of memory; the text has more than one expectation.
Result<AddedExpectation> read_added_expectation(const std::string& text, const std::string& origin);

/// Returns a copy of the program with additional expectations. The added expectations follow the program's expectations
/// and have no place in the source. Errors: an expectation names memory that the program does not have; Never,
/// Sometimes or Always without a condition; expectations contradict each other.
Result<std::shared_ptr<const Program>> with_expectations(const Program& program,
                                                         std::span<const AddedExpectation> added);

}  // namespace ambit::parser
