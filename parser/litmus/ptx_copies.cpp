// Lowers the operands of asynchronous copies: hints, source sizes and memory operands.

#include <fmt/format.h>

#include <utility>

#include "parser/litmus/ptx_lowering.h"

namespace ambit::parser::litmus {
namespace {

constexpr std::size_t kWaitOperands = 3;       ///< number of operands of mbarrier.try_wait without a time limit
constexpr std::size_t kShortCopyOperands = 3;  ///< number of operands of cp.async: destination, source, size

bool is_short_copy(std::string_view opcode) {
  return opcode.starts_with("cp.async.ca.") || opcode.starts_with("cp.async.cg.");
}

}  // namespace

/// Removes time limits and cache policies, which memory models ignore. Sets `source_size_`, the number of bytes that a
/// cp.async reads: the operand src-size, or 0 if the predicate ignore-src is true. Returns false after an error.
bool PtxLowering::settle_hints(std::string_view opcode) {
  source_size_.reset();
  if (opcode.starts_with("mbarrier.try_wait") && operands_.size() == kWaitOperands + 1) operands_.pop_back();
  if (opcode.find("L2::cache_hint") != std::string_view::npos && !operands_.empty()) operands_.pop_back();
  if (!is_short_copy(opcode) || operands_.size() != kShortCopyOperands + 1) return true;
  PtxOperand last = std::move(operands_.back());
  operands_.pop_back();
  if (last.operand.type.is_pointer) {
    thread_.error(last.span, "the source size of cp.async must be a number");
    return false;
  }
  if (last.is_predicate) {
    const Expr size = Expr::make_cast(operands_.back().operand.expr, kUnsigned);
    last.operand = Operand::integer(
        Expr::make(Op::Select, kUnsigned, {to_boolean(last.operand.expr), Expr::make_constant(0, kUnsigned), size}));
  }
  source_size_ = std::move(last.operand);
  return true;
}

/// Emits a cp.async that reads `source_size_` bytes. The number of bytes is known only when the program runs. Therefore
/// the code has one cp.async for each possible number of cells, and jumps to the cp.async for the actual number.
void PtxLowering::issue_filled(const ptx::Step& step) {
  if (!thread_.values_matter()) return;
  const std::optional<Value> whole = bytes(step);
  if (!whole) return;
  const auto targets = cells_of(*step.address, *whole, std::nullopt);
  if (!targets || targets->empty()) return;
  const Value cell = targets->front().place.type.scalar.bits / 8;
  const Expr size = thread_.code.stable(Expr::make_cast(source_size_->expr, kUnsigned), span_);
  if (size.is_constant()) {
    if (size.constant >= 0 && size.constant <= *whole && size.constant % cell == 0) return issue(step, size.constant);
    thread_.error(step.bytes->span, fmt::format("cp.async reads {} of {} bytes: expected a multiple of the element "
                                                "size, {} bytes",
                                                size.constant, *whole, cell));
    return;
  }
  CodeBuilder& code = thread_.code;
  const auto is = [&](Value bytes) {
    return Expr::make(Op::Equal, kInt, {size, Expr::make_constant(bytes, kUnsigned)});
  };
  const Label end = code.new_label();
  for (Value read = 0; read <= *whole; read += cell) {
    const Label next = code.new_label();
    code.branch(negate(is(read)), next, span_);
    issue(step, read);
    code.jump(end, span_);
    code.bind(next);
  }
  code.emit(Assert{Expr::make_constant(0), "the source size of cp.async is not a multiple of the element size"}, span_);
  code.bind(end);
}

/// Returns the cells of an operand in memory. `rank` is the rank of the block whose shared memory contains the cells.
/// If `rank` is not set, the operand determines the block.
std::optional<std::vector<AsyncCell>> PtxLowering::cells_of(const ptx::OperandNode& node, Value bytes,
                                                            std::optional<Value> rank) {
  const auto there = [&](Operand pointer) {
    return rank ? barriers_.map_shared(std::move(pointer), Operand::constant(*rank), node.span) : pointer;
  };
  if (!given(node).cells) {
    const Operand pointer = there(operand(node));
    if (pointer.erroneous) return std::nullopt;
    return async_.cells(pointer, bytes, node.span);
  }
  auto found = given(node).cells(bytes);
  for (std::size_t i = 0; found && i < found->size(); ++i) {
    Place& place = (*found)[i].place;
    Type type = place.type;
    type.is_pointer = true;
    Operand moved = there({place.address, type});
    if (moved.erroneous) return std::nullopt;
    place.address = std::move(moved.expr);
  }
  return found;
}

}  // namespace ambit::parser::litmus
