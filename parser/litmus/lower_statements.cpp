#include <fmt/format.h>

#include <utility>

#include "parser/litmus/thread_lowering.h"

namespace ambit::parser::litmus {
ThreadLowering::ThreadLowering(ThreadSetting setting, FunctionTable& functions, MemoryTable& memory, WorkBudget& budget,
                               std::set<const void*>& checked, Reporter& reporter)
    : setting_(std::move(setting)),
      functions_(functions),
      memory_(memory),
      budget_(budget),
      checked_(checked),
      reporter_(reporter) {}

Thread ThreadLowering::lower(const ThreadNode& node) {
  frames_.push_back({});
  frames_.back().body = &node.body;
  frames_.back().end = code_.new_label();
  statement(node.body);
  return finish(node.name.span);
}

Thread ThreadLowering::lower(const FunctionNode& kernel, const std::vector<Expr>& arguments) {
  frames_.push_back({});
  frames_.back().function = &kernel;
  frames_.back().body = &*kernel.body;
  frames_.back().end = code_.new_label();
  const NameSet& assigned = functions_.assigned(*kernel.body);
  scopes_.emplace_back();
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const Declarator& parameter = kernel.parameters[i];
    if (assigned.contains(parameter.name.text)) {
      const std::size_t index = add_register_variable(parameter.name.text, parameter.type);
      assign_variable(index, {arguments[i], parameter.type}, parameter.name.span);
    } else {
      Variable variable;
      variable.name = parameter.name.text;
      variable.type = parameter.type;
      variable.kind = Variable::Kind::Alias;
      variable.alias = arguments[i];
      add_variable(std::move(variable), parameter.name.span);
    }
  }
  statement(*kernel.body);
  return finish(kernel.name.span);
}

Thread ThreadLowering::finish(SourceSpan span) {
  code_.bind(frames_.back().end);
  Thread thread;
  thread.name = setting_.name;
  thread.place = setting_.place;
  thread.code = code_.finish();
  thread.registers = code_.take_registers();
  thread.span = span;
  return thread;
}

bool ThreadLowering::spend(SourceSpan span) {
  if (budget_.left > 0) {
    --budget_.left;
    return true;
  }
  if (!std::exchange(out_of_budget_, true)) {
    error(span, "the test is too large: its threads have more than a million statements and operations after inlining",
          "launch fewer threads, or inline less");
  }
  return false;
}

void ThreadLowering::error(SourceSpan span, std::string message, std::string hint) {
  reporter_.error(span, std::move(message), std::move(hint));
}

Operand ThreadLowering::erroneous() { return {Expr::make_constant(0), Type{}, true}; }

Operand ThreadLowering::nothing() {
  Operand operand{Expr::make_constant(0), Type{}, false};
  operand.type.is_void = true;
  return operand;
}

Operand ThreadLowering::integer(Expr expr) {
  Operand operand;
  operand.type.scalar = expr.result_type();
  operand.expr = std::move(expr);
  return operand;
}

void ThreadLowering::dead(const StatementNode& node) {
  check_only(&node, [&] { statement(node); });
}

void ThreadLowering::dead(const ExprNode& node) {
  check_only(&node, [&] { discard(node); });
}

void ThreadLowering::statements(const std::vector<StatementNode>& nodes) {
  scopes_.emplace_back();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!code_.reachable()) {
      // What follows a jump is dead as a whole: its later statements may use what earlier ones declare.
      check_only(&nodes[i], [&] {
        for (; i < nodes.size(); ++i) statement(nodes[i]);
      });
      break;
    }
    statement(nodes[i]);
  }
  scopes_.pop_back();
}

void ThreadLowering::statement(const StatementNode& node) {
  if (!spend(node.span)) return;
  if (!code_.reachable()) return dead(node);
  switch (node.kind) {
    case StatementKind::Block: return statements(node.children);
    case StatementKind::If: return if_statement(node);
    case StatementKind::While:
    case StatementKind::Do: return loop(node);
    case StatementKind::For: return for_statement(node);
    case StatementKind::Switch: return switch_statement(node);
    case StatementKind::Case:
    case StatementKind::Default:
      error(node.span,
            fmt::format("'{}' stands outside the block of a switch",
                        node.kind == StatementKind::Case ? "case" : "default"),
            "the labels stand directly in the braces of the switch");
      return;
    case StatementKind::Break:
    case StatementKind::Continue: return leave_loop(node);
    case StatementKind::Return: return return_statement(node);
    case StatementKind::Declaration: return declare(node.declaration);
    case StatementKind::Expression:
      for (const ExprNode& expr : node.expressions) discard(expr);
      return;
    case StatementKind::Empty: return;
    case StatementKind::Transaction: return transaction(node);
  }
}

void ThreadLowering::if_statement(const StatementNode& node) {
  const Label otherwise = code_.new_label();
  const Label end = code_.new_label();
  jump_if(*node.condition, false, otherwise);
  const KnownValues before = known_values();
  const auto branch = [&](const StatementNode& child) {
    scopes_.emplace_back();
    statement(child);
    scopes_.pop_back();
  };
  branch(node.children[0]);
  const KnownValues after_then = known_values();
  const bool then_falls_through = code_.reachable();
  if (node.children.size() > 1) code_.jump(end, node.span);
  code_.bind(otherwise);
  const bool otherwise_reached = code_.reachable();
  if (otherwise_reached) restore(before);
  if (node.children.size() > 1) branch(node.children[1]);
  const bool else_falls_through = otherwise_reached && (code_.reachable() || node.children.size() == 1);
  code_.bind(end);
  if (node.children.size() == 1) {
    // Without an else, `otherwise` is where both ways meet.
    if (!otherwise_reached || !code_.has_jumps_to(otherwise)) {
      if (then_falls_through) restore(after_then);
      return;
    }
  }
  if (!else_falls_through) {
    if (then_falls_through) restore(after_then);
  } else if (then_falls_through) {
    merge(after_then);
  }
}

void ThreadLowering::return_statement(const StatementNode& node) {
  Frame& frame = frames_.back();
  const bool inlined = frames_.size() > 1;
  const Type result = inlined ? frame.function->return_type : Type{.is_void = true};
  if (result.is_void && !result.is_pointer && !node.expressions.empty()) {
    error(node.span, inlined ? fmt::format("'{}' returns void but a value is returned here", frame.function->name.text)
                             : "a thread returns no value");
    return;
  }
  if (!result.is_void && node.expressions.empty()) {
    error(node.span, fmt::format("'{}' must return a value", frame.function->name.text));
    return;
  }
  if (!node.expressions.empty()) {
    Operand returned = convert(value(node.expressions.front()), result, node.expressions.front().span);
    Frame& now = frames_.back();  // lowering the value may have moved the frames
    if (now.tail_return == &node) {
      now.tail_value = std::move(returned);
      return;
    }
    code_.emit(Assign{*now.result, std::move(returned.expr)}, node.span);
  }
  code_.jump(frames_.back().end, node.span);
}

void ThreadLowering::leave_loop(const StatementNode& node) {
  const bool is_break = node.kind == StatementKind::Break;
  std::size_t around = loops_.size();
  while (!is_break && around > frames_.back().loop_base && loops_[around - 1].is_switch) --around;
  if (around <= frames_.back().loop_base) {
    error(node.span,
          fmt::format("'{}' outside a loop{}", is_break ? "break" : "continue", is_break ? " or switch" : ""));
    return;
  }
  code_.jump(is_break ? loops_[around - 1].break_label : loops_[around - 1].continue_label, node.span);
}

void ThreadLowering::transaction(const StatementNode& node) {
  error(node.span, "'atomic' is reserved for transactions, which are not supported yet",
        "use a lock: lock(l); ... unlock(l);");
  const bool outer = std::exchange(in_transaction_, true);
  statement(node.children.front());
  in_transaction_ = outer;
}

}  // namespace ambit::parser::litmus
