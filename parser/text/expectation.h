#pragma once

#include "core/program.h"
#include "parser/text/condition.h"
#include "parser/text/reporter.h"
#include "parser/text/syntax_tree.h"

namespace ambit::parser {

/// Reads `expect`, `label` and `detect`. Errors: words that mean nothing there, two expectations of one model that
/// contradict each other.
void read_expectations(const FileNode& file, Program& program, ConditionReader& conditions, Reporter& reporter);

}  // namespace ambit::parser
