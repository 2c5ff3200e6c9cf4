#pragma once

#include "core/program.h"
#include "parser/litmus_ast.h"
#include "parser/litmus_reporter.h"
#include "parser/parse.h"

namespace ambit::parser::litmus {

/// Abstract syntax to threads, memory, conditions and expectations of `program`. What is wrong is reported.
void assemble(const FileNode& file, const ProgramOptions& options, Program& program, Reporter& reporter);

}  // namespace ambit::parser::litmus
