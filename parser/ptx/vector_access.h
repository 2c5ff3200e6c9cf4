#pragma once

#include <vector>

#include "parser/ptx/test_tree.h"
#include "parser/text/reporter.h"

namespace ambit::parser::ptx {

/// Returns the scalar accesses of `ld.v2.b32 {r0,r1}, [x]` or `st.v4...`, one for each element. PTX does not specify
/// their order (ISA 8.2.2). Program order has no effect on accesses that neither acquire nor release. Errors: another
/// instruction; there is no type; the number of elements does not match .v2 or .v4; the access has an order.
std::vector<InstructionNode> scalars_of(const InstructionNode& node, Reporter& reporter);

/// Returns whether the instruction has a vector operand, or a modifier for a vector operand.
bool is_vector(const InstructionNode& node);

}  // namespace ambit::parser::ptx
