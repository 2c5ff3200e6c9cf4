#pragma once

#include <memory>

#include "core/program.h"
#include "core/source.h"
#include "parser/text/program_options.h"

namespace ambit::parser::compiled {

/// Reads a CUDA source, with its kernels as a compiler's PTX (ProgramOptions::compiled). Memory, launches, conditions
/// and expectations come from the source, without expectations of models of C++ and HRF, because compiled code has PTX
/// memory orders. If Ambit can read the source's kernels, too, Program::remarks describe what the compiler did with
/// their accesses; otherwise the source needs ProgramOptions::launch, like a module (compiled_module.h). Errors: those
/// of cuda::read_program() that do not concern the instructions of kernels; malformed PTX; a kernel that the PTX lacks;
/// instructions that are not supported.
Result<std::shared_ptr<const Program>> read_compiled_source(const SourceFilePtr& source, const ProgramOptions& options);

}  // namespace ambit::parser::compiled
