#pragma once

#include "runner/virtual/instruction.h"

namespace ambit::virtual_gpu {

/// and, or, xor, not, mov of predicates: `value` holds two bits that negate a and b.
void execute_predicate_and(WarpCore& core, const Instruction& instruction);
void execute_predicate_or(WarpCore& core, const Instruction& instruction);
void execute_predicate_xor(WarpCore& core, const Instruction& instruction);
void execute_predicate_move(WarpCore& core, const Instruction& instruction);
/// mov of 16-byte registers.
void execute_wide_move(WarpCore& core, const Instruction& instruction);
/// mov between a register and a vector of its parts. `extra`: the MemoryOperation that lists the parts; `a` or `d` is
/// the whole, of `value` bytes.
void execute_pack(WarpCore& core, const Instruction& instruction);
void execute_unpack(WarpCore& core, const Instruction& instruction);
/// d = (a & b) | c on 64 bits: cvta, cvta.to, mapa.
void execute_mask_and_add(WarpCore& core, const Instruction& instruction);
/// isspacep: `value` is the window.
void execute_is_space(WarpCore& core, const Instruction& instruction);
/// mapa: `b` the rank; `value`: the window to set, bytes of the address in `extra`.
void execute_map_address(WarpCore& core, const Instruction& instruction);
/// getctarank: bytes of the address in `extra`.
void execute_block_rank(WarpCore& core, const Instruction& instruction);
void execute_active_mask(WarpCore& core, const Instruction& instruction);

}  // namespace ambit::virtual_gpu
