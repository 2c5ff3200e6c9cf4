#pragma once

#include <vector>

#include "parser/ptx/test_tree.h"
#include "parser/text/reporter.h"

namespace ambit::parser::ptx {

/// The scalar accesses that `ld.v2.b32 {r0,r1}, [x]` or `st.v4...` stands for: one for each element, in an order that
/// PTX leaves open (ISA 8.2.2). Between accesses that neither acquire nor release, the order of the program says
/// nothing. Errors: another instruction, no type, another number of elements than the word says, an order.
std::vector<InstructionNode> scalars_of(const InstructionNode& node, Reporter& reporter);

/// The instruction has a vector operand, or a word that asks for one.
bool is_vector(const InstructionNode& node);

}  // namespace ambit::parser::ptx
