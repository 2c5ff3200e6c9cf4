#include "parser/litmus/code_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "base/assert.h"
#include "parser/text/constant_arithmetic.h"

namespace ambit::parser::litmus {
namespace {

/// Removes the marked instructions. Redirects a jump to a removed instruction to the next remaining instruction.
void remove_marked(std::vector<Instruction>& code, const std::vector<bool>& removed) {
  std::vector<std::size_t> moved(code.size() + 1);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < code.size(); ++i) {
    moved[i] = kept;
    if (!removed[i]) ++kept;
  }
  moved[code.size()] = kept;
  std::vector<Instruction> result;
  result.reserve(kept);
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (removed[i]) continue;
    if (std::size_t* target = jump_target(code[i].operation)) *target = moved[*target];
    result.push_back(std::move(code[i]));
  }
  code = std::move(result);
}

/// If the target of a forward jump is another forward jump, redirects the first jump to the target of the second jump.
/// Keeps backward jumps, because each backward jump closes a loop.
void thread_jumps(std::vector<Instruction>& code) {
  for (std::size_t i = code.size(); i-- > 0;) {
    std::size_t* target = jump_target(code[i].operation);
    if (target == nullptr || *target <= i || *target >= code.size()) continue;
    const auto* next = std::get_if<Jump>(&code[*target].operation);
    if (next != nullptr && next->target > *target) *target = next->target;
  }
}

/// Marks the unreachable instructions.
void mark_unreachable(std::vector<Instruction>& code, std::vector<bool>& removed) {
  std::vector<bool> seen(code.size(), false);
  std::vector<std::size_t> work = {0};
  while (!work.empty()) {
    std::size_t i = work.back();
    work.pop_back();
    for (; i < code.size() && !seen[i]; ++i) {
      seen[i] = true;
      if (const std::size_t* target = jump_target(code[i].operation)) work.push_back(*target);
      if (std::holds_alternative<Jump>(code[i].operation)) break;
    }
  }
  for (std::size_t i = 0; i < code.size(); ++i) removed[i] = !seen[i];
}

/// Returns whether the register is a temporary, such as "%0". Variables of inlined functions have names such as "%f.x".
bool is_temporary(const Register& reg) {
  return reg.name.size() > 1 && reg.name[0] == '%' && reg.name[1] >= '0' && reg.name[1] <= '9';
}

bool tidy_once(std::vector<Instruction>& code) {
  std::vector<bool> is_target(code.size() + 1, false);
  for (Instruction& instruction : code) {
    if (const std::size_t* target = jump_target(instruction.operation)) is_target[*target] = true;
  }
  std::vector<bool> removed(code.size(), false);
  mark_unreachable(code, removed);
  bool changed = std::find(removed.begin(), removed.end(), true) != removed.end();
  for (std::size_t i = 0; i < code.size(); ++i) {
    const std::size_t* target = jump_target(code[i].operation);
    if (target == nullptr || removed[i]) continue;
    if (*target == i + 1) {
      removed[i] = true;
      changed = true;
      continue;
    }
    auto* branch = std::get_if<Branch>(&code[i].operation);
    if (branch == nullptr || *target != i + 2 || is_target[i + 1]) continue;
    const auto* jump = std::get_if<Jump>(&code[i + 1].operation);
    if (jump == nullptr) continue;
    branch->condition = negate(std::move(branch->condition));
    branch->target = jump->target;
    removed[i + 1] = true;
    changed = true;
    ++i;
  }
  if (changed) remove_marked(code, removed);
  return changed;
}

}  // namespace

RegisterId CodeBuilder::add_register(std::string name, ScalarType type, bool is_opaque) {
  registers_.push_back({std::move(name), type, is_opaque});
  return static_cast<RegisterId>(registers_.size() - 1);
}

RegisterId CodeBuilder::temporary(ScalarType type) { return add_register(fmt::format("%{}", temporaries_++), type); }

void CodeBuilder::emit(Operation operation, SourceSpan span) {
  if (muted_ > 0 || !reachable_) return;
  code_.push_back({std::move(operation), place_.value_or(span)});
}

void CodeBuilder::attach(std::size_t first, const std::shared_ptr<const MachineInstruction>& machine) {
  for (std::size_t i = first; i < code_.size(); ++i) code_[i].machine = machine;
}

void CodeBuilder::mark_bindings(std::size_t first) {
  for (std::size_t i = first; i < code_.size(); ++i) code_[i].is_binding = true;
}

Label CodeBuilder::new_label() {
  labels_.emplace_back();
  return labels_.size() - 1;
}

void CodeBuilder::bind(Label label) {
  if (muted_ > 0) return;
  Target& target = labels_[label];
  AMBIT_ASSERT(!target.bound);
  target.bound = true;
  target.position = code_.size();
  last_bound_ = code_.size();
  if (!target.used) return;
  reachable_ = true;
  --open_jumps_;
}

void CodeBuilder::use(Label label) {
  Target& target = labels_[label];
  if (!target.used && !target.bound) ++open_jumps_;
  target.used = true;
}

void CodeBuilder::jump(Label label, SourceSpan span) {
  if (!reachable() || muted_ > 0) return;
  use(label);
  emit(Jump{label}, span);
  reachable_ = false;
}

void CodeBuilder::branch(Expr condition, Label label, SourceSpan span) {
  if (condition.is_constant()) {
    if (condition.constant != 0) jump(label, span);
    return;
  }
  if (!reachable() || muted_ > 0) return;
  use(label);
  emit(Branch{std::move(condition), label}, span);
}

bool CodeBuilder::retarget(const Expr& value, RegisterId target) {
  if (muted_ > 0 || !reachable_ || value.op != Op::Register || code_.empty() || last_bound_ == code_.size())
    return false;
  const RegisterId temporary = value.reg;
  if (temporary + 1 != registers_.size() || !is_temporary(registers_[temporary]) ||
      registers_[temporary].type != registers_[target].type) {
    return false;
  }
  Operation& last = code_.back().operation;
  if (auto* load = std::get_if<Load>(&last); load != nullptr && load->target == temporary) {
    load->target = target;
  } else if (auto* rmw = std::get_if<Rmw>(&last); rmw != nullptr && rmw->target == temporary) {
    rmw->target = target;
  } else {
    return false;
  }
  registers_.pop_back();
  return true;
}

Expr CodeBuilder::stable(Expr expr, SourceSpan span) {
  if (expr.is_constant()) return expr;
  if (expr.op == Op::Register && is_temporary(registers_[expr.reg])) return expr;  // a temporary is assigned only once
  const ScalarType type = expr.result_type();
  const RegisterId copy = temporary(type);
  emit(Assign{copy, std::move(expr)}, span);
  return Expr::make_register(copy, type);
}

std::vector<Instruction> CodeBuilder::finish(bool has_errors) {
  for (Instruction& instruction : code_) {
    std::size_t* target = jump_target(instruction.operation);
    if (target == nullptr) continue;
    const Target& label = labels_[*target];
    AMBIT_ASSERT(label.bound || has_errors);
    *target = label.bound ? label.position : code_.size();
  }
  do {
    thread_jumps(code_);
  } while (tidy_once(code_));
  return std::move(code_);
}

}  // namespace ambit::parser::litmus
