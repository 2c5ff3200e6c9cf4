#pragma once

#include <memory>

#include "core/program.h"
#include "core/source.h"
#include "parser/text/program_options.h"

namespace ambit::parser::compiled {

/// Reads a CUDA source whose kernels are given as PTX of a compiler (ProgramOptions::compiled). Memory, launches,
/// conditions and expectations come from the source. Expectations for models of C++ and HRF are left out, because
/// compiled code has PTX memory orders. If Ambit can also read the source's kernels, Program::remarks describe what the
/// compiler did with their accesses. If not, the source needs ProgramOptions::launch, like a module
/// (compiled_module.h). Errors: the errors of cuda::read_program(), except those about instructions of kernels; the PTX
/// is malformed, or has not all kernels; an instruction is not supported.
Result<std::shared_ptr<const Program>> read_compiled_source(const SourceFilePtr& source, const ProgramOptions& options);

}  // namespace ambit::parser::compiled
