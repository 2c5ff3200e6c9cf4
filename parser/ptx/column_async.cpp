// Lowers asynchronous operations (PTX ISA 8.9.1.1, 9.7.9.25): the reads and writes of each element, and the completion
// mechanisms.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "parser/ptx/column_lowering.h"
#include "parser/ptx/mbarrier_steps.h"

namespace ambit::parser::ptx {
namespace {

using Kind = OperandNode::Kind;

constexpr Value kMostBytes = kMostTransactionBytes + 1 - kBulkUnit;

}  // namespace

/// Returns the number of bytes that the operation accesses in each object; nothing after an error.
std::optional<Value> ColumnLowering::async_bytes(const Step& step) {
  const AsyncAction action = step.opcode.async->form->action;
  if (action == AsyncAction::Reply) return kBulkUnit;
  if (step.tensor != nullptr) {
    const TensorMap* map = tensor_map(step);
    return map == nullptr ? std::nullopt : std::optional(map->shape.box_bytes());
  }
  if (step.opcode.type)
    return step.bytes == nullptr ? elements_of(step) * (step.opcode.type->bits / 8)
                                 : constant(step.bytes, kBulkUnit, kMostBytes, "size");
  const std::optional<Value> bytes = constant(step.bytes, 4, kMostBytes, "size of the copy");
  if (!bytes) return std::nullopt;
  if (std::string flaw = copy_size_flaw(*step.node, *step.opcode.async->form, *bytes); !flaw.empty()) {
    fail(step.bytes->span, std::move(flaw));
    return std::nullopt;
  }
  return bytes;
}

/// Checks the alignment of an operand: 16 bytes for bulk operations, the size of the copy for other operations (PTX ISA
/// 9.7.9.25). The beginning of each array is aligned.
bool ColumnLowering::is_aligned(const OperandNode& operand, const Opcode& opcode, Value bytes, Value offset) {
  if (!opcode.async) return true;
  const bool is_bulk = opcode.async->form->proxy == Proxy::Async;
  const Value unit = is_bulk ? kBulkUnit : bytes;
  if (offset % unit == 0) return true;
  fail(operand.span, fmt::format("the operand is {} bytes after the beginning of '{}': PTX requires a multiple of {}",
                                 offset, operand.name.text, unit));
  return false;
}

/// Returns the accesses to one operand: one access for each element.
std::vector<MemoryAccess> ColumnLowering::async_accesses(const OperandNode& operand, const Opcode& opcode,
                                                         std::optional<Value> bytes, BlockId block) {
  const std::optional<std::size_t> index = named(operand);
  const BlockId own = this->block();
  at_ = block;
  std::optional<MemoryAccess> first = access(operand, opcode, false);
  at_ = own;
  if (!first) return {};
  const Value size = first->type.bits / 8;
  Value count = 1;
  if (bytes) {
    count = *bytes / size;
    if (*bytes % size != 0) {
      fail(operand.span, fmt::format("{} bytes are not a multiple of {}, the size of other accesses to '{}'", *bytes,
                                     size, operand.name.text));
      return {};
    }
  } else if (index) {
    count = memory_[*index].length;
  }
  if (index && static_cast<Value>(index_of(first->address.constant)) + count > memory_[*index].length) {
    fail(operand.span,
         fmt::format("the operation goes beyond '{}', which has {} bytes", operand.name.text,
                     size * memory_[*index].length),
         fmt::format("declare more elements: {}[{}]", operand.name.text,
                     static_cast<Value>(index_of(first->address.constant)) + count));
    return {};
  }
  if (index && bytes &&
      !is_aligned(operand, opcode, *bytes, static_cast<Value>(index_of(first->address.constant)) * size)) {
    return {};
  }
  std::vector<MemoryAccess> accesses(static_cast<std::size_t>(count), *first);
  for (Value i = 1; i < count; ++i) {
    Expr& address = accesses[static_cast<std::size_t>(i)].address;
    address = Expr::make(Op::Add, kLongLong, {address, Expr::make_constant(i, kLongLong)});
  }
  return accesses;
}

/// Sets the completion of an asynchronous operation: complete-tx of `bytes` bytes on the mbarrier, with
/// .release.cluster semantics. Returns false after an error.
bool ColumnLowering::complete(AsyncStep& operation, const OperandNode& operand, Value arrivals, Value bytes,
                              BlockId block) {
  Opcode opcode;
  opcode.kind = OpcodeKind::MbarrierComplete;
  opcode.order = Order::Release;
  opcode.scope = Scope::Cluster;
  const std::optional<std::size_t> index = mbarrier(operand);
  if (!index) return false;
  const BlockId own = this->block();
  at_ = block;
  std::optional<MemoryAccess> access = mbarrier_access(operand, *index, opcode);
  at_ = own;
  if (!access) return false;
  const RegisterId old = temporary(access->type);
  const MbarrierLayout& layout = memory_.layout(*index);
  const MbarrierChange change{.arrivals = arrivals, .bytes = -bytes};
  add_completion(operation, layout, mbarrier_update(layout, *std::move(access), old, change), change);
  return true;
}

/// Returns the blocks that the operation writes to. The mask of a .multicast operation selects blocks by their rank in
/// the cluster.
std::vector<BlockId> ColumnLowering::async_blocks(const Step& step) {
  if (step.mask == nullptr) return {at_};
  constexpr std::size_t kMostBlocks = 16;  // largest number of blocks in a cluster
  const auto most = (Value{1} << std::min(cluster_blocks_.size(), kMostBlocks)) - 1;
  const std::optional<Value> mask = constant(step.mask, 1, most, "mask of destination ctas");
  std::vector<BlockId> blocks;
  for (std::size_t rank = 0; mask && rank < std::min(cluster_blocks_.size(), kMostBlocks); ++rank) {
    if (((*mask >> rank) & 1) != 0) blocks.push_back(cluster_blocks_[rank]);
  }
  for (const OperandNode* operand : {step.address, step.barrier}) {
    const std::optional<std::size_t> index = named(*operand);
    if (blocks.empty() || (index && memory_[*index].is_shared)) continue;
    fail(operand->span,
         "a multicast copy writes to the same place in each cta: its destination and mbarrier must be "
         "declared for each cta",
         fmt::format("declare it with .shared: .shared {}", operand->name.text));
    return {};
  }
  return blocks;
}

void ColumnLowering::add_elements(const Step& step, const std::optional<Value>& bytes, BlockId block,
                                  AsyncStep& issue) {
  const AsyncAction action = step.opcode.async->form->action;
  Opcode reading = step.opcode;
  Opcode writing = step.opcode;
  const bool reduces = action == AsyncAction::Reduce || action == AsyncAction::ReduceValue;
  if (reduces) {
    writing.order = Order::Relaxed;
    writing.scope = reduction_scope(*step.opcode.async);
  }
  if (step.opcode.async->form->group == AsyncGroup::Tensor)
    writing.proxy = Proxy::Generic;  // the destination is tensor memory, which has no cells
  std::vector<MemoryAccess> sources;
  std::vector<MemoryAccess> targets;
  for (const OperandNode* operand : {step.source, step.second_source}) {
    if (operand == nullptr) continue;
    for (MemoryAccess& access : async_accesses(*operand, reading, bytes, this->block()))
      sources.push_back(std::move(access));
  }
  if (step.address != nullptr) targets = async_accesses(*step.address, writing, bytes, block);
  if (step.tensor != nullptr)
    (step.address != nullptr ? sources : targets) = tensor_accesses(step, step.address != nullptr ? reading : writing);
  const bool is_copy = action == AsyncAction::Copy || action == AsyncAction::Reduce;
  if (is_copy &&
      (sources.size() != targets.size() || (!sources.empty() && sources[0].type.bits != targets[0].type.bits))) {
    if (!reporter_.has_errors()) {
      const OperandNode& to = step.address != nullptr ? *step.address : *step.tensor;
      const OperandNode& from = step.source != nullptr ? *step.source : *step.tensor;
      fail(step.node->span,
           fmt::format("'{}' and '{}' have elements of different sizes", to.name.text, from.name.text));
    }
    return;
  }
  const std::optional<RmwOp> reduction = reduces ? std::optional(step.opcode.async->reduction) : std::nullopt;
  if (!is_copy) {
    for (MemoryAccess& source : sources) issue.elements.push_back({std::move(source), std::nullopt, {}, std::nullopt});
  }
  for (std::size_t i = 0; i < targets.size(); ++i) {
    AsyncElement element;
    const OperandNode* const sent = step.values[sends_vector(step) ? i : 0];
    if (is_copy) element.source = sources[i];
    if (!is_copy) {
      element.value = sent != nullptr ? value(*sent, targets[i].type) : Expr::make_constant(1, targets[i].type);
    }
    element.target = std::move(targets[i]);
    element.reduction = reduction;
    issue.elements.push_back(std::move(element));
  }
}

/// Checks the blocks of the operands and reports violations of PTX's conditions (RemoteStore).
void ColumnLowering::check_remote(const Step& step) {
  if (step.address == nullptr || step.barrier == nullptr || step.mask != nullptr) return;
  const auto home_of = [&](const OperandNode& operand) {
    const std::optional<std::size_t> index = named(operand);
    return index ? memory_[*index].home.value_or(block()) : block();
  };
  const BlockId home = home_of(*step.address);
  const RemoteStore store{.is_own_block = home == block(),
                          .is_one_block = home == home_of(*step.barrier),
                          .cluster_blocks = cluster_blocks_.size()};
  if (std::optional<Assert> rule = remote_store_rule(step.node->opcode, store)) emit(*std::move(rule), step);
}

void ColumnLowering::issue(const Step& step) {
  const AsyncForm& form = *step.opcode.async->form;
  std::optional<Value> bytes;
  const bool is_whole = form.action == AsyncAction::Read || form.action == AsyncAction::Multiply ||
                        form.action == AsyncAction::LoadTensor || form.action == AsyncAction::StoreTensor;
  if (!is_whole) {
    bytes = async_bytes(step);
    if (!bytes) return;
  }
  AsyncStep operation;
  operation.name = async_name(step.node->opcode);
  operation.group = form.group;
  operation.form = tensor_form(step.node->opcode);
  for (const OperandNode& element : step.node->vector) {
    if (has_product(step) && element.kind == Kind::Register) operation.products.push_back(register_id(element));
  }
  if (step.tensor != nullptr) read_map(step, operation);
  for (const BlockId block : async_blocks(step)) {
    add_elements(step, bytes, block, operation);
    if (step.barrier != nullptr) complete(operation, *step.barrier, 0, *bytes, block);
  }
  check_remote(step);
  emit(std::move(operation), step);
}

/// Emits an asynchronous arrival at an mbarrier. The arrival happens when the thread's earlier operations of the group
/// are complete.
void ColumnLowering::arrive_when_complete(const Step& step) {
  const std::optional<std::size_t> index = mbarrier(*step.barrier);
  if (!index) return;
  if (step.opcode.async->form->action == AsyncAction::ArriveLater) {
    Opcode opcode;
    opcode.order = Order::Relaxed;
    opcode.scope = Scope::Block;
    std::optional<MemoryAccess> access = mbarrier_access(*step.barrier, *index, opcode);
    if (!access) return;
    const RegisterId old = temporary(access->type);
    emit(mbarrier_join(memory_.layout(*index), *std::move(access), old), step);
  }
  AsyncStep operation;
  operation.name = async_name(step.node->opcode);
  operation.group = step.opcode.async->form->group;
  operation.tracks_earlier = true;
  if (complete(operation, *step.barrier, 1, 0, block())) emit(std::move(operation), step);
}

void ColumnLowering::asynchronous(const Step& step) {
  const AsyncForm& form = *step.opcode.async->form;
  AsyncStep operation;
  operation.group = form.group;
  operation.name = async_name(step.node->opcode);
  switch (form.action) {
    case AsyncAction::Nothing: return;
    case AsyncAction::FenceBefore: operation.kind = AsyncStep::Kind::FenceBefore; break;
    case AsyncAction::FenceAfter: operation.kind = AsyncStep::Kind::FenceAfter; break;
    case AsyncAction::ReplaceMap: return replace_map(step);
    case AsyncAction::CopyMap: return copy_map(step);
    case AsyncAction::ReleaseMap:
    case AsyncAction::AcquireMap: return fence_map(step);
    case AsyncAction::Commit: operation.kind = AsyncStep::Kind::Commit; break;
    case AsyncAction::Wait: {
      const std::optional<Value> groups = constant(step.bytes, 0, kMostGroups, "number of groups");
      if (!groups) return;
      operation.kind = AsyncStep::Kind::Wait;
      operation.pending = static_cast<std::uint32_t>(*groups);
      operation.reads_only = step.opcode.async->reads_only;
      operation.name += fmt::format(" {}", *groups);
      break;
    }
    case AsyncAction::WaitAll:
      operation.kind = AsyncStep::Kind::Wait;
      operation.needs_commit = false;
      break;
    case AsyncAction::Arrive:
    case AsyncAction::ArriveLater: return arrive_when_complete(step);
    default: return issue(step);
  }
  emit(std::move(operation), step);
}

// ---- survey ----

/// Records the instruction's uses of mbarriers and the memory that the instruction accesses.
void ColumnLowering::survey_asynchronous(const Step& step) {
  const AsyncForm& form = *step.opcode.async->form;
  for (const OperandNode& element : step.node->vector) {
    if (!has_product(step)) break;
    if (element.kind != Kind::Register) {
      fail(element.span, "expected a register of the product");
      continue;
    }
    RegisterUse& known = use(element.name.text);
    known.is_written = known.is_product = true;
  }
  if (step.source != nullptr) survey_operand(*step.source, step.opcode);
  if (step.second_source != nullptr) survey_operand(*step.second_source, step.opcode);
  if (step.tensor != nullptr) survey_tensor(step);
  read(step.bytes);
  if (step.mask != nullptr) {
    for (const BlockId block : cluster_blocks_) {
      memory_.use(*step.address, block);
      memory_.use(*step.barrier, block);
    }
  }
  if (step.barrier == nullptr || step.barrier->kind != Kind::Location) return;
  const std::optional<std::size_t> index = memory_.use(*step.barrier, block());
  if (!index) return;
  MbarrierUse use;
  use.is_packed = true;
  if (form.action == AsyncAction::ArriveLater) use.later = 1;
  if (const TensorMap* map = step.tensor != nullptr ? memory_.tensor(step.tensor->name.text) : nullptr) {
    use.unit = use.bytes = map->shape.box_bytes();
  }
  if (form.action == AsyncAction::Reply) use.unit = use.bytes = kBulkUnit;
  if (step.opcode.type && step.bytes == nullptr) {
    use.unit = use.bytes = elements_of(step) * (step.opcode.type->bits / 8);
  }
  if (step.bytes != nullptr && step.bytes->kind == Kind::Integer) use.unit = use.bytes = step.bytes->value;
  memory_.note_mbarrier_use(*index, use);
}

}  // namespace ambit::parser::ptx
