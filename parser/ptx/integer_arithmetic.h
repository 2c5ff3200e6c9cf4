#pragma once

#include <optional>
#include <span>

#include "core/expr.h"
#include "ptx/module.h"

namespace ambit::parser::ptx {

/// Returns the integer type with the width and the sign of a type of the ISA; int for a predicate.
ScalarType integer_type(ambit::ptx::Type type);
/// Returns the operation of add, sub, mul, div, rem, and, or, xor, min, max, shl and shr; nothing for other opcodes.
std::optional<Op> operation_of(ambit::ptx::Opcode opcode);
/// Returns the comparison of a setp; nothing for a comparison that only floating-point numbers have.
std::optional<Op> comparison_of(const ambit::ptx::Instruction& instruction);
/// Returns the operation that combines a setp's comparison with its third source: .and, .or or .xor.
Op combination_of(const ambit::ptx::Instruction& instruction);

/// Returns the result of an instruction on integers and predicates (ISA 9.7.1, 9.7.6, 9.7.8) for the source values
/// `inputs`. If `inputs` has only the first two sources of a mad, returns the product. Returns nothing if Ambit does
/// not compute the result. The caller must exclude floating-point types and the modifiers .sat and .cc.
std::optional<Expr> integer_result(const ambit::ptx::Instruction& instruction, std::span<const Expr> inputs);

}  // namespace ambit::parser::ptx
