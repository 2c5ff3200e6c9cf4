#pragma once

#include "runner/virtual/instruction.h"

namespace ambit::virtual_gpu {

/// These functions execute the instructions and, or, xor, not and mov for predicates. Two bits of `value` determine
/// whether a and b are negated.
void execute_predicate_and(WarpCore& core, const Instruction& instruction);
void execute_predicate_or(WarpCore& core, const Instruction& instruction);
void execute_predicate_xor(WarpCore& core, const Instruction& instruction);
void execute_predicate_move(WarpCore& core, const Instruction& instruction);
/// Executes mov of 16-byte registers.
void execute_wide_move(WarpCore& core, const Instruction& instruction);
/// These two functions execute the instruction mov between a register and a vector of its parts. `extra` is the
/// MemoryOperation that lists the parts. `a` or `d` is the whole register, which has `value` bytes.
void execute_pack(WarpCore& core, const Instruction& instruction);
void execute_unpack(WarpCore& core, const Instruction& instruction);
/// Executes cvta and cvta.to: computes d = (a & b) + c with 64 bits.
void execute_mask_and_add(WarpCore& core, const Instruction& instruction);
/// Executes isspacep. `value` is the window.
void execute_is_space(WarpCore& core, const Instruction& instruction);
/// Executes mapa. `b` is the rank, `value` the window of the result, `extra` the number of bytes of the address.
void execute_map_address(WarpCore& core, const Instruction& instruction);
/// Executes getctarank. `extra` is the number of bytes of the address.
void execute_block_rank(WarpCore& core, const Instruction& instruction);
void execute_active_mask(WarpCore& core, const Instruction& instruction);

}  // namespace ambit::virtual_gpu
