#include <optional>

#include "runner/virtual/barrier_objects.h"
#include "runner/virtual/decoder.h"

namespace ambit::virtual_gpu {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Type;

std::optional<BarrierObjectKind> kind_of(const ptx::Instruction& from) {
  const bool expects = from.modifiers.has(Modifier::ExpectTx);
  switch (from.opcode) {
    case Opcode::MbarrierInit: return BarrierObjectKind::Initialise;
    case Opcode::MbarrierInvalidate: return BarrierObjectKind::Invalidate;
    case Opcode::MbarrierArrive: return expects ? BarrierObjectKind::ArriveExpect : BarrierObjectKind::Arrive;
    case Opcode::MbarrierArriveDrop:
      if (expects) return std::nullopt;
      return BarrierObjectKind::Drop;
    case Opcode::MbarrierExpectTx: return BarrierObjectKind::Expect;
    case Opcode::MbarrierCompleteTx: return BarrierObjectKind::Complete;
    case Opcode::MbarrierTestWait:
    case Opcode::MbarrierTryWait:
      return from.modifiers.has(Modifier::Parity) ? BarrierObjectKind::TestParity : BarrierObjectKind::TestState;
    case Opcode::CpAsyncMbarrierArrive:
      return from.modifiers.has(Modifier::Noinc) ? BarrierObjectKind::ArriveTracked : BarrierObjectKind::Track;
    default: return std::nullopt;
  }
}

/// Returns whether the first operand is the result.
bool has_result(Opcode opcode) {
  return opcode == Opcode::MbarrierArrive || opcode == Opcode::MbarrierArriveDrop ||
         opcode == Opcode::MbarrierTestWait || opcode == Opcode::MbarrierTryWait;
}

}  // namespace

bool FunctionDecoder::decode_barrier_object(const ptx::Instruction& from, Instruction& to) {
  if (from.opcode == Opcode::MbarrierPendingCount) {
    to.d = target(operand(0), Type::U32);
    to.a = source(operand(1), Type::U64);
    to.execute = execute_pending_count;
    return true;
  }
  const auto kind = kind_of(from);
  if (!kind) return false;
  if (*kind == BarrierObjectKind::Invalidate) kernel_.invalidates_barriers = true;
  const bool is_test = *kind == BarrierObjectKind::TestState || *kind == BarrierObjectKind::TestParity;
  const std::size_t first = has_result(from.opcode) ? 1 : 0;
  MemoryOperation operation = describe(ptx::memory_meaning(from));
  operation.kind = is_test ? AccessKind::Read
                   : *kind == BarrierObjectKind::Initialise || *kind == BarrierObjectKind::Invalidate
                       ? AccessKind::Write
                       : AccessKind::ReadModifyWrite;
  if (operation.kind == AccessKind::ReadModifyWrite) operation.operation = AtomicOperation::Add;
  if (operation.kind != AccessKind::Write) {
    const bool is_relaxed = has(Modifier::Relaxed);
    operation.order = is_relaxed ? Order::Relaxed : is_test ? Order::Acquire : Order::Release;
    operation.scope = has(Modifier::Cluster) ? Scope::Cluster : Scope::Block;
    operation.is_synchronising = true;
  }
  operation.elements = 1;
  operation.element_bytes = 8;
  decode_address(operand(first), operation, to);
  to.c = static_cast<std::uint32_t>(*kind);
  to.b = kDiscarded;
  if (operand_count() > first + 1) {
    to.b = source(operand(first + 1), *kind == BarrierObjectKind::TestState ? Type::U64 : Type::U32);
  }
  to.d = kDiscarded;
  if (first == 1 && operand(0).kind != Operand::Kind::Discard) {
    to.d = target(operand(0), is_test ? Type::Pred : Type::U64);
  }
  operation.site = to.site;
  to.extra = static_cast<std::uint32_t>(code_.memory.size());
  code_.memory.push_back(operation);
  to.execute = execute_barrier_object;
  return true;
}

}  // namespace ambit::virtual_gpu
