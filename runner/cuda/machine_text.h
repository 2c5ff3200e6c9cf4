#pragma once

#include <functional>
#include <string>

#include "core/program.h"
#include "runner/cuda/object_addresses.h"

namespace ambit::cuda {

/// Inline assembly of one PTX instruction.
struct MachineText {
  std::string before;       ///< PTX before the instruction, in its own scope; empty: none
  std::string operands;     ///< "[%1], 16"
  std::string after;        ///< PTX after it
  std::string constraints;  ///< " : outputs : inputs"
};

/// C++ text for the operands of an instruction.
struct MachineNames {
  std::string product{};  ///< the array for the product of wgmma
  std::string result;     ///< the variable for the result: unsigned for a wait, unsigned long long for a state
  std::function<ObjectAddress(const Expr&)> address;
  std::function<std::string(const Expr&)> value;
  std::function<std::string(RegisterId)> state;        ///< of an mbarrier, as an arrival left it
  std::function<std::string(std::size_t)> tensor_map;  ///< a pointer to it, by its number in Program::tensor_maps
};

/// Returns the instruction's name with the type that PTX litmus files may omit: "mbarrier.arrive.b64".
std::string full_name(const MachineInstruction& machine);
/// Returns whether hardware has an instruction for it. The ends of blocks and grids and the start of a grid that
/// depends on another one have none.
bool is_executed(const MachineInstruction& machine);
/// Returns whether the instruction tests if a phase of an mbarrier is over; its result is a predicate.
bool is_wait(const MachineInstruction& machine);
/// Returns whether the target receives a number of 32 bits, or whether a phase is over; else it receives a state.
bool returns_number(const MachineInstruction& machine);

/// Returns why no runner executes the instruction; empty: it is executed.
std::string missing_machine(const MachineInstruction& machine);

/// Returns whether the instruction can access only shared memory of its own block: it has a result, or is wgmma.
bool needs_own_block(const MachineInstruction& machine);

/// Returns why an asynchronous operation without an instruction is not run.
std::string missing_step(const AsyncStep& step);

/// Returns why the instruction is not run in a test without clusters of several blocks; empty: it is run.
std::string missing_without_clusters(const MachineInstruction& machine);

MachineText machine_text(const MachineInstruction& machine, const MachineNames& names);

}  // namespace ambit::cuda
