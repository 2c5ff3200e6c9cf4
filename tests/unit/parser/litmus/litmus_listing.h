#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "core/program.h"
#include "parser/parse.h"

namespace ambit::parser {

/// Lists one instruction per line in a short notation for tests, with temporaries numbered %0, %1 in order of
/// appearance:
///   "r0 = ld x weak"   "st x weak = 1"   "r0 = rmw.add f rlx.device (1)"   "fence sc.device"   "if (r0 != 1) goto 4"
std::string listing(const Program& program, const Thread& original);
std::string expression(const Program& program, const Thread* thread, const Expr& expr);

/// Parses a body under the header `CUDA test`. Errors fail the test.
std::shared_ptr<const Program> parse(const std::string& body, const ProgramOptions& options = {});
/// Returns the rendered errors of a body under the header `CUDA test`; "" without errors.
std::string errors(const std::string& body, const ProgramOptions& options = {});
/// Returns the listing of the thread P0 of `P0 @ block 0 { CODE }` with memory `int x, y, data[4]`, `volatile int v`,
/// `unsigned u`, `long long w`, `char c`, `short h`, cuda::atomic<int> a (device scope), shared int s.
std::string lowered(const std::string& code);

}  // namespace ambit::parser
