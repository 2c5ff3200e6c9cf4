#pragma once

#include <string>
#include <vector>

#include "core/program.h"

namespace ambit::cuda {

/// Returns the C++ type of a value: "int", "unsigned long long".
std::string type_name(ScalarType type);
/// Returns the C++ type of a cell: its values' type; for 16 bytes, the type in kernels/wide.cuh.
std::string cell_type_name(ScalarType type);
/// Returns a value as a C++ literal of its type.
std::string literal(Value value, ScalarType type);
/// Returns the names of a thread's registers as C++ identifiers, by RegisterId.
std::vector<std::string> register_names(const Thread& thread);

/// Returns an expression over a thread's registers, named `registers`, as a C++ expression of its type. Arithmetic
/// wraps, as in the model.
std::string expression(const Expr& expr, const Thread& thread, const std::vector<std::string>& registers);
/// Returns the expression as a C++ condition: true if the value is not 0.
std::string condition(const Expr& expr, const Thread& thread, const std::vector<std::string>& registers);

/// Returns the type of the variable that holds a value as an operand of inline assembly.
ScalarType in_register(ScalarType type);
/// Returns the casts of a value of a cell of type `from`, read into a variable of in_register(from), to type `to`.
std::string result_cast(ScalarType from, ScalarType to);
/// Returns a value in the type of a cell, for an operand of inline assembly.
std::string operand_text(const Expr& expr, ScalarType type, const Thread& thread,
                         const std::vector<std::string>& registers);

/// Returns the line of the test at a span as a comment; empty if it is `last_line`. Sets `last_line` to that line.
std::string source_comment(const Program& program, const SourceSpan& span, std::uint32_t& last_line);

}  // namespace ambit::cuda
