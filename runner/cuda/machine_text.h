#pragma once

#include <functional>
#include <string>

#include "core/program.h"
#include "runner/cuda/object_addresses.h"

namespace ambit::cuda {

/// Inline assembly of one instruction of PTX.
struct MachineText {
  std::string before;       ///< PTX before the instruction, in its own scope; empty: none
  std::string operands;     ///< "[%1], 16"
  std::string after;        ///< PTX behind it
  std::string constraints;  ///< " : outputs : inputs"
};

/// C++ text for what an instruction names.
struct MachineNames {
  std::string product{};  ///< the array for the product of wgmma
  std::string result;     ///< the variable for the result: unsigned for a wait, unsigned long long for a state
  std::function<ObjectAddress(const Expr&)> address;
  std::function<std::string(const Expr&)> value;
  std::function<std::string(RegisterId)> state;        ///< of an mbarrier, as an arrival left it
  std::function<std::string(std::size_t)> tensor_map;  ///< a pointer to it, by its number in Program::tensor_maps
};

/// The name of the instruction with the type that PTX litmus files may leave out: "mbarrier.arrive.b64".
std::string full_name(const MachineInstruction& machine);
/// Whether hardware has an instruction for it. The ends of blocks and grids and the start of a grid that depends on
/// another one have none.
bool is_executed(const MachineInstruction& machine);
/// Whether the instruction asks if a phase of an mbarrier is over; its result is a predicate.
bool is_wait(const MachineInstruction& machine);
/// The instruction's target receives a number of 32 bits, or whether a phase is over; else a state.
bool returns_number(const MachineInstruction& machine);

/// Why no runner executes the instruction; empty: it does.
std::string missing_machine(const MachineInstruction& machine);

/// Whether the instruction reaches only shared memory of its own block: it returns something, or is wgmma.
bool needs_own_block(const MachineInstruction& machine);

/// Why an asynchronous operation without an instruction is not run.
std::string missing_step(const AsyncStep& step);

/// Why the instruction is not run in a test without clusters of several blocks; empty: it is.
std::string missing_without_clusters(const MachineInstruction& machine);

MachineText machine_text(const MachineInstruction& machine, const MachineNames& names);

}  // namespace ambit::cuda
