#pragma once

#include "core/program.h"
#include "parser/litmus_memory.h"
#include "parser/litmus_reporter.h"
#include "parser/parse.h"
#include "parser/ptx_ast.h"
#include "parser/ptx_opcode.h"

namespace ambit::parser::ptx {

/// Threads and memory of a test, and what its condition may name. Errors go to the reporter; the program is then
/// incomplete.
void assemble(const TestNode& test, Dialect dialect, const ProgramOptions& options, Program& program,
              litmus::MemoryTable& table, litmus::Reporter& reporter);

}  // namespace ambit::parser::ptx
