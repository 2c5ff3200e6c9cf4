#include "ptx/module.h"

namespace ambit::ptx {
namespace {

Space space_of(const Modifiers& modifiers) {
  for (const Modifier modifier : modifiers.span()) {
    switch (modifier) {
      case Modifier::Const: return Space::Const;
      case Modifier::Global: return Space::Global;
      case Modifier::Local: return Space::Local;
      case Modifier::Param:
      case Modifier::ParamEntry:
      case Modifier::ParamFunction: return Space::Param;
      case Modifier::Shared:
      case Modifier::SharedBlock:
      case Modifier::SharedCluster: return Space::Shared;
      case Modifier::Tex: return Space::Tex;
      default: break;
    }
  }
  return Space::None;
}

std::optional<Order> order_of(const Modifiers& modifiers) {
  for (const Modifier modifier : modifiers.span()) {
    switch (modifier) {
      case Modifier::Weak: return Order::Weak;
      case Modifier::Relaxed: return Order::Relaxed;
      case Modifier::Acquire: return Order::Acquire;
      case Modifier::Release: return Order::Release;
      case Modifier::AcqRel: return Order::AcqRel;
      case Modifier::Sc: return Order::SeqCst;
      default: break;
    }
  }
  return std::nullopt;
}

std::optional<Scope> scope_of(const Modifiers& modifiers) {
  for (const Modifier modifier : modifiers.span()) {
    switch (modifier) {
      case Modifier::Cta: return Scope::Block;
      case Modifier::Cluster: return Scope::Cluster;
      case Modifier::Gl:
      case Modifier::Gpu: return Scope::Device;
      case Modifier::Sys: return Scope::System;
      default: break;
    }
  }
  return std::nullopt;
}

RmwOp operation_of(const Modifiers& modifiers) {
  for (const Modifier modifier : modifiers.span()) {
    switch (modifier) {
      case Modifier::Add: return RmwOp::Add;
      case Modifier::Exch: return RmwOp::Exchange;
      case Modifier::Min: return RmwOp::Min;
      case Modifier::Max: return RmwOp::Max;
      case Modifier::Inc: return RmwOp::IncrementWrap;
      case Modifier::Dec: return RmwOp::DecrementWrap;
      case Modifier::And: return RmwOp::And;
      case Modifier::Or: return RmwOp::Or;
      case Modifier::Xor: return RmwOp::Xor;
      case Modifier::Cas: return RmwOp::CompareExchange;
      default: break;
    }
  }
  return RmwOp::Add;
}

}  // namespace

MemoryMeaning memory_meaning(const Instruction& instruction) {
  MemoryMeaning meaning;
  if (instruction.opcode == Opcode::Unknown) return meaning;
  const Modifiers& modifiers = instruction.modifiers;
  meaning.effect = row_of(instruction.opcode).effect;
  meaning.space = space_of(modifiers);
  meaning.type = instruction.type_count > 0 ? instruction.types[instruction.type_count - 1U] : Type::None;
  meaning.elements = modifiers.has(Modifier::V8)   ? 8
                     : modifiers.has(Modifier::V4) ? 4
                     : modifiers.has(Modifier::V2) ? 2
                                                   : 1;
  const bool is_atomic = meaning.effect == Effect::ReadModifyWrite;
  const bool is_fence = meaning.effect == Effect::Fence;
  meaning.is_volatile = modifiers.has(Modifier::Volatile) || modifiers.has(Modifier::Mmio);
  const Order plain = is_atomic || meaning.is_volatile                  ? Order::Relaxed
                      : instruction.opcode == Opcode::Membar            ? Order::SeqCst
                      : is_fence && instruction.opcode == Opcode::Fence ? Order::AcqRel
                                                                        : Order::Weak;
  meaning.order = order_of(modifiers).value_or(plain);
  meaning.scope = scope_of(modifiers).value_or(is_atomic ? Scope::Device : Scope::System);
  meaning.is_read_only = modifiers.has(Modifier::Nc) || instruction.opcode == Opcode::Ldu ||
                         meaning.space == Space::Const || meaning.space == Space::Tex;
  if (is_atomic) meaning.operation = operation_of(modifiers);
  return meaning;
}

}  // namespace ambit::ptx
