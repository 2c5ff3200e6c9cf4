#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/source.h"
#include "core/expr.h"
#include "core/program.h"
#include "parser/text/constant_arithmetic.h"
#include "parser/text/reporter.h"
#include "parser/text/syntax_tree.h"

namespace ambit::parser::litmus {

struct Closure;
struct Variable;

/// A pointer to a variable of the thread, or to an element of a local array.
struct LocalPointer {
  Variable* target = nullptr;
  Value index = 0;
};

/// The value of an expression.
struct Operand {
  Expr expr;
  Type type;
  /// Whether an error in the expression has been reported. Uses of an erroneous operand report no errors.
  bool erroneous = false;
  std::optional<LocalPointer> local = {};       ///< the target, if the value is a pointer to a variable of the thread
  std::shared_ptr<const Closure> closure = {};  ///< set for a lambda
  /// The values of a struct's fields. A field that is an array has a value for each element.
  std::vector<Operand> fields = {};

  Operand() = default;
  Operand(Expr value, const Type& its_type) : expr(std::move(value)), type(its_type) {}
  /// Makes an erroneous operand, as in `return thread.error(...)`.
  Operand(std::nullopt_t) : erroneous(true) {}  // NOLINT(google-explicit-constructor)

  static Operand integer(Expr expr) {
    const Type type{.scalar = expr.result_type()};
    return {std::move(expr), type};
  }
  static Operand constant(Value value, ScalarType type = kInt) { return integer(Expr::make_constant(value, type)); }
  /// Returns an opaque value of `type`, which Ambit does not compute. The value depends on the operands `from`.
  static Operand opaque(const Type& type, const std::vector<Operand>& from = {});
  /// Returns the operand that represents an expression without a value, such as a call of a void function.
  static Operand nothing() { return {Expr{}, Type{.is_void = true}}; }
};

/// The object that an lvalue denotes: a variable of the thread, or memory at an address.
struct Place {
  Variable* variable = nullptr;
  Expr address = {};
  Type type = {};
  SourceSpan span = {};
  bool is_read_only = false;  ///< whether loads use the cache for read-only data (ld.global.nc)
};

/// Returns the type of a register that holds a value of `type`.
inline ScalarType register_type(const Type& type) { return type.is_pointer ? kAddress : type.scalar; }

/// Returns whether the type is a struct, and not a pointer to a struct.
inline bool is_struct_value(const Type& type) { return type.structure != nullptr && !type.is_pointer; }

/// Returns the type of the value in a cell of `type`: a number, a bool or a pointer.
inline Type cell_type(const Type& type) {
  if (type.target) return pointer_in(type);
  Type cell{.scalar = type.scalar, .is_bool = type.is_bool, .is_opaque = type.is_opaque};
  cell.is_tensor_map = type.is_tensor_map;
  return cell;
}

/// Applies an implicit conversion to the type of a variable, parameter or cell.
Operand convert(Operand operand, const Type& target, SourceSpan span, Reporter& reporter);

/// Returns `a op b` on numbers, after the usual C++ conversions. The result has a floating-point type if an operand has
/// a floating-point type, except for comparisons and logical operators.
Operand arithmetic(Op op, Operand a, Operand b);

/// Returns the type of `a op b`. At least one operand must have a floating-point type.
Type floating_type(const Type& a, const Type& b);

/// The register that represents opaque values that depend on no operand. In tests with opaque values (FileNode), each
/// thread has this register.
inline constexpr RegisterId kOpaqueRegister = 0;

/// Returns whether a pointer that is declared with type `declared` accesses floating-point memory as integers of the
/// same size: unsigned* p = (unsigned*)&x. The pointer keeps the type of the memory, so that every access has the type
/// of the accessed cell.
bool is_view_of_opaque(const Type& declared, const Type& pointer);

/// Returns a pointer to `place`, which must be in memory.
Operand pointer_to(const Place& place);

/// Returns the number of elements in a row of an array of arrays (Type::inner).
Value row_length(const Type& type);
/// Returns the type of a row of an array of arrays.
Type row_type(Type type);

/// Returns `pointer + index` or `pointer - index`. `pointer` may point to an array, but must not point to a variable of
/// the thread.
Operand add_to_pointer(Operand pointer, Op op, Operand index);

struct OrderAndScope {
  Order order;
  Scope scope;
};
/// Returns an atomic access to the cell at `place`.
MemoryAccess atomic_access(const Place& place, OrderAndScope at);

}  // namespace ambit::parser::litmus
