#pragma once

#include <memory>

#include "base/source.h"
#include "core/program.h"
#include "parser/ptx/decoded_opcode.h"
#include "parser/ptx/test_tree.h"
#include "parser/text/memory_table.h"
#include "parser/text/program_options.h"
#include "parser/text/reporter.h"

namespace ambit::parser::ptx {

/// Reads a PTX litmus file: header, initial values, one column per thread (docs/reference/ptx-files.md). `source` must
/// have passed check_text.
Result<std::shared_ptr<const Program>> read_program(SourceFilePtr source, const ProgramOptions& options);

/// Adds the threads and the memory of a test to `program`, and the names that the condition may use to `table`. After
/// an error, the program is incomplete.
void assemble(const TestNode& test, Dialect dialect, const ProgramOptions& options, Program& program,
              MemoryTable& table, Reporter& reporter);

}  // namespace ambit::parser::ptx
