#pragma once

#include <functional>
#include <string>

#include "core/program.h"
#include "runner/cuda/emit/object_addresses.h"

namespace ambit::cuda {

/// Inline assembly of one PTX instruction.
struct MachineText {
  std::string before;       ///< PTX that opens a scope before the instruction; may be empty
  std::string operands;     ///< "[%1], 16"
  std::string after;        ///< PTX that follows the instruction
  std::string constraints;  ///< " : outputs : inputs"
};

/// C++ text for the operands of an instruction.
struct MachineNames {
  std::string product{};  ///< array that receives the product of wgmma
  std::string result;     ///< variable that receives the result: unsigned for a wait, unsigned long long for a state
  std::function<ObjectAddress(const Expr&)> address;
  std::function<std::string(const Expr&)> value;
  std::function<std::string(RegisterId)> state;  ///< state of an mbarrier as returned by an arrival
  /// Returns the pointer to the tensor map with this number in Program::tensor_maps.
  std::function<std::string(std::size_t)> tensor_map;
};

/// Returns the instruction's name with the type that PTX litmus files may omit: "mbarrier.arrive.b64".
std::string full_name(const MachineInstruction& machine);
/// Returns whether hardware has an instruction for the operation. Hardware has no instruction for the end of a block or
/// grid, or for the start of a grid that depends on another grid.
bool is_executed(const MachineInstruction& machine);
/// Returns whether the instruction tests the end of an mbarrier's phase. The result of such an instruction is a
/// predicate.
bool is_wait(const MachineInstruction& machine);
/// Returns whether the target register receives a number of 32 bits or a predicate. The targets of all other
/// instructions receive the state of an mbarrier.
bool returns_number(const MachineInstruction& machine);

/// Returns why no runner executes the instruction, or an empty text.
std::string missing_machine(const MachineInstruction& machine);

/// Returns whether the instruction can access only shared memory of its own block. The result is true for wgmma and for
/// instructions with a result.
bool needs_own_block(const MachineInstruction& machine);

/// Returns why an asynchronous operation that has no PTX instruction is not run.
std::string missing_step(const AsyncStep& step);

/// Returns why the instruction cannot run in a test without clusters of several blocks, or an empty text.
std::string missing_without_clusters(const MachineInstruction& machine);

MachineText machine_text(const MachineInstruction& machine, const MachineNames& names);

}  // namespace ambit::cuda
