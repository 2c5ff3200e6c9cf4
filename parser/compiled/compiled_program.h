#pragma once

#include <memory>

#include "core/program.h"
#include "core/source.h"
#include "parser/text/program_options.h"

namespace ambit::parser::compiled {

/// Reads a CUDA source whose kernels have the code that a compiler made of them (ProgramOptions::compiled, PTX).
/// Memory, launches, conditions and expectations are those of the source; expectations of models of C++ and HRF are
/// left out, for the orders of compiled code are those of PTX. Program::remarks say what the compiler did with the
/// accesses of the source, where that can be read too. A source that Ambit cannot
/// read needs ProgramOptions::launch, as a module does (compiled_module.h). Errors: those of cuda::read_program that do
/// not concern the instructions of kernels; malformed PTX; a kernel that the PTX lacks; instructions that are not
/// supported.
Result<std::shared_ptr<const Program>> read_compiled_source(const SourceFilePtr& source, const ProgramOptions& options);

}  // namespace ambit::parser::compiled
