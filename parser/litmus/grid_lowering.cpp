#include "parser/litmus/grid_lowering.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "core/asynchronous.h"
#include "parser/ptx/grids.h"

namespace ambit::parser::litmus {
namespace {

MemoryAccess access(ObjectId counter, Value index, Order order) {
  MemoryAccess access = ptx::counter_access(counter, order);
  access.address = Expr::make_constant(make_address(counter, static_cast<std::uint32_t>(index)), kLongLong);
  return access;
}

}  // namespace

void GridLowering::wait_for(MemoryAccess counter, Value least, std::string_view instruction, SourceSpan span) {
  CodeBuilder& code = thread_.code;
  const std::size_t first = code.size();
  const Label again = code.new_label();
  code.bind(again);
  const RegisterId read = code.temporary(kInt);
  const std::vector<Expr> counts = {Expr::make_register(read, kInt), Expr::make_constant(least, kInt)};
  code.emit(Load{read, std::move(counter), Expr::make(Op::GreaterEqual, kInt, counts)}, span);
  code.branch(Expr::make(Op::Less, kInt, counts), again, span);
  code.attach(first, ptx::machine_of(instruction));
}

std::shared_ptr<const MachineInstruction> GridLowering::add(Value number, MemoryAccess counter,
                                                            std::string_view instruction, SourceSpan span) {
  const std::size_t first = thread_.code.size();
  Rmw rmw;
  rmw.op = RmwOp::Add;
  rmw.is_reduction = true;
  rmw.operand = Expr::make_constant(number, kInt);
  rmw.access = std::move(counter);
  thread_.code.emit(std::move(rmw), span);
  auto machine = ptx::machine_of(instruction);
  thread_.code.attach(first, machine);
  return thread_.code.size() > first ? machine : nullptr;
}

void GridLowering::begin() {
  const auto& before = thread_.setting.grid.before;
  if (!before) return;
  for (Value block = 0; block < before->blocks; ++block) {
    wait_for(access(before->started, block, Order::Acquire), before->threads, kGridStep, thread_.setting.grid.span);
  }
}

void GridLowering::end(SourceSpan span) {
  const ThreadSetting::Grid& grid = thread_.setting.grid;
  if (!grid.own) return;
  if (thread_.launch_of_dependents == nullptr)
    add(1, access(grid.own->started, grid.block, Order::Relaxed), kGridStep, span);
  add(1, access(grid.own->finished, 0, Order::Release), kGridStep, span);
}

void GridLowering::wait(SourceSpan span) {
  const auto& before = thread_.setting.grid.before;
  if (before)
    wait_for(access(before->finished, 0, Order::Acquire), before->blocks * before->threads, "griddepcontrol.wait",
             span);
}

void GridLowering::launch_dependents(SourceSpan span) {
  const ThreadSetting::Grid& grid = thread_.setting.grid;
  if (!grid.own || thread_.launch_of_dependents != nullptr) return;
  thread_.launch_of_dependents = add(grid.own->threads, access(grid.own->started, grid.block, Order::Relaxed),
                                     "griddepcontrol.launch_dependents", span);
}

void GridLowering::check(const std::vector<Instruction>& code) {
  if (thread_.launch_of_dependents == nullptr) return;
  const auto launch = std::ranges::find(code, thread_.launch_of_dependents, &Instruction::machine);
  const auto at = static_cast<std::size_t>(launch - code.begin());
  for (std::size_t i = 0; i < code.size(); ++i) {
    const std::size_t* jump = jump_target(code[i].operation);
    if (jump == nullptr) continue;
    const std::size_t target = *jump;
    const bool is_skipped = i < at && at < target;
    const bool is_repeated = target <= at && at < i;
    if (!is_skipped && !is_repeated) continue;
    thread_.error(launch->span, "a jump skips or repeats this griddepcontrol.launch_dependents",
                  "Ambit supports the instruction only if each thread executes it exactly once");
    return;
  }
}

}  // namespace ambit::parser::litmus
