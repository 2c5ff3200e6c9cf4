// Lowers griddepcontrol, dependent grids and exits of blocks (parser/ptx/grids.h).

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "core/asynchronous.h"
#include "parser/ptx/column_lowering.h"

namespace ambit::parser::ptx {
/// Emits a loop that waits until the counter is at least `least`.
void ColumnLowering::wait_for_grid(MemoryAccess counter, Value least, SourceSpan where, std::string_view instruction) {
  const std::size_t head = code_.size();
  const RegisterId read = temporary(kInt);
  const auto machine = machine_of(instruction);
  Expr lacks = Expr::make(Op::Less, kInt, {Expr::make_register(read, kInt), Expr::make_constant(least, kInt)});
  Expr is_over = Expr::make(Op::GreaterEqual, kInt, lacks.arguments);
  code_.push_back({Load{read, std::move(counter), std::move(is_over)}, where, machine});
  code_.push_back({Branch{std::move(lacks), head}, where, machine});
}

void ColumnLowering::count_in_grid(MemoryAccess counter, Value number, SourceSpan where, std::string_view instruction) {
  Rmw rmw;
  rmw.op = RmwOp::Add;
  rmw.is_reduction = true;
  rmw.operand = Expr::make_constant(number, kInt);
  rmw.access = std::move(counter);
  code_.push_back({std::move(rmw), where, machine_of(instruction)});
}

void ColumnLowering::begin_in_grid() {
  if (grids_ == nullptr || !grids_->has_prerequisite(grid_)) return;
  for (const BlockId before : grids_->blocks(grid_ - 1)) {
    wait_for_grid(grids_->started(before, Order::Acquire), grids_->threads(before), node_.name.span, kGridStep);
  }
}

void ColumnLowering::end_in_grid() {
  if (grids_ == nullptr || !grids_->has_dependents(grid_)) return;
  if (!launched_) count_in_grid(grids_->started(block(), Order::Relaxed), 1, node_.name.span, kGridStep);
  count_in_grid(grids_->finished(grid_, Order::Release), 1, node_.name.span, kGridStep);
  if (!launched_) return;
  for (std::size_t i = 0; i < code_.size(); ++i) {
    std::size_t target = i;
    if (const auto* branch = std::get_if<Branch>(&code_[i].operation)) target = branch->target;
    if (const auto* jump = std::get_if<Jump>(&code_[i].operation)) target = jump->target;
    if ((i < *launched_ && *launched_ < target) || (target <= *launched_ && *launched_ < i)) {
      return fail(code_[*launched_].span, "a jump skips or repeats this griddepcontrol.launch_dependents",
                  "Ambit supports the instruction only if each thread executes it exactly once");
    }
  }
}

void ColumnLowering::grid_control(const Step& step) {
  if (grids_ == nullptr) return;
  if (step.opcode.kind == OpcodeKind::GridWait) {
    if (grids_->has_prerequisite(grid_)) {
      wait_for_grid(grids_->finished(grid_ - 1, Order::Acquire), grids_->threads(grid_ - 1), step.node->span,
                    "griddepcontrol.wait");
    }
    return;
  }
  if (!grids_->has_dependents(grid_) || launched_) return;  // a second launch_dependents has no effect
  launched_ = code_.size();
  count_in_grid(grids_->started(block(), Order::Relaxed), grids_->threads(block()), step.node->span,
                "griddepcontrol.launch_dependents");
}

// ---- the exit of a block ----

bool ColumnLowering::exits() const {
  return std::ranges::any_of(steps_, [](const StepOrLabel& entry) {
    const auto* step = std::get_if<Step>(&entry);
    return step != nullptr && step->opcode.kind == OpcodeKind::Exit;
  });
}

void ColumnLowering::exit_block() {
  const auto counter = exits_ == nullptr ? std::nullopt : exits_->counter(block());
  if (!counter) return;
  Rmw rmw;
  rmw.op = RmwOp::Add;
  rmw.is_reduction = true;
  rmw.operand = Expr::make_constant(1, kInt);
  rmw.access = counter_access(*counter, Order::Relaxed);
  code_.push_back({std::move(rmw), node_.name.span, machine_of("exit")});
}

std::set<BlockId> ColumnLowering::reached_blocks(const Step& step) const {
  std::set<BlockId> blocks;
  for (const OperandNode* operand : {step.address, step.source, step.barrier}) {
    if (operand == nullptr || operand->kind != OperandNode::Kind::Location) continue;
    const auto index = memory_.use(*operand, block());
    if (index && memory_[*index].home && *memory_[*index].home != block()) blocks.insert(*memory_[*index].home);
  }
  return blocks;
}

void ColumnLowering::add_reached_blocks(std::set<BlockId>& blocks) const {
  for (const StepOrLabel& entry : steps_) {
    if (const auto* step = std::get_if<Step>(&entry)) blocks.merge(reached_blocks(*step));
  }
}

/// Emits checks before accesses to the shared memory of other blocks. The shared memory of a block no longer exists
/// after the block's last thread has exited.
void ColumnLowering::check_exits(const Step& step) {
  if (exits_ == nullptr || reporter_.has_errors()) return;
  for (const BlockId block : reached_blocks(step)) {
    const auto counter = exits_->counter(block);
    if (!counter) continue;
    const RegisterId read = temporary(kInt);
    const auto machine = machine_of("exit");
    code_.push_back({Load{read, counter_access(*counter, Order::Relaxed)}, step.node->span, machine});
    Expr some = Expr::make(Op::Less, kInt,
                           {Expr::make_register(read, kInt), Expr::make_constant(exits_->threads(block), kInt)});
    code_.push_back(
        {Assert{std::move(some), "the cta of this shared memory may have exited"}, step.node->span, machine});
  }
}

}  // namespace ambit::parser::ptx
