#include "parser/compiled/register_check.h"

#include "base/assert.h"
#include "base/overloaded.h"
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
    std::visit(Overloaded{[&](const OneOf<Assign, Store> auto& writing) { check(writing.value); },
                          [&](const Branch& branch) { check(branch.condition); },
                          [&](const Rmw& rmw) {
                            check(rmw.operand);
                            check(rmw.compare);
                          },
                          [&](const Barrier& barrier) {
                            check(barrier.resource);
                            check(barrier.count);
                            if (!barrier.exchange) return;
                            check(barrier.exchange->value);
                            check(barrier.exchange->source);
                          },
                          [](const OneOf<Load, Fence, ProxyFence, Jump, Assume, Assert, AsyncStep, TransactionBegin,
                                         TransactionEnd> auto&) {}},
               operation);
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
