#pragma once

#include <memory>

#include "core/program.h"
#include "core/source.h"
#include "parser/text/program_options.h"

namespace ambit::parser::cuda {

/// Reads a CUDA source (docs/cuda-sources.md): device code, one launch, `ambit:` comments. `source` must have passed
/// check_text.
Result<std::shared_ptr<const Program>> read_program(const SourceFilePtr& source, const ProgramOptions& options);

}  // namespace ambit::parser::cuda
