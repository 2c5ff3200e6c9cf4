#pragma once

#include <optional>
#include <utility>

#include "core/expr.h"
#include "core/program.h"
#include "core/source.h"
#include "parser/text/constant_arithmetic.h"
#include "parser/text/reporter.h"
#include "parser/text/syntax_tree.h"

namespace ambit::parser::litmus {

struct Variable;

/// A value that an expression yields.
struct Operand {
  Expr expr;
  Type type;
  bool erroneous = false;  ///< an error has been reported: what uses this operand reports nothing

  Operand() = default;
  Operand(Expr value, const Type& its_type) : expr(std::move(value)), type(its_type) {}
  /// The erroneous operand: `return thread.error(...)`.
  Operand(std::nullopt_t) : erroneous(true) {}  // NOLINT(google-explicit-constructor)

  static Operand integer(Expr expr) {
    const Type type{.scalar = expr.result_type()};
    return {std::move(expr), type};
  }
  static Operand constant(Value value, ScalarType type = kInt) { return integer(Expr::make_constant(value, type)); }
  /// The result of an operation that yields no value.
  static Operand nothing() { return {Expr{}, Type{.is_void = true}}; }
};

/// What an lvalue denotes: a variable of the thread, or memory at an address.
struct Place {
  Variable* variable = nullptr;
  Expr address = {};
  Type type = {};
  SourceSpan span = {};
};

/// The type of the register that holds a value of `type`.
inline ScalarType register_type(const Type& type) { return type.is_pointer ? kAddress : type.scalar; }

/// The type of the value in a cell of `type`: an integer, a bool or a pointer.
inline Type cell_type(const Type& type) {
  return type.target ? pointer_in(type) : Type{.scalar = type.scalar, .is_bool = type.is_bool};
}

/// Converts implicitly to the type of a variable, parameter or cell.
Operand convert(Operand operand, const Type& target, SourceSpan span, Reporter& reporter);

/// A pointer to `place`, which is in memory.
Operand pointer_to(const Place& place);

/// `pointer + index` or `pointer - index`.
Operand add_to_pointer(Operand pointer, Op op, Operand index);

struct OrderAndScope {
  Order order;
  Scope scope;
};
/// An operation on the cell at `place` as an atomic object.
MemoryAccess atomic_access(const Place& place, OrderAndScope at);

}  // namespace ambit::parser::litmus
