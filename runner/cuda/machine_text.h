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
  std::function<std::string(RegisterId)> state;  ///< of an mbarrier, as an arrival left it
};

/// The name of the instruction with the type that PTX litmus files may leave out: "mbarrier.arrive.b64".
std::string full_name(const MachineInstruction& machine);
/// Whether the instruction asks if a phase of an mbarrier is over; its result is a predicate.
bool is_wait(const MachineInstruction& machine);
/// The instruction's target receives a number of 32 bits, or whether a phase is over; else a state.
bool returns_number(const MachineInstruction& machine);

/// Whether an operation of an mbarrier in the thread writes the register.
bool is_state_of(const Thread& thread, RegisterId reg);

/// Why no runner executes the instruction; empty: it does.
std::string missing_machine(const MachineInstruction& machine);

MachineText machine_text(const MachineInstruction& machine, const MachineNames& names);

}  // namespace ambit::cuda
