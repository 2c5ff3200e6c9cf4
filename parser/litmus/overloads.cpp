// Overload resolution [over.match] and deduction of template arguments [temp.deduct] for the types of the litmus
// language. An ambiguous call is an error.

#include <fmt/format.h>

#include <algorithm>

#include "parser/litmus/call_lowering.h"

namespace ambit::parser::litmus {
namespace {

/// The ranks of conversions from an argument to a parameter; a lower rank is better [over.ics.rank].
enum Rank : int { kExact, kPromotion, kConversion, kNever };

bool is_number(const Type& type) {
  return !type.is_pointer && type.structure == nullptr && !type.is_void && !type.is_barrier && !type.is_tensor_map &&
         !type.group && type.lambda == nullptr && !type.atomic_scope;
}

Rank rank_of_number(const Type& to, const Type& from) {
  if (to.scalar == from.scalar && to.is_opaque == from.is_opaque && to.is_bool == from.is_bool) return kExact;
  const bool to_int = to.scalar == kInt && !to.is_opaque && !from.is_opaque && (from.is_bool || from.scalar.bits < 32);
  const bool to_double = to.is_opaque && from.is_opaque && to.scalar.bits == 64 && from.scalar.bits == 32;
  return to_int || to_double ? kPromotion : kConversion;
}

/// Returns whether the expression is a null pointer constant [conv.ptr].
bool is_null(const ExprNode& node) {
  return (node.kind == ExprKind::Integer && node.value == 0) ||
         (node.kind == ExprKind::Name && (node.name == "nullptr" || node.name == "NULL"));
}

Rank rank_of(const Type& to, const Operand& argument, const ExprNode& node) {
  const Type& from = argument.type;
  if (to.lambda != nullptr || from.lambda != nullptr) return to.lambda == from.lambda ? kExact : kNever;
  if (to.structure != nullptr && !to.is_pointer) {
    return from.structure == to.structure && !from.is_pointer ? kExact : kNever;
  }
  if (to.is_pointer) {
    if (!from.is_pointer && is_null(node)) return kConversion;
    if (!from.is_pointer || from.is_shared_address) return kNever;
    if (to.is_void) return kConversion;
    if (!is_same_object_type(to, from) || to.is_bool != from.is_bool || (from.is_volatile && !to.is_volatile)) {
      return kNever;
    }
    return to.is_volatile == from.is_volatile ? kExact : kPromotion;
  }
  if (!is_number(to)) return is_same_object_type(to, from) && from.is_pointer == to.is_pointer ? kExact : kNever;
  if (from.is_shared_address) return kConversion;
  if (!is_number(from)) return kNever;
  const Rank rank = rank_of_number(to, from);
  return to.is_reference && rank != kExact ? kNever : rank;
}

/// Deduces the type of the template parameter in `parameter` from an argument of type `from`; nothing if the argument
/// does not match.
std::optional<Type> deduced_type(const Type& parameter, Type from) {
  from.is_reference = false;
  from.is_volatile_pointer = false;
  if (parameter.atomic_scope || from.is_shared_address || from.group) return std::nullopt;
  if (!parameter.is_pointer) {
    if (!from.is_pointer && !parameter.is_reference) from.is_volatile = false;
    return from;
  }
  if (!from.is_pointer || from.is_void || from.inner[0] != 0) return std::nullopt;
  from.is_pointer = false;
  return from.target ? pointer_in(from) : from;
}

}  // namespace

/// Returns the value of an argument without emitting code.
Operand CallLowering::value_without_effects(const ExprNode& argument) {
  const auto checkpoint = thread_.variables.checkpoint();
  const auto muted = thread_.code.mute();
  return thread_.value(argument);
}

/// Returns the instance of the function for the types of the arguments; null if the arguments do not determine all
/// template parameters.
const FunctionNode* CallLowering::deduced(const FunctionNode& function, const std::vector<Operand>& arguments) {
  if (!has_variable_types(function)) return &function;
  TypesByName types;
  for (std::size_t i = 0; i < arguments.size() && i < function.parameters.size(); ++i) {
    const Declarator& parameter = function.parameters[i];
    if (parameter.type.variable.empty() && !parameter.type.is_auto) continue;
    const std::optional<Type> type = deduced_type(parameter.type, arguments[i].type);
    if (!type || arguments[i].erroneous) return nullptr;
    const std::string_view name = parameter.type.is_auto ? parameter.name.text : parameter.type.variable;
    Type whole = *type;
    if (parameter.type.is_auto && parameter.type.is_pointer) whole.is_pointer = true;
    const auto [known, fresh] = types.emplace(name, whole);
    if (!fresh && known->second != whole) return nullptr;
  }
  const bool is_complete = std::ranges::all_of(function.parameters, [&](const Declarator& parameter) {
    return parameter.type.is_auto ? types.contains(parameter.name.text)
                                  : parameter.type.variable.empty() || types.contains(parameter.type.variable);
  });
  return is_complete ? &thread_.functions.instance(function, types) : nullptr;
}

/// Returns the overload that the call selects; null after an error.
const FunctionNode* CallLowering::chosen(const std::vector<const FunctionNode*>& overloads, const Call& call) {
  if (overloads.size() == 1 && !has_variable_types(*overloads.front())) return overloads.front();
  std::vector<Operand> arguments;
  for (const ExprNode& argument : call.arguments) arguments.push_back(value_without_effects(argument));
  if (std::ranges::any_of(arguments, &Operand::erroneous)) return nullptr;
  struct Fit {
    const FunctionNode* function;
    std::vector<int> ranks;
    bool is_template;
  };
  std::vector<Fit> fits;
  for (const FunctionNode* overload : overloads) {
    const std::vector<Declarator>& parameters = overload->parameters;
    if (arguments.size() > parameters.size()) continue;
    const bool has_defaults = std::all_of(parameters.begin() + static_cast<std::ptrdiff_t>(arguments.size()),
                                          parameters.end(), [](const Declarator& one) { return !one.values.empty(); });
    const FunctionNode* function = has_defaults ? deduced(*overload, arguments) : nullptr;
    if (function == nullptr) continue;
    Fit fit{function, {}, function != overload};
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      fit.ranks.push_back(rank_of(function->parameters[i].type, arguments[i], call.arguments[i]));
    }
    if (std::ranges::find(fit.ranks, static_cast<int>(kNever)) == fit.ranks.end() || overloads.size() == 1) {
      fits.push_back(std::move(fit));
    }
  }
  const auto is_better = [](const Fit& a, const Fit& b) {
    bool better = false;
    for (std::size_t i = 0; i < a.ranks.size(); ++i) {
      if (a.ranks[i] > b.ranks[i]) return false;
      better = better || a.ranks[i] < b.ranks[i];
    }
    return better || (!a.is_template && b.is_template);
  };
  for (const Fit& fit : fits) {
    if (std::ranges::all_of(fits, [&](const Fit& other) { return &other == &fit || is_better(fit, other); })) {
      return fit.function;
    }
  }
  thread_.error(call.node.span,
                fits.empty()
                    ? fmt::format("Ambit's reader finds no function '{}' that takes these arguments", call.name)
                    : fmt::format("several functions '{}' fit this call", call.name),
                "cast the arguments to the types of the parameters, or read the file with --compiled");
  return nullptr;
}

}  // namespace ambit::parser::litmus
