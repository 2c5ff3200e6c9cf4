#include "parser/litmus/call_lowering.h"

#include <fmt/format.h>

#include <algorithm>

namespace ambit::parser::litmus {
namespace {

void count_returns(const StatementNode& node, std::size_t& count) {
  if (node.kind == StatementKind::Return) ++count;
  for (const StatementNode& child : node.children) count_returns(child, count);
}

/// Returns the last statement of the body if it is the body's only return statement; otherwise, null.
const StatementNode* tail_return_of(const StatementNode& body) {
  std::size_t returns = 0;
  count_returns(body, returns);
  if (returns != 1 || body.children.empty() || body.children.back().kind != StatementKind::Return) return nullptr;
  return &body.children.back();
}

/// Returns whether a return statement of the function has a value.
bool returns_value(const StatementNode& node) {
  return (node.kind == StatementKind::Return && !node.expressions.empty()) ||
         std::ranges::any_of(node.children, returns_value);
}

}  // namespace

bool CallLowering::can_inline(const FunctionNode& function, const Call& call) {
  constexpr std::size_t kMaxInlineDepth = 64;
  const SourceSpan span = call.node.span;
  if (!thread_.spend(span)) return false;
  std::size_t depth = 0;
  for (const Frame* frame = thread_.frame; frame != nullptr; frame = frame->caller, ++depth) {
    if (frame->function != &function) continue;
    thread_.error(span, fmt::format("'{}' calls itself; recursion is not supported", function.name.text));
    return false;
  }
  if (depth >= kMaxInlineDepth) {
    thread_.error(span, fmt::format("calls are nested deeper than {}", kMaxInlineDepth));
  } else if (!function.body) {
    thread_.error(span, fmt::format("'{}' is declared but not defined", function.name.text));
  } else {
    const auto has_default = [](const Declarator& parameter) { return !parameter.values.empty(); };
    const auto defaults = static_cast<std::size_t>(std::ranges::count_if(function.parameters, has_default));
    return thread_.expect_count(call, function.parameters.size() - defaults, function.parameters.size(), "");
  }
  return false;
}

Operand CallLowering::inlined_lambda(const Closure& closure, const Call& call) {
  const std::vector<const FunctionNode*> only = {&closure.lambda->function};
  const FunctionNode* function = chosen(only, call);
  return function != nullptr ? inlined(*function, call, closure.self, &closure) : std::nullopt;
}

/// Returns the type of the function's result. A result type `auto` requires a single return statement at the end of the
/// function. The value of the return statement determines the type later (is_auto).
std::optional<Type> CallLowering::result_type(const FunctionNode& function, SourceSpan span) {
  Type result = function.return_type;
  result.is_reference = false;
  if (!result.is_auto || tail_return_of(*function.body) != nullptr) return result;
  if (!returns_value(*function.body)) return Type{.is_void = true};
  return thread_.error(span,
                       fmt::format("Ambit's reader does not deduce the type that '{}' returns", function.name.text),
                       "write the type: -> int");
}

Operand CallLowering::inlined(const FunctionNode& function, const Call& call, std::optional<Place> self,
                              const Closure* closure) {
  if (!can_inline(function, call)) return std::nullopt;
  const std::optional<Type> declared = result_type(function, call.node.span);
  if (!declared) return std::nullopt;
  std::optional<std::vector<Variable>> parameters = bind_arguments(function, call);
  if (!parameters) return std::nullopt;

  CodeBuilder& code = thread_.code;
  Frame frame{.body = *function.body,
              .end = code.new_label(),
              .function = &function,
              .caller = thread_.frame,
              .self = std::move(self)};
  const Type& result = *declared;
  const bool returns_value = !result.is_void || result.is_pointer;
  frame.result_type = result;
  if (returns_value) frame.tail_return = tail_return_of(frame.body);
  if (returns_value && frame.tail_return == nullptr) {
    if (is_struct_value(result)) {
      frame.result_struct = &thread_.variables.add_struct({}, result, thread_.memory, call.node.span);
    } else {
      frame.result = code.temporary(register_type(result));
    }
  }
  {
    // The code of pipeline functions (parser/cuda/library/pipeline_text.h) is not in the user's file, so the code gets
    // the place of the call.
    const bool is_library = function.name.text.starts_with("__pipeline_");
    const auto place = code.at_place(is_library ? std::optional(call.node.span) : std::nullopt);
    const auto inside = set_for_scope(thread_.frame, &frame);
    std::string prefix = fmt::format("%{}.", function.name.text);
    const auto scope = closure != nullptr ? thread_.variables.open_lambda(std::move(prefix), *closure)
                                          : thread_.variables.open_function(std::move(prefix));
    if (closure != nullptr) {
      for (const Variable& copy : closure->copies) thread_.variables.add(copy, call.node.span);
    }
    for (Variable& parameter : *parameters) thread_.variables.add_parameter(std::move(parameter), thread_.memory);
    thread_.nodes.statements(frame.body.children);
  }
  const bool early_returns = code.has_jumps_to(frame.end);
  code.bind(frame.end);
  // After an early return, the values of variables that the function may assign are unknown: only some paths assign
  // them.
  if (early_returns) thread_.variables.forget(thread_.functions.assigned(call.node));
  if (!returns_value) return Operand::nothing();
  if (frame.tail_value) return *std::move(frame.tail_value);
  if (frame.result_struct != nullptr) return thread_.variables.read(*frame.result_struct, call.node.span);
  if (!frame.result) return std::nullopt;
  return {Expr::make_register(*frame.result, register_type(result)), result};
}

/// Lowers a default argument. The names in a default argument do not refer to the caller's variables.
Operand CallLowering::default_argument(const ExprNode& node) {
  const auto scope = thread_.variables.open_function("%default.");
  return thread_.value(node);
}

std::optional<std::vector<Variable>> CallLowering::bind_arguments(const FunctionNode& function, const Call& call) {
  std::vector<Variable> bound;
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const Declarator& parameter = function.parameters[i];
    const bool is_given = i < call.arguments.size();
    const ExprNode& argument = is_given ? call.arguments[i] : parameter.values.front();
    std::optional<Variable> variable;
    if (parameter.type.lambda != nullptr) {
      const Operand lambda = thread_.value(argument);
      if (lambda.closure != nullptr) variable = Variable{.kind = Variable::Kind::Alias, .closure = lambda.closure};
    } else if (is_given && (parameter.type.is_reference || parameter.type.is_atomic_ref)) {
      variable = bind_reference(parameter, argument);
    } else {
      variable = bind_value(function, i, argument);
    }
    if (!variable) return std::nullopt;
    variable->name = parameter.name.text;
    const bool has_type = variable->kind == Variable::Kind::Alias || variable->kind == Variable::Kind::Register;
    if (!has_type || variable->closure != nullptr) variable->type = parameter.type;
    bound.push_back(*std::move(variable));
  }
  return bound;
}

std::optional<Variable> CallLowering::bind_value(const FunctionNode& function, std::size_t index,
                                                 const ExprNode& argument) {
  const Declarator& parameter = function.parameters[index];
  const bool is_default = !parameter.values.empty() && &argument == &parameter.values.front();
  Operand given = is_default ? default_argument(argument) : thread_.value(argument);
  if (is_struct_value(parameter.type)) {
    Variable variable{.kind = Variable::Kind::Struct};
    variable.initial = thread_.convert(std::move(given), parameter.type, argument.span);
    if (variable.initial.erroneous) return std::nullopt;
    variable.place.span = argument.span;
    return variable;
  }
  std::optional<Type> view;
  const bool is_any = parameter.type.is_void && given.type.is_pointer;  // const void *p accepts every pointer
  if (is_view_of_opaque(parameter.type, given.type) || given.type.is_shared_address || is_any) view = given.type;
  const Type wanted = thread_.memory.with_inner_lengths(view.value_or(parameter.type), parameter);
  Operand converted = thread_.convert(std::move(given), wanted, argument.span);
  Expr passed = std::move(converted.expr);
  const bool is_assigned = thread_.functions.assigned(*function.body).contains(parameter.name.text);
  if (is_assigned && converted.local) {
    return thread_.error(argument.span,
                         fmt::format("'{}' changes its parameter '{}', which points to a local variable here",
                                     function.name.text, parameter.name.text),
                         "index the pointer instead of moving it");
  }
  const bool keeps = is_assigned && converted.type.is_shared_address && passed.is_constant();
  if (keeps) view.reset();
  Variable variable{.kind = is_assigned ? Variable::Kind::Register : Variable::Kind::Alias};
  variable.alias = is_assigned ? std::move(passed) : thread_.code.stable(std::move(passed), argument.span);
  variable.place.span = argument.span;
  variable.local = converted.local;
  if (keeps) variable.initial = Operand(variable.alias, converted.type);
  if (!keeps) view = wanted;
  variable.type = view.value_or(parameter.type);
  return variable;
}

std::optional<Variable> CallLowering::bind_reference(const Declarator& parameter, const ExprNode& argument) {
  const Type& type = parameter.type;
  std::optional<Place> bound = places_.place(argument);
  if (!bound) return std::nullopt;
  if (!is_same_object_type(bound->type, type)) {
    return thread_.error(argument.span, fmt::format("the parameter '{}' is a reference to {}, but this is {}",
                                                    parameter.name.text, to_string(type), to_string(bound->type)));
  }
  bound->type.is_volatile |= type.is_volatile;
  if (!bound->variable) bound->address = thread_.code.stable(std::move(bound->address), argument.span);
  return Variable{.kind = Variable::Kind::Reference, .place = *std::move(bound)};
}

}  // namespace ambit::parser::litmus
