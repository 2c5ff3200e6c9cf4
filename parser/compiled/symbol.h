#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/expr.h"
#include "core/program.h"
#include "parser/compiled/flat_code.h"
#include "parser/compiled/layout.h"

namespace ambit::parser::compiled {

/// The symbolic value of a PTX register. A pointer is a base and a byte offset; machine addresses do not exist.
struct Symbol {
  enum class Base : std::uint8_t {
    None,    ///< a number
    Memory,  ///< an address in memory: `pointer` is the core address of an element of `layout`
    Local,   ///< an address in a local variable of the thread
    /// An address in an undeclared variable, such as a printf format. Code cannot access such a variable.
    Unknown,
    Undetermined,  ///< not yet known
  };
  Base base = Base::None;
  bool is_opaque = false;
  bool varies = false;  ///< whether `value` contains a register that several instructions write
  Expr value;           ///< the number, or the 64-bit byte offset from the base
  Expr pointer;         ///< if the base is Memory: the core address
  const Layout* layout = nullptr;
  /// The possible layouts of a Memory pointer that may point into variables of different layouts. `layout` is then
  /// unused.
  std::vector<const Layout*> layouts = {};
  Expr layout_number;   ///< index in `layouts`
  FrameVariable local;  ///< if the base is Local: the variable; if it is Unknown: only local.variable is set
  std::string name;     ///< if the base is Unknown: the variable's name

  bool is_pointer() const { return base != Base::None && base != Base::Undetermined; }
  bool is_number() const { return base == Base::None; }
  /// Returns all possible layouts: `layouts`, or only `layout` if `layouts` is empty.
  std::vector<const Layout*> all_layouts() const { return layouts.empty() ? std::vector{layout} : layouts; }
  bool is_constant() const { return is_number() && !is_opaque && value.is_constant(); }
};

inline constexpr ScalarType kBits64 = kLongLong;

Symbol number(Expr value);
Symbol number(Value value, ScalarType type);
/// Returns a value that Ambit does not compute. The value depends on the operands `from` (Operand::opaque).
Symbol opaque(ScalarType type, const std::vector<Symbol>& from);
/// Returns the number of nodes of an expression.
std::size_t size_of(const Expr& expr);
Expr as(const Expr& expr, ScalarType type);
/// Returns a lower bound of the number of trailing zero bits in every value of the expression.
unsigned low_zeros(const Expr& expr);

/// The address and the type of a memory cell that an access reaches.
struct CellAccess {
  Expr address;
  Type type;
};
/// Returns the cells that an access of `bytes` bytes reaches, in address order. An access may be larger than a cell
/// and reach several cells. For an address that is in no cell of the right size, the returned CellAccess has the
/// address 0. Sets `error` if the access reaches only a part of a cell, reaches padding, or may reach cells of
/// different types.
std::optional<std::vector<CellAccess>> cells_at(const Symbol& pointer, unsigned bytes, std::string& error);

/// The possible byte offsets of a pointer in a variable. Each offset is `constant` plus a multiple of `step` from `low`
/// to `high`. If `step` is 0, the only offset is `constant`. If the pointer is far outside of all variables, `constant`
/// is limited to the range from -2^60 to 2^60.
struct ByteOffset {
  Value constant = 0;
  Value step = 0;
  Value low = 0;
  Value high = 0;
};
ByteOffset byte_offset(const Symbol& pointer);

/// The representation of a pointer in registers and memory: the core address of an element, and a byte offset from the
/// element's beginning. The offset may be negative, or greater than the size of the element.
struct ElementPointer {
  Expr address;
  Expr bytes;  ///< in 64 bits

  std::optional<Value> constant_bytes() const {
    return bytes.is_constant() ? std::optional(bytes.constant) : std::nullopt;
  }
};
/// Converts a symbol to an ElementPointer; nothing if the symbol is not an address in memory. If the pointer may point
/// into variables of different layouts, the byte offset has no bound.
std::optional<ElementPointer> element_of(const Symbol& pointer);
/// Returns the object into which a core address always points; nothing if the address may point into several objects.
std::optional<ObjectId> only_object(const Expr& address);
/// Returns the address of the element that is `distance` elements after the element at `address`.
Expr moved_address(const Expr& address, Value distance);
/// Returns the index of the pointer's layout in `layouts`; nothing if the pointer may have a layout that is not in the
/// list.
std::optional<Expr> layout_number_in(const Symbol& pointer, const std::vector<const Layout*>& layouts);
/// Returns a number for an address. In one variable, these numbers have the order of the machine addresses.
Expr byte_number(const ElementPointer& pointer, const Layout& layout);

}  // namespace ambit::parser::compiled
