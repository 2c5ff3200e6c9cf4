#pragma once

#include <string>
#include <vector>

#include "core/program.h"

namespace ambit::cuda {

/// Returns the C++ type of a value: "int", "unsigned long long".
std::string type_name(ScalarType type);
/// Returns the C++ type of a cell, which is the type of its values; for 16 bytes, the type in kernels/wide.cuh.
std::string cell_type_name(ScalarType type);
/// Returns a value as a C++ literal of its type.
std::string literal(Value value, ScalarType type);
/// Returns the names of a thread's registers as C++ identifiers, indexed by RegisterId.
std::vector<std::string> register_names(const Thread& thread);

/// Returns an expression over a thread's registers as a C++ expression of the same type. `registers` has the registers'
/// names. Arithmetic wraps, as in the model.
std::string expression(const Expr& expr, const Thread& thread, const std::vector<std::string>& registers);
/// Returns the expression as a C++ condition: true if the value is not 0.
std::string condition(const Expr& expr, const Thread& thread, const std::vector<std::string>& registers);

/// Returns the type of a C++ variable that is an operand of inline assembly and holds a value of type `type`.
ScalarType in_register(ScalarType type);
/// Returns the casts that convert a cell's value to type `to`. The cell has type `from`; its value was read into a
/// variable of type in_register(from).
std::string result_cast(ScalarType from, ScalarType to);
/// Returns a value converted to the type of a cell, for an operand of inline assembly.
std::string operand_text(const Expr& expr, ScalarType type, const Thread& thread,
                         const std::vector<std::string>& registers);

/// Returns the test's line at `span` as a comment, or an empty text if the line is `last_line`. Sets `last_line` to the
/// line.
std::string source_comment(const Program& program, const SourceSpan& span, std::uint32_t& last_line);

}  // namespace ambit::cuda
