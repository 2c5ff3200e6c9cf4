#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "parser/litmus/thread_lowering.h"
#include "parser/text/keywords.h"

namespace ambit::parser::litmus {
namespace {

constexpr Value kIndexMask = 0xffffffff;
constexpr Value kObject = Value{1} << 32;  // the distance of an object from the next one in addresses

}  // namespace

Operand ThreadLowering::pointer_to(const Place& place) {
  Operand operand;
  operand.type = place.type;
  operand.type.is_pointer = true;
  operand.expr = place.address;
  return operand;
}

bool ThreadLowering::is_field_of_self(std::string_view name) {
  if (!self()) return false;
  const StructLayout& layout = memory_.layout(*self()->type.structure);
  return std::any_of(layout.fields.begin(), layout.fields.end(),
                     [&](const StructLayout::Field& field) { return field.name == name; });
}

/// `s.a`, `p->a`, `this->a`.
std::optional<ThreadLowering::FieldPlace> ThreadLowering::field(const ExprNode& node) {
  const ExprNode& object = node.children.front();
  std::optional<Place> found;
  if (node.is_arrow && object.kind == ExprKind::Name && object.name == "this" && self()) {
    found = self();
  } else if (node.is_arrow) {
    found = dereference(value(object), object.span);
  } else {
    found = place(object);
  }
  if (!found) return std::nullopt;
  if (found->type.structure == nullptr || found->variable) {
    if (found->type.atomic_scope) {
      error(node.span, fmt::format("'.{}' is not called", node.name),
            "the members of atomics are functions: write (...) after it");
    } else {
      error(object.span, fmt::format("this is {}, which has no field '{}'", to_string(found->type), node.name));
    }
    return std::nullopt;
  }
  return field_of(*found, node.name, node.span);
}

/// The object of a field is its number after the struct's first one; the index is the struct's, times the length of the
/// field where that is an array (StructLayout).
std::optional<ThreadLowering::FieldPlace> ThreadLowering::field_of(const Place& object, std::string_view name,
                                                                   SourceSpan span) {
  const StructNode& structure = *object.type.structure;
  const StructLayout& layout = memory_.layout(structure);
  const auto found = std::find_if(layout.fields.begin(), layout.fields.end(),
                                  [&](const StructLayout::Field& field) { return field.name == name; });
  if (found == layout.fields.end()) {
    std::vector<std::string_view> names;
    for (const StructLayout::Field& field : layout.fields) names.push_back(field.name);
    const std::string near = did_you_mean(name, names);
    error(span, fmt::format("the struct '{}' has no field '{}'", structure.name.text, name),
          near.empty() ? one_of("its fields are", names) : near);
    return std::nullopt;
  }
  FieldPlace result;
  result.is_array = found->is_array;
  result.place.type = found->type;
  result.place.type.is_volatile |= object.type.is_volatile;
  result.place.span = span;
  Expr address = object.address;
  if (found->length > 1) {
    const Expr index = Expr::make(Op::BitAnd, kAddress, {address, Expr::make_constant(kIndexMask, kAddress)});
    const Expr more =
        Expr::make(Op::Multiply, kAddress, {index, Expr::make_constant(Value{found->length} - 1, kAddress)});
    address = Expr::make(Op::Add, kAddress, {std::move(address), more});
  }
  result.place.address =
      Expr::make(Op::Add, kAddress, {std::move(address), Expr::make_constant(kObject * found->object, kAddress)});
  return result;
}

/// s.f(...), p->f(...) of a struct.
Operand ThreadLowering::struct_call(const Place& object, const CallArguments& call) {
  const std::string name = fmt::format("{}::{}", object.type.structure->name.text, call.name);
  const FunctionNode* function = functions_.find(name);
  if (function == nullptr) {
    error(call.node.span,
          fmt::format("the struct '{}' has no __device__ function '{}'", object.type.structure->name.text, call.name));
    return erroneous();
  }
  Place self = object;
  self.address = stable(std::move(self.address), call.node.span);
  return inline_call(*function, call, std::move(self));
}

/// T a[N] in a function: N variables, told apart by constant indices.
void ThreadLowering::declare_array(const Declarator& declarator, const Type& type) {
  constexpr Value kMaxLength = 1024;
  const SourceSpan span = declarator.name.span;
  std::optional<Value> length;
  if (declarator.length) {
    const Operand computed = value(*declarator.length);
    if (!computed.erroneous && computed.expr.is_constant()) length = computed.expr.constant;
    if (!computed.erroneous && !length) error(declarator.length->span, "the length of an array must be a constant");
  } else if (declarator.initializer == Declarator::Initializer::Braces) {
    length = static_cast<Value>(declarator.values.size());
  }
  Variable array;
  array.name = declarator.name.text;
  array.type = type;
  array.kind = Variable::Kind::Array;
  const bool fits = length && *length >= 1 && *length <= kMaxLength;
  if (length && !fits)
    error(span, fmt::format("the length of '{}' is {}; it must be between 1 and {}", array.name, *length, kMaxLength));
  array.erroneous = !fits || type.is_auto;
  array.length = fits ? static_cast<std::size_t>(*length) : 0;
  array.elements = variables_.size();
  const ScalarType scalar = type.is_pointer ? kAddress : type.scalar;
  for (std::size_t i = 0; i < array.length; ++i) {
    Variable element;
    element.name = array.name;
    element.type = type;
    element.reg = array_register(fmt::format("{}{}[{}]", frames_.back().prefix, array.name, i), scalar);
    variables_.push_back(std::move(element));
  }
  const std::size_t first = array.elements;
  const std::size_t count = array.length;
  add_variable(std::move(array), span);
  if (declarator.initializer == Declarator::Initializer::None) return;
  if (declarator.values.size() > count && count > 0) {
    error(declarator.values[count].span, fmt::format("'{}' has {} elements but {} initial values", declarator.name.text,
                                                     count, declarator.values.size()));
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    Operand initial = i < declarator.values.size() ? value(declarator.values[i]) : integer(Expr::make_constant(0));
    assign_variable(first + i, std::move(initial), span);
  }
}

RegisterId ThreadLowering::array_register(const std::string& name, ScalarType type) {
  std::string candidate = name;
  for (int copy = 2;; ++copy) {
    const auto known = named_registers_.find(candidate);
    if (known == named_registers_.end()) break;
    if (code_.registers()[known->second].type == type && !is_register_live(known->second)) return known->second;
    candidate = fmt::format("{}'{}", name, copy);
  }
  const RegisterId made = code_.add_register(candidate, type);
  named_registers_.emplace(candidate, made);
  return made;
}

/// The variable that `a[i]` is.
std::optional<std::size_t> ThreadLowering::element_of(const ExprNode& node) {
  const Operand index = value(node.children[1]);
  const Variable& array = *find_variable(node.children[0].name);
  if (array.erroneous || index.erroneous || array.length == 0) return std::nullopt;
  if (!values_matter()) return array.elements;
  if (!index.expr.is_constant()) {
    error(node.children[1].span,
          fmt::format("'{}' is an array of one thread: its index must be a constant here", array.name),
          "unroll the loop with constant bounds, or declare the array __shared__");
    return std::nullopt;
  }
  if (index.expr.constant < 0 || index.expr.constant >= static_cast<Value>(array.length)) {
    error(node.span,
          fmt::format("index {} is out of range: '{}' has {} elements", index.expr.constant, array.name, array.length));
    return std::nullopt;
  }
  return array.elements + static_cast<std::size_t>(index.expr.constant);
}

}  // namespace ambit::parser::litmus
