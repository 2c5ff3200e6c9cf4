// Lowers shfl, vote, match, redux and bar.red, which synchronise threads and exchange values (core/value_exchange.h).

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/value_exchange.h"
#include "parser/compiled/compiled_thread.h"

namespace ambit::parser::compiled {

using assembly::kNone;
using assembly::Modifier;
using assembly::Opcode;
using Exchange = ValueExchange::Function;

namespace {

std::optional<Exchange> function_of(const assembly::Instruction& instruction) {
  using Named = std::pair<Modifier, Exchange>;
  constexpr std::array kVotes = {Named{Modifier::Any, Exchange::Any}, Named{Modifier::All, Exchange::All},
                                 Named{Modifier::Ballot, Exchange::Ballot}};
  constexpr std::array kReductions = {Named{Modifier::Add, Exchange::Add}, Named{Modifier::Min, Exchange::Min},
                                      Named{Modifier::Max, Exchange::Max}, Named{Modifier::And, Exchange::And},
                                      Named{Modifier::Or, Exchange::Or},   Named{Modifier::Xor, Exchange::Xor}};
  constexpr std::array kOfBarriers = {Named{Modifier::Popc, Exchange::Count}, Named{Modifier::And, Exchange::All},
                                      Named{Modifier::Or, Exchange::Any}};
  const auto named = [&](const auto& table) -> std::optional<Exchange> {
    const auto found =
        std::ranges::find_if(table, [&](const Named& row) { return instruction.modifiers.has(row.first); });
    return found == table.end() ? std::nullopt : std::optional(found->second);
  };
  switch (instruction.opcode) {
    case Opcode::Shfl: return Exchange::Shuffle;
    case Opcode::Vote: return named(kVotes);
    case Opcode::ReduxSync: return named(kReductions);
    case Opcode::BarrierReduce: return named(kOfBarriers);
    case Opcode::Match: return instruction.modifiers.has(Modifier::Any) ? std::optional(Exchange::Match) : std::nullopt;
    default: return std::nullopt;
  }
}

ShuffleMode mode_of(const assembly::Instruction& instruction) {
  if (instruction.modifiers.has(Modifier::Up)) return ShuffleMode::Up;
  if (instruction.modifiers.has(Modifier::Down)) return ShuffleMode::Down;
  return instruction.modifiers.has(Modifier::Bfly) ? ShuffleMode::Xor : ShuffleMode::Index;
}

bool is_truth(Exchange function) {
  return function == Exchange::Any || function == Exchange::All || function == Exchange::Ballot ||
         function == Exchange::Count;
}

}  // namespace

/// Returns the mask of participating lanes; nothing if the mask is unknown or the instruction has no mask.
std::optional<Value> CompiledThread::mask_of(std::uint32_t at) {
  const FlatInstruction& flat = flat_.code[at];
  const assembly::Instruction& instruction = *flat.instruction;
  const bool has_mask = instruction.opcode == Opcode::ReduxSync || instruction.opcode == Opcode::ElectSync ||
                        (instruction.opcode != Opcode::Activemask && instruction.modifiers.has(Modifier::Sync));
  if (!has_mask || instruction.operand_count < 2) return std::nullopt;
  return constant(operand(flat, instruction.operands[instruction.operand_count - 1], assembly::Type::U32));
}

/// Returns the value exchange of the instruction, without the target register; nothing if Ambit does not compute the
/// exchanged values.
std::optional<CompiledThread::Taken> CompiledThread::taken(std::uint32_t at) {
  const FlatInstruction& flat = flat_.code[at];
  const assembly::Instruction& instruction = *flat.instruction;
  const std::optional<Exchange> function = function_of(instruction);
  const bool is_of_block = instruction.opcode == Opcode::BarrierReduce;
  if (!function || (!is_of_block && !mask_of(at)) || (is_of_block && instruction.operand_count != 3))
    return std::nullopt;
  const auto type = is_truth(*function) ? assembly::Type::Pred : instruction.type();
  if (assembly::is_float(type)) return std::nullopt;
  const Symbol given = operand(flat, instruction.operands[is_of_block ? 2 : 1], type);
  if (!given.is_number() || given.is_opaque) return std::nullopt;
  Taken result;
  result.exchange.function = *function;
  result.exchange.type = is_truth(*function) ? kInt : scalar_of(type);
  if (!is_truth(*function) && !is_of_block) result.exchange.type.is_signed = assembly::is_signed(type);
  result.exchange.value = as(given.value, result.exchange.type);
  if (*function != Exchange::Shuffle) return result;
  const Symbol argument = operand(flat, instruction.operands[2], assembly::Type::U32);
  const auto segments = constant(operand(flat, instruction.operands[3], assembly::Type::U32));
  if (!argument.is_number() || argument.is_opaque || !segments) return std::nullopt;
  ShuffleSource source = shuffle_source(mode_of(instruction), setting_.place.lane, argument.value, *segments & 0x1f,
                                        (*segments >> 8) & 0x1f);
  result.exchange.source = std::move(source.lane);
  result.is_in_segment = std::move(source.is_in_segment);
  return result;
}

Symbol CompiledThread::evaluate_exchange(const Definition& definition) {
  const FlatInstruction& flat = flat_.code[definition.at];
  if (is_decoded(*flat.instruction)) return decoded_result(*flat.instruction);
  for (std::size_t i = 1; i < flat.instruction->operand_count; ++i) {
    Symbol input = operand(flat, flat.instruction->operands[i], flat.instruction->type());
    if (input.base == Symbol::Base::Undetermined) return input;
  }
  return taken(definition.at) ? number(Expr::make_register(0, kUnsigned)) : opaque(kUnsigned, {});
}

/// Emits an exchange in a warp. The lanes of the mask wait for each other, but the wait does not order memory
/// accesses.
void CompiledThread::emit_warp_exchange(std::uint32_t at) {
  const FlatInstruction& flat = flat_.code[at];
  Barrier barrier;
  barrier.kind = BarrierKind::Warp;
  barrier.is_relaxed = true;
  const std::optional<Value> mask = mask_of(at);
  barrier.mask = static_cast<std::uint32_t>(mask.value_or(0));
  if (mask && ((barrier.mask >> static_cast<unsigned>(setting_.place.lane)) & 1U) == 0) {
    return fail(flat,
                fmt::format("the mask does not include lane {}, in which {} runs", setting_.place.lane, setting_.name));
  }
  emit_exchange(at, std::move(barrier));
}

/// Emits a barrier and a value exchange. If `barrier` is a warp barrier whose mask is 0, no thread waits.
void CompiledThread::emit_exchange(std::uint32_t at, Barrier barrier) {
  const FlatInstruction& flat = flat_.code[at];
  const std::vector<Variable> written = targets(at);
  const bool is_known = barrier.kind != BarrierKind::Warp || barrier.mask != 0;
  std::optional<Taken> values = is_known ? taken(at) : std::nullopt;
  if (values) {
    const auto target = static_cast<RegisterId>(thread_.registers.size());
    const ScalarType type = joined_type(values->exchange);
    thread_.registers.push_back({fmt::format("%t{}", target), type});
    values->exchange.target = target;
    barrier.exchange = std::move(values->exchange);
    emit(std::move(barrier));
    const std::array results = {Expr::make_register(target, type), values->is_in_segment.value_or(Expr())};
    for (std::size_t i = 0; i < std::min(written.size(), results.size()); ++i) {
      if (written[i] != kNone) assign(flat, written[i], number(results[i]), std::nullopt);
    }
    return;
  }
  std::vector<Symbol> inputs;
  for (std::size_t i = 1; i < flat.instruction->operand_count; ++i) {
    inputs.push_back(operand(flat, flat.instruction->operands[i], flat.instruction->type()));
  }
  if (is_known) emit(std::move(barrier));
  for (const Variable variable : written) {
    if (variable != kNone) assign(flat, variable, opaque(type_of(variable), inputs), std::nullopt);
  }
}

}  // namespace ambit::parser::compiled
