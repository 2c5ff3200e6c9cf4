// Represents local variables and parameters of inlined functions by registers of the thread. A variable is divided into
// pieces (slots) where accesses begin or end. Therefore an instruction can copy a word of several fields, although code
// writes each field separately.

#include <algorithm>
#include <bit>

#include "parser/compiled/compiled_thread.h"

namespace ambit::parser::compiled {

using assembly::Opcode;
using assembly::Operand;

namespace {

/// Size in bytes of the largest register.
constexpr std::uint64_t kWord = 8;
constexpr std::uint64_t kHalfWord = 4;
/// Maximum number of elements of a local array that one access with a computed index may reach.
constexpr std::size_t kMaximumCandidates = 256;

/// The bytes of a variable from `begin` to `end` - 1.
struct ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  friend auto operator<=>(const ByteRange&, const ByteRange&) = default;
};

}  // namespace

/// The division of a thread's local variables into slots.
struct CompiledThread::LocalDivision {
  std::map<FrameVariable, std::set<ByteRange>> fixed;  ///< elements that are accessed at constant offsets
  std::map<FrameVariable, std::set<std::uint64_t>> cuts;

  void add(const LocalAccess& access, bool is_fixed) {
    for (const std::uint64_t offset : access.offsets) {
      for (unsigned i = 0; i < access.elements; ++i) {
        const std::uint64_t begin = offset + std::uint64_t{i} * access.bytes;
        if (is_fixed) fixed[access.pointer.local].insert({begin, begin + access.bytes});
        cuts[access.pointer.local].insert({begin, begin + access.bytes});
      }
    }
  }

  /// Divides a range at the cuts into aligned pieces of at most one word.
  std::vector<ByteRange> pieces(const FrameVariable& variable, const ByteRange& range) const {
    std::vector<ByteRange> result;
    const std::set<std::uint64_t>& of_variable = cuts.at(variable);
    for (std::uint64_t at = range.begin; at < range.end;) {
      const std::uint64_t end = std::min(*of_variable.upper_bound(at), range.end);
      const std::uint64_t alignment = at == 0 ? kWord : std::min(kWord, at & (~at + 1));
      const std::uint64_t size = std::min(alignment, std::bit_floor(end - at));
      result.push_back({at, at + size});
      at += size;
    }
    return result;
  }

  /// Returns whether an access with a computed offset may be at `range`. Rejects an access to only a part of a word,
  /// because the word may hold an address.
  bool allows(const FrameVariable& variable, const ByteRange& range) const {
    const auto found = fixed.find(variable);
    if (found == fixed.end()) return true;
    return std::ranges::none_of(found->second, [&](const ByteRange& other) {
      const bool overlaps = other.begin < range.end && range.begin < other.end;
      return overlaps && other != range && (other.end - other.begin == kWord || range.end - range.begin == kWord);
    });
  }
};

/// Returns the possible offsets of an access with a computed address in a variable of `size` bytes; an empty list if
/// there are too many. PTX requires that an address is a multiple of the element size.
std::vector<std::uint64_t> CompiledThread::candidates(const LocalDivision& division, const LocalAccess& access,
                                                      std::uint64_t size) {
  const ByteOffset offset = byte_offset(access.pointer);
  const auto total = static_cast<Value>(std::uint64_t{access.bytes} * access.elements);
  Value step = offset.step;
  Value first = offset.constant;
  if (step <= 0 || step % access.bytes != 0) {
    step = access.bytes;
    first -= first % access.bytes;
  }
  if (first < 0) first += (-first + step - 1) / step * step;
  const auto is_possible = [&](Value at) {
    if (at < 0 || at + total > static_cast<Value>(size)) return false;
    for (unsigned i = 0; i < access.elements; ++i) {
      const std::uint64_t begin = static_cast<std::uint64_t>(at) + std::uint64_t{i} * access.bytes;
      if (!division.allows(access.pointer.local, {begin, begin + access.bytes})) return false;
    }
    return true;
  };
  std::vector<std::uint64_t> found;
  for (Value at = first - step; is_possible(at) && found.size() <= kMaximumCandidates; at -= step) {
    found.insert(found.begin(), static_cast<std::uint64_t>(at));
  }
  for (Value at = first; is_possible(at) && found.size() <= kMaximumCandidates; at += step) {
    found.push_back(static_cast<std::uint64_t>(at));
  }
  if (found.size() > kMaximumCandidates) found.clear();
  return found;
}

CompiledThread::Variable CompiledThread::slot(const SlotKey& key) {
  const auto next = static_cast<Variable>(flat_.registers.size() + slot_keys_.size());
  const auto [entry, is_new] = slots_.emplace(key, next);
  if (is_new) slot_keys_.push_back(key);
  return entry->second;
}

/// Returns the accesses to local variables. Adds the accesses at constant offsets to `division`.
std::vector<CompiledThread::LocalAccess> CompiledThread::local_accesses(LocalDivision& division) {
  std::vector<LocalAccess> accesses;
  for (std::uint32_t at = 0; at < flat_.code.size(); ++at) {
    const FlatInstruction& flat = flat_.code[at];
    const Opcode opcode = flat.instruction->opcode;
    if (!reached_[at] || flat.kind != FlatInstruction::Kind::Plain || (opcode != Opcode::Ld && opcode != Opcode::St)) {
      continue;
    }
    Symbol symbol = address(flat, flat.instruction->operands[opcode == Opcode::Ld ? 1 : 0]);
    if (symbol.base != Symbol::Base::Local) continue;
    const assembly::MemoryMeaning meaning = assembly::memory_meaning(*flat.instruction);
    LocalAccess access = {at, std::move(symbol), assembly::bytes_of(meaning.type), meaning.elements, {}};
    if (access.bytes == 0 || access.bytes > kWord) continue;
    if (access.pointer.value.is_constant()) {
      const std::uint64_t size = flat_.module->variables[access.pointer.local.variable].size();
      const auto begin = static_cast<std::uint64_t>(access.pointer.value.constant);
      if (begin > size || size - begin < std::uint64_t{access.bytes} * access.elements) continue;
      access.offsets.push_back(begin);
      division.add(access, true);
    }
    accesses.push_back(std::move(access));
  }
  return accesses;
}

/// Finds the slots that each ld and st reaches. Returns whether the slots of any instruction have changed.
bool CompiledThread::find_slots() {
  LocalDivision division;
  std::vector<LocalAccess> accesses = local_accesses(division);
  for (LocalAccess& access : accesses) {
    if (!access.offsets.empty()) continue;
    access.offsets = candidates(division, access, flat_.module->variables[access.pointer.local.variable].size());
    division.add(access, false);
  }
  std::map<std::uint32_t, std::vector<SlotUse>> uses;
  for (const LocalAccess& access : accesses) {
    const bool is_constant = access.pointer.value.is_constant();
    for (const std::uint64_t offset : access.offsets) {
      for (unsigned i = 0; i < access.elements; ++i) {
        const std::uint64_t begin = offset + std::uint64_t{i} * access.bytes;
        for (const ByteRange& piece : division.pieces(access.pointer.local, {begin, begin + access.bytes})) {
          const auto bytes = static_cast<unsigned>(piece.end - piece.begin);
          uses[access.at].push_back({slot({access.pointer.local, piece.begin, bytes}), i, bytes,
                                     static_cast<unsigned>(piece.begin - begin) * 8,
                                     is_constant ? std::nullopt : std::optional(static_cast<Value>(offset))});
        }
      }
    }
  }
  const bool changed = uses != slot_uses_;
  slot_uses_ = std::move(uses);
  return changed;
}

/// Returns the condition under which the access at position `at` reaches the slot of `use`.
Symbol CompiledThread::reaches(std::uint32_t at, const SlotUse& use) {
  const FlatInstruction& flat = flat_.code[at];
  const Symbol pointer = address(flat, flat.instruction->operands[flat.instruction->opcode == Opcode::Ld ? 1 : 0]);
  Symbol result =
      number(Expr::make(Op::Equal, kBits64, {pointer.value, Expr::make_constant(use.offset.value_or(0), kBits64)}));
  result.varies = pointer.varies;
  result.is_opaque = pointer.is_opaque;
  return result;
}

/// Returns the value that a store to a local variable writes to one slot.
Symbol CompiledThread::evaluate_slot_store(const Definition& definition) {
  const FlatInstruction& flat = flat_.code[definition.at];
  const SlotUse& use = slot_uses_.at(definition.at)[definition.element];
  const Operand& stored = flat.instruction->operands[1];
  const assembly::Type type = flat.instruction->type();
  const bool is_vector = stored.kind == Operand::Kind::Vector;
  Symbol value = operand(flat, is_vector ? flat.instruction->elements(stored)[use.element] : stored, type);
  const ScalarType piece = {static_cast<std::uint8_t>(use.bytes * 8), true};
  if (value.is_pointer()) {
    // A slot of 4 bytes can hold an address, because addresses in shared memory may have 32 bits.
    const bool is_whole = use.bytes == kWord || (use.bytes == kHalfWord && assembly::bytes_of(type) == kHalfWord);
    if (!is_whole) value = opaque(piece, {});
  } else if (value.is_number() && value.is_opaque) {
    value = opaque(piece, {value});
  } else if (value.is_number()) {
    const ScalarType whole = {static_cast<std::uint8_t>(std::max(8U, assembly::bits_of(type))), false};
    if (use.shift != 0) {
      value.value =
          Expr::make(Op::ShiftRight, whole, {as(value.value, whole), Expr::make_constant(Value{use.shift}, kUnsigned)});
    }
    if (value.value.result_type().bits != piece.bits) value.value = as(value.value, piece);
  }
  if (!use.offset) return value;
  return choose(reaches(definition.at, use), value, joined_value(use.slot), piece);
}

/// Returns the value of one element of a load from a local variable.
Symbol CompiledThread::evaluate_slot_load(const Definition& definition) {
  const std::vector<SlotUse>& uses = slot_uses_.at(definition.at);
  std::optional<Symbol> result;
  for (std::size_t begin = 0; begin < uses.size();) {
    std::size_t end = begin;
    std::vector<const SlotUse*> pieces;
    for (; end < uses.size() && uses[end].offset == uses[begin].offset; ++end) {
      if (uses[end].element == definition.element) pieces.push_back(&uses[end]);
    }
    const SlotUse& first = uses[begin];
    begin = end;
    // Skips slots that no instruction writes. Either the index never reaches the slot, or the value is undefined.
    const auto is_undefined = [this](const SlotUse* use) {
      return use->slot < definitions_.size() && definitions_[use->slot].empty();
    };
    if (first.offset && std::ranges::any_of(pieces, is_undefined)) continue;
    Symbol here = joined_pieces(definition.at, pieces);
    if (!result) {
      result = std::move(here);
    } else {
      result = choose(reaches(definition.at, first), here, *result, kBits64);
    }
  }
  Symbol loaded = result.value_or(opaque(kBits64, {}));
  const Variable target = targets(definition.at)[definition.element];
  if (!loaded.is_number() || target == assembly::kNone) return loaded;
  const ScalarType wanted = type_of(target);
  if (loaded.is_opaque) return opaque(wanted, {loaded});
  const assembly::Type type = assembly::memory_meaning(*flat_.code[definition.at].instruction).type;
  const ScalarType read = {static_cast<std::uint8_t>(assembly::bytes_of(type) * 8), assembly::is_signed(type)};
  if (loaded.value.result_type().bits != wanted.bits) loaded.value = as(as(loaded.value, read), wanted);
  return loaded;
}

/// Joins the slots of one element into one value.
Symbol CompiledThread::joined_pieces(std::uint32_t at, const std::vector<const SlotUse*>& pieces) {
  if (pieces.size() == 1) return value_of(pieces.front()->slot);
  const assembly::Type type = assembly::memory_meaning(*flat_.code[at].instruction).type;
  const ScalarType whole = {static_cast<std::uint8_t>(assembly::bytes_of(type) * 8), false};
  std::vector<Symbol> values;
  Symbol joined = number(0, whole);
  bool is_opaque = false;
  for (const SlotUse* piece : pieces) {
    Symbol value = value_of(piece->slot);
    if (value.base == Symbol::Base::Undetermined) return value;
    is_opaque = is_opaque || value.is_opaque || !value.is_number();
    joined.varies = joined.varies || value.varies;
    if (!is_opaque) {
      const ScalarType bits = {static_cast<std::uint8_t>(piece->bytes * 8), false};
      Expr moved = Expr::make(Op::ShiftLeft, whole,
                              {as(as(value.value, bits), whole), Expr::make_constant(Value{piece->shift}, kUnsigned)});
      joined.value = joined.value.is_constant() && joined.value.constant == 0
                         ? std::move(moved)
                         : Expr::make(Op::BitOr, whole, {joined.value, std::move(moved)});
    }
    values.push_back(std::move(value));
  }
  return is_opaque ? opaque(whole, values) : joined;
}

/// Emits a check that the index is inside the local array. PTX does not define an access outside of the array.
void CompiledThread::emit_local_bounds(std::uint32_t at) {
  const auto found = slot_uses_.find(at);
  if (found == slot_uses_.end() || !found->second.front().offset) return;
  const FlatInstruction& flat = flat_.code[at];
  const Symbol pointer = address(flat, flat.instruction->operands[flat.instruction->opcode == Opcode::Ld ? 1 : 0]);
  const auto limit = [&](Op op, const SlotUse& use) {
    return Expr::make(op, kBits64, {pointer.value, Expr::make_constant(*use.offset, kBits64)});
  };
  Expr inside =
      Expr::make(Op::LogicalAnd, kInt,
                 {limit(Op::GreaterEqual, found->second.front()), limit(Op::LessEqual, found->second.back())});
  if (!guards_[at]) {
    inside = Expr::make(Op::LogicalOr, kInt, {Expr::make(Op::LogicalNot, kInt, {condition(flat)}), std::move(inside)});
  }
  if (inside.is_constant() && inside.constant != 0) return;
  emit(Assert{std::move(inside), "an index is outside of a local array"});
}

}  // namespace ambit::parser::compiled
