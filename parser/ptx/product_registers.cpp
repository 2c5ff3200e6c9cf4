#include "parser/ptx/product_registers.h"

#include <algorithm>
#include <map>
#include <utility>
#include <variant>
#include <vector>

#include "base/overloaded.h"

namespace ambit::parser::ptx {
namespace {

constexpr const char* kRule =
    "a register of the product of wgmma.mma_async is accessed before wgmma.wait_group covers the operation";

const AsyncStep* matrix_step(const Instruction& instruction, AsyncStep::Kind kind) {
  const auto* step = std::get_if<AsyncStep>(&instruction.operation);
  return step != nullptr && step->group == AsyncGroup::Matrix && step->kind == kind ? step : nullptr;
}

bool has_register(const Expr& expr, RegisterId reg) {
  if (expr.op == Op::Register) return expr.reg == reg;
  return std::ranges::any_of(expr.arguments, [&](const Expr& argument) { return has_register(argument, reg); });
}

/// Determines whether an operation reads or writes the register `reg`.
class Accesses {
 public:
  explicit Accesses(RegisterId reg) : reg_(reg) {}

  bool in(const Operation& operation) const {
    const MemoryAccess* access = access_of(operation);
    if (access != nullptr && reads(access->address)) return true;
    return std::visit([this](const auto& one) { return of(one); }, operation);
  }

 private:
  bool reads(const Expr& expr) const { return has_register(expr, reg_); }
  bool reads(const std::optional<Expr>& expr) const { return expr && reads(*expr); }
  bool reads(const std::optional<MemoryAccess>& access) const { return access && reads(access->address); }

  bool of(const Assign& assign) const { return assign.target == reg_ || reads(assign.value); }
  bool of(const Load& load) const { return load.target == reg_; }
  bool of(const Store& store) const { return reads(store.value); }
  bool of(const Rmw& rmw) const { return rmw.target == reg_ || reads(rmw.operand) || reads(rmw.compare); }
  bool of(const Barrier& barrier) const {
    if (reads(barrier.resource) || reads(barrier.count)) return true;
    const auto& exchange = barrier.exchange;
    return exchange && (exchange->target == reg_ || reads(exchange->value) || reads(exchange->source));
  }
  bool of(const Branch& branch) const { return reads(branch.condition); }
  bool of(const Assume& assume) const { return reads(assume.condition); }
  bool of(const Assert& assertion) const { return reads(assertion.condition); }
  bool of(const AsyncStep& step) const {
    return std::ranges::any_of(step.elements, [&](const AsyncElement& element) {
      return reads(element.source) || reads(element.target) || reads(element.value);
    });
  }
  bool of(const TransactionEnd& end) const { return reads(end.aborted); }
  bool of(const OneOf<Fence, ProxyFence, Jump, TransactionBegin> auto& /*other*/) const { return false; }

  RegisterId reg_;
};

class ProductChecker {
 public:
  explicit ProductChecker(Thread& thread) : thread_(thread) {
    for (const Instruction& instruction : thread.code) {
      const AsyncStep* step = matrix_step(instruction, AsyncStep::Kind::Issue);
      if (step == nullptr) continue;
      for (const RegisterId reg : step->products) products_[reg] = reg;
    }
  }

  void check() {
    std::vector<std::vector<RegisterId>> suspects(thread_.code.size());
    bool has_suspects = false;
    for (const auto& [reg, unused] : products_) {
      const std::vector<Value> pending = pending_groups(reg);
      for (std::size_t i = 0; i < thread_.code.size(); ++i) {
        if (pending[i] == kDone || !is_access(i, reg)) continue;
        suspects[i].push_back(reg);
        has_suspects = true;
      }
    }
    if (has_suspects) insert(suspects);
  }

 private:
  /// The result of pending_groups() if no uncompleted operation writes the register. Any other result is the number of
  /// groups committed since the operation was issued. If paths differ, the result is the minimum over all paths.
  static constexpr Value kDone = Value{1} << 20;

  bool issues(std::size_t i, RegisterId reg) const {
    const AsyncStep* step = matrix_step(thread_.code[i], AsyncStep::Kind::Issue);
    return step != nullptr && std::ranges::find(step->products, reg) != step->products.end();
  }

  bool is_access(std::size_t i, RegisterId reg) const {
    return !thread_.code[i].is_binding && !issues(i, reg) && Accesses(reg).in(thread_.code[i].operation);
  }

  Value value_after(std::size_t i, RegisterId reg, Value before) const {
    if (issues(i, reg)) return 0;
    if (before == kDone) return kDone;
    if (matrix_step(thread_.code[i], AsyncStep::Kind::Commit) != nullptr) return std::min(before + 1, kDone - 1);
    const AsyncStep* wait = matrix_step(thread_.code[i], AsyncStep::Kind::Wait);
    return wait != nullptr && before > static_cast<Value>(wait->pending) ? kDone : before;
  }

  /// For each instruction, returns the number of groups committed since the issue, or kDone.
  std::vector<Value> pending_groups(RegisterId reg) const {
    const std::vector<Instruction>& code = thread_.code;
    std::vector<Value> pending(code.size(), kDone);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < code.size(); ++i) {
        const Value after = value_after(i, reg, pending[i]);
        const auto flow_to = [&](std::size_t target) {
          if (target >= code.size() || pending[target] <= after) return;
          pending[target] = after;
          changed = true;
        };
        const auto* jump = std::get_if<Jump>(&code[i].operation);
        const auto* branch = std::get_if<Branch>(&code[i].operation);
        if (jump != nullptr) flow_to(jump->target);
        if (branch != nullptr) flow_to(branch->target);
        if (jump == nullptr) flow_to(i + 1);
      }
    }
    return pending;
  }

  RegisterId add_register(const char* name) {
    thread_.registers.push_back({name, kInt});
    return static_cast<RegisterId>(thread_.registers.size() - 1);
  }
  static Expr read(RegisterId reg) { return Expr::make_register(reg, kInt); }
  static Expr make(Op op, Expr a, Expr b) { return Expr::make(op, kInt, {std::move(a), std::move(b)}); }

  /// Adds the counters and assertions. Groups are numbered from 1. A product register may be accessed when the group
  /// that contains its operation is complete.
  void insert(const std::vector<std::vector<RegisterId>>& suspects) {
    commits_ = add_register("%groups");
    complete_ = add_register("%complete");
    for (auto& [reg, group] : products_) group = add_register("%product");
    std::vector<Instruction> code;
    std::vector<std::size_t> moved;
    for (std::size_t i = 0; i < thread_.code.size(); ++i) {
      moved.push_back(code.size());
      const SourceSpan span = thread_.code[i].span;
      for (const RegisterId reg : suspects[i]) {
        code.push_back({Assert{make(Op::LessEqual, read(products_[reg]), read(complete_)), kRule}, span});
      }
      code.push_back(thread_.code[i]);
      count(thread_.code[i], code);
    }
    moved.push_back(code.size());
    for (Instruction& instruction : code) {
      if (auto* branch = std::get_if<Branch>(&instruction.operation)) branch->target = moved[branch->target];
      if (auto* jump = std::get_if<Jump>(&instruction.operation)) jump->target = moved[jump->target];
    }
    thread_.code = std::move(code);
  }

  void count(const Instruction& instruction, std::vector<Instruction>& code) {
    const Expr next = make(Op::Add, read(commits_), Expr::make_constant(1));
    const auto assign = [&](RegisterId target, Expr value) {
      code.push_back({Assign{target, std::move(value)}, instruction.span});
    };
    if (const AsyncStep* step = matrix_step(instruction, AsyncStep::Kind::Issue)) {
      for (const RegisterId reg : step->products) assign(products_[reg], next);
    } else if (matrix_step(instruction, AsyncStep::Kind::Commit) != nullptr) {
      assign(commits_, next);
    } else if (const AsyncStep* wait = matrix_step(instruction, AsyncStep::Kind::Wait)) {
      const Expr covered = make(Op::Subtract, read(commits_), Expr::make_constant(static_cast<Value>(wait->pending)));
      assign(complete_,
             Expr::make(Op::Select, kInt, {make(Op::Less, read(complete_), covered), covered, read(complete_)}));
    }
  }

  Thread& thread_;
  std::map<RegisterId, RegisterId> products_;  ///< maps a product register to the register that holds its group number
  RegisterId commits_ = 0;
  RegisterId complete_ = 0;
};

}  // namespace

void check_products(Thread& thread) { ProductChecker(thread).check(); }

}  // namespace ambit::parser::ptx
