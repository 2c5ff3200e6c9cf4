#include <fmt/format.h>

#include <utility>

#include "parser/litmus/thread_lowering.h"
#include "parser/text/keywords.h"

namespace ambit::parser::litmus {

std::optional<Place> ThreadLowering::place_of_name(const ExprNode& node) {
  Place place;
  place.span = node.span;
  if (Variable* variable = find_variable(node.name)) {
    if (variable->erroneous) return std::nullopt;
    if (variable->kind == Variable::Kind::Reference) {
      place = variable->place;
      place.span = node.span;
      return place;
    }
    if (variable->kind == Variable::Kind::Array) {
      error(node.span, fmt::format("'{}' is an array", node.name), fmt::format("name an element: {}[0]", node.name));
      return std::nullopt;
    }
    place.variable = static_cast<std::size_t>(variable - variables_.data());
    place.type = variable->type;
    return place;
  }
  if (is_field_of_self(node.name)) {
    std::optional<FieldPlace> found = field_of(*self(), node.name, node.span);
    if (found && !found->is_array) return found->place;
    if (found) error(node.span, fmt::format("'{}' is an array", node.name), "name an element of it");
    return std::nullopt;
  }
  MemoryEntry* entry = memory_.find(node.name);
  if (entry == nullptr) {
    unknown_name(node);
    return std::nullopt;
  }
  if (entry->constant) {
    error(node.span, fmt::format("'{}' is a constant", node.name));
    return std::nullopt;
  }
  if (entry->is_array) {
    error(node.span, fmt::format("'{}' is an array", node.name), fmt::format("name an element: {}[0]", node.name));
    return std::nullopt;
  }
  place.address = array_address(*entry).expr;
  place.type = entry->type;
  return place;
}

Operand ThreadLowering::array_address(MemoryEntry& entry) {
  Operand operand;
  operand.type = entry.type;
  operand.type.is_pointer = true;
  // Code that is only checked makes no shared objects.
  const bool absent = entry.is_shared && code_.is_muted();
  operand.expr = Expr::make_constant(absent ? 0 : make_address(memory_.object(entry, block()), 0), kAddress);
  return operand;
}

std::optional<Place> ThreadLowering::place(const ExprNode& node) {
  if (!spend(node.span)) return std::nullopt;
  switch (node.kind) {
    case ExprKind::Name: return place_of_name(node);
    case ExprKind::Unary:
      if (node.unary != UnaryOp::Dereference) break;
      return dereference(value(node.children.front()), node.span);
    case ExprKind::Index: return place_of_index(node);
    case ExprKind::Member: {
      const std::optional<FieldPlace> found = field(node);
      if (found && !found->is_array) return found->place;
      if (found) error(node.span, fmt::format("'{}' is an array", node.name), "name an element of it");
      return std::nullopt;
    }
    case ExprKind::AtomicRef: {
      std::optional<Place> object = place(node.children.front());
      if (!object) return std::nullopt;
      if (object->variable || object->type.scalar != node.type.scalar || object->type.atomic_scope) {
        error(node.span, fmt::format("{} must refer to memory of its own type, but this is {}{}", to_string(node.type),
                                     object->variable ? "a variable of the thread, " : "", to_string(object->type)));
        return std::nullopt;
      }
      object->type = Type{.scalar = node.type.scalar, .atomic_scope = node.type.atomic_scope};
      object->span = node.span;
      return object;
    }
    default: break;
  }
  error(node.span, "this is not something that can be assigned", "name a variable, an element or *p");
  return std::nullopt;
}

std::optional<Place> ThreadLowering::place_of_index(const ExprNode& node) {
  if (const Variable* array =
          node.children[0].kind == ExprKind::Name ? find_variable(node.children[0].name) : nullptr) {
    if (array->kind == Variable::Kind::Array) {
      const std::optional<std::size_t> element = element_of(node);
      if (!element) return std::nullopt;
      Place place;
      place.variable = *element;
      place.type = variables_[*element].type;
      place.span = node.span;
      return place;
    }
  }
  const Operand base = value(node.children[0]);
  const Operand index = value(node.children[1]);
  if (base.erroneous || index.erroneous) return std::nullopt;
  if (!base.type.is_pointer) {
    error(node.children[0].span, "only arrays and pointers have elements");
    return std::nullopt;
  }
  if (index.type.is_pointer) {
    error(node.children[1].span, "an index must be an integer, not a pointer");
    return std::nullopt;
  }
  return dereference(add_to_pointer(base, index, false), node.span);
}

std::optional<Place> ThreadLowering::dereference(Operand pointer, SourceSpan span) {
  if (pointer.erroneous) return std::nullopt;
  if (!pointer.type.is_pointer || pointer.type.is_void) {
    error(span, fmt::format("'*' needs a pointer, but this is {}", to_string(pointer.type)));
    return std::nullopt;
  }
  if (!check_bounds(pointer.expr, pointer.type.structure != nullptr, span)) return std::nullopt;
  Place place;
  place.address = std::move(pointer.expr);
  place.type = pointer.type;
  place.type.is_pointer = false;
  place.span = span;
  return place;
}

Operand ThreadLowering::add_to_pointer(Operand pointer, Operand index, bool subtract) {
  if (pointer.erroneous || index.erroneous) return erroneous();
  Operand result;
  result.type = pointer.type;
  result.expr = Expr::make(subtract ? Op::Subtract : Op::Add, kAddress,
                           {std::move(pointer.expr), Expr::make_cast(std::move(index.expr), kAddress)});
  return result;
}

/// A constant address must point into its object; others are checked when the program runs.
bool ThreadLowering::check_bounds(const Expr& address, bool of_struct, SourceSpan span) {
  if (!address.is_constant() || !values_matter()) return true;
  const DecodedAddress at = decode_address(address.constant);
  if (at.object < 0) {
    error(span, "the null pointer is dereferenced here");
    return false;
  }
  const MemoryEntry& entry = memory_.entry_of(static_cast<ObjectId>(at.object));
  const std::uint32_t length = of_struct && entry.structs > 0 ? entry.structs : entry.length;
  if (at.index >= 0 && at.index < static_cast<std::int64_t>(length)) return true;
  const std::string thread = setting_.kernel ? fmt::format(" (in thread {})", setting_.name) : "";
  if (!entry.is_array) {
    error(span, fmt::format("this is {} element{} away from '{}', which is not an array{}", std::abs(at.index),
                            std::abs(at.index) == 1 ? "" : "s", entry.name, thread));
  } else {
    error(span,
          fmt::format("index {} is out of range: '{}' has {} element{}{}", at.index, entry.name, length,
                      length == 1 ? "" : "s", thread),
          length == 1 ? "its only index is 0" : fmt::format("its indices are 0 to {}", length - 1));
  }
  return false;
}

Operand ThreadLowering::address_of(const ExprNode& node) {
  if (node.kind == ExprKind::Name && find_variable(node.name) == nullptr) {
    MemoryEntry* entry = memory_.find(node.name);
    if (entry != nullptr && entry->is_array && !entry->constant) return array_address(*entry);  // &data, taken as data
  }
  if (node.kind == ExprKind::Member) {
    const std::optional<FieldPlace> found = field(node);
    return found ? pointer_to(found->place) : erroneous();
  }
  const std::optional<Place> object = place(node);
  if (!object) return erroneous();
  if (object->variable) {
    error(node.span,
          fmt::format("'{}' is a variable of the thread: it has no address", variables_[*object->variable].name),
          "declare it in memory: in the { } block, or as __device__ or __shared__");
    return erroneous();
  }
  return pointer_to(*object);
}

/// The access that a plain read or write of `place` makes: weak, volatile, or the seq_cst operation of cuda::atomic.
MemoryAccess ThreadLowering::access(const Place& place) const {
  MemoryAccess access;
  access.address = place.address;
  access.type = place.type.scalar;
  if (place.type.atomic_scope) {
    access.order = Order::SeqCst;
    access.scope = *place.type.atomic_scope;
    access.is_atomic = true;
  } else if (place.type.is_volatile) {
    access.order = Order::Relaxed;
    access.is_volatile = true;
  }
  return access;
}

Operand ThreadLowering::load(const Place& place, const MemoryAccess& access, SourceSpan span) {
  const RegisterId target = code_.temporary(access.type);
  code_.emit(Load{target, access}, span);
  Operand operand;
  operand.type = Type{.scalar = place.type.scalar, .is_bool = place.type.is_bool};
  operand.expr = Expr::make_register(target, access.type);
  return operand;
}

Operand ThreadLowering::read(const Place& place) {
  if (place.variable) return read_variable(*place.variable, place.span);
  if (place.type.structure != nullptr) {
    error(place.span, "a struct is not read as a whole", "name its fields, or pass a pointer or reference to it");
    return erroneous();
  }
  return load(place, access(place), place.span);
}

void ThreadLowering::write(const Place& place, Operand written, SourceSpan span) {
  if (place.variable) return assign_variable(*place.variable, std::move(written), span);
  Type cell = place.type;
  Operand converted = convert(std::move(written), cell, span);
  if (converted.erroneous) return;
  code_.emit(Store{access(place), std::move(converted.expr), LockRole::None}, span);
}

Operand ThreadLowering::assign(const ExprNode& node, bool discarded) {
  if (!spend(node.span)) return erroneous();
  const ExprNode& target = node.children[0];
  const ExprNode& source = node.children[1];
  if (!node.compound) {
    Operand assigned = value(source);
    std::optional<Place> to = place(target);
    if (!to || assigned.erroneous) return erroneous();
    if (source.kind == ExprKind::Integer && !to->type.is_pointer && !to->type.is_bool) {
      check_range(source.value, source.scalar, to->type, source.span, reporter_);
    }
    if (discarded) {
      write(*to, std::move(assigned), node.span);
      return nothing();
    }
    Operand result = convert(assigned, to->type, source.span);
    if (result.erroneous) return result;
    write(*to, result, node.span);
    return to->variable ? read_variable(*to->variable, node.span) : result;
  }
  Operand operand = value(source);
  const std::optional<Place> to = place(target);
  if (!to || operand.erroneous) return erroneous();
  if (to->type.atomic_scope && !to->variable) {
    return atomic_update(*to, *node.compound, std::move(operand), node.span, discarded, false);
  }
  return modify(*to, *node.compound, std::move(operand), node.span, false);
}

Operand ThreadLowering::increment(const ExprNode& node, bool discarded) {
  if (!spend(node.span)) return erroneous();
  const std::optional<Place> to = place(node.children.front());
  if (!to) return erroneous();
  const Op op = node.is_decrement ? Op::Subtract : Op::Add;
  const bool old_value = !node.is_prefix && !discarded;
  Operand one = integer(Expr::make_constant(1));
  if (to->type.atomic_scope && !to->variable) {
    return atomic_update(*to, op, std::move(one), node.span, discarded, old_value);
  }
  return modify(*to, op, std::move(one), node.span, old_value);
}

/// `x op= e` on anything that is not atomic: a read, then a write.
Operand ThreadLowering::modify(const Place& place, Op op, Operand operand, SourceSpan span, bool old_value) {
  Place cell = place;
  cell.span = span;
  Operand old = read(cell);
  if (old.erroneous) return old;
  if (old_value) old.expr = stable(std::move(old.expr), span);
  Operand updated;
  if (old.type.is_pointer) {
    if (op != Op::Add && op != Op::Subtract) {
      error(span, fmt::format("'{}=' is not an operator on pointers", ambit::to_string(op)));
      return erroneous();
    }
    updated = add_to_pointer(old, std::move(operand), op == Op::Subtract);
  } else if (operand.type.is_pointer) {
    error(span, "the right side must be an integer, not a pointer");
    return erroneous();
  } else {
    const bool divides = op == Op::Divide || op == Op::Remainder;
    if (divides && operand.expr.is_constant() && operand.expr.constant == 0 && values_matter()) {
      error(span, "division by zero");
      return erroneous();
    }
    updated = integer(make_binary(op, old.expr, std::move(operand.expr)));
  }
  Operand result = convert(std::move(updated), cell.type, span);
  write(cell, result, span);
  if (old_value) return old;
  if (cell.variable) return read_variable(*cell.variable, span);
  return result;
}

}  // namespace ambit::parser::litmus
