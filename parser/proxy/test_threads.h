#pragma once

#include "base/source.h"
#include "parser/ptx/test_tree.h"
#include "parser/text/reporter.h"

namespace ambit::parser::proxy {

/// Reads the declarations and threads of a mixed-proxy .test file, up to the first command.
ptx::TestNode read_test_threads(const SourceFile& source, Reporter& reporter);

}  // namespace ambit::parser::proxy
