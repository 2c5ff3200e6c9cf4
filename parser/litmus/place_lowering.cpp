#include "parser/litmus/place_lowering.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/plural.h"
#include "core/opaque.h"
#include "parser/litmus/foreign_names.h"
#include "parser/text/keywords.h"

namespace ambit::parser::litmus {
namespace {

constexpr Value kIndexMask = 0xffffffff;
constexpr Value kObject = Value{1} << 32;  // distance between the addresses of consecutive objects

/// Returns the access that a plain read or write of `place` makes: a weak or volatile access, or a seq_cst access if
/// `place` is a cuda::atomic.
MemoryAccess plain_access(const Place& place) {
  if (place.type.atomic_scope) return atomic_access(place, {Order::SeqCst, *place.type.atomic_scope});
  MemoryAccess access;
  access.address = place.address;
  access.type = place.type.scalar;
  access.is_opaque = place.type.is_opaque;
  access.is_volatile = place.type.is_volatile;
  access.is_read_only = place.is_read_only;
  if (access.is_volatile) access.order = Order::Relaxed;
  return access;
}

/// Returns whether the place contains a pointer.
bool holds_pointer(const Place& place) {
  return place.variable != nullptr ? place.type.is_pointer : place.type.target.has_value();
}

}  // namespace

bool is_builtin_triple(std::string_view name) {
  return name == "threadIdx" || name == "blockIdx" || name == "blockDim" || name == "gridDim";
}

std::optional<Place> PlaceLowering::place(const ExprNode& node) {
  if (!thread_.spend(node.span)) return std::nullopt;
  switch (node.kind) {
    case ExprKind::Name: return place_of_name(node);
    case ExprKind::Unary:
      if (node.unary != UnaryOp::Dereference) break;
      return dereference(thread_.value(node.children.front()), node.span, Check::Unguarded);
    case ExprKind::Index: return scalar_field(element(node), node);
    case ExprKind::Member:
      if (Variable* inside = part_of_variable(node)) return place_of_variable(*inside, node);
      return scalar_field(field(node), node);
    case ExprKind::AtomicRef: return place_of_atomic_ref(node);
    default: break;
  }
  return thread_.error(node.span, "this expression cannot be assigned", "name a variable, an element or *p");
}

std::optional<Place> PlaceLowering::place_of_name(const ExprNode& node) {
  const auto array_error = [&] {
    return thread_.error(node.span, fmt::format("'{}' is an array", node.name),
                         fmt::format("name an element: {}[0]", node.name));
  };
  if (Variable* variable = thread_.variables.find(node.name)) {
    if (variable->kind == Variable::Kind::Array && !variable->erroneous) return array_error();
    return place_of_variable(*variable, node);
  }
  if (is_field_of_self(node.name)) return scalar_field(field_of(*thread_.frame->self, node.name, node.span), node);
  MemoryEntry* entry = thread_.memory.find(node.name);
  if (entry == nullptr) {
    unknown_name(node, true);
    return std::nullopt;
  }
  if (entry->constant) return thread_.error(node.span, fmt::format("'{}' is a constant", node.name));
  if (entry->is_array) return array_error();
  return Place{nullptr, array_address(*entry).expr, entry->type, node.span};
}

std::optional<Place> PlaceLowering::place_of_variable(Variable& variable, const ExprNode& node) {
  if (variable.erroneous) return std::nullopt;
  if (variable.kind == Variable::Kind::Array) {
    return thread_.error(node.span, "this is an array", "name an element of it");
  }
  if (variable.kind != Variable::Kind::Reference) {
    return Place{&variable, {}, variable.type, node.span};
  }
  Place place = variable.place;
  place.span = node.span;
  return place;
}

Variable* PlaceLowering::part_of_variable(const ExprNode& node) {
  if (node.kind == ExprKind::Name) {
    Variable* variable = thread_.variables.find(node.name);
    const bool is_self = variable == nullptr && is_field_of_self(node.name) && thread_.frame->self->variable != nullptr;
    if (is_self) return field_of_variable(*thread_.frame->self->variable, node.name);
    if (variable != nullptr && variable->kind == Variable::Kind::Reference && variable->place.variable != nullptr) {
      return variable->place.variable;
    }
    return variable;
  }
  if (node.kind != ExprKind::Member) return nullptr;
  const ExprNode& object = node.children.front();
  Variable* whole = nullptr;
  if (node.is_arrow) {
    const bool is_this = object.kind == ExprKind::Name && object.name == "this" && thread_.frame->self;
    whole = is_this ? thread_.frame->self->variable : nullptr;
  } else {
    whole = part_of_variable(object);
  }
  if (whole == nullptr || whole->kind != Variable::Kind::Struct) return nullptr;
  return field_of_variable(*whole, node.name);
}

/// Returns the field of a struct variable; null if the struct does not have the field.
Variable* PlaceLowering::field_of_variable(const Variable& whole, std::string_view name) {
  const StructLayout& layout = thread_.memory.layout(*whole.type.structure);
  for (std::size_t i = 0; i < layout.fields.size(); ++i) {
    if (layout.fields[i].name == name) return whole.elements[i];
  }
  return nullptr;
}

std::optional<Place> PlaceLowering::place_of_atomic_ref(const ExprNode& node) {
  std::optional<Place> object = place(node.children.front());
  if (!object) return std::nullopt;
  if (object->variable || object->type.structure != nullptr || object->type.scalar != node.type.scalar ||
      object->type.target != node.type.target || object->type.atomic_scope) {
    return thread_.error(node.span,
                         fmt::format("{} must refer to memory of its own type, but this is {}{}", to_string(node.type),
                                     object->variable ? "a local variable, " : "", to_string(object->type)));
  }
  object->type = Type{.scalar = node.type.scalar, .target = node.type.target, .atomic_scope = node.type.atomic_scope};
  object->span = node.span;
  return object;
}

std::optional<FieldPlace> PlaceLowering::element(const ExprNode& node) {
  const std::optional<Variable*> local = local_element(node);
  if (!local) return std::nullopt;
  if (*local != nullptr) {
    return FieldPlace{{*local, {}, (*local)->type, node.span}, (*local)->kind == Variable::Kind::Array};
  }
  const ExprNode& array = node.children[0];
  const Operand base = thread_.value(array);
  const Operand index = thread_.value(node.children[1]);
  if (base.erroneous || index.erroneous) return std::nullopt;
  if (!base.type.is_pointer) return thread_.error(array.span, "only arrays and pointers have elements");
  if (index.type.is_pointer || index.type.is_opaque || is_struct_value(index.type)) {
    return thread_.error(node.children[1].span,
                         fmt::format("an index must be an integer, not {}", to_string(index.type)));
  }
  const std::optional<Place> found =
      dereference(move_pointer(base, Op::Add, index, node.span), node.span, Check::Unguarded);
  if (!found) return std::nullopt;
  FieldPlace result{*found, base.type.inner[0] != 0};
  if (result.is_array) result.place.type = row_type(result.place.type);
  return result;
}

/// Returns the variable `array[i]` if `array` is an array of the thread. Returns null if `array` is in memory; returns
/// nothing after an error.
std::optional<Variable*> PlaceLowering::local_element(const ExprNode& node) {
  const ExprNode& base = node.children[0];
  Variable* array = part_of_variable(base);
  if (base.kind == ExprKind::Index) {
    const std::optional<Variable*> row = local_element(base);
    if (!row) return std::nullopt;
    array = *row;
  }
  if (array == nullptr || array->kind != Variable::Kind::Array) return nullptr;
  const Operand index = thread_.value(node.children[1]);
  if (array->erroneous || index.erroneous || array->elements.empty()) return std::nullopt;
  if (!thread_.values_matter()) return array->elements.front();
  if (!index.expr.is_constant()) {
    return thread_.error(node.children[1].span,
                         fmt::format("'{}' is a local array: its index must be a constant", array->name),
                         "give the loop constant bounds, so that Ambit unrolls it, or declare the array __shared__");
  }
  const Value at = index.expr.constant;
  if (at >= 0 && at < static_cast<Value>(array->elements.size())) return array->elements[static_cast<std::size_t>(at)];
  report_index(fmt::format("index {} is out of range: '{}' has {} elements", at, array->name, array->elements.size()),
               node.span);
  return is_guarded(Check::Unguarded) ? std::optional(array->elements.front()) : std::nullopt;
}

Operand PlaceLowering::move_pointer(Operand pointer, Op op, Operand index, SourceSpan span) {
  if (!pointer.local || pointer.erroneous || index.erroneous) {
    return add_to_pointer(std::move(pointer), op, std::move(index));
  }
  if (!index.expr.is_constant()) {
    if (!thread_.values_matter()) return pointer;
    return thread_.error(span, "this pointer points to local variables: its offset must be a constant",
                         "give the loop constant bounds, so that Ambit unrolls it, or declare the array __shared__");
  }
  pointer.local->index += op == Op::Add ? index.expr.constant : -index.expr.constant;
  return pointer;
}

Operand PlaceLowering::pointer_to_variable(Variable& variable, Value index) {
  const auto forget = [](Variable& one, const auto& self) -> void {
    one.is_addressed = true;
    one.known.reset();
    for (Variable* element : one.elements) self(*element, self);
  };
  forget(variable, forget);
  constexpr Value kNowhere = Value{1} << 62;  // a non-null address outside of all objects
  Operand pointer(Expr::make_constant(kNowhere, kAddress), variable.type);
  pointer.type.is_pointer = true;
  pointer.local = LocalPointer{&variable, index};
  return pointer;
}

bool PlaceLowering::is_writable(const Place& place, SourceSpan span) {
  if (place.variable != nullptr || !thread_.values_matter()) return true;
  const std::optional<Value> base = constant_part(place.address);
  if (!base) return true;
  const DecodedAddress at = decode_address(*base);
  if (at.object < 0 || at.object >= static_cast<std::int64_t>(thread_.assembly.program.objects.size())) return true;
  const MemoryEntry& entry = thread_.memory.entry_of(static_cast<ObjectId>(at.object));
  if (!entry.is_read_only) return true;
  thread_.error(span, fmt::format("'{}' is in constant memory: device code cannot write it", entry.name),
                "declare it __device__, or write it in host code with cudaMemcpyToSymbol");
  return false;
}

std::optional<Place> PlaceLowering::object_of(const ExprNode& member) {
  const ExprNode& object = member.children.front();
  if (!member.is_arrow) return place(object);
  if (object.kind == ExprKind::Name && object.name == "this" && thread_.frame->self) return thread_.frame->self;
  return dereference(thread_.value(object), object.span, Check::Unguarded);
}

bool PlaceLowering::is_guarded(Check check) const {
  return check == Check::Unguarded && thread_.setting.kernel && thread_.code.is_guarded();
}

/// Reports an access outside of a variable of the thread. If every execution performs the access, the test has an
/// error. If only some executions perform the access, these executions have undefined behaviour.
void PlaceLowering::report_index(std::string message, SourceSpan span) {
  if (!is_guarded(Check::Unguarded)) {
    thread_.error(span, std::move(message));
  } else {
    thread_.code.emit(Assert{Expr::make_constant(0), std::move(message)}, span);
  }
}

std::optional<Place> PlaceLowering::dereference(Operand pointer, SourceSpan span, Check check) {
  if (pointer.erroneous) return std::nullopt;
  if (pointer.local) return dereference_local(*pointer.local, span);
  if (!pointer.type.is_pointer || pointer.type.is_void) {
    return thread_.error(span, fmt::format("'*' needs a pointer, but this is {}", to_string(pointer.type)));
  }
  // A constant address must point into an object. The checker examines other addresses in each execution.
  if (pointer.expr.is_constant() && thread_.values_matter() && !is_guarded(check)) {
    const DecodedAddress at = decode_address(pointer.expr.constant);
    if (at.object < 0) return thread_.error(span, "this dereferences the null pointer");
    if (at.object >= static_cast<std::int64_t>(thread_.assembly.program.objects.size())) {
      return thread_.error(span, "this address does not point into an object");
    }
    const MemoryEntry& entry = thread_.memory.entry_of(static_cast<ObjectId>(at.object));
    const bool counts_structs = pointer.type.structure != nullptr && entry.structs > 0;
    const std::int64_t length = counts_structs ? entry.structs : entry.length;
    if (at.index < 0 || at.index >= length) return out_of_range(entry, at.index, length, span);
  }
  Place place{nullptr, std::move(pointer.expr), pointer.type, span};
  place.type.is_pointer = false;
  return place;
}

std::optional<Place> PlaceLowering::dereference_local(const LocalPointer& pointer, SourceSpan span) {
  Variable* target = pointer.target;
  const bool is_array = target->kind == Variable::Kind::Array;
  const auto length = static_cast<Value>(is_array ? target->elements.size() : 1);
  if (thread_.values_matter() && (pointer.index < 0 || pointer.index >= length)) {
    report_index(fmt::format("index {} is out of range: the variable has {}", pointer.index,
                             plural(static_cast<std::uint64_t>(length), "element")),
                 span);
    if (!is_guarded(Check::Unguarded)) return std::nullopt;
  }
  const bool is_inside = thread_.values_matter() && pointer.index >= 0 && pointer.index < length;
  if (is_array) target = target->elements[is_inside ? static_cast<std::size_t>(pointer.index) : 0];
  return Place{target, {}, target->type, span};
}

std::nullopt_t PlaceLowering::out_of_range(const MemoryEntry& entry, std::int64_t index, std::int64_t length,
                                           SourceSpan span) {
  if (!entry.is_array) {
    return thread_.error(span, fmt::format("this address is {} away from '{}', which is not an array{}",
                                           plural(static_cast<std::uint64_t>(std::abs(index)), "element"), entry.name,
                                           thread_.in_thread()));
  }
  return thread_.error(span,
                       fmt::format("index {} is out of range: '{}' has {}{}", index, entry.name,
                                   plural(static_cast<std::uint64_t>(length), "element"), thread_.in_thread()),
                       length == 1 ? "its only index is 0" : fmt::format("its indices are 0 to {}", length - 1));
}

std::optional<Place> PlaceLowering::pointed_to(const Place& pointer, const Call& call) {
  std::optional<Place> cell = dereference(read(pointer), pointer.span, Check::Unguarded);
  if (cell) cell->span = call.node.span;
  return cell;
}

std::optional<Place> PlaceLowering::memory_argument(const Call& call, std::size_t index, MemoryForm form) {
  const ExprNode& node = call.arguments[index];
  const auto address_error = [&](std::string hint) {
    return thread_.error(node.span, fmt::format("'{}' needs the address of the memory that it changes", call.name),
                         std::move(hint));
  };
  bool is_cell = node.kind == ExprKind::Index || node.kind == ExprKind::AtomicRef ||
                 (node.kind == ExprKind::Unary && node.unary == UnaryOp::Dereference);
  if (node.kind == ExprKind::Member) {
    std::optional<FieldPlace> found = field(node);
    if (!found) return std::nullopt;
    found->place.span = call.node.span;
    if (form == MemoryForm::Pointer && !found->is_array && holds_pointer(found->place)) {  // atomicAdd(t.used, 1)
      return pointed_to(found->place, call);
    }
    if (found->is_array || form == MemoryForm::CellOrPointer) return found->place;
    return address_error("write & before the argument");
  }
  if (node.kind == ExprKind::Name) {
    const Variable* variable = thread_.variables.find(node.name);
    const MemoryEntry* entry = variable == nullptr ? thread_.memory.find(node.name) : nullptr;
    is_cell = variable != nullptr ? !variable->type.is_pointer : entry != nullptr && !entry->is_array;
  }
  std::optional<Place> cell;
  if (is_cell && (form == MemoryForm::CellOrPointer || node.kind != ExprKind::AtomicRef)) {
    cell = place(node);
    if (!cell) return std::nullopt;
    if (form == MemoryForm::Pointer && holds_pointer(*cell)) return pointed_to(*cell, call);
    if (form == MemoryForm::Pointer) {
      return address_error(cell->variable                ? "a local variable is not memory"
                           : node.kind != ExprKind::Name ? "write & before the argument"
                                                         : fmt::format("write &{}", node.name));
    }
    if (cell->variable) {
      return thread_.error(node.span, fmt::format("'{}' is a local variable, not memory", cell->variable->name));
    }
  } else {
    Operand pointer = thread_.value(node);
    if (!pointer.erroneous && !pointer.type.is_pointer) {
      return thread_.error(node.span, fmt::format("'{}' needs memory, but this argument is a value", call.name));
    }
    cell = dereference(std::move(pointer), node.span, Check::Unguarded);
  }
  if (cell) cell->span = call.node.span;
  return cell;
}

Operand PlaceLowering::address_of(const ExprNode& node) {
  if (node.kind == ExprKind::Name && thread_.variables.find(node.name) == nullptr) {
    MemoryEntry* entry = thread_.memory.find(node.name);
    if (entry != nullptr && entry->is_array && !entry->constant) return array_address(*entry);  // &data means data
  }
  if (node.kind == ExprKind::Member && part_of_variable(node) == nullptr) {
    const std::optional<FieldPlace> found = field(node);
    return found ? address_of_field(*found) : std::nullopt;
  }
  if (node.kind == ExprKind::Index) return address_of_element(node);
  const std::optional<Place> object = place(node);
  return object ? address_of_field({*object, false}) : std::nullopt;
}

Operand PlaceLowering::address_of_field(const FieldPlace& field) {
  return field.place.variable != nullptr ? pointer_to_variable(*field.place.variable) : pointer_to(field.place);
}

/// Lowers `&a[i]`. If a is a local array, pointer arithmetic on the result can reach the other elements of the array.
Operand PlaceLowering::address_of_element(const ExprNode& node) {
  Variable* array = node.children[0].kind == ExprKind::Index ? nullptr : part_of_variable(node.children[0]);
  if (array != nullptr && array->kind == Variable::Kind::Array) {
    return move_pointer(pointer_to_variable(*array), Op::Add, thread_.value(node.children[1]), node.span);
  }
  const std::optional<FieldPlace> found = element(node);
  return found ? address_of_field(*found) : std::nullopt;
}

Operand PlaceLowering::array_address(MemoryEntry& entry) {
  // Muted code must not create shared objects.
  const bool absent = entry.is_shared && !thread_.values_matter();
  const Value address = absent ? 0 : make_address(thread_.memory.object(entry, thread_.block()), 0);
  return pointer_to({nullptr, Expr::make_constant(address, kAddress), entry.type, {}});
}

bool PlaceLowering::is_field_of_self(std::string_view name) {
  if (!thread_.frame->self) return false;
  const StructLayout& layout = thread_.memory.layout(*thread_.frame->self->type.structure);
  return std::any_of(layout.fields.begin(), layout.fields.end(),
                     [&](const StructLayout::Field& field) { return field.name == name; });
}

std::optional<FieldPlace> PlaceLowering::field(const ExprNode& node) {
  const std::optional<Place> found = object_of(node);
  if (!found) return std::nullopt;
  if (is_struct_value(found->type)) return field_of(*found, node.name, node.span);
  if (found->type.atomic_scope) {
    return thread_.error(node.span, fmt::format("the member function '.{}' must be called", node.name),
                         fmt::format("write .{}(...)", node.name));
  }
  return thread_.error(node.children.front().span,
                       fmt::format("this is {}, which has no field '{}'", to_string(found->type), node.name));
}

/// Returns the place of a field. In memory, each field of a struct has its own object. The field's index is the
/// struct's index. If the field is an array, the index is multiplied by the array's length (StructLayout).
std::optional<FieldPlace> PlaceLowering::field_of(const Place& object, std::string_view name, SourceSpan span) {
  if (object.variable != nullptr) {
    if (Variable* part = field_of_variable(*object.variable, name)) {
      const bool is_array = part->kind == Variable::Kind::Array;
      return FieldPlace{{part, {}, part->type, span}, is_array};
    }
  }
  const StructNode& structure = *object.type.structure;
  const StructLayout& layout = thread_.memory.layout(structure);
  const auto found = std::find_if(layout.fields.begin(), layout.fields.end(),
                                  [&](const StructLayout::Field& field) { return field.name == name; });
  if (found == layout.fields.end()) {
    std::vector<std::string_view> names;
    for (const StructLayout::Field& field : layout.fields) names.push_back(field.name);
    return thread_.error(span, fmt::format("the struct '{}' has no field '{}'", structure.name.text, name),
                         did_you_mean(name, names, one_of("its fields are", names)));
  }
  Expr address = object.address;
  if (found->length > 1) {
    const Expr index = Expr::make(Op::BitAnd, kAddress, {address, Expr::make_constant(kIndexMask, kAddress)});
    const Expr more =
        Expr::make(Op::Multiply, kAddress, {index, Expr::make_constant(Value{found->length} - 1, kAddress)});
    address = Expr::make(Op::Add, kAddress, {std::move(address), more});
  }
  address = Expr::make(Op::Add, kAddress, {std::move(address), Expr::make_constant(kObject * found->object, kAddress)});
  FieldPlace result{{nullptr, std::move(address), found->type, span}, found->is_array};
  result.place.type.is_volatile |= object.type.is_volatile;
  return result;
}

std::optional<Place> PlaceLowering::scalar_field(const std::optional<FieldPlace>& field, const ExprNode& node) {
  if (!field) return std::nullopt;
  if (!field->is_array) return field->place;
  return thread_.error(node.span, fmt::format("'{}' is an array", node.name), "name one of its elements");
}

Operand PlaceLowering::read(const std::optional<FieldPlace>& field) {
  if (!field) return std::nullopt;
  if (field->is_array && field->place.variable != nullptr) return pointer_to_variable(*field->place.variable);
  return field->is_array ? pointer_to(field->place) : read(field->place);
}

Operand PlaceLowering::read(const Place& place) {
  if (place.variable) return thread_.variables.read(*place.variable, place.span);
  if (place.type.structure != nullptr) {
    Operand whole(Expr{}, Type{.structure = place.type.structure});
    for_each_cell(place, [&](const Place& cell) { whole.fields.push_back(read(cell)); });
    return whole;
  }
  return load(place, plain_access(place), place.span);
}

void PlaceLowering::write(const Place& place, Operand value, SourceSpan span) {
  if (place.variable) return thread_.variables.assign(*place.variable, std::move(value), span);
  Operand converted = thread_.convert(std::move(value), place.type, span);
  if (converted.erroneous) return;
  if (!is_writable(place, span)) return;
  if (converted.local) {
    thread_.error(span, "the address of a local variable cannot be in memory", "pass it to functions, or use an index");
    return;
  }
  if (is_struct_value(place.type)) {
    std::size_t next = 0;
    for_each_cell(place, [&](const Place& cell) {
      if (next < converted.fields.size()) write(cell, converted.fields[next++], span);
    });
    return;
  }
  thread_.code.emit(Store{plain_access(place), std::move(converted.expr), LockRole::None}, span);
}

void PlaceLowering::for_each_cell(const Place& place, const std::function<void(const Place&)>& visit) {
  if (!is_struct_value(place.type)) return visit(place);
  Place object = place;
  object.address = thread_.code.stable(std::move(object.address), place.span);
  for (const StructLayout::Field& field : thread_.memory.layout(*place.type.structure).fields) {
    const std::optional<FieldPlace> found = field_of(object, field.name, place.span);
    for (std::uint32_t i = 0; found && i < field.length; ++i) {
      Place cell = found->place;
      cell.is_read_only = place.is_read_only;
      if (i > 0) cell.address = Expr::make(Op::Add, kAddress, {cell.address, Expr::make_constant(i, kAddress)});
      for_each_cell(cell, visit);
    }
  }
}

Operand PlaceLowering::move_bytes(Operand address, Operand bytes, SourceSpan span) {
  if (address.erroneous || bytes.erroneous) return std::nullopt;
  Type element = address.type;
  element.is_pointer = false;
  element.inner = address.type.inner = {};
  const auto size = static_cast<Value>(thread_.memory.size_of(element));
  const Expr number = Expr::make_cast(std::move(bytes.expr), kLongLong);
  if (number.is_constant() && number.constant % size != 0) {
    return thread_.error(span, fmt::format("{} bytes are not a multiple of {}, the size of {}", number.constant, size,
                                           to_string(element)));
  }
  Expr index = Expr::make(Op::Divide, kLongLong, {number, Expr::make_constant(size, kLongLong)});
  return add_to_pointer(std::move(address), Op::Add, Operand::integer(std::move(index)));
}

Operand PlaceLowering::load(const Place& place, const MemoryAccess& access, SourceSpan span) {
  const RegisterId target = thread_.code.temporary(access.type);
  thread_.code.emit(Load{target, access}, span);
  return {Expr::make_register(target, access.type), cell_type(place.type)};
}

/// Returns a hint that shows a declaration of an unknown name. `in_kernel` says whether kernel code uses the name.
static std::string declaration_hint(std::string_view name, bool is_written, bool in_kernel) {
  if (name.find(':') != std::string_view::npos || name.starts_with("__")) return {};
  if (is_usual_register(name)) {
    return fmt::format("declare the register{}: int {} = ...;", is_written ? "" : " before its first use", name);
  }
  const bool is_macro = std::ranges::all_of(name, [](char c) { return c == '_' || (c >= 'A' && c <= 'Z'); });
  if (in_kernel && is_macro && !is_written) return fmt::format("define it: -D {}=VALUE", name);
  const std::string memory =
      in_kernel ? fmt::format("__device__ int {};", name) : fmt::format("{{ global int {}; }}", name);
  return fmt::format("declare it: {} for memory, int {} = ...; for a register", memory, name);
}

Operand PlaceLowering::unknown_name(const ExprNode& node, bool is_written) {
  std::vector<std::string_view> names = thread_.variables.names();
  const std::vector<std::string_view> memory = thread_.memory.names();
  names.insert(names.end(), memory.begin(), memory.end());
  std::string hint = is_listed_function(node.name) ? fmt::format("this is a function: write {}", call_form(node.name))
                                                   : did_you_mean(node.name, names);
  if (const SourceFilePtr& file = thread_.assembly.reporter.file(); file != nullptr && node.span.line > 0) {
    const std::string_view line = file->line(node.span.line);
    const std::string_view rest = line.substr(std::min<std::size_t>(node.span.column - 1, line.size()));
    if (std::string call = call_with_suffixes(node.name, rest); !call.empty()) hint = std::move(call);
  }
  if (hint.empty()) hint = declaration_hint(node.name, is_written, thread_.setting.kernel.has_value());
  if (is_builtin_triple(node.name)) hint = "threadIdx, blockIdx, blockDim and gridDim have values only in kernels";
  if (hint.empty() && thread_.functions.find(node.name) != nullptr) hint = "this is a function: call it";
  return thread_.error(node.span, fmt::format("unknown name '{}'", node.name), hint);
}

}  // namespace ambit::parser::litmus
