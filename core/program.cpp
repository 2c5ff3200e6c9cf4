#include "core/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "base/overloaded.h"

namespace ambit {

std::string_view to_string(Proxy proxy) {
  constexpr std::array<std::string_view, 6> kNames = {"generic", "constant", "texture",
                                                      "surface", "async",    "tensormap"};
  return kNames[static_cast<std::size_t>(proxy)];
}

std::string_view to_string(RmwOp op) {
  constexpr std::array<std::string_view, 12> kNames = {"add", "sub", "exch", "min", "max", "inc",
                                                       "dec", "and", "or",   "xor", "cas", "update"};
  return kNames[static_cast<std::size_t>(op)];
}

std::optional<Op> operator_of(RmwOp op) {
  switch (op) {
    case RmwOp::Add: return Op::Add;
    case RmwOp::Subtract: return Op::Subtract;
    case RmwOp::Min: return Op::Min;
    case RmwOp::Max: return Op::Max;
    case RmwOp::IncrementWrap: return Op::IncrementWrap;
    case RmwOp::DecrementWrap: return Op::DecrementWrap;
    case RmwOp::And: return Op::BitAnd;
    case RmwOp::Or: return Op::BitOr;
    case RmwOp::Xor: return Op::BitXor;
    case RmwOp::Exchange:
    case RmwOp::CompareExchange:
    case RmwOp::Update: break;
  }
  return std::nullopt;
}

Scope scope_of(const Barrier& barrier) {
  switch (barrier.kind) {
    case BarrierKind::Block:
    case BarrierKind::Warp: return Scope::Block;
    case BarrierKind::Cluster: return Scope::Cluster;
    case BarrierKind::Grid: break;
  }
  return barrier.is_boundary ? Scope::System : Scope::Device;
}

const MemoryAccess* access_of(const Operation& operation) {
  using Access = const MemoryAccess*;
  return std::visit(
      Overloaded{[](const OneOf<Load, Store, Rmw> auto& accessing) -> Access { return &accessing.access; },
                 [](const OneOf<Assign, Fence, ProxyFence, Barrier, Branch, Jump, Assume, Assert, AsyncStep,
                                TransactionBegin, TransactionEnd> auto&) -> Access { return nullptr; }},
      operation);
}

MemoryAccess* access_of(Operation& operation) { return const_cast<MemoryAccess*>(access_of(std::as_const(operation))); }

Value stored_value(RmwOp op, ScalarType type, Value old, Value operand) {
  const std::optional<Op> combine = operator_of(op);
  return combine ? apply(*combine, type, std::array{old, operand}) : type.wrap(operand);
}

Expr stored_value(const Rmw& rmw, const Expr& old) {
  const std::optional<Op> combine = operator_of(rmw.op);
  if (!combine) return rmw.operand;
  const ScalarType type = rmw.access.type;
  return Expr::make(*combine, type, {old, Expr::make_cast(rmw.operand, type)});
}

std::optional<RegisterId> assigned_register(const Operation& operation) {
  using Target = std::optional<RegisterId>;
  return std::visit(
      Overloaded{
          [](const OneOf<Assign, Load, Rmw> auto& assigning) -> Target { return assigning.target; },
          [](const Barrier& barrier) { return barrier.exchange ? Target(barrier.exchange->target) : std::nullopt; },
          [](const OneOf<Store, Fence, ProxyFence, Branch, Jump, Assume, Assert, AsyncStep, TransactionBegin,
                         TransactionEnd> auto&) -> Target { return std::nullopt; }},
      operation);
}

const std::size_t* jump_target(const Operation& operation) {
  using Target = const std::size_t*;
  return std::visit(
      Overloaded{[](const OneOf<Branch, Jump> auto& jumping) -> Target { return &jumping.target; },
                 [](const OneOf<Assign, Load, Store, Rmw, Fence, ProxyFence, Barrier, Assume, Assert, AsyncStep,
                                TransactionBegin, TransactionEnd> auto&) -> Target { return nullptr; }},
      operation);
}

std::size_t* jump_target(Operation& operation) {
  return const_cast<std::size_t*>(jump_target(std::as_const(operation)));
}

std::string_view to_string(Frequency frequency) {
  constexpr std::array<std::string_view, 3> kNames = {"Never", "Sometimes", "Always"};
  return kNames[static_cast<std::size_t>(frequency)];
}

namespace {
constexpr std::array<std::string_view, 5> kSchedulers = {"fair", "hsa", "obe", "lobe", "lockstep"};
}  // namespace

std::string_view to_string(Scheduler scheduler) { return kSchedulers[static_cast<std::size_t>(scheduler)]; }

std::optional<Scheduler> scheduler_from_string(std::string_view name) {
  for (std::size_t i = 0; i < kSchedulers.size(); ++i) {
    if (kSchedulers[i] == name) return static_cast<Scheduler>(i);
  }
  return std::nullopt;
}

std::string state_text(const MbarrierCell& cell, Value value) {
  if (cell.phase_shift == 0) {
    return "phase " + std::to_string(value / cell.arrivals) + " with " + std::to_string(value % cell.arrivals) +
           " of " + std::to_string(cell.arrivals) + " arrivals";
  }
  const auto field = [&](unsigned shift, unsigned bits) { return (value >> shift) & ((Value{1} << bits) - 1); };
  if (field(0, cell.transaction_bits + cell.pending_bits) == 0) return "not initialised";
  const Value pending = field(cell.transaction_bits, cell.pending_bits);
  std::string text = "phase " + std::to_string(value >> cell.phase_shift) + " with ";
  if (pending <= cell.arrivals) {
    text += std::to_string(cell.arrivals - pending) + " of " + std::to_string(cell.arrivals) + " arrivals";
  } else {
    text += std::to_string(pending) + " arrivals missing";
  }
  if (cell.transaction_bits == 0) return text;
  Value count = field(0, cell.transaction_bits);
  const Value sign = Value{1} << (cell.transaction_bits - 1);
  if (count >= sign) count -= 2 * sign;
  if (count == 0) return text;
  return text + ", " + std::to_string(std::abs(count) * cell.unit) + (count > 0 ? " bytes missing" : " bytes too many");
}

bool MachineInstruction::uses_tensor_map() const {
  return name.starts_with("tensormap.") || name.starts_with("fence.proxy.tensormap") ||
         std::ranges::any_of(operands, [](const Operand& operand) { return operand.kind == Operand::Kind::Tensor; });
}

const Instruction* Program::first_asynchronous() const {
  for (const Thread& thread : threads) {
    for (const Instruction& instruction : thread.code) {
      const auto* rmw = std::get_if<Rmw>(&instruction.operation);
      const auto* fence = std::get_if<ProxyFence>(&instruction.operation);
      const auto* restricted = std::get_if<Fence>(&instruction.operation);
      if (std::holds_alternative<AsyncStep>(instruction.operation) || (rmw != nullptr && rmw->op == RmwOp::Update) ||
          (restricted != nullptr && restricted->is_shared_only) ||
          (fence != nullptr && (fence->is_mbarrier_init || fence->direction != ProxyFence::Direction::Both))) {
        return &instruction;
      }
    }
  }
  return nullptr;
}

std::optional<LocationId> Program::location_at(Value address) const {
  const Value object = object_of(address);
  const std::uint32_t index = index_of(address);
  if (object < 0 || object >= static_cast<Value>(objects.size())) return std::nullopt;
  const MemoryObject& found = objects[static_cast<std::size_t>(object)];
  if (index >= found.length) return std::nullopt;
  // The object's cells may be incomplete, because some programs omit inner cells (model/events/inner_cells.h).
  const auto owner = found.alias_of.value_or(static_cast<ObjectId>(object));
  const auto is_before = [&](const Location& cell, std::uint32_t wanted) {
    return cell.object == owner && cell.index < wanted;
  };
  const std::size_t dense = std::size_t{found.first} + index;
  if (dense < locations.size() && locations[dense].object == owner && locations[dense].index == index) {
    return static_cast<LocationId>(dense);
  }
  const auto begin = locations.begin() + found.first;
  const auto end = locations.begin() + static_cast<std::ptrdiff_t>(std::min(dense, locations.size()));
  const auto cell = std::lower_bound(begin, end, index, is_before);
  if (cell == end || cell->object != owner || cell->index != index) return std::nullopt;
  return static_cast<LocationId>(cell - locations.begin());
}

std::optional<std::string> Program::name_at(Value address) const {
  const std::optional<LocationId> location = location_at(address);
  if (!location) return std::nullopt;
  const MemoryObject& object = objects[static_cast<std::size_t>(object_of(address))];
  if (!object.alias_of) return locations[*location].name;
  return object.is_array ? object.name + "[" + std::to_string(index_of(address)) + "]" : object.name;
}

std::optional<std::string> Program::pointer_name(Value address) const {
  std::optional<std::string> name = name_at(address);
  const std::size_t dot = name ? name->find('.') : std::string::npos;
  if (dot == std::string::npos || name->ends_with(']')) return name;
  const auto id = static_cast<std::size_t>(object_of(address));
  const std::string structure = objects[id].name.substr(0, objects[id].name.find('.') + 1);
  const bool is_first_field = id == 0 || !objects[id - 1].name.starts_with(structure);
  if (is_first_field) name->resize(dot);
  return name;
}

std::optional<SourceSpan> Program::first_transaction() const {
  for (const Thread& thread : threads) {
    for (const Instruction& instruction : thread.code) {
      if (std::holds_alternative<TransactionBegin>(instruction.operation)) return instruction.span;
    }
  }
  return std::nullopt;
}

bool Program::has_grid_barrier() const {
  return std::any_of(threads.begin(), threads.end(), [](const Thread& thread) {
    return std::any_of(thread.code.begin(), thread.code.end(), [](const Instruction& instruction) {
      const auto* barrier = std::get_if<Barrier>(&instruction.operation);
      return barrier != nullptr && barrier->kind == BarrierKind::Grid;
    });
  });
}

bool Program::has_clusters() const {
  return std::any_of(threads.begin(), threads.end(), [&](const Thread& thread) {
    return std::any_of(threads.begin(), threads.end(), [&](const Thread& other) {
      return same_instance(thread.place, other.place, Scope::Cluster) &&
             !same_instance(thread.place, other.place, Scope::Block);
    });
  });
}

bool Program::has_aliases() const {
  return std::any_of(objects.begin(), objects.end(),
                     [](const MemoryObject& object) { return object.alias_of.has_value(); });
}

std::string_view to_string(Quantifier quantifier) {
  constexpr std::array<std::string_view, 4> kNames = {"condition", "exists", "~exists", "forall"};
  return kNames[static_cast<std::size_t>(quantifier)];
}

Diagnostics transaction_objections(const Program& program, std::string_view who, std::string hint) {
  const std::optional<SourceSpan> place = program.first_transaction();
  if (!place) return {};
  return {{program.source, *place, fmt::format("{} no transactions", who), std::move(hint)}};
}

}  // namespace ambit
