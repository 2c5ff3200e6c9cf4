#pragma once

#include <memory>

#include "base/source.h"
#include "core/program.h"
#include "parser/text/program_options.h"

namespace ambit::parser::compiled {

/// Reads a CUDA source and its compiled PTX (ProgramOptions::compiled). The kernels come from the PTX. Memory,
/// launches, conditions and expectations come from the source. Expectations for models of C++ and HRF are removed,
/// because compiled code has PTX memory orders. If Ambit can also read the source's kernels, Program::remarks describes
/// how the compiler changed the kernels' accesses. If Ambit cannot read the source's kernels, the source needs
/// ProgramOptions::launch, like a module (compiled_module.h). Errors: the errors of cuda::read_program(), except errors
/// about instructions of kernels; the PTX is malformed, or lacks a kernel; an instruction is not supported.
Result<std::shared_ptr<const Program>> read_compiled_source(const SourceFilePtr& source, const ProgramOptions& options);

}  // namespace ambit::parser::compiled
