// Lowers operations on mbarrier objects (PTX ISA 9.7.13.15). Every operation is one read-modify-write of the object's
// cell. Therefore, a wait that observes an arrival has also observed all earlier arrivals (definitions 3.2). The state
// that an arrival returns is the current phase. A wait for the state succeeds when this phase has completed.

#include <fmt/format.h>

#include <utility>

#include "parser/ptx/column_lowering.h"
#include "parser/ptx/mbarrier_steps.h"

namespace ambit::parser::ptx {
namespace {

using Kind = OperandNode::Kind;

}  // namespace

std::optional<std::size_t> ColumnLowering::mbarrier(const OperandNode& operand) {
  const std::optional<std::size_t> index = named(operand);
  if (index && memory_[*index].arrivals) return index;
  if (operand.kind == Kind::Register) {
    fail(operand.span, "expected the name of an mbarrier, found a register");
  } else if (index) {
    fail(operand.span, fmt::format("'{}' is not an mbarrier", operand.name.text),
         fmt::format("declare it with its number of arrivals: {} = mbarrier(2)", operand.name.text));
  }
  return std::nullopt;
}

std::optional<MemoryAccess> ColumnLowering::mbarrier_access(const OperandNode& operand, std::size_t index,
                                                            const Opcode& opcode) {
  std::optional<MemoryAccess> access = this->access(operand, opcode, true);
  if (access) access->phase_size = memory_.layout(index).phase_size();
  return access;
}

void ColumnLowering::check_misuse(std::vector<Assert> rules, const Step& step) {
  for (Assert& rule : rules) emit(std::move(rule), step);
}

/// Lowers mbarrier.init and mbarrier.inval. An object that is in use must be invalidated before it is initialised
/// again. Only an object in use can be invalidated.
void ColumnLowering::mbarrier_init(const Step& step) {
  const std::optional<std::size_t> index = mbarrier(*step.address);
  if (!index) return;
  const MbarrierLayout& layout = memory_.layout(*index);
  const bool is_init = step.opcode.kind == OpcodeKind::MbarrierInit;
  if (is_init && !constant(step.values[0], 1, kMostArrivals, "number of expected arrivals")) return;
  std::optional<MemoryAccess> access = mbarrier_access(*step.address, *index, step.opcode);
  if (!access) return;
  const ScalarType type = access->type;
  if (layout.is_packed()) {
    const RegisterId old = temporary(type);
    const Expr state = Expr::make_register(old, type);
    emit(Load{old, *access}, step);
    check_misuse(is_init ? mbarrier_init_rules(layout, state) : mbarrier_live_rules(layout, state), step);
  }
  emit(Store{*std::move(access), Expr::make_constant(is_init ? layout.initialised() : 0, type)}, step);
}

std::optional<Value> ColumnLowering::transaction_bytes(const OperandNode* operand) {
  return constant(operand, 0, kMostArrivals, "number of bytes");
}

void ColumnLowering::update_mbarrier(const Step& step, MemoryAccess access, const MbarrierLayout& layout,
                                     Value arrivals, Value bytes) {
  const ScalarType type = access.type;
  const bool keeps_state = step.target != nullptr && layout.phase_size() == 1;
  const RegisterId old = keeps_state ? register_id(*step.target) : temporary(type);
  const Expr state = Expr::make_register(old, type);
  const bool is_arrival = step.opcode.kind == OpcodeKind::MbarrierArrive;
  const MbarrierChange change{is_arrival ? arrivals : 0, bytes, step.opcode.drops, step.opcode.no_complete};
  Rmw rmw = mbarrier_update(layout, std::move(access), old, change);
  std::vector<Assert> rules = mbarrier_rules(layout, state, change);
  const bool needs_state = layout.is_packed() || step.target != nullptr || !rules.empty();
  if (!needs_state) rmw.target.reset();
  emit(std::move(rmw), step);
  check_misuse(std::move(rules), step);
  if (step.target == nullptr) return;
  if (RegisterUse& known = use(step.target->name.text); known.is_counted) {
    if (!known.pending) known.pending = temporary(kInt);
    emit(Assign{*known.pending, Expr::make_cast(layout.pending_count(state), kInt)}, step);
  }
  if (keeps_state) return;
  emit(Assign{register_id(*step.target), layout.phase(state)}, step);
}

void ColumnLowering::mbarrier_arrive(const Step& step) {
  const std::optional<std::size_t> index = mbarrier(*step.address);
  if (!index) return;
  const bool is_transaction =
      step.opcode.kind == OpcodeKind::MbarrierExpect || step.opcode.kind == OpcodeKind::MbarrierComplete;
  Value count = 1;
  Value bytes = 0;
  if (is_transaction || step.opcode.expects) {
    const std::optional<Value> given = transaction_bytes(step.values[0]);
    if (!given) return;
    bytes = step.opcode.kind == OpcodeKind::MbarrierComplete ? -*given : *given;
  } else if (step.values[0] != nullptr) {
    const std::optional<Value> given = constant(step.values[0], 1, kMostArrivals, "number of arrivals");
    if (!given) return;
    count = *given;
  }
  const bool is_remote = step.opcode.space == StateSpace::SharedCluster;
  if (is_remote && step.target != nullptr) {
    return fail(step.target->span, "an arrival at .shared::cluster returns no state",
                "write _ in place of the register");
  }
  std::optional<MemoryAccess> access = mbarrier_access(*step.address, *index, step.opcode);
  if (access) update_mbarrier(step, *std::move(access), memory_.layout(*index), count, bytes);
}

void ColumnLowering::mbarrier_wait(const Step& step) {
  const std::optional<std::size_t> index = mbarrier(*step.address);
  if (!index || step.target == nullptr) return;
  if (const auto home = memory_[*index].home; home && !(*home == block())) {
    return fail(step.address->span, fmt::format("'{}' is an mbarrier of another cta: only its own cta can wait for it",
                                                step.address->name.text));
  }
  std::optional<MemoryAccess> access = mbarrier_access(*step.address, *index, step.opcode);
  if (!access) return;
  const ScalarType type = access->type;
  const RegisterId read = temporary(type);
  Expr awaited = value(*step.values[0], type);
  Expr is_over = phase_is_over(memory_.layout(*index), Expr::make_register(read, type), std::move(awaited),
                               step.opcode.by_parity, type);
  emit(Load{read, *std::move(access), is_over}, step);
  check_misuse(mbarrier_live_rules(memory_.layout(*index), Expr::make_register(read, type)), step);
  const RegisterId target = register_id(*step.target);
  emit(Assign{target, std::move(is_over)}, step);
}

/// Lowers mbarrier.pending_count: returns the number of pending arrivals before the arrival that returned the state.
void ColumnLowering::mbarrier_pending(const Step& step) {
  RegisterUse& state = use(step.values[0]->name.text);
  if (!state.pending) state.pending = temporary(kInt);
  emit(Assign{register_id(*step.target), Expr::make_register(*state.pending, kInt)}, step);
}

}  // namespace ambit::parser::ptx
