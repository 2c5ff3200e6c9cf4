#pragma once

#include <string>
#include <vector>

#include "core/program.h"

namespace ambit::cuda {

/// The C++ type of a value: "int", "unsigned long long".
std::string type_name(ScalarType type);
/// The C++ type of a cell: that of its values; of 16 bytes, that of kernels/wide.cuh.
std::string cell_type_name(ScalarType type);
/// A value as a C++ literal of its type.
std::string literal(Value value, ScalarType type);
/// Names of a thread's registers as C++ identifiers, by RegisterId.
std::vector<std::string> register_names(const Thread& thread);

/// An expression over a thread's registers, named `registers`, as a C++ expression of its type. Arithmetic wraps, as in
/// the model.
std::string expression(const Expr& expr, const Thread& thread, const std::vector<std::string>& registers);
/// The expression as a C++ condition: true if the value is not 0.
std::string condition(const Expr& expr, const Thread& thread, const std::vector<std::string>& registers);

/// The type of the variable that holds a value as an operand of inline assembly.
ScalarType in_register(ScalarType type);
/// What converts a value of a cell of type `from`, read into a variable of in_register(from), to type `to`: casts.
std::string result_cast(ScalarType from, ScalarType to);
/// A value in the type of a cell, for an operand of inline assembly.
std::string operand_text(const Expr& expr, ScalarType type, const Thread& thread,
                         const std::vector<std::string>& registers);

/// The line of the test at a span as a comment; empty if it is `last_line`. Sets `last_line` to that line.
std::string source_comment(const Program& program, const SourceSpan& span, std::uint32_t& last_line);

}  // namespace ambit::cuda
