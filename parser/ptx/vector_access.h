#pragma once

#include <vector>

#include "parser/ptx/test_tree.h"
#include "parser/text/reporter.h"

namespace ambit::parser::ptx {

/// Splits a vector access, such as `ld.v2.b32 {r0,r1}, [x]`, into one scalar access for each element. PTX does not
/// specify the order of these accesses (ISA 8.2.2). Ambit puts the scalar accesses in program order. The program order
/// has no effect, because the accesses neither acquire nor release. Errors: the instruction is not ld or st; the type
/// is missing; the number of elements does not match .v2 or .v4; the access is an acquire or release.
std::vector<InstructionNode> scalars_of(const InstructionNode& node, Reporter& reporter);

/// Returns whether the instruction has a vector operand, or a modifier for a vector operand.
bool is_vector(const InstructionNode& node);

}  // namespace ambit::parser::ptx
