#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/program.h"
#include "parser/parse.h"

namespace ambit::parser {

/// Parses a PTX litmus file; a test failure where it has errors.
std::shared_ptr<const Program> parse_ptx(const std::string& text);
/// The rendered errors of a PTX litmus file; "" where it has none.
std::string ptx_errors(const std::string& text);

/// The listing (litmus_listing.h) of P0 of a test with one column, whose rows are `rows`, a `;` behind each. `init`:
/// the initial values.
std::string column(const std::vector<std::string>& rows, const std::string& init = "x=0; y=0;");
/// The errors of such a test.
std::string column_errors(const std::vector<std::string>& rows, const std::string& init = "x=0; y=0;");

/// The tests of a .test file; a test failure where it has errors.
std::vector<std::shared_ptr<const Program>> parse_test_file(const std::string& text);
std::string test_file_errors(const std::string& text);

}  // namespace ambit::parser
