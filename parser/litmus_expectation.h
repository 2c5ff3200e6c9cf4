#pragma once

#include "core/program.h"
#include "parser/litmus_ast.h"
#include "parser/litmus_condition.h"
#include "parser/litmus_reporter.h"

namespace ambit::parser::litmus {

/// Reads `expect`, `label` and `detect`. Errors: words that mean nothing there, two expectations of one model that
/// contradict each other.
void read_expectations(const FileNode& file, Program& program, ConditionReader& conditions, Reporter& reporter);

}  // namespace ambit::parser::litmus
