#pragma once

#include "core/source.h"
#include "parser/litmus_reporter.h"
#include "parser/ptx_ast.h"

namespace ambit::parser::ptx {

/// Reads declarations and threads of a mixed-proxy .test file, up to its first command.
TestNode read_test_threads(const SourceFile& source, litmus::Reporter& reporter);

}  // namespace ambit::parser::ptx
