#include "parser/litmus/call_lowering.h"

#include <fmt/format.h>

namespace ambit::parser::litmus {
namespace {

void count_returns(const StatementNode& node, std::size_t& count) {
  if (node.kind == StatementKind::Return) ++count;
  for (const StatementNode& child : node.children) count_returns(child, count);
}

/// The only return of a function, if it is the last statement of the body.
const StatementNode* tail_return_of(const StatementNode& body) {
  std::size_t returns = 0;
  count_returns(body, returns);
  if (returns != 1 || body.children.empty() || body.children.back().kind != StatementKind::Return) return nullptr;
  return &body.children.back();
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
    return thread_.expect_count(call, function.parameters.size(), function.parameters.size(), "");
  }
  return false;
}

Operand CallLowering::inlined(const FunctionNode& function, const Call& call, std::optional<Place> self) {
  if (!can_inline(function, call)) return std::nullopt;
  std::optional<std::vector<Variable>> parameters = bind_arguments(function, call);
  if (!parameters) return std::nullopt;

  CodeBuilder& code = thread_.code;
  Frame frame{.body = *function.body,
              .end = code.new_label(),
              .function = &function,
              .caller = thread_.frame,
              .self = std::move(self)};
  Type result = function.return_type;
  const bool returns_value = !result.is_void || result.is_pointer;
  if (returns_value) frame.tail_return = tail_return_of(frame.body);
  result.is_reference = false;
  if (returns_value && frame.tail_return == nullptr) {
    if (is_struct_value(result)) {
      frame.result_struct = &thread_.variables.add_struct({}, result, thread_.memory, call.node.span);
    } else {
      frame.result = code.temporary(register_type(result));
    }
  }
  {
    // The code of pipelines has no place in the file (parser/cuda/pipeline_text.h).
    const bool is_library = function.name.text.starts_with("__pipeline_");
    const auto place = code.at_place(is_library ? std::optional(call.node.span) : std::nullopt);
    const auto inside = set_for_scope(thread_.frame, &frame);
    const auto scope = thread_.variables.open_function(fmt::format("%{}.", function.name.text));
    for (Variable& parameter : *parameters) thread_.variables.add_parameter(std::move(parameter), thread_.memory);
    thread_.nodes.statements(frame.body.children);
  }
  const bool early_returns = code.has_jumps_to(frame.end);
  code.bind(frame.end);
  // If there is a return in the middle, only some paths may assign a variable that is passed by reference.
  if (early_returns) thread_.variables.forget(thread_.functions.assigned(call.node));
  if (!returns_value) return Operand::nothing();
  if (frame.tail_value) return *std::move(frame.tail_value);
  if (frame.result_struct != nullptr) return thread_.variables.read(*frame.result_struct, call.node.span);
  if (!frame.result) return std::nullopt;
  return {Expr::make_register(*frame.result, register_type(result)), result};
}

std::optional<std::vector<Variable>> CallLowering::bind_arguments(const FunctionNode& function, const Call& call) {
  const NameSet& assigned = thread_.functions.assigned(*function.body);
  std::vector<Variable> bound;
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const Declarator& parameter = function.parameters[i];
    const ExprNode& argument = call.arguments[i];
    std::optional<Variable> variable;
    std::optional<Type> view;
    if (parameter.type.is_reference || parameter.type.is_atomic_ref) {
      variable = bind_reference(parameter, argument);
      if (!variable) return std::nullopt;
    } else if (is_struct_value(parameter.type)) {
      variable = Variable{.kind = Variable::Kind::Struct};
      variable->initial = thread_.convert(thread_.value(argument), parameter.type, argument.span);
      if (variable->initial.erroneous) return std::nullopt;
      variable->place.span = argument.span;
    } else {
      Operand given = thread_.value(argument);
      const bool is_any = parameter.type.is_void && given.type.is_pointer;  // const void *p takes every pointer
      if (is_view_of_opaque(parameter.type, given.type) || given.type.is_shared_address || is_any) view = given.type;
      const Type wanted = thread_.memory.with_inner_lengths(view.value_or(parameter.type), parameter);
      Operand converted = thread_.convert(std::move(given), wanted, argument.span);
      Expr passed = std::move(converted.expr);
      const bool is_assigned = assigned.contains(parameter.name.text);
      if (is_assigned && converted.local) {
        thread_.error(argument.span,
                      fmt::format("'{}' changes its parameter '{}', which points to a local variable here",
                                  function.name.text, parameter.name.text),
                      "index the pointer instead of moving it");
        return std::nullopt;
      }
      const bool keeps = is_assigned && converted.type.is_shared_address && passed.is_constant();
      if (keeps) view.reset();
      variable = Variable{.kind = is_assigned ? Variable::Kind::Register : Variable::Kind::Alias};
      variable->alias = is_assigned ? std::move(passed) : thread_.code.stable(std::move(passed), argument.span);
      variable->place.span = argument.span;
      variable->local = converted.local;
      if (keeps) variable->initial = Operand(variable->alias, converted.type);
      if (!keeps) view = wanted;
    }
    variable->name = parameter.name.text;
    variable->type = view.value_or(parameter.type);
    bound.push_back(*std::move(variable));
  }
  return bound;
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
