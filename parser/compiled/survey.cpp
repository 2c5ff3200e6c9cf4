// Finds the reachable code and the instructions that write each register. Repeats both steps until nothing changes: a
// branch on a known value can make code unreachable. Without the writes of the unreachable code, more values become
// known.

#include <algorithm>

#include "parser/compiled/compiled_thread.h"
#include "parser/compiled/register_check.h"
#include "parser/compiled/value_bounds.h"

namespace ambit::parser::compiled {

using assembly::kNone;
using assembly::Opcode;
using assembly::Operand;

namespace {

constexpr int kMaximumRounds = 50;

}  // namespace

CompiledThread::CompiledThread(const FlatCode& flat, const litmus::ThreadSetting& setting,
                               const std::vector<litmus::Operand>& arguments, Memory& memory, Reporter& reporter)
    : flat_(flat), setting_(setting), arguments_(arguments), memory_(memory), reporter_(reporter) {}

Thread CompiledThread::lower() {
  survey();
  thread_.name = setting_.name;
  thread_.place = setting_.place;
  thread_.registers.push_back({"%opaque", kBits64, true});  // litmus::kOpaqueRegister
  emit_all();
  if (!reporter_.has_errors()) check_register_widths(thread_);
  return std::move(thread_);
}

void CompiledThread::survey() {
  reached_.assign(flat_.code.size() + 1, true);
  guards_.clear();
  for (const FlatInstruction& flat : flat_.code) {
    guards_.push_back(flat.instruction->guard.reg == kNone ? std::optional<Value>(1) : std::nullopt);
  }
  is_forced_.assign(flat_.registers.size(), false);
  bool is_stable = flat_.code.empty();
  for (int round = 0; round < kMaximumRounds && !is_stable; ++round) {
    restart_ = false;
    collect_definitions();
    infer_kinds();
    std::vector<std::vector<std::uint32_t>> next(flat_.code.size() + 1);
    std::vector<bool> reached = find_reached(next);
    const bool has_new_slots = find_slots();
    is_stable = reached == reached_ && !has_new_slots && !restart_;
    reached_ = std::move(reached);
    if (!is_stable) continue;
    force_undominated(next);
    is_stable = !restart_;
  }
  if (!is_stable) reporter_.error(flat_.code.front().span, "the control flow of this kernel is too complex");
  memo_.assign(definitions_.size(), std::nullopt);
  is_surveying_ = false;
}

/// Returns the registers that an instruction writes, with kNone for an operand `_`.
std::vector<CompiledThread::Variable> CompiledThread::targets(std::uint32_t at) const {
  const FlatInstruction& flat = flat_.code[at];
  if (flat.kind != FlatInstruction::Kind::Plain || flat.instruction->opcode == Opcode::Unknown) return {};
  if (assembly::row_of(flat.instruction->opcode).operands.front() != 'd') return {};
  const Operand& target = flat.instruction->operands[0];
  const auto variable = [&](const Operand& operand) {
    return operand.kind == Operand::Kind::Register ? flat.reg(operand.index) : kNone;
  };
  if (target.kind != Operand::Kind::Vector && target.kind != Operand::Kind::Pair) return {variable(target)};
  std::vector<Variable> result;
  for (const Operand& element : flat.instruction->elements(target)) result.push_back(variable(element));
  return result;
}

void CompiledThread::collect_definitions() {
  const std::size_t variables = flat_.registers.size() + slot_keys_.size();
  definitions_.assign(variables, {});
  is_conditional_.assign(variables, false);
  is_forced_.resize(variables, false);
  const auto define = [&](Variable variable, std::uint32_t at, std::uint32_t element) {
    if (variable == kNone) return;
    definitions_[variable].push_back({at, element});
    if (!guards_[at]) is_conditional_[variable] = true;
  };
  for (std::uint32_t at = 0; at < flat_.code.size(); ++at) {
    if (!reached_[at] || guards_[at] == Value{0}) continue;
    const std::vector<Variable> written = targets(at);
    for (std::uint32_t i = 0; i < written.size(); ++i) define(written[i], at, i);
    const auto uses = slot_uses_.find(at);
    if (uses == slot_uses_.end() || flat_.code[at].instruction->opcode != Opcode::St) continue;
    for (std::uint32_t i = 0; i < uses->second.size(); ++i) {
      define(uses->second[i].slot, at, i);
      if (uses->second[i].offset) is_conditional_[uses->second[i].slot] = true;
    }
  }
}

CompiledThread::Kind CompiledThread::kind_of(const Symbol& symbol) const {
  Kind kind;
  kind.is_known = symbol.base != Symbol::Base::Undetermined;
  if (symbol.is_number() && !symbol.is_opaque) kind.bits = possible_bits(symbol.value);
  if (symbol.base == Symbol::Base::Local) kind.local = symbol.local;
  if (symbol.base != Symbol::Base::Memory) return kind;
  kind.layout = symbol.layout;
  kind.layouts = symbol.layouts;
  const std::optional<Value> bytes = element_of(symbol)->constant_bytes();
  kind.bytes = bytes.value_or(0);
  kind.has_offset = !bytes || !kind.layouts.empty();
  if (kind.layouts.empty()) kind.object = only_object(symbol.pointer);
  return kind;
}

/// Records in `kind` that the register may hold the pointer `symbol`. Returns whether `kind` changed.
bool CompiledThread::merge(Kind& kind, const Symbol& symbol, ScalarType type) const {
  if (symbol.base == Symbol::Base::Undetermined || kind.local) return false;
  if (symbol.base == Symbol::Base::Local && (!kind.is_known || kind.layout == nullptr)) {
    kind = kind_of(symbol);
    return true;
  }
  if (kind.is_known && kind.layout == nullptr) return merge_number(kind, symbol, type);
  if (symbol.base != Symbol::Base::Memory) return false;
  if (!kind.is_known) {
    kind = kind_of(symbol);
    return true;
  }
  return merge_pointer(kind, symbol);
}

/// Records in `kind` that the register may also hold the pointer `symbol`. `kind` must be the kind of a pointer.
/// Returns whether `kind` changed.
bool CompiledThread::merge_pointer(Kind& kind, const Symbol& symbol) const {
  const Kind other = kind_of(symbol);
  bool changed = false;
  if (kind.object && kind.object != other.object) {
    kind.object.reset();
    changed = true;
  }
  for (const Layout* layout : symbol.all_layouts()) {
    if (kind.layouts.empty() ? kind.layout == layout : std::ranges::find(kind.layouts, layout) != kind.layouts.end()) {
      continue;
    }
    if (kind.layouts.empty()) kind.layouts.push_back(kind.layout);
    kind.layouts.push_back(layout);
    changed = true;
  }
  const bool needs_offset = !kind.layouts.empty() || other.has_offset || kind.bytes != other.bytes;
  if (kind.has_offset || !needs_offset) return changed;
  kind.has_offset = true;
  return true;
}

/// Records in `kind` that the register may hold the number `symbol`. Returns whether `kind` changed.
bool CompiledThread::merge_number(Kind& kind, const Symbol& symbol, ScalarType type) {
  constexpr unsigned kMaximumChanges = 4;  // without a limit, the bits of a counter would change many times
  const bool is_constant = symbol.is_constant();
  const Value value = is_constant ? type.wrap(symbol.value.constant) : 0;
  bool changed = false;
  if (kind.values == Kind::Values::None && is_constant) {
    kind.values = Kind::Values::One;
    kind.only = value;
    changed = true;
  } else if (kind.values != Kind::Values::Several && (!is_constant || value != kind.only)) {
    kind.values = Kind::Values::Several;
    changed = true;
  }
  Value bits = kind.bits | (symbol.is_number() && !symbol.is_opaque ? possible_bits(as(symbol.value, type)) : -1);
  if (bits == kind.bits) return changed;
  if (++kind.changes > kMaximumChanges) bits = -1;
  kind.bits = bits;
  return true;
}

/// Infers whether each register that several instructions write is a number or a pointer. The register is a pointer if
/// at least one instruction writes a pointer.
void CompiledThread::infer_kinds() {
  kinds_.assign(definitions_.size(), {});
  is_materialised_.assign(definitions_.size(), false);
  widen_kinds();
  // Registers that are not pointers are numbers. The second pass may change the kinds of pointers, because a pointer
  // plus a number with several values has several offsets.
  for (Kind& kind : kinds_) {
    kind.is_known = true;
    kind.bits = 0;
  }
  is_widening_ = true;
  widen_kinds();
  is_widening_ = false;
  // Some numbers are computed only from each other and get no first value. The values of such numbers are unknown.
  for (Kind& kind : kinds_) {
    if (kind.values == Kind::Values::None) kind.values = Kind::Values::Several;
  }
  widen_kinds();
  memo_.assign(definitions_.size(), std::nullopt);
}

void CompiledThread::widen_kinds() {
  for (bool changed = true; changed;) {
    changed = false;
    memo_.assign(definitions_.size(), std::nullopt);
    in_progress_.assign(definitions_.size(), false);
    for (Variable v = 0; v < definitions_.size(); ++v) {
      if (definitions_[v].empty() || is_single(v)) continue;
      Kind& kind = kinds_[v];
      bool has_null = false;
      for (const Definition& definition : definitions_[v]) {
        const Symbol symbol = evaluate(definition);
        has_null = has_null || (symbol.is_constant() && symbol.value.constant == 0);
        changed = merge(kind, symbol, type_of(v)) || changed;
      }
      if (!has_null || kind.layout == nullptr) continue;
      if (kind.object || (!kind.has_offset && kind.bytes != 0)) changed = true;
      kind.object.reset();
      kind.has_offset = kind.has_offset || kind.bytes != 0;
    }
  }
}

std::vector<std::uint32_t> CompiledThread::successors(std::uint32_t at) {
  const FlatInstruction& flat = flat_.code[at];
  if (flat.instruction->guard.reg != kNone) {
    guards_[at] = std::nullopt;
    const Expr taken = condition(flat);
    if (taken.is_constant()) guards_[at] = taken.constant;
  }
  const std::optional<Value> guard = guards_[at];
  if (guard == Value{0}) return {at + 1};
  std::vector<std::uint32_t> next;
  if (!guard) next.push_back(at + 1);
  if (flat.kind == FlatInstruction::Kind::Jump) {
    next.push_back(flat.targets[0]);
  } else if (flat.kind == FlatInstruction::Kind::Choice) {
    const auto index = constant(operand(flat, flat.instruction->operands[0], assembly::Type::U32));
    if (index && *index >= 0 && *index < static_cast<Value>(flat.targets.size())) {
      next.push_back(flat.targets[static_cast<std::size_t>(*index)]);
    } else {
      next.insert(next.end(), flat.targets.begin(), flat.targets.end());
    }
  } else if (flat.kind == FlatInstruction::Kind::Plain && flat.instruction->opcode != Opcode::Exit &&
             flat.instruction->opcode != Opcode::Trap) {
    if (guard) next.push_back(at + 1);
  }
  return next;
}

/// Finds the reachable positions. `next` receives the successors of each reachable position.
std::vector<bool> CompiledThread::find_reached(std::vector<std::vector<std::uint32_t>>& next) {
  std::vector<bool> reached(flat_.code.size() + 1, false);
  std::vector<std::uint32_t> open = {0};
  reached[0] = true;
  while (!open.empty()) {
    const std::uint32_t at = open.back();
    open.pop_back();
    if (at == flat_.code.size()) continue;
    next[at] = successors(at);
    for (const std::uint32_t to : next[at]) {
      if (reached[to]) continue;
      reached[to] = true;
      open.push_back(to);
    }
  }
  return reached;
}

}  // namespace ambit::parser::compiled
