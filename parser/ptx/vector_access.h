#pragma once

#include <vector>

#include "parser/ptx/test_tree.h"
#include "parser/text/reporter.h"

namespace ambit::parser::ptx {

/// Returns the scalar accesses of `ld.v2.b32 {r0,r1}, [x]` or `st.v4...`: one for each element. PTX does not specify
/// their order (ISA 8.2.2), and program order does not matter between accesses that neither acquire nor release.
/// Errors: another instruction, no type, a number of elements that differs from .v2 or .v4, an order.
std::vector<InstructionNode> scalars_of(const InstructionNode& node, Reporter& reporter);

/// Returns whether the instruction has a vector operand or a modifier for one.
bool is_vector(const InstructionNode& node);

}  // namespace ambit::parser::ptx
