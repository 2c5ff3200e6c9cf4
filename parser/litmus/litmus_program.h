#pragma once

#include <memory>

#include "core/program.h"
#include "core/source.h"
#include "parser/text/program_options.h"
#include "parser/text/reporter.h"
#include "parser/text/syntax_tree.h"

namespace ambit::parser::litmus {

/// Reads a test in the CUDA litmus language (docs/language.md). `source` has passed check_text.
Result<std::shared_ptr<const Program>> read_program(SourceFilePtr source, const ProgramOptions& options);

/// Turns the abstract syntax into the threads, memory, conditions and expectations of `program`. Reports errors.
void assemble(const FileNode& file, const ProgramOptions& options, Program& program, Reporter& reporter);

}  // namespace ambit::parser::litmus
