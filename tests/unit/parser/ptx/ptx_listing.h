#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/program.h"
#include "parser/parse.h"

namespace ambit::parser {

/// Parses a PTX litmus file. Errors fail the test.
std::shared_ptr<const Program> parse_ptx(const std::string& text);
/// Returns the error messages for a PTX litmus file; "" without errors.
std::string ptx_errors(const std::string& text);

/// Returns the listing (litmus_listing.h) of a test with one thread. `rows` are the instructions of the thread, without
/// `;`. `init` gives the initial values.
std::string column(const std::vector<std::string>& rows, const std::string& init = "x=0; y=0;");
/// Parses the same test as column(), and returns its errors.
std::string column_errors(const std::vector<std::string>& rows, const std::string& init = "x=0; y=0;");

/// Returns the tests of a .test file. Errors fail the test.
std::vector<std::shared_ptr<const Program>> parse_test_file(const std::string& text);
std::string test_file_errors(const std::string& text);

}  // namespace ambit::parser
