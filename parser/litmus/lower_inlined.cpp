#include <fmt/format.h>

#include <utility>

#include "parser/litmus/thread_lowering.h"

namespace ambit::parser::litmus {
namespace {

void count_returns(const StatementNode& node, std::size_t& count) {
  if (node.kind == StatementKind::Return) ++count;
  for (const StatementNode& child : node.children) count_returns(child, count);
}

/// The one return of a function, where it is the last statement of its body.
const StatementNode* tail_return_of(const StatementNode& body) {
  std::size_t returns = 0;
  count_returns(body, returns);
  if (returns != 1 || body.children.empty() || body.children.back().kind != StatementKind::Return) return nullptr;
  return &body.children.back();
}

}  // namespace

bool ThreadLowering::can_inline(const FunctionNode& function, const CallArguments& call) {
  constexpr std::size_t kMaxInlineDepth = 64;
  const SourceSpan span = call.node.span;
  if (!spend(span)) return false;
  for (const Frame& frame : frames_) {
    if (frame.function != &function) continue;
    error(span, fmt::format("'{}' calls itself; recursion cannot be inlined", function.name.text));
    return false;
  }
  if (frames_.size() >= kMaxInlineDepth) {
    error(span, fmt::format("calls are nested deeper than {}", kMaxInlineDepth));
    return false;
  }
  if (!function.body) {
    error(span, fmt::format("'{}' is declared but not defined", function.name.text));
    return false;
  }
  return expect_count(call, function.parameters.size(), function.parameters.size(), "");
}

Operand ThreadLowering::inline_call(const FunctionNode& function, const CallArguments& call,
                                    std::optional<Place> self) {
  if (!can_inline(function, call)) return erroneous();
  std::vector<Variable> parameters = bind_arguments(function, call);
  if (parameters.size() != function.parameters.size()) return erroneous();

  Frame frame;
  frame.function = &function;
  frame.body = &*function.body;
  frame.end = code_.new_label();
  frame.scope_base = scopes_.size();
  frame.loop_base = loops_.size();
  frame.self = std::move(self);
  frame.prefix = fmt::format("%{}.", function.name.text);
  const Type result = function.return_type;
  const bool returns_value = !result.is_void || result.is_pointer;
  frame.tail_return = returns_value ? tail_return_of(*function.body) : nullptr;
  if (returns_value && frame.tail_return == nullptr) {
    frame.result = code_.temporary(result.is_pointer ? kAddress : result.scalar);
  }
  const std::optional<RegisterId> result_register = frame.result;
  const Label end = frame.end;
  frames_.push_back(std::move(frame));
  scopes_.emplace_back();
  for (Variable& parameter : parameters) {
    const SourceSpan place = parameter.place.span;
    if (parameter.kind == Variable::Kind::Register) {
      const std::size_t index = add_register_variable(parameter.name, parameter.type);
      assign_variable(index, {std::move(parameter.alias), parameter.type}, place);
    } else {
      add_variable(std::move(parameter), place);
    }
  }
  statements(function.body->children);
  std::optional<Operand> tail = std::move(frames_.back().tail_value);
  const bool early_returns = code_.has_jumps_to(end);
  code_.bind(end);
  scopes_.pop_back();
  frames_.pop_back();
  // A variable passed by reference is assigned on some paths only where there is a return in the middle.
  if (early_returns) forget(functions_.assigned(call.node));
  if (!returns_value) return nothing();
  if (tail) return *std::move(tail);
  if (!result_register) return erroneous();
  Operand operand;
  operand.type = result;
  operand.type.is_reference = false;
  operand.expr = Expr::make_register(*result_register, result.is_pointer ? kAddress : result.scalar);
  return operand;
}

std::vector<ThreadLowering::Variable> ThreadLowering::bind_arguments(const FunctionNode& function,
                                                                     const CallArguments& call) {
  const NameSet& assigned = functions_.assigned(*function.body);
  std::vector<Variable> bound;
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const Declarator& parameter = function.parameters[i];
    std::optional<Variable> variable =
        bind_argument(parameter, call.arguments[i], assigned.contains(parameter.name.text));
    if (!variable) return {};
    variable->name = parameter.name.text;
    variable->type = parameter.type;
    bound.push_back(*std::move(variable));
  }
  return bound;
}

std::optional<ThreadLowering::Variable> ThreadLowering::bind_argument(const Declarator& parameter,
                                                                      const ExprNode& argument, bool assigned) {
  Variable variable;
  const Type& type = parameter.type;
  if (type.is_reference || type.is_atomic_ref) {
    std::optional<Place> bound = place(argument);
    if (!bound) return std::nullopt;
    if (!is_same_object_type(bound->type, type)) {
      error(argument.span, fmt::format("the parameter '{}' is a reference to {}, but this is {}", parameter.name.text,
                                       to_string(type), to_string(bound->type)));
      return std::nullopt;
    }
    variable.kind = Variable::Kind::Reference;
    bound->type.is_volatile |= type.is_volatile;
    if (!bound->variable) bound->address = stable(std::move(bound->address), argument.span);
    variable.place = *std::move(bound);
    return variable;
  }
  const Operand passed = convert(value(argument), type, argument.span);
  variable.kind = assigned ? Variable::Kind::Register : Variable::Kind::Alias;
  variable.alias = assigned ? passed.expr : stable(passed.expr, argument.span);
  variable.place.span = argument.span;
  return variable;
}

}  // namespace ambit::parser::litmus
