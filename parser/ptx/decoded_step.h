#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "parser/ptx/decoded_opcode.h"
#include "parser/ptx/test_tree.h"
#include "parser/text/reporter.h"

namespace ambit::parser::ptx {

/// An instruction whose operands are divided by role: the written register, the memory address, the values that are
/// read.
struct Step {
  Opcode opcode;
  const InstructionNode* node = nullptr;
  const OperandNode* target = nullptr;   ///< a register; null if there is no target, or the target is `_`
  const OperandNode* address = nullptr;  ///< a location, or a register that holds an address
  /// Registers and constants; the location whose address a Move takes; the elements of a vector that st.async sends.
  std::array<const OperandNode*, 4> values{};
  const OperandNode* label = nullptr;
  // Operands of Asynchronous. `address` is the destination; values[0] is the value that st.async or red.async sends.
  const OperandNode* source = nullptr;
  const OperandNode* second_source = nullptr;  ///< the second operand of wgmma and tcgen05.mma in shared memory
  /// a tensor map with coordinates: the source, or the destination if `address` is null
  const OperandNode* tensor = nullptr;
  const OperandNode* barrier = nullptr;  ///< the mbarrier that tracks completion
  const OperandNode* bytes = nullptr;    ///< the size, or for a wait the number of groups
  const OperandNode* mask = nullptr;     ///< the mask of a multicast
};

/// Returns whether runners on hardware need the instruction itself, because the operations of the step do not suffice.
bool needs_machine_instruction(const Step& step);
/// Returns whether the step sends a vector, which a sink represents among its operands.
bool sends_vector(const Step& step);
/// Returns whether the step writes a product to the registers in InstructionNode::vector. A sink then precedes the
/// other operands.
bool has_product(const Step& step);
/// Returns the number of elements that st.async or red.async sends: 1, 2 or 4.
Value elements_of(const Step& step);
/// Returns the opcode with all modifiers, for example "mbarrier.arrive.shared::cta.b64".
std::string whole_name(const std::vector<Word>& opcode);
/// Returns the form in which a runner on hardware writes an operand after the target.
MachineInstruction::Operand::Kind machine_operand_kind(const Step& step, const OperandNode& operand);

/// Assigns the operands to their roles. Errors: there are too few or too many operands; an operand has the wrong kind.
std::optional<Step> make_step(const InstructionNode& node, const Opcode& opcode, Reporter& reporter);

}  // namespace ambit::parser::ptx
