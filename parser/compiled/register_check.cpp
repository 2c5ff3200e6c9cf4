#include "parser/compiled/register_check.h"

#include "core/assert.h"
#include "parser/litmus/operand.h"

namespace ambit::parser::compiled {
namespace {

class Checker {
 public:
  explicit Checker(const Thread& thread) : thread_(thread) {}

  void check(const Expr& expr) const {
    for (const Expr& argument : expr.arguments) check(argument);
    if (expr.op != Op::Register || expr.reg == litmus::kOpaqueRegister) return;
    AMBIT_ASSERT(expr.reg < thread_.registers.size());
    AMBIT_ASSERT(expr.type.bits == thread_.registers[expr.reg].type.bits);
  }

  void check(const std::optional<Expr>& expr) const {
    if (expr) check(*expr);
  }

  void check(const Operation& operation) const {
    if (const MemoryAccess* access = access_of(operation)) check(access->address);
    if (const auto* assign = std::get_if<Assign>(&operation)) check(assign->value);
    if (const auto* store = std::get_if<Store>(&operation)) check(store->value);
    if (const auto* branch = std::get_if<Branch>(&operation)) check(branch->condition);
    if (const auto* rmw = std::get_if<Rmw>(&operation)) {
      check(rmw->operand);
      check(rmw->compare);
    }
    if (const auto* barrier = std::get_if<Barrier>(&operation)) {
      check(barrier->resource);
      check(barrier->count);
      if (!barrier->exchange) return;
      check(barrier->exchange->value);
      check(barrier->exchange->source);
    }
  }

 private:
  const Thread& thread_;
};

}  // namespace

void check_register_widths(const Thread& thread) {
  const Checker checker(thread);
  for (const Instruction& instruction : thread.code) checker.check(instruction.operation);
}

}  // namespace ambit::parser::compiled
