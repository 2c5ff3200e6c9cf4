#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "runner/virtual/barriers.h"
#include "runner/virtual/control.h"
#include "runner/virtual/decoder.h"
#include "runner/virtual/exchange.h"
#include "runner/virtual/register_operations.h"

namespace ambit::virtual_gpu {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Type;

ExchangeMode mode_of(const ptx::Modifiers& modifiers) {
  for (const Modifier modifier : modifiers.span()) {
    switch (modifier) {
      case Modifier::Up: return ExchangeMode::Up;
      case Modifier::Down: return ExchangeMode::Down;
      case Modifier::Bfly: return ExchangeMode::Butterfly;
      case Modifier::Idx: return ExchangeMode::Index;
      case Modifier::All: return ExchangeMode::All;
      case Modifier::Any: return ExchangeMode::Any;
      case Modifier::Uni: return ExchangeMode::Uniform;
      case Modifier::Ballot: return ExchangeMode::Ballot;
      case Modifier::Add: return ExchangeMode::Add;
      case Modifier::And: return ExchangeMode::And;
      case Modifier::Or: return ExchangeMode::Or;
      case Modifier::Xor: return ExchangeMode::Xor;
      case Modifier::Min: return ExchangeMode::Minimum;
      case Modifier::Max: return ExchangeMode::Maximum;
      default: break;
    }
  }
  return ExchangeMode::None;
}

}  // namespace

const Instruction* FunctionDecoder::label(const Operand& operand) const {
  return &code_.instructions[function_.labels[operand.index].instruction];
}

bool FunctionDecoder::decode_control(const ptx::Instruction& from, Instruction& to) {
  switch (from.opcode) {
    case Opcode::Bra:
    case Opcode::BrxIndex: return decode_branch(from, to);
    case Opcode::Call: return decode_call(from, to);
    case Opcode::Ret: to.execute = execute_return; return true;
    case Opcode::Exit: to.execute = execute_exit; return true;
    case Opcode::Trap:
    case Opcode::Brkpt: to.execute = execute_trap; return true;
    case Opcode::Nanosleep: to.execute = execute_sleep; return true;
    case Opcode::Pmevent:
    case Opcode::Prefetch:
    case Opcode::Prefetchu:
    case Opcode::Applypriority:
    case Opcode::Discard:
    case Opcode::Createpolicy:  // the policy affects only caches
    case Opcode::Griddepcontrol:
    case Opcode::Setmaxnreg:
    case Opcode::FenceProxy:
    case Opcode::FenceMbarrierInit: to.execute = execute_nothing; return true;
    case Opcode::Fence:
    case Opcode::Membar: {
      const ptx::MemoryMeaning meaning = ptx::memory_meaning(from);
      to.extra = pack_fence(meaning.order, meaning.scope);
      to.execute = execute_fence;
      return true;
    }
    case Opcode::Activemask:
      to.d = target(operand(0), Type::U32);
      to.execute = execute_active_mask;
      return true;
    case Opcode::BarrierSync:
    case Opcode::BarrierArrive:
    case Opcode::BarrierReduce: return decode_barrier(from, to);
    case Opcode::BarrierClusterArrive:
    case Opcode::BarrierClusterWait:
      kernel_.uses_clusters = true;
      to.execute = from.opcode == Opcode::BarrierClusterWait ? execute_cluster_wait : execute_cluster_arrive;
      return true;
    case Opcode::BarrierWarpSync:
    case Opcode::Shfl:
    case Opcode::Vote:
    case Opcode::Match:
    case Opcode::ReduxSync:
    case Opcode::ElectSync: return decode_exchange(from, to);
    default: return false;
  }
}

bool FunctionDecoder::decode_branch(const ptx::Instruction& from, Instruction& to) {
  if (from.opcode == Opcode::Bra) {
    if (operand(0).kind != Operand::Kind::Label) return false;
    to.target = label(operand(0));
    to.execute = execute_branch;
    return true;
  }
  to.a = source(operand(0), Type::U32);
  if (operand(1).kind != Operand::Kind::Targets) return false;
  std::vector<const Instruction*> table;
  for (const std::uint32_t index : function_.targets[operand(1).index].indexes) {
    table.push_back(&code_.instructions[function_.labels[index].instruction]);
  }
  to.extra = static_cast<std::uint32_t>(code_.targets.size());
  code_.targets.push_back(std::move(table));
  to.execute = execute_indexed_branch;
  return true;
}

std::vector<CallValue> FunctionDecoder::call_values(const ptx::Instruction& from, const Operand& list) {
  std::vector<CallValue> made;
  for (const Operand& element : from.elements(list)) {
    if (element.kind == Operand::Kind::Variable) {
      const auto bytes = static_cast<std::uint32_t>(module_.variables[element.index].size());
      made.push_back({false, slot_of(element.index), bytes});
    } else if (element.kind == Operand::Kind::Register) {
      const unsigned bytes = register_bytes(element);
      if (bytes == 0) refuse("the virtual GPU does not pass predicates to functions");
      made.push_back({true, register_at(element, bytes), bytes});
    } else if (element.kind == Operand::Kind::Discard) {
      made.push_back({false, make_slot(16), 16});
    } else {
      made.push_back({true, bits(element.value, 8), 8});
    }
  }
  return made;
}

bool FunctionDecoder::decode_call(const ptx::Instruction& from, Instruction& to) {
  CallOperation call;
  call.results = call_values(from, operand(0));
  call.arguments = call_values(from, operand(2));
  const Operand& callee = operand(1);
  if (callee.kind == Operand::Kind::Function) {
    const ptx::Function& function = module_.functions[callee.index];
    call.function = kernel_.index_of[callee.index];
    if (!function.has_body) {
      call.builtin = builtin_of(function.name);
      if (call.builtin == BuiltinFunction::None) {
        return refuse(fmt::format("a call of '{}', which no module defines", function.name),
                      "link the module that defines the function, or compile without this call");
      }
    }
    to.execute = execute_call;
  } else {
    to.a = source(callee, Type::U64);
    to.execute = execute_indirect_call;
  }
  to.extra = static_cast<std::uint32_t>(code_.calls.size());
  code_.calls.push_back(std::move(call));
  return true;
}

bool FunctionDecoder::decode_barrier(const ptx::Instruction& from, Instruction& to) {
  BarrierOperation made;
  std::size_t next = 0;
  const bool is_reduction = from.opcode == Opcode::BarrierReduce;
  if (is_reduction) {
    made.kind = has(Modifier::And) ? BarrierKind::All : has(Modifier::Or) ? BarrierKind::Any : BarrierKind::CountTrue;
    made.result = target(operand(next++), made.kind == BarrierKind::CountTrue ? Type::U32 : Type::Pred);
  } else if (from.opcode == Opcode::BarrierArrive) {
    made.kind = BarrierKind::Arrive;
  }
  made.number = source(operand(next++), Type::U32);
  const std::size_t after = operand_count() - (is_reduction ? 1 : 0);
  if (next < after) made.count = source(operand(next++), Type::U32);
  if (is_reduction) made.predicate = predicate(operand(next), made.negates);
  const std::string_view spelling = ptx::Module::text_of(function_, from.spelling);
  made.is_aligned = spelling.starts_with("bar.") || has(Modifier::Aligned);
  to.extra = static_cast<std::uint32_t>(code_.barriers.size());
  code_.barriers.push_back(made);
  to.execute = execute_barrier;
  return true;
}

bool FunctionDecoder::decode_exchange(const ptx::Instruction& from, Instruction& to) {
  ExchangeOperation made;
  made.mode = mode_of(from.modifiers);
  made.bytes = static_cast<std::uint8_t>(slot_bytes(from.type()));
  made.is_signed = ptx::is_signed(from.type());
  const bool meets = from.opcode == Opcode::BarrierWarpSync || from.opcode == Opcode::ReduxSync ||
                     from.opcode == Opcode::ElectSync || has(Modifier::Sync);
  const auto result = [&](Type type) {
    const Operand& d = operand(0);
    if (d.kind != Operand::Kind::Pair) {
      made.result = d.kind == Operand::Kind::Discard ? kDiscarded : target(d, type);
      return;
    }
    const auto both = from_->elements(d);
    made.result = both[0].kind == Operand::Kind::Discard ? kDiscarded : target(both[0], type);
    made.predicate = both[1].kind == Operand::Kind::Discard ? kDiscarded : target(both[1], Type::Pred);
  };
  switch (from.opcode) {
    case Opcode::Shfl:
      made.kind = ExchangeKind::Shuffle;
      result(Type::U32);
      made.source = source(operand(1), Type::U32);
      made.lane = source(operand(2), Type::U32);
      made.clamp = source(operand(3), Type::U32);
      if (meets) made.members = source(operand(4), Type::U32);
      break;
    case Opcode::Vote:
      made.kind = ExchangeKind::Vote;
      made.result = target(operand(0), made.mode == ExchangeMode::Ballot ? Type::U32 : Type::Pred);
      made.source = predicate(operand(1), made.negates);
      if (meets) made.members = source(operand(2), Type::U32);
      break;
    case Opcode::Match:
      made.kind = ExchangeKind::Match;
      result(Type::U32);
      made.source = source(operand(1), as_bits(from.type()));
      made.members = source(operand(2), Type::U32);
      break;
    case Opcode::ReduxSync:
      if (ptx::is_float(from.type())) return false;
      made.kind = ExchangeKind::Reduce;
      made.result = target(operand(0), Type::U32);
      made.source = source(operand(1), Type::U32);
      made.members = source(operand(2), Type::U32);
      break;
    case Opcode::ElectSync:
      made.kind = ExchangeKind::Elect;
      result(Type::U32);
      made.members = source(operand(1), Type::U32);
      break;
    default:
      made.kind = ExchangeKind::WarpSync;
      made.members = source(operand(0), Type::U32);
      break;
  }
  to.extra = static_cast<std::uint32_t>(code_.exchanges.size());
  code_.exchanges.push_back(made);
  to.execute = meets ? execute_exchange : execute_exchange_of_active;
  return true;
}

}  // namespace ambit::virtual_gpu
