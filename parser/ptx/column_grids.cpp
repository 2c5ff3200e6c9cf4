// Dependent grids (parser/ptx/grids.h): the start and the end of a thread, and griddepcontrol.

#include <memory>
#include <utility>

#include "parser/ptx/column_lowering.h"

namespace ambit::parser::ptx {
namespace {

/// For runners: a single launch has one grid.
std::shared_ptr<const MachineInstruction> machine_of(const char* name) {
  auto machine = std::make_shared<MachineInstruction>();
  machine->name = name;
  return machine;
}

}  // namespace

/// Waits until all threads of the grid before have counted.
void ColumnLowering::wait_for_grid(MemoryAccess counter, SourceSpan where) {
  const std::size_t head = code_.size();
  const RegisterId read = temporary(kInt);
  const auto machine = machine_of("griddepcontrol.wait");
  Expr lacks = Expr::make(Op::NotEqual, kInt,
                          {Expr::make_register(read, kInt), Expr::make_constant(grids_->threads(grid_ - 1), kInt)});
  code_.push_back({Load{read, std::move(counter)}, where, machine});
  code_.push_back({Branch{std::move(lacks), head}, where, machine});
}

void ColumnLowering::count_in_grid(MemoryAccess counter, SourceSpan where) {
  Rmw rmw;
  rmw.op = RmwOp::Add;
  rmw.is_reduction = true;
  rmw.operand = Expr::make_constant(1, kInt);
  rmw.access = std::move(counter);
  code_.push_back({std::move(rmw), where, machine_of("griddepcontrol.launch_dependents")});
}

void ColumnLowering::begin_in_grid() {
  if (grids_ == nullptr || !grids_->has_prerequisite(grid_)) return;
  wait_for_grid(grids_->started(grid_ - 1, Order::Acquire), node_.name.span);
}

void ColumnLowering::end_in_grid() {
  if (grids_ == nullptr || !grids_->has_dependents(grid_)) return;
  if (!launched_) count_in_grid(grids_->started(grid_, Order::Relaxed), node_.name.span);
  count_in_grid(grids_->finished(grid_, Order::Release), node_.name.span);
  if (!launched_) return;
  for (std::size_t i = 0; i < code_.size(); ++i) {
    std::size_t target = i;
    if (const auto* branch = std::get_if<Branch>(&code_[i].operation)) target = branch->target;
    if (const auto* jump = std::get_if<Jump>(&code_[i].operation)) target = jump->target;
    if ((i < *launched_ && *launched_ < target) || (target <= *launched_ && *launched_ < i)) {
      return fail(code_[*launched_].span, "a jump skips or repeats this griddepcontrol.launch_dependents",
                  "Ambit models it where each thread reaches it once");
    }
  }
}

void ColumnLowering::grid_control(const Step& step) {
  if (grids_ == nullptr) return;
  if (step.opcode.kind == OpcodeKind::GridWait) {
    if (grids_->has_prerequisite(grid_)) {
      wait_for_grid(grids_->finished(grid_ - 1, Order::Acquire), step.node->span);
    }
    return;
  }
  if (!grids_->has_dependents(grid_) || launched_) return;  // a second one has no effect
  launched_ = code_.size();
  count_in_grid(grids_->started(grid_, Order::Relaxed), step.node->span);
}

}  // namespace ambit::parser::ptx
