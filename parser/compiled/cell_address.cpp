// Maps byte addresses of PTX to the memory cells of core.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/wrapping.h"
#include "core/opaque.h"
#include "parser/compiled/symbol.h"
#include "parser/compiled/value_bounds.h"

namespace ambit::parser::compiled {
namespace {

constexpr Value kObjectStep = Value{1} << 32;
/// Every object has fewer elements than this number, so every greater index is out of bounds.
constexpr Value kGreatIndex = Value{1} << 30;
/// Maximum number of cells that one access may reach.
constexpr std::size_t kMaximumChoices = 64;

/// A linear expression: a constant plus the sum of coefficient * term over all terms.
struct Linear {
  struct Term {
    Value coefficient = 1;
    Expr term;

    Value divisor() const {
      const Value inner = divisor_of(term);
      const Value outer = std::abs(coefficient);
      return inner == 0 || outer > kObjectStep / inner ? outer : outer * inner;
    }
  };
  Value constant = 0;
  std::vector<Term> terms;
};

/// Returns whether the expression is 32-bit arithmetic that does not wrap and is then converted to 64 bits.
bool is_exact_in_32_bits(const Expr& expr) {
  const Bounds all = bounds_of(expr.type);
  const Bounds bounds = bounds_of(expr);
  return all.low < bounds.low || bounds.high < all.high;
}

Expr constant64(Value value) { return Expr::make_constant(value, kBits64); }

Expr make64(Op op, Expr a, Expr b) { return Expr::make(op, kBits64, {std::move(a), std::move(b)}); }

Expr plus(Expr a, Expr b) {
  if (a.is_constant() && a.constant == 0) return b;
  if (b.is_constant() && b.constant == 0) return a;
  return make64(Op::Add, std::move(a), std::move(b));
}

Expr times(Expr a, Value factor) { return factor == 1 ? a : make64(Op::Multiply, std::move(a), constant64(factor)); }

void add_linear(const Expr& whole, Value factor, Linear& sum) {
  if (whole.is_constant()) {
    sum.constant = wrapping_sum(sum.constant, wrapping_product(factor, whole.constant));
    return;
  }
  // A conversion between 64-bit types keeps the bits.
  if (whole.op == Op::Cast && whole.type.bits == 64 && whole.arguments[0].result_type().bits == 64) {
    return add_linear(whole.arguments[0], factor, sum);
  }
  const bool is_extended = whole.op == Op::Cast && whole.type.bits == 64 && whole.arguments[0].result_type().bits == 32;
  const Expr& expr = is_extended ? whole.arguments[0] : whole;
  const bool is_exact = is_extended ? is_exact_in_32_bits(expr) : expr.result_type().bits == 64;
  const auto inner = [&](std::size_t i) {
    return is_extended ? as(as(expr.arguments[i], expr.type), kBits64) : expr.arguments[i];
  };
  if (is_exact && (expr.op == Op::Add || expr.op == Op::Subtract)) {
    add_linear(inner(0), factor, sum);
    add_linear(inner(1), expr.op == Op::Add ? factor : wrapping_product(factor, -1), sum);
  } else if (is_exact && expr.op == Op::Multiply && expr.arguments[1].is_constant()) {
    add_linear(inner(0), wrapping_product(factor, expr.arguments[1].constant), sum);
  } else if (is_exact && expr.op == Op::Multiply && expr.arguments[0].is_constant()) {
    add_linear(inner(1), wrapping_product(factor, expr.arguments[0].constant), sum);
  } else if (is_exact && expr.op == Op::ShiftLeft && expr.arguments[1].is_constant()) {
    const Value power = Value{1} << (expr.arguments[1].constant & (expr.type.bits - 1));
    add_linear(inner(0), wrapping_product(factor, power), sum);
  } else {
    sum.terms.push_back({factor, whole});
  }
}

Linear linear(const Expr& expr) {
  Linear sum;
  add_linear(expr, 1, sum);
  return sum;
}

bool is_power_of_two(Value value) { return value > 0 && (value & (value - 1)) == 0; }

/// Returns `expr` / `divisor`; the remainder must be 0. If `expr` is a 32-bit number extended to 64 bits, the quotient
/// is also an extended 32-bit number. The extension shows that the quotient is an index, not an address.
Expr divided(const Expr& expr, Value divisor) {
  if (divisor == 1) return as(expr, kBits64);
  const bool is_extended = expr.op == Op::Cast && expr.arguments[0].result_type().bits < 64;
  const Expr& whole = is_extended ? expr.arguments[0] : expr;
  const ScalarType type = whole.result_type();
  const Expr quotient =
      is_power_of_two(divisor)
          ? Expr::make(Op::ShiftRight, type,
                       {whole, Expr::make_constant(std::countr_zero(static_cast<std::uint64_t>(divisor)), type)})
          : Expr::make(Op::Divide, type, {whole, Expr::make_constant(divisor, type)});
  return as(quotient, kBits64);
}

/// Returns coefficient * term / bytes; the remainder must be 0.
Expr scaled(const Linear::Term& term, Value bytes) {
  if (term.coefficient % bytes == 0) return times(as(term.term, kBits64), term.coefficient / bytes);
  const Value common = std::gcd(term.coefficient, bytes);
  return times(divided(term.term, bytes / common), term.coefficient / common);
}

Value floor_divide(Value a, Value b) { return a / b - (a % b < 0 ? 1 : 0); }

/// Clamps an index to a range that is larger than every object. An index outside of its object remains outside, and
/// never becomes an index of a different object.
Expr limited(Expr index) {
  const Bounds bounds = bounds_of(index);
  const bool is_extended = index.op == Op::Cast && index.arguments[0].result_type() == kUnsigned;
  if (bounds.high > kGreatIndex && is_extended) {
    const Expr narrow =
        Expr::make(Op::Min, kUnsigned, {index.arguments[0], Expr::make_constant(kGreatIndex, kUnsigned)});
    return as(narrow, kBits64);
  }
  if (bounds.high > 2 * kGreatIndex) index = make64(Op::Min, std::move(index), constant64(kGreatIndex));
  if (bounds.low < -2 * kGreatIndex) index = make64(Op::Max, std::move(index), constant64(-kGreatIndex));
  return index;
}

/// Moves `address` to another object of the variable, object number `object`, without a change of the index. A null
/// pointer stays null.
Expr in_object(const Expr& address, std::uint32_t object) {
  if (object == 0) return address;
  if (address.is_constant()) {
    return address.constant == 0 ? address : constant64(address.constant + Value{object} * kObjectStep);
  }
  if (address.op == Op::Select) {
    return Expr::make(
        Op::Select, kBits64,
        {address.arguments[0], in_object(address.arguments[1], object), in_object(address.arguments[2], object)});
  }
  if (address.op == Op::Add) return plus(in_object(address.arguments[0], object), address.arguments[1]);
  const Expr is_null = Expr::make(Op::Equal, kBits64, {address, constant64(0)});
  return Expr::make(Op::Select, kBits64, {is_null, constant64(0), plus(address, constant64(object * kObjectStep))});
}

/// The offset of a pointer, in two parts: a number of elements, and a number of bytes from the beginning of the
/// element.
struct Split {
  Value element = 0;
  Value rest = 0;
  Expr elements = constant64(0);    ///< non-constant part of the number of elements; to be added to `element`
  std::vector<Linear::Term> inner;  ///< non-constant part of the number of bytes; to be added to `rest`

  Expr inner_bytes() const {
    Expr sum = constant64(0);
    for (const Linear::Term& term : inner) sum = plus(std::move(sum), times(as(term.term, kBits64), term.coefficient));
    return sum;
  }
  Value inner_divisor() const {
    Value result = 0;
    for (const Linear::Term& term : inner) result = std::gcd(result, term.divisor());
    return result;
  }
};

Split split(const Symbol& pointer) {
  const Linear sum = linear(pointer.value);
  const auto stride = static_cast<Value>(pointer.layout->stride);
  Split result;
  result.element = floor_divide(sum.constant, stride);
  result.rest = sum.constant - result.element * stride;
  for (const Linear::Term& term : sum.terms) {
    if (term.divisor() % stride == 0) {
      result.elements = plus(result.elements, scaled(term, stride));
    } else {
      result.inner.push_back(term);
    }
  }
  return result;
}

/// The place of an access in an element: the constant byte `rest`, or the expression `offset`.
struct Inside {
  Expr element;  ///< number of elements to add to the pointer
  Value rest = 0;
  std::optional<Expr> offset;  ///< the offset in bytes; not set if the offset is the constant `rest`
  Bounds bounds;               ///< bounds of the offset
  Value divisor = 0;           ///< a divisor of offset - rest
  Value alignment = 1;         ///< a divisor of offset - shift
  Value shift = 0;
};

Inside inside_of(const Split& at, const Layout& layout) {
  Inside result = {plus(constant64(at.element), at.elements), at.rest, {}, {at.rest, at.rest}, 0};
  if (at.inner.empty()) return result;
  const auto stride = static_cast<Value>(layout.stride);
  Expr offset = plus(at.inner_bytes(), constant64(at.rest));
  result.divisor = std::gcd(at.inner_divisor(), stride);
  result.bounds = bounds_of(offset);
  if (!result.bounds.lies_within({0, stride - 1})) {
    // Computes the remainder of a floor division.
    const Expr rest = make64(Op::Remainder, offset, constant64(stride));
    const Expr negative = Expr::make(Op::Less, kBits64, {rest, constant64(0)});
    const Expr low = is_power_of_two(stride) ? make64(Op::BitAnd, offset, constant64(stride - 1))
                                             : plus(rest, times(as(negative, kBits64), stride));
    result.element = plus(std::move(result.element), divided(make64(Op::Subtract, offset, low), stride));
    offset = low;
    result.bounds = {0, stride - 1};
  }
  result.offset = std::move(offset);
  return result;
}

/// Consecutive cells of one field that an access may reach.
struct Choice {
  const LayoutCell* cell = nullptr;
  Value first = 0;  ///< index of the first cell in the field
  Value count = 0;
};

class CellFinder {
 public:
  CellFinder(const Symbol& pointer, std::string& error)
      : pointer_(pointer), layout_(*pointer.layout), split_(split(pointer)), error_(error) {}

  std::optional<std::vector<CellAccess>> find(unsigned bytes) {
    std::vector<CellAccess> found;
    for (unsigned at = 0; at < bytes;) {
      Split moved = split_;
      moved.rest += at;
      moved.element = wrapping_sum(moved.element, floor_divide(moved.rest, static_cast<Value>(layout_.stride)));
      moved.rest %= static_cast<Value>(layout_.stride);
      // PTX requires that an address is a multiple of the access size.
      Inside inside = inside_of(moved, layout_);
      if (layout_.stride % bytes == 0) inside.alignment = bytes;
      inside.shift = at;
      const unsigned part = part_at(inside, bytes - at);
      if (part == 0) return std::nullopt;
      std::optional<CellAccess> cell = cell_at(inside, part);
      if (!cell) return std::nullopt;
      found.push_back(*std::move(cell));
      at += part;
    }
    return found;
  }

 private:
  bool is_possible(const Inside& at, Value offset) const {
    if (!at.offset) return offset == at.rest;
    const Value distance = offset - at.rest;
    return at.bounds.low <= offset && offset <= at.bounds.high && (at.divisor == 0 || distance % at.divisor == 0) &&
           (offset - at.shift) % at.alignment == 0;
  }

  /// Returns the size of the cells that an access of `bytes` bytes at `at` may reach; returns 0 after an error.
  unsigned part_at(const Inside& at, unsigned bytes) const {
    unsigned largest = 0;
    unsigned least = 0;
    for (const LayoutCell& cell : layout_.cells) {
      for (Value i = 0; i < cell.count; ++i) {
        const Value begin = static_cast<Value>(cell.offset) + i * cell.bytes;
        const bool covers = !at.offset && begin < at.rest && at.rest < begin + cell.bytes;
        if (covers) least = cell.bytes;
        if (!is_possible(at, begin)) continue;
        least = least == 0 ? cell.bytes : std::min(least, cell.bytes);
        largest = std::max(largest, cell.bytes);
      }
    }
    if (largest != 0 && largest == least && largest <= bytes) return largest;
    if (largest != least && largest != 0) {
      error_ = "this access may reach fields of different sizes";
      return 0;
    }
    error_ = least == 0
                 ? "this access reaches padding between the fields of a struct"
                 : fmt::format("this access has {} bytes, but the variable has cells of {} bytes there", bytes, least);
    return 0;
  }

  std::optional<std::vector<Choice>> choices(const Inside& at, unsigned bytes) const {
    std::vector<Choice> found;
    for (const LayoutCell& cell : layout_.cells) {
      if (cell.bytes != bytes) continue;
      Choice choice = {&cell};
      for (Value i = 0; i < cell.count; ++i) {
        if (!is_possible(at, static_cast<Value>(cell.offset) + i * bytes)) continue;
        if (choice.count == 0) choice.first = i;
        choice.count = i - choice.first + 1;
      }
      if (choice.count == 0) continue;
      const Type& first = found.empty() ? cell.type : found.front().cell->type;
      const bool is_alike = first.scalar == cell.type.scalar && first.is_opaque == cell.type.is_opaque &&
                            first.target == cell.type.target;
      if (!is_alike) {
        error_ = "this access may reach fields of different types";
        return std::nullopt;
      }
      found.push_back(choice);
    }
    if (found.size() <= kMaximumChoices) return found;
    error_ = "this access may reach too many fields of a struct";
    return std::nullopt;
  }

  /// Returns the address of a cell in the object of a field. The index of `pointer_` counts structs, and each struct
  /// has `count` cells of the field.
  Expr base_of(const LayoutCell& cell, const Expr& element, const Expr& index) const {
    Expr moving = plus(times(element, cell.count), index);
    const Expr& base = pointer_.pointer;
    if (cell.count > 1 && !(base.is_constant() && index_of(base.constant) == 0)) {
      const Expr own = make64(Op::BitAnd, base, constant64(kObjectStep - 1));
      moving = plus(std::move(moving), times(own, cell.count - 1));
    }
    const Expr object = in_object(base, cell.object);
    if (moving.is_constant()) return moved_address(object, moving.constant);
    return plus(object, limited(std::move(moving)));
  }

  /// Returns the condition that the offset is in a cell of `choice`; nothing if the condition always holds.
  std::optional<Expr> is_in(const Choice& choice, const Inside& at) const {
    const Value begin = static_cast<Value>(choice.cell->offset) + choice.first * choice.cell->bytes;
    if (choice.count == 1) return Expr::make(Op::Equal, kBits64, {*at.offset, constant64(begin)});
    const Value end = begin + choice.count * choice.cell->bytes;
    std::vector<Expr> parts;
    if (at.bounds.low < begin) parts.push_back(Expr::make(Op::GreaterEqual, kBits64, {*at.offset, constant64(begin)}));
    if (at.bounds.high >= end) parts.push_back(Expr::make(Op::Less, kBits64, {*at.offset, constant64(end)}));
    const Value bytes = choice.cell->bytes;
    const bool is_aligned = std::gcd(at.divisor, bytes) == bytes && (at.rest - begin) % bytes == 0;
    if (!is_aligned) {
      const Expr rest = make64(Op::BitAnd, plus(*at.offset, constant64(-begin)), constant64(bytes - 1));
      parts.push_back(Expr::make(Op::Equal, kBits64, {rest, constant64(0)}));
    }
    if (parts.empty()) return std::nullopt;
    Expr all = parts.front();
    for (std::size_t i = 1; i < parts.size(); ++i) all = Expr::make(Op::LogicalAnd, kInt, {std::move(all), parts[i]});
    return all;
  }

  Expr index_in(const Choice& choice, const Inside& at) const {
    const auto bytes = static_cast<Value>(choice.cell->bytes);
    if (choice.count == 1) return constant64(choice.first);
    return divided(plus(*at.offset, constant64(-static_cast<Value>(choice.cell->offset))), bytes);
  }

  std::optional<CellAccess> cell_at(const Inside& at, unsigned bytes) const {
    const std::optional<std::vector<Choice>> found = choices(at, bytes);
    if (!found) return std::nullopt;
    const Type& type = found->front().cell->type;
    if (!at.offset) {
      const Choice& only = found->front();
      return CellAccess{base_of(*only.cell, at.element, constant64(only.first)), type};
    }
    Expr address = constant64(0);
    for (const Choice& choice : *found) {
      Expr here = base_of(*choice.cell, at.element, index_in(choice, at));
      const std::optional<Expr> condition = is_in(choice, at);
      address = condition ? Expr::make(Op::Select, kBits64, {*condition, std::move(here), std::move(address)})
                          : std::move(here);
    }
    return CellAccess{std::move(address), type};
  }

  const Symbol& pointer_;
  const Layout& layout_;
  Split split_;
  std::string& error_;
};

}  // namespace

namespace {

/// Returns the cells for a pointer whose layout is known only when the kernel runs.
std::optional<std::vector<CellAccess>> cells_of_any_layout(const Symbol& pointer, unsigned bytes, std::string& error) {
  std::optional<std::vector<CellAccess>> cells;
  for (std::size_t i = pointer.layouts.size(); i-- > 0;) {
    Symbol one = pointer;
    one.layout = pointer.layouts[i];
    one.layouts.clear();
    const std::optional<std::vector<CellAccess>> found = cells_at(one, bytes, error);
    if (!found) return std::nullopt;
    if (!cells) {
      cells = found;
      continue;
    }
    const auto is_alike = [](const CellAccess& a, const CellAccess& b) {
      return a.type.scalar == b.type.scalar && a.type.is_opaque == b.type.is_opaque && a.type.target == b.type.target;
    };
    if (!std::ranges::equal(*cells, *found, is_alike)) {
      error = "this access may reach variables of different types";
      return std::nullopt;
    }
    const Expr number = Expr::make_constant(static_cast<Value>(i), kInt);
    const Expr is_this = Expr::make(Op::Equal, kInt, {pointer.layout_number, number});
    for (std::size_t k = 0; k < found->size(); ++k) {
      Expr& address = (*cells)[k].address;
      address = Expr::make(Op::Select, kBits64, {is_this, (*found)[k].address, std::move(address)});
    }
  }
  return cells;
}

}  // namespace

// Adds the distance to each address in the expression, for example to both addresses of a Select. If the distance were
// added to the whole expression, models could not tell which objects it points into.
Expr moved_address(const Expr& address, Value distance) {
  if (distance == 0) return address;
  if (address.op == Op::Select) {
    return Expr::make(Op::Select, kBits64,
                      {address.arguments[0], moved_address(address.arguments[1], distance),
                       moved_address(address.arguments[2], distance)});
  }
  if (address.op != Op::Add) return plus(address, constant64(distance));
  const Expr& added = address.arguments[1];
  if (added.is_constant()) return plus(address.arguments[0], constant64(added.constant + distance));
  return make64(Op::Add, moved_address(address.arguments[0], distance), added);
}

std::optional<ObjectId> only_object(const Expr& address) {
  if (address.op == Op::Select) {
    const std::optional<ObjectId> object = only_object(address.arguments[1]);
    return object == only_object(address.arguments[2]) ? object : std::nullopt;
  }
  const std::optional<Value> constants = constant_part(address);
  const Value object = constants ? object_of(*constants) : -1;
  return object < 0 ? std::nullopt : std::optional(static_cast<ObjectId>(object));
}

std::optional<std::vector<CellAccess>> cells_at(const Symbol& pointer, unsigned bytes, std::string& error) {
  if (!pointer.layouts.empty()) return cells_of_any_layout(pointer, bytes, error);
  return CellFinder(pointer, error).find(bytes);
}

std::optional<Expr> layout_number_in(const Symbol& pointer, const std::vector<const Layout*>& layouts) {
  const std::vector<const Layout*> own = pointer.all_layouts();
  std::optional<Expr> number;
  for (std::size_t i = own.size(); i-- > 0;) {
    const auto found = std::ranges::find(layouts, own[i]);
    if (found == layouts.end()) return std::nullopt;
    Expr here = Expr::make_constant(found - layouts.begin(), kInt);
    if (!number) {
      number = std::move(here);
      continue;
    }
    const Expr index = Expr::make_constant(static_cast<Value>(i), kInt);
    const Expr is_this = Expr::make(Op::Equal, kInt, {pointer.layout_number, index});
    number = Expr::make(Op::Select, kInt, {is_this, std::move(here), *std::move(number)});
  }
  return number;
}

ByteOffset byte_offset(const Symbol& pointer) {
  // Every variable is smaller than kOutside. The sum of kOutside and the size of an access does not overflow.
  constexpr Value kOutside = Value{1} << 60U;
  const Linear sum = linear(pointer.value);
  ByteOffset result = {std::clamp(sum.constant, -kOutside, kOutside), 0, 0, 0};
  const Bounds unknown = bounds_of(kBits64);
  for (const Linear::Term& term : sum.terms) {
    result.step = std::gcd(result.step, term.divisor());
    const Bounds bounds = bounds_of(times(as(term.term, kBits64), term.coefficient));
    const bool is_known = bounds.low > unknown.low / 4 && bounds.high < unknown.high / 4 &&
                          result.low > unknown.low / 4 && result.high < unknown.high / 4;
    result.low = is_known ? result.low + bounds.low : unknown.low;
    result.high = is_known ? result.high + bounds.high : unknown.high;
  }
  return result;
}

std::optional<ElementPointer> element_of(const Symbol& pointer) {
  if (pointer.base != Symbol::Base::Memory) return std::nullopt;
  if (!pointer.layouts.empty()) return ElementPointer{pointer.pointer, pointer.value};
  const Split at = split(pointer);
  Expr address = moved_address(pointer.pointer, at.element);
  if (at.elements.is_constant()) {
    address = moved_address(address, at.elements.constant);
  } else {
    address = plus(std::move(address), limited(at.elements));
  }
  return ElementPointer{std::move(address), plus(at.inner_bytes(), constant64(at.rest))};
}

Expr byte_number(const ElementPointer& pointer, const Layout& layout) {
  if (pointer.bytes.is_constant() && pointer.bytes.constant == 0) return pointer.address;
  const Expr index = make64(Op::BitAnd, pointer.address, constant64(kObjectStep - 1));
  const Expr object = make64(Op::Subtract, pointer.address, index);
  return plus(object, plus(times(index, static_cast<Value>(layout.stride)), pointer.bytes));
}

}  // namespace ambit::parser::compiled
