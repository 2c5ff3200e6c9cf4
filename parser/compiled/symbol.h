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

/// The symbolic value of a PTX register. A pointer is a base and a number of bytes; machine addresses do not occur.
struct Symbol {
  enum class Base : std::uint8_t {
    None,          ///< a number
    Memory,        ///< `pointer`, an address of core, which points at an element of `layout`
    Local,         ///< a variable of the thread
    Unknown,       ///< a variable that the test does not have, such as a format of printf; no access to it is possible
    Undetermined,  ///< not known yet
  };
  Base base = Base::None;
  bool is_opaque = false;
  bool varies = false;  ///< has a register that several instructions write
  Expr value;           ///< a number; with a base: bytes, of 64 bits
  Expr pointer;         ///< Memory
  const Layout* layout = nullptr;
  /// Memory: the layouts of the variables that the pointer may point into, if they differ; then `layout` is unused.
  std::vector<const Layout*> layouts = {};
  Expr layout_number;   ///< index into `layouts`
  FrameVariable local;  ///< Local; Unknown: its `variable`
  std::string name;     ///< Unknown

  bool is_pointer() const { return base != Base::None && base != Base::Undetermined; }
  bool is_number() const { return base == Base::None; }
  /// Returns the only layout, or all of `layouts`.
  std::vector<const Layout*> all_layouts() const { return layouts.empty() ? std::vector{layout} : layouts; }
  bool is_constant() const { return is_number() && !is_opaque && value.is_constant(); }
};

inline constexpr ScalarType kBits64 = kLongLong;

Symbol number(Expr value);
Symbol number(Value value, ScalarType type);
/// Returns a value that Ambit does not follow, with the dependencies of its operands (Operand::opaque).
Symbol opaque(ScalarType type, const std::vector<Symbol>& from);
/// Returns the number of leaves and operators.
std::size_t size_of(const Expr& expr);
Expr as(const Expr& expr, ScalarType type);
/// Returns how many of the lowest bits are certainly 0.
unsigned low_zeros(const Expr& expr);

/// A cell that an access reaches, and its address.
struct CellAccess {
  Expr address;
  Type type;
};
/// Returns the cells that an access of `bytes` bytes reaches, in the order of their bytes: several cells if they are
/// smaller than the access. An address that is in no cell of this size becomes 0. Errors, as text: the access reaches a
/// part of a cell, padding, or perhaps cells of different types.
std::optional<std::vector<CellAccess>> cells_at(const Symbol& pointer, unsigned bytes, std::string& error);

/// The offset of a pointer in a variable: `constant` bytes, plus a multiple of `step` between `low` and `high` (0: no
/// multiple).
struct ByteOffset {
  Value constant = 0;
  Value step = 0;
  Value low = 0;
  Value high = 0;
};
ByteOffset byte_offset(const Symbol& pointer);

/// The representation of a pointer in registers and memory: the address of an element in core, and a number of bytes
/// from the begin of the element. The sum may be outside the element.
struct ElementPointer {
  Expr address;
  Expr bytes;  ///< of 64 bits

  std::optional<Value> constant_bytes() const {
    return bytes.is_constant() ? std::optional(bytes.constant) : std::nullopt;
  }
};
/// Returns the pointer of a symbol; nothing: the symbol is not an address in memory. If the pointer points into
/// variables of several layouts, the bytes may be any number.
std::optional<ElementPointer> element_of(const Symbol& pointer);
/// Returns the index of the pointer's layout in `layouts`; nothing: its layout may be another one.
std::optional<Expr> layout_number_in(const Symbol& pointer, const std::vector<const Layout*>& layouts);
/// Returns a number that orders addresses of elements of one layout as their bytes do.
Expr byte_number(const ElementPointer& pointer, const Layout& layout);

}  // namespace ambit::parser::compiled
