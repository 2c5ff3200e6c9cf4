#pragma once

#include "core/program.h"
#include "parser/text/condition.h"
#include "parser/text/reporter.h"
#include "parser/text/syntax_tree.h"

namespace ambit::parser {

/// Reads the lines `expect`, `label` and `detect`, and adds the contents to the program. Errors: unknown words;
/// contradicting expectations for one model.
void read_expectations(const FileNode& file, Program& program, ConditionReader& conditions, Reporter& reporter);

}  // namespace ambit::parser
