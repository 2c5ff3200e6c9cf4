#include "parser/ptx/column_lowering.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "parser/ptx/mbarrier_steps.h"
#include "parser/ptx/product_registers.h"
#include "parser/text/constant_arithmetic.h"
#include "parser/text/keywords.h"

namespace ambit::parser::ptx {
namespace {

using Kind = OperandNode::Kind;

/// Returns the type of an operation.
ScalarType operation_type(const Opcode& opcode, ScalarType by_default) {
  if (!opcode.type) return by_default;
  return {opcode.type->bits, opcode.type->sign != TypeSuffix::Sign::Unsigned};
}

}  // namespace

Thread ColumnLowering::lower(bool dynamic_barriers) {
  dynamic_barriers_ = dynamic_barriers;
  Thread thread;
  thread.name = node_.name.text;
  thread.place = place_;
  thread.grid = grid_;
  thread.span = node_.name.span;
  code_.reserve(steps_.size() + initial_.size());
  make_registers();
  begin_in_grid();
  for (const StepOrLabel& entry : steps_) {
    if (const auto* label = std::get_if<LabelNode>(&entry)) {
      if (!labels_.emplace(label->name.text, code_.size()).second) {
        fail(label->name.span, fmt::format("the label '{}' occurs twice in {}", label->name.text, name()));
      }
    } else {
      emit(std::get<Step>(entry));
    }
  }
  resolve_jumps();
  end_in_grid();
  exit_block();
  // After an error, the code also assigns every written register, so that the condition causes no further errors.
  if (reporter_.has_errors()) {
    for (const RegisterUse& known : registers_) {
      if (known.is_written) code_.push_back({Assign{known.id, {}}, node_.name.span});
    }
  }
  thread.registers = std::move(made_);
  thread.code = std::move(code_);
  check_products(thread);
  return thread;
}

void ColumnLowering::make_registers() {
  const ScalarType by_default = memory_.default_type();
  for (RegisterUse& known : registers_) {
    ScalarType type = known.type.value_or(by_default);
    if (known.has_plain_writer && type.bits < by_default.bits) type = by_default;
    known.id = static_cast<RegisterId>(made_.size());
    made_.push_back({std::string(known.name), type, known.is_product});
  }
  for (const DeclarationNode* node : initial_) {
    const OperandNode& operand = node->values.front();
    const RegisterUse& known = use(node->name.text);
    const ScalarType type = made_[known.id].type;
    Assign assign{known.id, {}};
    if (operand.kind == Kind::Location) {
      const auto index = memory_.use(operand, block());
      const std::optional<Value> address = index ? memory_.address(operand, *index, block()) : std::nullopt;
      assign.value = Expr::make_constant(address.value_or(0), type);
    } else {
      assign.value = value(operand, type);
    }
    code_.push_back({std::move(assign), node->name.span});
  }
}

RegisterId ColumnLowering::register_id(const OperandNode& operand) const {
  const auto found = std::find_if(registers_.begin(), registers_.end(),
                                  [&](const RegisterUse& known) { return known.name == operand.name.text; });
  AMBIT_ASSERT(found != registers_.end());
  return found->id;
}

Expr ColumnLowering::register_value(const OperandNode& operand) const {
  const RegisterId id = register_id(operand);
  return Expr::make_register(id, made_[id].type);
}

RegisterId ColumnLowering::temporary(ScalarType type) {
  made_.push_back({fmt::format("%{}", temporaries_++), type});
  return static_cast<RegisterId>(made_.size() - 1);
}

Expr ColumnLowering::value(const OperandNode& operand, ScalarType type) {
  if (operand.kind == Kind::Register) return Expr::make_cast(register_value(operand), type);
  check_range(operand.value, operand.literal, {.scalar = type}, operand.span, reporter_);
  return Expr::make_constant(operand.value, type);
}

void ColumnLowering::emit(const Step& step) {
  const bool jumps = step.opcode.kind == OpcodeKind::Jump || step.opcode.kind == OpcodeKind::Exit;
  const std::size_t skip = code_.size();
  const bool is_guarded = step.node->guard && !jumps;
  if (is_guarded) emit(Branch{guard(step, false), 0}, step);
  const std::size_t first = code_.size();
  check_exits(step);
  emit_operations(step);
  const auto machine = machine_instruction(step);
  for (std::size_t i = first; machine != nullptr && i < code_.size(); ++i) code_[i].machine = machine;
  if (is_guarded) std::get<Branch>(code_[skip].operation).target = code_.size();
}

/// Returns the condition under which the instruction's guard has the value `holds`.
Expr ColumnLowering::guard(const Step& step, bool holds) const {
  Expr value = register_value(*step.node->guard);
  const ScalarType type = value.type;
  const Op is = holds != step.node->is_negated ? Op::NotEqual : Op::Equal;
  return Expr::make(is, type, {std::move(value), Expr::make_constant(0, type)});
}

void ColumnLowering::emit_operations(const Step& step) {
  switch (step.opcode.kind) {
    case OpcodeKind::Load: return load(step);
    case OpcodeKind::Store: return store(step);
    case OpcodeKind::Rmw: return rmw(step);
    case OpcodeKind::Move:
    case OpcodeKind::Arithmetic: return arithmetic(step);
    case OpcodeKind::Branch:
    case OpcodeKind::Jump:
    case OpcodeKind::Exit: return branch(step);
    case OpcodeKind::Fence: return emit(fence_of(step.opcode), step);
    case OpcodeKind::ProxyFence: return emit(proxy_fence_of(step.opcode), step);
    case OpcodeKind::BlockBarrier: return block_barrier(step);
    case OpcodeKind::WarpBarrier: return warp_barrier(step);
    case OpcodeKind::ClusterArrive:
    case OpcodeKind::ClusterWait: return cluster_barrier(step);
    case OpcodeKind::MbarrierInit:
    case OpcodeKind::MbarrierInvalidate: return mbarrier_init(step);
    case OpcodeKind::MbarrierArrive:
    case OpcodeKind::MbarrierExpect:
    case OpcodeKind::MbarrierComplete: return mbarrier_arrive(step);
    case OpcodeKind::Asynchronous: return asynchronous(step);
    case OpcodeKind::GridWait:
    case OpcodeKind::GridLaunch: return grid_control(step);
    case OpcodeKind::MbarrierWait: return mbarrier_wait(step);
    case OpcodeKind::MbarrierPending: return mbarrier_pending(step);
  }
}

// ---- memory ----

std::optional<std::size_t> ColumnLowering::named(const OperandNode& address) {
  return address.kind == Kind::Location ? memory_.use(address, block()) : std::nullopt;
}

/// Checks that the location is in the state space that the instruction names.
bool ColumnLowering::check_space(const OperandNode& operand, std::size_t index, StateSpace space) {
  const MemoryName& name = memory_[index];
  const bool is_shared = name.is_shared || name.home;
  if (space == StateSpace::Unsaid || (space == StateSpace::Global && !is_shared)) return true;
  const std::string declare =
      fmt::format("declare it in the shared memory of a cta: {} @ cta {}", name.name, at_.block);
  if (space == StateSpace::Global) {
    fail(operand.span, fmt::format("'{}' is in shared memory, but the instruction says .global", name.name));
  } else if (!is_shared && !name.arrivals) {
    fail(operand.span, fmt::format("'{}' is in global memory, but the instruction says .shared", name.name), declare);
  } else if (space == StateSpace::SharedBlock && name.home && !(*name.home == at_)) {
    fail(operand.span,
         fmt::format("'{}' is in the shared memory of cta {}: .shared::cta means cta {}", name.name, name.home->block,
                     at_.block),
         "write .shared::cluster");
  } else {
    return true;
  }
  return false;
}

std::optional<MemoryAccess> ColumnLowering::access(const OperandNode& operand, const Opcode& opcode, bool at_mbarrier) {
  const std::optional<std::size_t> index = named(operand);
  if (operand.kind == Kind::Location && !index) return std::nullopt;
  if (index && memory_[*index].arrivals && !at_mbarrier) {
    fail(operand.span, fmt::format("'{}' is an mbarrier: only mbarrier operations can access it", operand.name.text));
    return std::nullopt;
  }
  if (index && !check_space(operand, *index, opcode.space)) return std::nullopt;
  MemoryAccess access;
  access.type = memory_.type_of(index);
  access.order = opcode.order;
  access.scope = opcode.scope;
  access.is_volatile = opcode.is_volatile;
  access.is_atomic = !access.is_volatile && access.order != Order::Weak;
  access.proxy = opcode.proxy;
  if (index) {
    const std::optional<Value> address = memory_.address(operand, *index, block());
    if (!address) return std::nullopt;
    access.address = Expr::make_constant(*address, kLongLong);
    return access;
  }
  access.address = Expr::make_cast(register_value(operand), kLongLong);
  if (operand.offset) {
    const std::optional<Value> element = memory_.element(*operand.offset, access.type, operand.span);
    if (!element) return std::nullopt;
    if (*element != 0) {
      access.address = Expr::make(Op::Add, kLongLong, {access.address, Expr::make_constant(*element, kLongLong)});
    }
  }
  return access;
}

void ColumnLowering::load(const Step& step) {
  std::optional<MemoryAccess> access = this->access(step);
  if (!access) return;
  emit(Load{register_id(*step.target), *std::move(access)}, step);
  require(step);
}

void ColumnLowering::store(const Step& step) {
  std::optional<MemoryAccess> access = this->access(step);
  if (!access) return;
  Expr stored = value(*step.values[0], access->type);
  emit(Store{*std::move(access), std::move(stored)}, step);
}

void ColumnLowering::rmw(const Step& step) {
  std::optional<MemoryAccess> access = this->access(step);
  if (!access) return;
  Rmw rmw;
  if (step.target != nullptr) rmw.target = register_id(*step.target);
  rmw.op = step.opcode.rmw;
  rmw.is_reduction = step.opcode.is_reduction;
  rmw.operand = value(*step.values[0], access->type);
  if (rmw.op == RmwOp::CompareExchange) {  // atom.cas d, [a], compare, new
    rmw.compare = std::move(rmw.operand);
    rmw.operand = value(*step.values[1], access->type);
  }
  rmw.access = *std::move(access);
  emit(std::move(rmw), step);
  require(step);
}

/// Lowers the requirement on the read value in `ld r1, [x] == 1`, a form of .test files.
void ColumnLowering::require(const Step& step) {
  if (!step.node->required) return;
  Expr read = register_value(*step.target);
  const ScalarType type = read.type;
  emit(Assume{Expr::make(Op::Equal, type, {std::move(read), value(*step.node->required, type)})}, step);
}

// ---- registers and control flow ----

void ColumnLowering::arithmetic(const Step& step) {
  const RegisterId target = register_id(*step.target);
  const OperandNode& first = *step.values[0];
  if (step.opcode.kind == OpcodeKind::Move) {
    if (first.kind == Kind::Location) {
      const std::optional<std::size_t> index = named(first);
      const std::optional<Value> address = index ? memory_.address(first, *index, block()) : std::nullopt;
      return emit(Assign{target, Expr::make_constant(address.value_or(0), kLongLong)}, step);
    }
    return emit(Assign{target, value(first, operation_type(step.opcode, made_[target].type))}, step);
  }
  const OperandNode& second = *step.values[1];
  const auto is_address = [&](const OperandNode& operand) {
    return operand.kind == Kind::Register && use(operand.name.text).holds_address;
  };
  if (is_address(first) || is_address(second)) {
    if (step.opcode.operation == Op::Add && is_address(first) != is_address(second)) {
      return is_address(first) ? add_to_address(step, first, second) : add_to_address(step, second, first);
    }
    return fail(step.node->span, "unsupported arithmetic on an address: only adding an offset is supported");
  }
  const ScalarType type = operation_type(step.opcode, memory_.default_type());
  emit(Assign{target, Expr::make(step.opcode.operation, type, {value(first, type), value(second, type)})}, step);
}

/// Lowers the addition of an offset to an address. PTX offsets count bytes, but core's addresses count elements. If the
/// offset is not a multiple of the element size, the result is the out-of-bounds null address.
void ColumnLowering::add_to_address(const Step& step, const OperandNode& address, const OperandNode& offset) {
  const ScalarType cell = memory_.type_of(std::nullopt);
  const Expr base = Expr::make_cast(register_value(address), kLongLong);
  use(step.target->name.text).holds_address = true;
  const RegisterId target = register_id(*step.target);
  if (offset.kind == Kind::Integer) {
    const std::optional<Value> element = memory_.element(offset.value, cell, offset.span);
    if (!element) return;
    return emit(Assign{target, Expr::make(Op::Add, kLongLong, {base, Expr::make_constant(*element, kLongLong)})}, step);
  }
  const Expr bytes = Expr::make_cast(register_value(offset), kLongLong);
  const Expr size = Expr::make_constant(cell.bits / 8, kLongLong);
  const Expr rest = Expr::make(Op::Remainder, kLongLong, {bytes, size});
  std::vector<Expr> choice;
  choice.push_back(Expr::make(Op::Equal, kLongLong, {rest, Expr::make_constant(0, kLongLong)}));
  choice.push_back(Expr::make(Op::Add, kLongLong, {base, Expr::make(Op::Divide, kLongLong, {bytes, size})}));
  choice.push_back(Expr::make_constant(0, kLongLong));
  emit(Assign{target, Expr::make(Op::Select, kLongLong, std::move(choice))}, step);
}

void ColumnLowering::branch(const Step& step) {
  jumps_.push_back({code_.size(), step.label});
  if (step.opcode.kind != OpcodeKind::Branch) {
    if (step.node->guard) return emit(Branch{guard(step, true), 0}, step);
    return emit(Jump{}, step);
  }
  const ScalarType type = operation_type(step.opcode, memory_.default_type());
  emit(Branch{Expr::make(step.opcode.operation, type, {value(*step.values[0], type), value(*step.values[1], type)}), 0},
       step);
}

void ColumnLowering::resolve_jumps() {
  for (const Jumping& jump : jumps_) {
    std::size_t target = code_.size();
    if (jump.label != nullptr) {
      const auto found = labels_.find(jump.label->name.text);
      if (found == labels_.end()) {
        std::vector<std::string_view> names;
        for (const auto& [label, position] : labels_) names.push_back(label);
        std::string hint = did_you_mean(jump.label->name.text, names);
        if (hint.empty()) hint = one_of("its labels are", names);
        fail(jump.label->span, fmt::format("{} has no label '{}'", name(), jump.label->name.text), std::move(hint));
        continue;
      }
      target = found->second;
    }
    Operation& operation = code_[jump.instruction].operation;
    if (auto* branch = std::get_if<Branch>(&operation)) branch->target = target;
    if (auto* goes = std::get_if<Jump>(&operation)) goes->target = target;
  }
}

}  // namespace ambit::parser::ptx
