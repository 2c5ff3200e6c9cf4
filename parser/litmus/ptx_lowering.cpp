#include "parser/litmus/ptx_lowering.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "parser/ptx/instruction_text.h"

namespace ambit::parser::litmus {
namespace {

using ptx::AsyncAction;
using ptx::kBulkUnit;
using ptx::kMostGroups;
using ptx::OpcodeKind;
using ptx::StateSpace;

constexpr Value kMostBarrier = 15;
constexpr Value kMostThreads = 1024;

}  // namespace

std::vector<Word> words_of(std::string_view opcode, SourceSpan span) {
  std::vector<Word> words;
  for (const std::string_view word : ptx::split(opcode, '.')) {
    if (!word.starts_with("L2::")) words.push_back({word, span});
  }
  return words;
}

Operand PtxLowering::execute(std::string_view opcode, const std::vector<PtxOperand>& operands, SourceSpan span) {
  for (const PtxOperand& operand : operands) {
    if (operand.operand.erroneous) return std::nullopt;
  }
  operands_ = operands;
  span_ = span;
  if (!settle_hints(opcode)) return std::nullopt;
  ptx::InstructionNode node;
  node.opcode = words_of(opcode, span);
  node.span = span;
  names_.clear();
  for (std::size_t i = 0; i < operands_.size(); ++i) {
    using Kind = ptx::OperandNode::Kind;
    ptx::OperandNode& made = node.operands.emplace_back();
    const bool is_tensor = operands_[i].kind == PtxOperand::Kind::Tensor;
    const bool is_vector = operands_[i].kind == PtxOperand::Kind::Vector;
    const bool is_sink = is_vector || operands_[i].kind == PtxOperand::Kind::Sink;
    made.kind = is_tensor ? Kind::Location : is_sink ? Kind::Sink : Kind::Register;
    if (is_vector) {
      ptx::OperandNode element;
      element.kind = Kind::Register;
      element.span = operands_[i].span;
      node.vector.assign(operands_[i].coordinates.size(), element);
    }
    made.in_brackets = is_tensor || operands_[i].kind == PtxOperand::Kind::Address;
    made.coordinates.assign(operands_[i].coordinates.size(), 0);  // box() evaluates the coordinates
    made.name = {names_.emplace_back(std::to_string(i)), operands_[i].span};
    made.span = operands_[i].span;
  }
  const std::optional<ptx::Opcode> decoded = ptx::decode(node, ptx::Dialect::Ptx, thread_.assembly.reporter);
  if (!decoded) return std::nullopt;
  const std::optional<ptx::Step> step = ptx::make_step(node, *decoded, thread_.assembly.reporter);
  if (!step) return std::nullopt;
  settle_state(*step);
  const std::size_t first = thread_.code.size();
  Operand result = execute(*step);
  return with_machine(*step, first, std::move(result));
}

/// Assigns an operand that is an mbarrier state to a register, because the machine instruction needs a register.
void PtxLowering::settle_state(const ptx::Step& step) {
  for (const ptx::OperandNode& node : step.node->operands) {
    Operand& given = operands_[static_cast<std::size_t>(&node - step.node->operands.data())].operand;
    const bool is_state = ptx::machine_operand_kind(step, node) == MachineInstruction::Operand::Kind::State;
    if (!is_state || given.erroneous || given.type.is_pointer || given.expr.op == Op::Register) continue;
    const RegisterId state = thread_.code.temporary(given.expr.result_type());
    thread_.code.emit(Assign{state, given.expr}, span_);
    given.expr = Expr::make_register(state, given.expr.result_type());
  }
}

/// If a runner on hardware needs the machine instruction, attaches it to the operations from number `first` on. Assigns
/// the result to a register, because the machine instruction writes a register.
Operand PtxLowering::with_machine(const ptx::Step& step, std::size_t first, Operand result) {
  using Made = MachineInstruction::Operand;
  CodeBuilder& code = thread_.code;
  if (result.erroneous || code.size() == first || !ptx::needs_machine_instruction(step)) return result;
  const auto machine = std::make_shared<MachineInstruction>();
  machine->name = ptx::whole_name(step.node->opcode);
  const bool sends_64 =
      step.opcode.kind == OpcodeKind::Asynchronous && step.opcode.type && step.opcode.type->bits == 64;
  for (const ptx::OperandNode& node : step.node->operands) {
    if (&node == step.target) continue;
    if (&node == step.tensor) {
      std::optional<Made> made = machine_tensor(step);
      if (!made) return result;
      machine->operands.push_back(*std::move(made));
      continue;
    }
    const bool is_vector = given(node).kind == PtxOperand::Kind::Vector;
    for (Value i = 0; i < (is_vector ? ptx::elements_of(step) : 1); ++i) {
      Made made{is_vector ? Made::Kind::Value : ptx::machine_operand_kind(step, node),
                is_vector ? sent(step, static_cast<std::size_t>(i)).expr : operand(node).expr};
      if (made.kind == Made::Kind::Address && !is_in_one_piece(node)) return result;
      if (made.kind == Made::Kind::Value && !made.value.is_constant()) {
        made.value = Expr::make_cast(std::move(made.value), sends_64 ? kUnsignedLongLong : kUnsigned);
      }
      machine->operands.push_back(std::move(made));
    }
  }
  if (step.target != nullptr && !result.type.is_void) {
    const ScalarType type = result.expr.result_type();
    machine->target = code.temporary(type);
    code.emit(Assign{*machine->target, std::move(result.expr)}, span_);
    result.expr = Expr::make_register(*machine->target, type);
  }
  code.attach(first, machine);
  return result;
}

/// Returns the machine operand for a tensor map; nothing if runners on hardware do not support the map.
std::optional<MachineInstruction::Operand> PtxLowering::machine_tensor(const ptx::Step& step) {
  const std::optional<TensorBox> found = box(step);
  if (!found) return std::nullopt;
  const Value address = found->pointer.expr.constant;
  const bool is_known = thread_.assembly.tensor_maps.is_on_hardware(
      {static_cast<ObjectId>(object_of(address)), index_of(address)}, thread_.assembly.program);
  if (!is_known) return std::nullopt;
  return MachineInstruction::Operand{MachineInstruction::Operand::Kind::Tensor,
                                     Expr::make_constant(static_cast<Value>(found->map->number), kLongLong),
                                     found->coordinates};
}

/// Returns the value that st.async or red.async writes to element number `element`.
const Operand& PtxLowering::sent(const ptx::Step& step, std::size_t element) const {
  if (!ptx::sends_vector(step)) return operand(*step.values[0]);
  const auto vector = std::ranges::find(operands_, PtxOperand::Kind::Vector, &PtxOperand::kind);
  return vector->coordinates[element];
}

/// Returns whether the operand is contiguous in core's memory. A struct is not contiguous, because the fields are
/// separate objects.
bool PtxLowering::is_in_one_piece(const ptx::OperandNode& node) const {
  return operand(node).type.structure == nullptr;
}

const PtxOperand& PtxLowering::given(const ptx::OperandNode& node) const {
  std::size_t index = 0;
  std::from_chars(node.name.text.data(), node.name.text.data() + node.name.text.size(), index);
  return operands_[index];
}

std::optional<Value> PtxLowering::constant(const ptx::OperandNode* node, Value least, Value most,
                                           std::string_view what) {
  return async_.constant(operand(*node), least, most, node->span, what);
}

Operand PtxLowering::execute(const ptx::Step& step) {
  switch (step.opcode.kind) {
    case OpcodeKind::Load:
    case OpcodeKind::Store:
    case OpcodeKind::Rmw: return memory(step);
    case OpcodeKind::Fence: thread_.code.emit(ptx::fence_of(step.opcode), span_); break;
    case OpcodeKind::ProxyFence: thread_.code.emit(ptx::proxy_fence_of(step.opcode), span_); break;
    case OpcodeKind::BlockBarrier:
    case OpcodeKind::ClusterArrive:
    case OpcodeKind::ClusterWait: return barrier(step);
    case OpcodeKind::MbarrierInit:
    case OpcodeKind::MbarrierInvalidate:
    case OpcodeKind::MbarrierArrive:
    case OpcodeKind::MbarrierExpect:
    case OpcodeKind::MbarrierComplete:
    case OpcodeKind::MbarrierWait: return mbarrier(step);
    case OpcodeKind::Asynchronous: return asynchronous(step);
    case OpcodeKind::GridWait: grids_.wait(span_); break;
    case OpcodeKind::GridLaunch: grids_.launch_dependents(span_); break;
    case OpcodeKind::MbarrierPending: return pending(step);
    default:
      return thread_.error(span_, fmt::format("Ambit does not read '{}' in CUDA sources", step.node->opcode[0].text),
                           "write this part in CUDA C++");
  }
  return Operand::nothing();
}

// ---- accesses, barriers ----

Operand PtxLowering::memory(const ptx::Step& step) {
  const Operand& pointer = operand(*step.address);
  if (!pointer.type.is_pointer) {
    return thread_.error(step.address->span,
                         fmt::format("expected an address, but this is {}", to_string(pointer.type)));
  }
  const std::optional<Place> place = places_.dereference(pointer, step.address->span);
  if (!place || place->variable != nullptr) return std::nullopt;
  const bool fits =
      place->type.structure == nullptr && (!step.opcode.type || step.opcode.type->bits == place->type.scalar.bits);
  if (!fits) {
    return thread_.error(step.address->span, fmt::format("this instruction accesses memory of type {} as {} bits",
                                                         to_string(place->type), step.opcode.type->bits));
  }
  MemoryAccess access = async_.access({*place, 0}, step.opcode.proxy, {step.opcode.order, step.opcode.scope});
  access.is_volatile = step.opcode.is_volatile;
  access.is_atomic = !access.is_volatile && access.order != Order::Weak;
  if (step.opcode.kind == OpcodeKind::Load) return places_.load(*place, access, span_);
  const auto value = [&](std::size_t i) { return Expr::make_cast(operand(*step.values[i]).expr, access.type); };
  if (step.opcode.kind == OpcodeKind::Store) {
    thread_.code.emit(Store{std::move(access), value(0), LockRole::None}, span_);
    return Operand::nothing();
  }
  Rmw rmw;
  rmw.op = step.opcode.rmw;
  const bool compares = rmw.op == RmwOp::CompareExchange;
  if (compares) rmw.compare = value(0);
  rmw.operand = value(compares ? 1 : 0);
  rmw.is_reduction = step.opcode.is_reduction;
  if (step.target != nullptr) rmw.target = thread_.code.temporary(access.type);
  const std::optional<RegisterId> target = rmw.target;
  const ScalarType type = access.type;
  rmw.access = std::move(access);
  thread_.code.emit(std::move(rmw), span_);
  return target ? Operand::integer(Expr::make_register(*target, type)) : Operand::nothing();
}

Operand PtxLowering::barrier(const ptx::Step& step) {
  Barrier made;
  if (step.opcode.kind != OpcodeKind::BlockBarrier) {
    made.kind = BarrierKind::Cluster;
    made.arrive_only = step.opcode.kind == OpcodeKind::ClusterArrive;
    made.wait_only = step.opcode.kind == OpcodeKind::ClusterWait;
    made.is_relaxed = step.opcode.is_relaxed;
  } else {
    if (step.opcode.has_instance) return thread_.error(span_, "write the barrier without an instance: bar.sync 0");
    const std::optional<Value> id = constant(step.values[0], 0, kMostBarrier, "barrier number");
    if (!id) return std::nullopt;
    made.id = static_cast<std::uint32_t>(*id);
    made.arrive_only = step.opcode.arrive_only;
    if (step.values[1] != nullptr) {
      const std::optional<Value> count = constant(step.values[1], 1, kMostThreads, "thread count of the barrier");
      if (!count) return std::nullopt;
      made.count = Expr::make_constant(*count);
    }
  }
  thread_.code.emit(std::move(made), span_);
  return Operand::nothing();
}

// ---- mbarrier objects ----

Operand PtxLowering::mbarrier(const ptx::Step& step) {
  const Operand& object = operand(*step.address);
  const OrderAndScope at{step.opcode.order, step.opcode.scope};
  switch (step.opcode.kind) {
    case OpcodeKind::MbarrierInit:
      if (const auto count = constant(step.values[0], 1, kMostArrivals, "number of expected arrivals")) {
        async_.init(object, *count, span_);
      }
      return Operand::nothing();
    case OpcodeKind::MbarrierInvalidate: async_.invalidate(object, span_); return Operand::nothing();
    case OpcodeKind::MbarrierArrive: return arrive(step);
    case OpcodeKind::MbarrierWait:
      return async_.test(object, {operand(*step.values[0]), step.opcode.by_parity, at}, span_);
    default:
      if (const auto bytes = constant(step.values[0], 0, kMostArrivals, "number of bytes")) {
        async_.expect(object, step.opcode.kind == OpcodeKind::MbarrierComplete ? -*bytes : *bytes, at, span_);
      }
      return Operand::nothing();
  }
}

/// Lowers mbarrier.pending_count: returns the number of pending arrivals before the arrival that returned the state.
Operand PtxLowering::pending(const ptx::Step& step) {
  Operand state = operand(*step.values[0]);
  if (state.type.is_pointer) {
    return thread_.error(span_,
                         fmt::format("expected the state that an arrival returned, found {}", to_string(state.type)));
  }
  return async_.pending_count(state, span_);
}

Operand PtxLowering::arrive(const ptx::Step& step) {
  MbarrierArrival arrival;
  arrival.at = {step.opcode.order, step.opcode.scope};
  arrival.drops = step.opcode.drops;
  arrival.no_complete = step.opcode.no_complete;
  arrival.expects = step.opcode.expects;
  if (step.values[0] != nullptr) {
    const std::optional<Value> number = constant(step.values[0], arrival.expects ? 0 : 1, kMostArrivals,
                                                 arrival.expects ? "number of bytes" : "number of arrivals");
    if (!number) return Operand::constant(0, kUnsignedLongLong);
    (arrival.expects ? arrival.bytes : arrival.count) = *number;
  }
  if (step.opcode.space == StateSpace::SharedCluster && step.target != nullptr) {
    return thread_.error(span_, "an arrival at .shared::cluster returns no state", "write _ in place of the register");
  }
  return async_.arrive(operand(*step.address), arrival, span_);
}

// ---- asynchronous operations ----

/// Checks that the operands are in the state spaces that the instruction names.
bool PtxLowering::check_spaces(const ptx::Step& step) {
  std::vector<MemorySpace> spaces;
  for (const Word& word : step.node->opcode) {
    if (word.text == "global") spaces.push_back(MemorySpace::Global);
    if (word.text.starts_with("shared")) spaces.push_back(MemorySpace::Shared);
  }
  const bool is_copy = step.source != nullptr;
  // In compiled code, an address may be unknown; the state space of an unknown address is not checked.
  const auto is_in = [&](const ptx::OperandNode& node, MemorySpace space, std::string_view what) {
    if (given(node).cells && !async_.space_of(operand(node))) return true;
    return async_.is_in(operand(node), space, node.span, what);
  };
  if (is_copy && spaces.size() >= 2 && !is_in(*step.source, spaces[1], "source")) return false;
  return step.address == nullptr || spaces.empty() || is_in(*step.address, spaces[0], "destination");
}

std::optional<Value> PtxLowering::bytes(const ptx::Step& step) {
  const AsyncAction action = step.opcode.async->form->action;
  if (action == AsyncAction::Reply) return kBulkUnit;
  if (step.bytes == nullptr) {
    return step.opcode.type ? std::optional<Value>(ptx::elements_of(step) * (step.opcode.type->bits / 8))
                            : std::nullopt;
  }
  const std::optional<Value> size = constant(step.bytes, 4, kMostTransactionBytes, "size of the copy");
  if (!size) return std::nullopt;
  if (std::string flaw = ptx::copy_size_flaw(*step.node, *step.opcode.async->form, *size); !flaw.empty()) {
    return thread_.error(step.bytes->span, std::move(flaw));
  }
  return size;
}

/// Returns the ranks of the blocks that a multicast copy writes to. If the copy has no mask, returns an empty list,
/// because the destination determines the block. Returns nothing after an error.
std::optional<std::vector<Value>> PtxLowering::destinations(const ptx::Step& step) {
  std::vector<Value> ranks;
  if (step.mask == nullptr) return ranks;
  const auto blocks = thread_.setting.kernel ? thread_.setting.kernel->cluster_blocks : 1;
  const auto mask = constant(step.mask, 1, (Value{1} << blocks) - 1, "mask of destination blocks");
  if (!mask) return std::nullopt;
  for (Value rank = 0; rank < static_cast<Value>(blocks); ++rank) {
    if (((*mask >> rank) & 1) != 0) ranks.push_back(rank);
  }
  return ranks;
}

/// Adds the elements of the operation. `sources` contains the cells that a copy reads. For an operation that writes a
/// value, `sources` is not set.
bool PtxLowering::add_elements(const ptx::Step& step, const std::vector<AsyncCell>& targets,
                               const std::optional<std::vector<AsyncCell>>& sources, AsyncStep& operation) {
  const AsyncAction action = step.opcode.async->form->action;
  const bool reduces = action == AsyncAction::Reduce || action == AsyncAction::ReduceValue;
  OrderAndScope at{Order::Weak, Scope::System};
  if (reduces) at = {Order::Relaxed, ptx::reduction_scope(*step.opcode.async)};
  const Proxy proxy = step.opcode.async->form->proxy;
  std::vector<AsyncElement> made;
  if (sources) {
    const std::size_t filled = source_size_ ? std::min(sources->size(), targets.size()) : targets.size();
    auto copied =
        async_.copied({targets.begin(), targets.begin() + static_cast<std::ptrdiff_t>(filled)}, *sources, proxy, span_);
    if (!copied) return false;
    made = *std::move(copied);
    for (std::size_t i = filled; i < targets.size(); ++i) {
      MemoryAccess target = async_.access(targets[i], proxy);
      Expr zero = Expr::make_constant(0, target.type);
      made.push_back({std::nullopt, std::move(target), std::move(zero), std::nullopt});
    }
  } else {
    if (ptx::sends_vector(step) && static_cast<Value>(targets.size()) != ptx::elements_of(step)) {
      thread_.error(span_,
                    fmt::format("the destination does not consist of elements of {} bits", step.opcode.type->bits));
      return false;
    }
    for (std::size_t i = 0; i < targets.size(); ++i) {
      AsyncElement element;
      element.target = async_.access(targets[i], proxy);
      const ScalarType type = element.target->type;
      element.value =
          step.values[0] != nullptr ? Expr::make_cast(sent(step, i).expr, type) : Expr::make_constant(1, type);
      made.push_back(std::move(element));
    }
  }
  for (AsyncElement& element : made) {
    if (reduces) {
      element.reduction = step.opcode.async->reduction;
      element.target->order = at.order;
      element.target->scope = at.scope;
      element.target->is_atomic = true;
    }
    operation.elements.push_back(std::move(element));
  }
  return true;
}

std::optional<TensorBox> PtxLowering::box(const ptx::Step& step) {
  std::string_view dimensions;
  for (const Word& word : step.node->opcode) {
    if (word.text.size() == 2 && word.text[1] == 'd') dimensions = word.text;
  }
  const PtxOperand& tensor = given(*step.tensor);
  return tensors_.box(tensor.operand, tensor.coordinates, dimensions, tensor.span);
}

/// Checks that a tensor copy accesses shared memory at an array offset that is a multiple of 16 bytes. PTX litmus files
/// have the same check (parser/ptx/column_async.cpp).
bool PtxLowering::is_aligned(const AsyncCell& first, SourceSpan span) {
  if (!first.place.address.is_constant()) return true;
  const Value address = first.place.address.constant;
  const Value offset = static_cast<Value>(index_of(address)) * (first.place.type.scalar.bits / 8);
  if (offset % kBulkUnit == 0) return true;
  const std::string& name = thread_.assembly.program.objects[static_cast<ObjectId>(object_of(address))].name;
  thread_.error(span, fmt::format("the operand is {} bytes after the beginning of '{}': PTX requires a multiple of {}",
                                  offset, name, kBulkUnit));
  return false;
}

/// Checks the blocks of the operands and reports violations of PTX's conditions (ptx::RemoteStore).
void PtxLowering::check_remote(const ptx::Step& step, const Operand& barrier) {
  const auto target = async_.block_of(operand(*step.address));
  const auto barrier_block = async_.block_of(barrier);
  if (!target || !barrier_block) return;
  const ptx::RemoteStore store{
      .is_own_block = *target == thread_.block(),
      .is_one_block = *target == *barrier_block,
      .cluster_blocks = static_cast<std::size_t>(thread_.setting.kernel ? thread_.setting.kernel->cluster_blocks : 1)};
  if (auto rule = ptx::remote_store_rule(step.node->opcode, store)) thread_.code.emit(*std::move(rule), span_);
}

/// Emits the issue of an asynchronous operation. The global operand of a tensor copy is a box. If `read_bytes` is less
/// than the size of the copy, the copy fills the rest of the destination with 0.
void PtxLowering::issue(const ptx::Step& step, std::optional<Value> read_bytes) {
  if (!thread_.values_matter() || !check_spaces(step)) return;
  AsyncStep operation;
  operation.name = ptx::async_name(step.node->opcode);
  operation.group = step.opcode.async->form->group;
  std::optional<Value> size;
  std::optional<std::vector<AsyncCell>> boxed;
  if (step.tensor != nullptr) {
    const std::optional<TensorBox> found = box(step);
    if (!found) return;
    size = found->map->shape.box_bytes();
    boxed = tensors_.cells(*found, span_);
    tensors_.read_map(*found, operation);
    if (!boxed) return;
  } else {
    size = bytes(step);
  }
  const std::optional<std::vector<Value>> ranks = destinations(step);
  if (!size || !ranks) return;
  auto sources = step.source != nullptr ? cells_of(*step.source, *size, std::nullopt) : std::nullopt;
  if (step.source != nullptr && !sources) return;
  if (read_bytes) std::erase_if(*sources, [&](const AsyncCell& cell) { return cell.offset >= *read_bytes; });
  if (step.tensor != nullptr && step.address != nullptr) sources = boxed;
  if (step.tensor != nullptr && step.source != nullptr && !is_aligned(sources->front(), step.source->span)) return;
  for (std::size_t i = 0; i < std::max<std::size_t>(ranks->size(), 1); ++i) {
    const auto there = [&](const ptx::OperandNode& node) {
      if (ranks->empty()) return operand(node);
      return barriers_.map_shared(operand(node), Operand::constant((*ranks)[i]), node.span);
    };
    std::optional<std::vector<AsyncCell>> targets = boxed;
    if (step.address != nullptr) {
      targets = cells_of(*step.address, *size, ranks->empty() ? std::nullopt : std::optional((*ranks)[i]));
      if (targets && step.tensor != nullptr && !is_aligned(targets->front(), step.address->span)) return;
    }
    if (!targets || !add_elements(step, *targets, sources, operation)) return;
    if (step.barrier == nullptr) continue;
    const Operand barrier = there(*step.barrier);
    if (!async_.complete(operation, barrier, *size, step.barrier->span)) return;
    if (step.mask == nullptr && step.address != nullptr) check_remote(step, barrier);
  }
  async_.issue(std::move(operation), span_);
}

/// Lowers tensormap.replace, tensormap.cp_fenceproxy and the fences of tensor maps.
void PtxLowering::tensor_map(const ptx::Step& step) {
  if (!check_spaces(step)) return;
  const Scope scope = step.opcode.async->scope.value_or(Scope::System);
  switch (step.opcode.async->form->action) {
    case AsyncAction::ReplaceMap:
      return tensors_.replace(operand(*step.address), step.bytes == nullptr ? nullptr : &operand(*step.bytes),
                              operand(*step.values[0]), span_);
    case AsyncAction::CopyMap:
      if (!tensors_.copy(operand(*step.address), operand(*step.source), operand(*step.bytes), span_)) return;
      return tensors_.release(scope, span_);
    case AsyncAction::AcquireMap: return tensors_.acquire(operand(*step.address), operand(*step.bytes), scope, span_);
    default: return tensors_.release(scope, span_);
  }
}

Operand PtxLowering::asynchronous(const ptx::Step& step) {
  const ptx::AsyncForm& form = *step.opcode.async->form;
  AsyncStep wait;
  wait.group = form.group;
  wait.name = ptx::async_name(step.node->opcode);
  switch (form.action) {
    case AsyncAction::Nothing: break;
    case AsyncAction::FenceBefore:
    case AsyncAction::FenceAfter:
      wait.kind = form.action == AsyncAction::FenceBefore ? AsyncStep::Kind::FenceBefore : AsyncStep::Kind::FenceAfter;
      thread_.code.emit(std::move(wait), span_);
      break;
    case AsyncAction::Commit: async_.commit(form.group, wait.name, span_); break;
    case AsyncAction::Wait:
      if (const auto groups = constant(step.bytes, 0, kMostGroups, "number of groups")) {
        wait.pending = static_cast<std::uint32_t>(*groups);
        wait.reads_only = step.opcode.async->reads_only;
        wait.name += fmt::format(" {}", *groups);
        async_.wait_group(std::move(wait), span_);
      }
      break;
    case AsyncAction::WaitAll:
      wait.needs_commit = false;
      async_.wait_group(std::move(wait), span_);
      break;
    case AsyncAction::Arrive:
    case AsyncAction::ArriveLater:
      async_.arrive_when_complete(operand(*step.barrier), form.group, form.action == AsyncAction::ArriveLater,
                                  wait.name, span_);
      break;
    case AsyncAction::Copy: source_size_ ? issue_filled(step) : issue(step); break;
    case AsyncAction::Reduce:
    case AsyncAction::StoreValue:
    case AsyncAction::ReduceValue:
    case AsyncAction::Reply: issue(step); break;
    case AsyncAction::ReplaceMap:
    case AsyncAction::CopyMap:
    case AsyncAction::ReleaseMap:
    case AsyncAction::AcquireMap: tensor_map(step); break;
    default:
      return thread_.error(span_, fmt::format("Ambit does not read '{}' in CUDA sources", wait.name),
                           "its operands are descriptors: write a PTX litmus file");
  }
  return Operand::nothing();
}

}  // namespace ambit::parser::litmus
