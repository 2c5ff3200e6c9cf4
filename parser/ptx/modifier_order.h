#pragma once

#include <vector>

#include "parser/ptx/test_tree.h"

namespace ambit::parser::ptx {

/// Returns the parts of an opcode in the order of the PTX ISA. For ld, st, atom, red and fences with a scope, ptxas
/// 13.0 accepts modifiers in every order: ld.global.acquire.gpu means ld.acquire.gpu.global.
std::vector<Word> in_order(const std::vector<Word>& opcode);

}  // namespace ambit::parser::ptx
