#pragma once

#include <memory>

#include "base/source.h"
#include "core/program.h"
#include "parser/text/program_options.h"
#include "parser/text/reporter.h"
#include "parser/text/syntax_tree.h"

namespace ambit::parser::litmus {

/// Reads a test in the CUDA litmus language (docs/reference/language.md). `source` must have passed check_text.
Result<std::shared_ptr<const Program>> read_program(SourceFilePtr source, const ProgramOptions& options);

class ThreadMaker;

/// Turns the abstract syntax into the threads, memory, conditions and expectations of `program`. Reports errors.
/// `maker` makes the code of launched threads. If `maker` is null, threads get the code of their kernel in `file`.
void assemble(const FileNode& file, const ProgramOptions& options, Program& program, Reporter& reporter,
              ThreadMaker* maker = nullptr);

}  // namespace ambit::parser::litmus
