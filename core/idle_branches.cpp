#include "core/idle_branches.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/overloaded.h"

namespace ambit {
namespace {

/// Computes two sets that depend on each other, as a least fixed point: registers that are read, and branches with an
/// effect.
class IdleBranches {
 public:
  IdleBranches(const Program& program, std::uint32_t thread)
      : thread_(program.threads[thread]), is_read_(thread_.registers.size(), false) {
    for (const Observable& observable : program.observables) {
      if (observable.kind == Observable::Kind::Register && observable.thread == thread) is_read_[observable.reg] = true;
    }
  }

  std::vector<std::optional<std::size_t>> find() {
    do {
      changed_ = false;
      for (std::size_t i = 0; i < thread_.code.size(); ++i) read_registers_of(i);
    } while (changed_);
    std::vector<std::optional<std::size_t>> places(thread_.code.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto* branch = std::get_if<Branch>(&thread_.code[i].operation);
      if (branch == nullptr || !is_idle(i)) continue;
      const std::optional<std::size_t> next = first_effect(i + 1, 0);
      places[i] = next && !is_failure(*next) ? i + 1 : branch->target;
    }
    return places;
  }

 private:
  static constexpr unsigned kMaxDepth = 200;  ///< maximum depth of nested branches

  void read(const Expr& expr) {
    if (expr.op == Op::Register && !is_read_[expr.reg]) {
      is_read_[expr.reg] = changed_ = true;
      after_.clear();
    }
    for (const Expr& argument : expr.arguments) read(argument);
  }
  void read(const std::optional<Expr>& expr) {
    if (expr) read(*expr);
  }
  void read(const MemoryAccess& access) { read(access.address); }
  void read(const Rmw& rmw) {
    read(rmw.access);
    read(rmw.operand);
    read(rmw.compare);
  }

  void read_registers_of(std::size_t at) {
    std::visit(Overloaded{[&](const Assign& assign) {
                            if (is_read_[assign.target]) read(assign.value);
                          },
                          [&](const Branch& branch) {
                            if (!is_idle(at)) read(branch.condition);
                          },
                          [&](const Load& load) {
                            read(load.access);
                            read(load.succeeds);
                          },
                          [&](const Store& store) {
                            read(store.access);
                            read(store.value);
                          },
                          [&](const Rmw& rmw) { read(rmw); },
                          [&](const Barrier& barrier) {
                            read(barrier.resource);
                            read(barrier.count);
                            if (barrier.exchange) read(barrier.exchange->value);
                            if (barrier.exchange) read(barrier.exchange->source);
                          },
                          [&](const OneOf<Assume, Assert> auto& claim) { read(claim.condition); },
                          [&](const AsyncStep& step) { read_step(step); },
                          [&](const TransactionEnd& end) { read(end.aborted); },
                          [](const OneOf<Fence, ProxyFence, Jump, TransactionBegin> auto&) {}},
               thread_.code[at].operation);
  }

  void read_step(const AsyncStep& step) {
    for (const AsyncElement& element : step.elements) {
      if (element.source) read(*element.source);
      if (element.target) read(*element.target);
      read(element.value);
    }
    for (const Rmw& completion : step.completions) read(completion);
  }

  bool is_idle(std::size_t branch) { return first_effect(branch, 0) != branch; }

  /// Returns the first instruction with an effect, starting at `at`; nothing if the code loops without an effect.
  std::optional<std::size_t> first_effect(std::size_t at, unsigned depth) {
    const std::vector<Instruction>& code = thread_.code;
    for (std::size_t steps = 0; steps <= code.size() && at < code.size(); ++steps) {
      if (const auto* jump = std::get_if<Jump>(&code[at].operation)) {
        at = jump->target;
      } else if (const auto* assign = std::get_if<Assign>(&code[at].operation); assign && !is_read_[assign->target]) {
        ++at;
      } else {
        return std::holds_alternative<Branch>(code[at].operation) ? after_branch(at, depth) : at;
      }
    }
    return at < code.size() ? std::nullopt : std::optional(at);
  }

  /// If both successors of the branch reach the same first instruction with an effect, returns that instruction.
  /// Otherwise, returns the branch.
  std::optional<std::size_t> after_branch(std::size_t at, unsigned depth) {
    if (depth > kMaxDepth) return at;
    if (const auto known = after_.find(at); known != after_.end()) return known->second;
    after_[at] = at;  // the result if a loop leads back to this branch
    const std::optional<std::size_t> next = first_effect(at + 1, depth + 1);
    const auto& branch = std::get<Branch>(thread_.code[at].operation);
    const std::optional<std::size_t> other = first_effect(branch.target, depth + 1);
    if (next && other && is_opaque(branch.condition)) {
      if (is_failure(*next)) after_[at] = *other;
      if (is_failure(*other)) after_[at] = *next;
    }
    if (next && next == other) after_[at] = *next;
    return after_[at];
  }

  bool is_opaque(const Expr& expr) const {
    if (expr.op == Op::Register) return thread_.registers[expr.reg].is_opaque;
    return std::ranges::any_of(expr.arguments, [this](const Expr& argument) { return is_opaque(argument); });
  }

  /// Returns whether the instruction is a failing assertion of a CUDA library (kLibraryAssertion).
  bool is_failure(std::size_t at) const {
    const auto* assertion = at < thread_.code.size() ? std::get_if<Assert>(&thread_.code[at].operation) : nullptr;
    return assertion != nullptr && assertion->misuse == kLibraryAssertion;
  }

  const Thread& thread_;
  std::vector<bool> is_read_;
  /// Caches results of after_branch(). The results are valid for the current `is_read_`.
  std::map<std::size_t, std::size_t> after_;
  bool changed_ = false;
};

}  // namespace

std::vector<std::optional<std::size_t>> idle_branches(const Program& program, std::uint32_t thread) {
  return IdleBranches(program, thread).find();
}

}  // namespace ambit
