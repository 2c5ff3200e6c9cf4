#pragma once

#include <string_view>

#include "runner/virtual/warp.h"

namespace ambit::virtual_gpu {

/// A warp's turn ends after this number of polls, so that other warps can store the value that the warp waits for.
inline constexpr std::uint32_t kPollsOfTurn = 32;

void execute_branch(WarpCore& core, const Instruction& instruction);
/// Executes brx.idx. `extra` is the table, `a` the index.
void execute_indexed_branch(WarpCore& core, const Instruction& instruction);
/// Executes a call. `extra` is the CallOperation; for an indirect call, `a` is the register with the function's
/// address.
void execute_call(WarpCore& core, const Instruction& instruction);
void execute_indirect_call(WarpCore& core, const Instruction& instruction);
void execute_return(WarpCore& core, const Instruction& instruction);
void execute_exit(WarpCore& core, const Instruction& instruction);
void execute_trap(WarpCore& core, const Instruction& instruction);
/// Executes instructions that have no effect, such as prefetch and pmevent.
void execute_nothing(WarpCore& core, const Instruction& instruction);
/// Executes nanosleep. A loop around the instruction counts as a wait for another thread.
void execute_sleep(WarpCore& core, const Instruction& instruction);
/// Executes a fence. `extra` contains the order and the scope, packed by pack_fence().
void execute_fence(WarpCore& core, const Instruction& instruction);
std::uint32_t pack_fence(Order order, Scope scope);
/// Executes mov from a register such as %clock. `extra` is the SpecialRegister, `value` the number of bytes of the
/// target.
void execute_read_special(WarpCore& core, const Instruction& instruction);

/// Executes a call of a function that the virtual GPU provides (builtins.cpp).
void execute_builtin(Warp& warp, const Instruction& instruction, const CallOperation& call);
/// Returns the builtin with the given name, or None.
BuiltinFunction builtin_of(std::string_view name);

}  // namespace ambit::virtual_gpu
