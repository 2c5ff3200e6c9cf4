#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "parser/ptx/decoded_opcode.h"
#include "parser/ptx/test_tree.h"
#include "parser/text/reporter.h"

namespace ambit::parser::ptx {

/// A decoded instruction. Each operand has a role: the written register, the memory address, or a value that is read.
struct Step {
  Opcode opcode;
  const InstructionNode* node = nullptr;
  const OperandNode* target = nullptr;   ///< the written register; null without a target, or for the target `_`
  const OperandNode* address = nullptr;  ///< the accessed location, or the register that holds the address
  /// Registers and constants. For a Move, may be the location whose address is moved.
  std::array<const OperandNode*, 4> values{};
  const OperandNode* label = nullptr;
  // Operands of Asynchronous. `address` is the destination. values[0] is the data of st.async or red.async.
  const OperandNode* source = nullptr;
  const OperandNode* second_source = nullptr;  ///< the second operand of wgmma and tcgen05.mma in shared memory
  /// A tensor map with coordinates. The box is the destination of the copy if `address` is null, and otherwise the
  /// source.
  const OperandNode* tensor = nullptr;
  const OperandNode* barrier = nullptr;  ///< the mbarrier that tracks completion
  const OperandNode* bytes = nullptr;    ///< the size in bytes; for a wait, the number of groups
  const OperandNode* mask = nullptr;     ///< the mask of a multicast
};

/// Returns whether runners on hardware need the PTX instruction of the step in addition to core's operations.
bool needs_machine_instruction(const Step& step);
/// Returns whether the data of the step is a vector. A sink represents the vector in the list of operands.
bool sends_vector(const Step& step);
/// Returns whether the step writes a matrix product to the registers in InstructionNode::vector. The first operand of
/// such a step is a sink that represents the registers of the product.
bool has_product(const Step& step);
/// Returns the number of elements of st.async or red.async: 1, 2 or 4.
Value elements_of(const Step& step);
/// Returns how a runner on hardware writes an operand; the target register is not an operand here.
MachineInstruction::Operand::Kind machine_operand_kind(const Step& step, const OperandNode& operand);

/// Gives each operand a role. Errors: there are too few or too many operands; an operand has the wrong kind.
std::optional<Step> make_step(const InstructionNode& node, const Opcode& opcode, Reporter& reporter);

}  // namespace ambit::parser::ptx
