#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "parser/ptx/decoded_opcode.h"
#include "parser/ptx/test_tree.h"
#include "parser/text/reporter.h"

namespace ambit::parser::ptx {

/// An instruction with its operands by role: the written register, the memory address, the values read.
struct Step {
  Opcode opcode;
  const InstructionNode* node = nullptr;
  const OperandNode* target = nullptr;   ///< a register; null: no target, or `_`
  const OperandNode* address = nullptr;  ///< a location, or a register with an address
  /// Registers and constants; for Move also a location, for its address; the elements of a vector that st.async sends.
  std::array<const OperandNode*, 4> values{};
  const OperandNode* label = nullptr;
  // Asynchronous; `address` is the destination, values[0] the value that st.async or red.async sends.
  const OperandNode* source = nullptr;
  const OperandNode* second_source = nullptr;  ///< the second operand in shared memory of wgmma and tcgen05.mma
  const OperandNode* tensor = nullptr;   ///< a tensor map with coordinates: the source, or the missing destination
  const OperandNode* barrier = nullptr;  ///< the mbarrier that tracks completion
  const OperandNode* bytes = nullptr;    ///< the size, or the number of groups of a wait
  const OperandNode* mask = nullptr;     ///< of multicast
};

/// Returns whether runners on hardware need the instruction itself, because the operations of the step do not suffice.
bool needs_machine_instruction(const Step& step);
/// Returns whether the step sends a vector, for which a sink is among its operands.
bool sends_vector(const Step& step);
/// Returns whether the step names the registers of a product: the elements of InstructionNode::vector, with a sink
/// before the other operands.
bool has_product(const Step& step);
/// Returns the number of elements that st.async or red.async sends: 1, 2 or 4.
Value elements_of(const Step& step);
/// Returns the opcode with all modifiers: "mbarrier.arrive.shared::cta.b64".
std::string whole_name(const std::vector<Word>& opcode);
/// Returns how a runner on hardware writes an operand after the target.
MachineInstruction::Operand::Kind machine_operand_kind(const Step& step, const OperandNode& operand);

/// Assigns the operands to their roles. Errors: too few operands, too many, the wrong kind.
std::optional<Step> make_step(const InstructionNode& node, const Opcode& opcode, Reporter& reporter);

}  // namespace ambit::parser::ptx
