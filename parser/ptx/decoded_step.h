#pragma once

#include <array>
#include <optional>
#include <vector>

#include "parser/ptx/opcode.h"
#include "parser/ptx/test_tree.h"
#include "parser/text/reporter.h"

namespace ambit::parser::ptx {

/// An instruction whose operands have their parts: what is written, where memory is accessed, what is read.
struct Step {
  Opcode opcode;
  const InstructionNode* node = nullptr;
  const OperandNode* target = nullptr;   ///< a register; null: none, or `_`
  const OperandNode* address = nullptr;  ///< a location, or a register that holds an address
  std::array<const OperandNode*, 3>
      values{};  ///< registers and constants; of Move also a location, whose address it is
  const OperandNode* label = nullptr;
};

/// Gives the operands their parts. Errors: too few, too many, the wrong kind.
std::optional<Step> make_step(const InstructionNode& node, const Opcode& opcode, Reporter& reporter);

}  // namespace ambit::parser::ptx
