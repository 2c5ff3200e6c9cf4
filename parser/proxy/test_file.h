#pragma once

#include <memory>
#include <vector>

#include "base/source.h"
#include "core/program.h"
#include "parser/text/program_options.h"

namespace ambit::parser::proxy {

/// Reads a mixed-proxy .test file: one program for each command of each table row (docs/reference/ptx-files.md).
/// `source` must have passed check_text.
Result<std::vector<std::shared_ptr<const Program>>> read_test_file(const SourceFilePtr& source,
                                                                   const ProgramOptions& options);

}  // namespace ambit::parser::proxy
