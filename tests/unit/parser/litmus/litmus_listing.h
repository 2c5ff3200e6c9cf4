#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "core/program.h"
#include "parser/parse.h"

namespace ambit::parser {

/// Lists one instruction per line, in a short notation for tests. Temporaries get the numbers %0, %1, ... in order of
/// appearance:
///   "r0 = ld x weak"   "st x weak = 1"   "r0 = rmw.add f rlx.device (1)"   "fence sc.device"   "if (r0 != 1) goto 4"
std::string listing(const Program& program, const Thread& original);
std::string expression(const Program& program, const Thread* thread, const Expr& expr);

/// Parses a test that consists of the header `CUDA test` and `body`. An error fails the test.
std::shared_ptr<const Program> parse(const std::string& body, const ProgramOptions& options = {});
/// Returns the error messages for a test that consists of the header `CUDA test` and `body`; "" without errors.
std::string errors(const std::string& body, const ProgramOptions& options = {});
/// Returns the listing of the thread P0 in `P0 @ block 0 { CODE }`. The memory is `int x, y, data[4]`, `volatile int
/// v`, `unsigned u`, `long long w`, `char c`, `short h`, cuda::atomic<int> a (device scope), and shared int s.
std::string lowered(const std::string& code);

}  // namespace ambit::parser
