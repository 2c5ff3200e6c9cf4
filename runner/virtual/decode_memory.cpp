#include <algorithm>

#include <fmt/format.h>

#include "runner/virtual/async_copies.h"
#include "runner/virtual/control.h"
#include "runner/virtual/decoder.h"
#include "runner/virtual/memory_operations.h"

namespace ambit::virtual_gpu {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Type;

AtomicOperation atomic_of(RmwOp operation) {
  switch (operation) {
    case RmwOp::Add:
    case RmwOp::Subtract: return AtomicOperation::Add;
    case RmwOp::Exchange: return AtomicOperation::Exchange;
    case RmwOp::Min: return AtomicOperation::Minimum;
    case RmwOp::Max: return AtomicOperation::Maximum;
    case RmwOp::IncrementWrap: return AtomicOperation::Increment;
    case RmwOp::DecrementWrap: return AtomicOperation::Decrement;
    case RmwOp::And: return AtomicOperation::And;
    case RmwOp::Or: return AtomicOperation::Or;
    case RmwOp::Xor: return AtomicOperation::Xor;
    case RmwOp::CompareExchange: return AtomicOperation::CompareExchange;
    case RmwOp::Update: break;  // no PTX instruction
  }
  return AtomicOperation::None;
}

Place place_of(ptx::Space space) {
  switch (space) {
    case ptx::Space::Const:
    case ptx::Space::Global: return Place::Global;
    case ptx::Space::Shared: return Place::Shared;
    case ptx::Space::Local: return Place::Local;
    case ptx::Space::Param: return Place::Parameter;
    default: return Place::Generic;
  }
}

}  // namespace

MemoryOperation FunctionDecoder::describe(const ptx::MemoryMeaning& meaning) const {
  MemoryOperation made;
  made.place = place_of(meaning.space);
  made.may_leave_block = has(Modifier::SharedCluster);
  switch (meaning.effect) {
    case ptx::Effect::Write: made.kind = AccessKind::Write; break;
    case ptx::Effect::ReadModifyWrite:
      made.kind = from_->opcode == Opcode::Red ? AccessKind::Reduction : AccessKind::ReadModifyWrite;
      made.operation = atomic_of(meaning.operation);
      break;
    default: made.kind = AccessKind::Read; break;
  }
  made.order = meaning.order;
  made.scope = meaning.order == Order::Weak ? Scope::Thread : meaning.scope;
  made.is_volatile = meaning.is_volatile;
  made.is_constant = meaning.is_read_only;
  made.is_synchronising = meaning.order != Order::Weak || meaning.is_volatile;
  made.elements = meaning.elements;
  made.element_bytes = static_cast<std::uint8_t>(ptx::bytes_of(meaning.type));
  made.is_signed = ptx::is_signed(meaning.type);
  return made;
}

void FunctionDecoder::decode_address(const Operand& address, MemoryOperation& operation, Instruction& to) {
  if (address.kind != Operand::Kind::Address) {
    refuse("expected an address in brackets");
    return;
  }
  to.value = address.offset();
  operation.address_bytes = 8;
  if (address.base == Operand::Base::Register) {
    const unsigned bytes = slot_bytes(function_.registers[address.index]);
    if (bytes != 4 && bytes != 8) refuse("expected an address of 32 or 64 bits");
    operation.address_bytes = static_cast<std::uint8_t>(bytes);
    to.a = registers_[address.index];
    if (operation.place == Place::Parameter && !function_.is_entry) {
      refuse("the virtual GPU reads parameters of functions by their names only");
    }
    return;
  }
  to.value = 0;
  if (address.base == Operand::Base::Absolute) {
    to.a = bits(address.value, 8);
    return;
  }
  const ptx::Variable& variable = module_.variables[address.index];
  if (operation.place == Place::Parameter && !kernel_parameters_.contains(address.index)) {
    operation.place = Place::Slot;
    operation.stride = slot_stride(variable.size());
    const std::uint64_t bytes = std::uint64_t{operation.element_bytes} * operation.elements;
    if (address.value > variable.size() || bytes > variable.size() - address.value) {
      refuse(fmt::format("an access outside of '{}', which has {} bytes", variable.name, variable.size()));
    }
    to.value = slot_of(address.index) + address.offset();
    return;
  }
  Operand symbol = address;
  symbol.kind = Operand::Kind::Variable;
  if (operation.place == Place::Generic) operation.place = place_of(variable.space);
  to.a = address_of(symbol, 8);
}

/// Sets the registers of a scalar or a vector. Immediates are stored as constants.
void FunctionDecoder::set_elements(const Operand& operand, MemoryOperation& operation, Type type, bool is_target) {
  std::vector<Operand> elements{operand};
  if (operand.kind == Operand::Kind::Vector) {
    const auto parts = from_->elements(operand);
    elements.assign(parts.begin(), parts.end());
  }
  if (elements.size() != operation.elements) {
    refuse(fmt::format("expected a vector of {} elements, found {}", operation.elements, elements.size()));
    return;
  }
  operation.register_bytes = static_cast<std::uint8_t>(slot_bytes(type));
  for (const Operand& element : elements) {
    if (element.kind != Operand::Kind::Register) continue;
    operation.register_bytes = static_cast<std::uint8_t>(register_bytes(element));
    break;
  }
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const Operand& element = elements[i];
    if (element.kind == Operand::Kind::Register) {
      operation.registers[i] = register_at(element, operation.register_bytes);
    } else if (is_target && element.kind == Operand::Kind::Discard) {
      operation.registers[i] = kDiscarded;
    } else if (!is_target && element.kind == Operand::Kind::Integer) {
      operation.registers[i] = bits(element.value, operation.register_bytes);
    } else if (!is_target) {
      operation.registers[i] = source(element, type);
    } else {
      refuse("expected a register as the result");
    }
  }
}

bool FunctionDecoder::decode_memory(const ptx::Instruction& from, Instruction& to) {
  if (from.opcode == Opcode::CpAsync) return decode_async_copy(from, to);
  if (from.opcode == Opcode::CpAsyncCommitGroup) {
    to.execute = execute_async_commit;
    return true;
  }
  if (from.opcode == Opcode::CpAsyncWaitGroup || from.opcode == Opcode::CpAsyncWaitAll) {
    to.value = from.opcode == Opcode::CpAsyncWaitAll ? -1 : static_cast<std::int64_t>(operand(0).value);
    to.execute = execute_async_wait;
    return true;
  }
  const ptx::MemoryMeaning meaning = ptx::memory_meaning(from);
  const bool is_load = from.opcode == Opcode::Ld || from.opcode == Opcode::Ldu;
  const bool is_store = from.opcode == Opcode::St;
  const bool is_atomic = from.opcode == Opcode::Atom || from.opcode == Opcode::Red;
  if (!is_load && !is_store && !is_atomic) return false;
  if (has(Modifier::Async) || has(Modifier::Bulk)) return false;
  MemoryOperation operation = describe(meaning);
  if (operation.element_bytes == 0 || operation.elements * operation.element_bytes > 32) return false;
  if (is_atomic) return decode_atomic(from, to, operation, meaning);
  decode_address(operand(is_load ? 1 : 0), operation, to);
  set_elements(operand(is_load ? 0 : 1), operation, meaning.type, is_load);
  const bool is_spread = kernel_.is_spread;
  to.execute = is_load ? find_load(operation.element_bytes, operation.is_signed, operation.register_bytes, is_spread)
                       : find_store(operation.element_bytes, operation.register_bytes, is_spread);
  if (to.execute == nullptr && !error_) return refuse("a register is too narrow for the type of the instruction");
  to.extra = static_cast<std::uint32_t>(code_.memory.size());
  operation.site = to.site;
  code_.memory.push_back(operation);
  return true;
}

bool FunctionDecoder::decode_atomic(const ptx::Instruction& from, Instruction& to, MemoryOperation operation,
                                    const ptx::MemoryMeaning& meaning) {
  const bool is_red = from.opcode == Opcode::Red;
  const std::size_t first = is_red ? 0 : 1;
  Type type = meaning.type;
  if (operation.element_bytes < 2 || (is_red && meaning.operation == RmwOp::Exchange)) return false;
  decode_address(operand(first), operation, to);
  if (operation.place == Place::Slot || operation.place == Place::Parameter) return false;
  const Type value = ptx::bits_of(type) == 128 ? Type::B128 : type;
  operation.results.fill(kDiscarded);
  if (!is_red && operand(0).kind != Operand::Kind::Discard) {
    set_elements(operand(0), operation, value, true);
    operation.results = operation.registers;
  }
  set_elements(operand(first + 1), operation, value, false);
  if (operation.register_bytes != slot_bytes(value) && !error_) {
    return refuse("a register's width differs from the width of the instruction's type");
  }
  to.c = operation.registers[0];
  if (meaning.operation == RmwOp::CompareExchange) {
    if (operand_count() < first + 3) return false;
    to.c = source(operand(first + 2), value);
  }
  if (type == Type::B32 || type == Type::B64) {
    const bool is_arithmetic = operation.operation == AtomicOperation::Add;
    if (is_arithmetic) type = as_bits(type);
  }
  to.execute = find_atomic(operation.operation, type);
  to.extra = static_cast<std::uint32_t>(code_.memory.size());
  operation.site = to.site;
  code_.memory.push_back(operation);
  return true;
}

/// cp.async.ca.shared.global [d], [a], size, source size: `value` is the offset of a, and `b` the offset of d.
bool FunctionDecoder::decode_async_copy(const ptx::Instruction& from, Instruction& to) {
  if (operand_count() < 3 || operand(2).kind != Operand::Kind::Integer) return false;
  const std::uint64_t bytes = operand(2).value;
  if (bytes != 4 && bytes != 8 && bytes != 16) return refuse("cp.async copies 4, 8 or 16 bytes");
  MemoryOperation reading;
  reading.place = Place::Global;
  reading.element_bytes = static_cast<std::uint8_t>(bytes);
  reading.copy = CopyStep::Issue;
  MemoryOperation writing = reading;
  writing.place = Place::Shared;
  writing.kind = AccessKind::Write;
  Instruction target;
  decode_address(operand(0), writing, target);
  decode_address(operand(1), reading, to);
  to.d = target.a;
  to.b = static_cast<std::uint32_t>(target.value);
  to.c = kDiscarded;
  const bool has_policy = has(Modifier::L2CacheHint);
  if (operand_count() > 3 && !(has_policy && operand_count() == 4)) {
    const Operand& size = operand(3);
    const bool is_predicate = size.kind == Operand::Kind::Register && register_bytes(size) == 0;
    if (is_predicate) return false;
    to.c = source(size, Type::U32);
  }
  to.extra = static_cast<std::uint32_t>(code_.memory.size());
  code_.memory.push_back(reading);
  writing.site = to.site;
  code_.memory.push_back(writing);
  to.execute = find_async_copy(kernel_.is_spread);
  return from.opcode == Opcode::CpAsync;
}

}  // namespace ambit::virtual_gpu
