#include <fmt/format.h>

#include <bit>
#include <unordered_map>

#include "ptx/body_reader.h"
#include "ptx/constant_expression.h"

namespace ambit::ptx {
namespace {

constexpr std::size_t kMaximumOperands = 4096;  ///< maximum number of operands of an instruction, including elements
constexpr std::size_t kMaximumGroups = 3;       ///< maximum depth of nested vectors
constexpr std::uint32_t kMaximumVector = 8;     ///< maximum number of elements of a vector in a known instruction

const std::unordered_map<std::string_view, SpecialRegister>& special_registers() {
  static const std::unordered_map<std::string_view, SpecialRegister> kByName = {
#define AMBIT_PTX_SPECIAL(name, spelling) {spelling, SpecialRegister::name},
      AMBIT_PTX_SPECIALS(AMBIT_PTX_SPECIAL)
#undef AMBIT_PTX_SPECIAL
  };
  return kByName;
}

/// Returns whether the ISA reserves the name for a special register, even if the table lacks the name: %pm0, %tid.
bool is_special_name(std::string_view name) {
  for (const std::string_view prefix : {"%pm", "%tid", "%ntid", "%ctaid", "%nctaid", "%clusterid", "%nclusterid",
                                        "%cluster_", "%reserved_", "%lanemask_"}) {
    if (name.starts_with(prefix)) return true;
  }
  return false;
}

/// Returns the number of a component: .x .y .z .w, .r .g .b .a, or a byte .b0 to .b3 of video instructions.
std::optional<std::int8_t> component_of(std::string_view name) {
  if (name.size() == 1) {
    for (const std::string_view row : {"xyzw", "rgba"}) {
      const std::size_t found = row.find(name[0]);
      if (found != std::string_view::npos) return static_cast<std::int8_t>(found);
    }
  }
  if (name.size() == 2 && name[0] == 'b' && name[1] >= '0' && name[1] <= '3') {
    return static_cast<std::int8_t>(name[1] - '0');
  }
  return std::nullopt;
}

/// Returns whether instructions with this opcode may have modifiers that are not in the table: matrix shapes, tensor
/// kinds, restricted fences.
bool may_have_other_modifiers(const OpcodeRow& row) {
  switch (row.opcode) {
    case Opcode::Ldmatrix:
    case Opcode::Stmatrix:
    case Opcode::Movmatrix:
    case Opcode::Mma:
    case Opcode::Prefetch:  // .tensormap
    case Opcode::WmmaMma: return true;
    default: return row.effect == Effect::Asynchronous || row.effect == Effect::Fence;
  }
}

/// Returns the minimum number of types of an instruction with this opcode.
unsigned least_types(const OpcodeRow& row) {
  switch (row.opcode) {
    case Opcode::Cvt:
    case Opcode::Set: return 2;
    case Opcode::Applypriority:
    case Opcode::Discard:
    case Opcode::ElectSync:
    case Opcode::Isspacep:
    case Opcode::Pmevent:
    case Opcode::Prefetch:
    case Opcode::Prefetchu:
    case Opcode::Setmaxnreg: return 0;
    default: break;
  }
  if (may_have_other_modifiers(row)) return 0;
  const bool is_typed = row.effect == Effect::None || row.effect == Effect::Read || row.effect == Effect::Write ||
                        row.effect == Effect::ReadModifyWrite || row.effect == Effect::WarpExchange;
  return is_typed ? 1 : 0;
}

}  // namespace

void decode_spelling(std::string_view spelling, Instruction& instruction) {
  instruction.opcode = Opcode::Unknown;
  const std::optional<OpcodeMatch> match = match_opcode(spelling);
  if (!match) return;
  std::size_t from = match->length;
  while (from < spelling.size()) {
    const std::size_t end = std::min(spelling.find('.', from + 1), spelling.size());
    const std::string_view part = spelling.substr(from + 1, end - from - 1);
    from = end;
    if (const auto type = type_from_string(part)) {
      if (instruction.type_count == instruction.types.size()) {
        if (!may_have_other_modifiers(*match->row)) return;
        instruction.has_other_modifier = true;
        continue;
      }
      instruction.types[instruction.type_count++] = *type;
      continue;
    }
    const auto modifier = modifier_from_string(part);
    if (modifier && instruction.modifiers.push(*modifier)) continue;
    if (!may_have_other_modifiers(*match->row)) return;
    instruction.has_other_modifier = true;
  }
  // A barrier of a block that is spelt `bar`, not `barrier`, requires converged warps (ISA 9.7.13.1).
  if (spelling.starts_with("bar.") && !spelling.starts_with("bar.warp")) instruction.modifiers.push(Modifier::Aligned);
  instruction.opcode = match->row->opcode;
}

Guard BodyReader::read_guard() {
  Guard guard;
  if (!tokens_.accept('@')) return guard;
  guard.negated = tokens_.accept('!');
  const Token name = tokens_.expect_word("a predicate after '@'");
  const auto symbol = find_register(name.text);
  if (!symbol) fail_undeclared(name.text, name.place, "'{}' is not declared as a register");
  if (function_.registers[symbol->index] != Type::Pred) {
    tokens_.fail(name.place, fmt::format("'{}' is not a predicate", name.text), "declare it with .reg .pred");
  }
  guard.reg = symbol->index;
  return guard;
}

void BodyReader::read_instruction() {
  const std::uint32_t begin = tokens_.peek().offset;
  instruction_ = {};
  top_.clear();
  elements_.clear();
  labels_.clear();
  has_unknown_ = false;
  instruction_.guard = read_guard();
  const Token opcode = tokens_.expect_word("an opcode");
  instruction_.place = opcode.place;
  instruction_.source = state_.locations.current();
  instruction_.spelling = {opcode.offset, static_cast<std::uint32_t>(opcode.text.size())};
  decode_spelling(opcode.text, instruction_);
  if (instruction_.opcode == Opcode::Unknown && !is_assembly_) {
    skip_statement(tokens_);
  } else {
    if (instruction_.opcode == Opcode::Call) {
      read_call_operands();
    } else {
      read_operands();
    }
    tokens_.expect(';', fmt::format("',' or ';' after an operand of '{}'", opcode.text.substr(0, 60)));
    const OpcodeRow& row = row_of(instruction_.opcode);
    if (has_unknown_ || !fits_table(row)) {
      instruction_.opcode = Opcode::Unknown;
      if (!is_assembly_) {
        top_.clear();
        elements_.clear();
        labels_.clear();
      }
    } else {
      check_kinds(row);
    }
  }
  instruction_.text = {begin, tokens_.last_end() - begin};
  const auto number = static_cast<std::uint32_t>(function_.instructions.size());
  instruction_.operand_count = static_cast<std::uint32_t>(top_.size());
  instruction_.operands.reserve(top_.size() + elements_.size());
  for (const auto* list : {&top_, &elements_}) {
    for (Operand operand : *list) {
      if (operand.count > 0) operand.first += instruction_.operand_count;
      instruction_.operands.push_back(operand);
    }
  }
  for (PendingLabel& label : labels_) {
    label.instruction = number;
    scopes_.back().pending.push_back(label);
  }
  function_.instructions.push_back(std::move(instruction_));
}

void BodyReader::read_operands() {
  if (tokens_.peek().is(';')) return;
  do {
    top_.push_back(read_operand(0));
    if (top_.size() + elements_.size() > kMaximumOperands) {
      tokens_.fail(instruction_.place, fmt::format("more than {} operands", kMaximumOperands));
    }
  } while (tokens_.accept(','));
}

Operand BodyReader::read_operand(std::size_t depth) {
  if (tokens_.accept('[')) return read_address();
  if (tokens_.accept('{')) return read_group(Operand::Kind::Vector, '}', depth);
  Operand operand = read_simple_operand();
  if (!tokens_.peek().is('|')) return operand;
  check_no_label();
  tokens_.take();
  const Operand second = read_simple_operand();
  check_no_label();
  Operand pair;
  pair.kind = Operand::Kind::Pair;
  pair.count = 2;
  pair.first = flush({operand, second});
  return pair;
}

std::uint32_t BodyReader::flush(const std::vector<Operand>& elements) {
  const auto first = static_cast<std::uint32_t>(elements_.size());
  elements_.insert(elements_.end(), elements.begin(), elements.end());
  return first;
}

Operand BodyReader::read_simple_operand() {
  const Token& token = tokens_.peek();
  if (token.is('!') && tokens_.peek_next().kind == Token::Kind::Word) {
    tokens_.take();
    Operand operand = read_word();
    if (operand.kind != Operand::Kind::Register) tokens_.fail_expected("a predicate after '!'");
    operand.negated = true;
    return operand;
  }
  if (token.kind == Token::Kind::Word && !token.is("WARP_SZ")) return read_word();
  return read_number();
}

Operand BodyReader::read_number() {
  Operand operand;
  const bool is_negative = tokens_.peek().is('-');
  const Token& number = is_negative ? tokens_.peek_next() : tokens_.peek();
  if (number.kind == Token::Kind::Float32 || number.kind == Token::Kind::Float64) {
    const bool is_single = number.kind == Token::Kind::Float32;
    operand.kind = is_single ? Operand::Kind::Float32 : Operand::Kind::Float64;
    operand.value = number.value ^ (is_negative ? 1ULL << (is_single ? 31 : 63) : 0);
    if (is_negative) tokens_.take();
    tokens_.take();
    return operand;
  }
  const Token& first = tokens_.peek();
  if (first.kind == Token::Kind::Punctuation && !is_negative && !first.is('(') && !first.is('~') && !first.is('!') &&
      !first.is('+')) {
    tokens_.fail_expected("an operand");
  }
  if (first.kind == Token::Kind::String || first.kind == Token::Kind::End) tokens_.fail_expected("an operand");
  operand.kind = Operand::Kind::Integer;
  operand.value = read_constant(tokens_).value;
  return operand;
}

Operand BodyReader::read_word() {
  const Token token = tokens_.expect_word("an operand");
  if (token.is("_")) return {};
  return read_name(token);
}

Operand BodyReader::read_name(const Token& token) {
  Operand operand;
  std::string_view name = token.text;
  if (name.front() == '%') {
    const auto special = special_registers().find(name);
    if (special != special_registers().end() && !find(name)) {
      operand.kind = Operand::Kind::Special;
      operand.index = static_cast<std::uint32_t>(special->second);
      return operand;
    }
  }
  const std::size_t dot = name.find('.');
  if (dot != std::string_view::npos) {
    const auto component = component_of(name.substr(dot + 1));
    if (component) operand.component = *component;
    if (!component) has_unknown_ = true;
    name = name.substr(0, dot);
  }
  const std::optional<Symbol> symbol = find(name);
  if (!symbol) {
    if (is_special_name(name) && !is_assembly_) {
      operand.kind = Operand::Kind::Special;
      operand.index = static_cast<std::uint32_t>(SpecialRegister::Unknown);
      has_unknown_ = true;
      return operand;
    }
    if (name.front() == '%') {
      fail_undeclared(name, token.place, "register '{}' is not declared", "declare it with .reg");
    }
    return pending_label(token);
  }
  operand.index = symbol->index;
  switch (symbol->kind) {
    case Symbol::Kind::Register: operand.kind = Operand::Kind::Register; break;
    case Symbol::Kind::Variable:
      operand.kind = Operand::Kind::Variable;
      operand.value = static_cast<std::uint64_t>(read_offset(tokens_));
      break;
    case Symbol::Kind::Function: operand.kind = Operand::Kind::Function; break;
    case Symbol::Kind::Label: operand.kind = Operand::Kind::Label; break;
    case Symbol::Kind::Targets: operand.kind = Operand::Kind::Targets; break;
    case Symbol::Kind::Prototype: operand.kind = Operand::Kind::Prototype; break;
  }
  return operand;
}

/// Returns the operand for a name that is not yet declared. The name must be a label that is defined later.
Operand BodyReader::pending_label(const Token& token) {
  Operand operand;
  operand.kind = Operand::Kind::Label;
  labels_.push_back({kNone, static_cast<std::uint32_t>(top_.size()), 0, token.text, token.place});
  return operand;
}

/// Reports an error if a label is in a place where only a value is allowed.
void BodyReader::check_no_label() const {
  if (labels_.empty()) return;
  fail_undeclared(labels_.back().name, labels_.back().place, "'{}' is not declared",
                  "an operand is a declared register, variable or function");
}

Operand BodyReader::read_address() {
  Operand operand;
  operand.kind = Operand::Kind::Address;
  const Token& token = tokens_.peek();
  if (token.kind == Token::Kind::Word && !token.is("WARP_SZ")) {
    const Token name = tokens_.take();
    const std::optional<Symbol> symbol = find(name.text);
    if (!symbol || (symbol->kind != Symbol::Kind::Register && symbol->kind != Symbol::Kind::Variable)) {
      fail_undeclared(name.text, name.place, "'{}' is not declared as a register or a variable");
    }
    operand.base = symbol->kind == Symbol::Kind::Register ? Operand::Base::Register : Operand::Base::Variable;
    operand.index = symbol->index;
    operand.value = static_cast<std::uint64_t>(read_offset(tokens_));
  } else {
    operand.value = read_constant(tokens_).value;
  }
  std::vector<Operand> elements;
  while (tokens_.accept(',')) {  // a sampler, or the coordinates of a texture
    const std::string_view what = is_assembly_ ? "a tensor map and coordinates, [m, {x, y}]" : "";
    elements.push_back(tokens_.accept('{') ? read_group(Operand::Kind::Vector, '}', 1, what) : read_operand(1));
    check_no_label();
    if (elements.size() > kMaximumOperands) tokens_.fail(instruction_.place, "too many operands in an address");
  }
  if (!elements.empty()) {
    operand.count = static_cast<std::uint32_t>(elements.size());
    operand.first = flush(elements);
  }
  tokens_.expect(']', "']'");
  return operand;
}

/// Reads operands up to `close`. `what` names the expected text in an error at `close`.
Operand BodyReader::read_group(Operand::Kind kind, char close, std::size_t depth, std::string_view what) {
  if (depth >= kMaximumGroups) tokens_.fail_expected("an operand that is not a vector");
  Operand group;
  group.kind = kind;
  std::vector<Operand> elements;
  if (kind == Operand::Kind::Vector || !tokens_.accept(close)) {
    do {
      elements.push_back(read_operand(depth + 1));
      check_no_label();
      if (elements.size() > kMaximumOperands) {
        tokens_.fail(instruction_.place, fmt::format("more than {} operands", kMaximumOperands));
      }
    } while (tokens_.accept(','));
    tokens_.expect(close, what.empty() ? fmt::format("',' or '{}'", close) : what);
  }
  group.count = static_cast<std::uint32_t>(elements.size());
  if (!elements.empty()) group.first = flush(elements);
  return group;
}

void BodyReader::read_list(bool is_optional) {
  if (is_optional && !tokens_.peek().is('(')) {
    Operand empty;
    empty.kind = Operand::Kind::List;
    return top_.push_back(empty);
  }
  tokens_.expect('(', "'('");
  top_.push_back(read_group(Operand::Kind::List, ')', 0));
}

Operand BodyReader::read_callee() {
  const Token name = tokens_.expect_word("the function to call");
  const std::optional<Symbol> symbol = find(name.text);
  Operand callee;
  if (symbol && symbol->kind == Symbol::Kind::Function) {
    callee.kind = Operand::Kind::Function;
  } else if (symbol && symbol->kind == Symbol::Kind::Register) {
    callee.kind = Operand::Kind::Register;
  } else {
    tokens_.fail(name.place, fmt::format("function '{}' is not declared", name.text));
  }
  callee.index = symbol->index;
  return callee;
}

void BodyReader::read_call_operands() {
  const bool has_returns = tokens_.peek().is('(');
  read_list(true);
  if (has_returns) tokens_.expect(',', "',' after the returned values");
  top_.push_back(read_callee());
  if (!tokens_.accept(',')) return read_list(true);
  const bool has_arguments = tokens_.peek().is('(');
  read_list(true);
  if (has_arguments && !tokens_.accept(',')) return;
  top_.push_back(read_word());
}

/// Returns whether the number of operands, the number of types and the positions of addresses match the table.
bool BodyReader::fits_table(const OpcodeRow& row) const {
  if (instruction_.type_count < least_types(row)) return false;
  for (const Operand& operand : top_) {
    if (operand.kind == Operand::Kind::Vector && operand.count > kMaximumVector) return false;
  }
  if (row.operands == "call") return true;
  if (row.operands == "-") return top_.empty();
  std::size_t next = 0;
  for (std::size_t i = 0; i < row.operands.size(); ++i) {
    if (row.operands[i] == ' ') continue;
    const bool is_optional = row.operands[i] == '?';
    if (is_optional) ++i;
    if (next == top_.size()) {
      if (!is_optional) return false;
      continue;
    }
    const bool is_address = top_[next].kind == Operand::Kind::Address;
    const char shape = row.operands[i];
    if (shape != 'e' && (shape == 'm') != is_address) return false;
    ++next;
  }
  return next == top_.size();
}

/// Checks the kinds of operands. Errors: a destination is a constant; an operand that must be a value is a label; an
/// operand that must be a label is a value.
void BodyReader::check_kinds(const OpcodeRow& row) const {
  if (row.opcode == Opcode::Call) {
    if (top_.size() > 3 && labels_.empty()) check_target(row.opcode, top_[3].kind, instruction_.place);
    return;
  }
  for (std::size_t i = 0, number = 0; i < row.operands.size() && number < top_.size(); ++i) {
    const char shape = row.operands[i];
    if (shape == ' ' || shape == '?' || shape == '-') continue;
    const Operand::Kind kind = top_[number++].kind;
    if (shape == 'd' && kind != Operand::Kind::Register && kind != Operand::Kind::Vector &&
        kind != Operand::Kind::Pair && kind != Operand::Kind::Discard) {
      if (kind == Operand::Kind::Label) check_no_label();
      tokens_.fail(instruction_.place, fmt::format("operand {} of '{}' must be a register", number, row.name));
    }
    const bool is_target =
        kind == Operand::Kind::Label || kind == Operand::Kind::Targets || kind == Operand::Kind::Prototype;
    if (shape == 'l' || shape == 't') {
      if (labels_.empty()) check_target(row.opcode, kind, instruction_.place);
    } else if (is_target) {
      check_no_label();
      tokens_.fail(instruction_.place,
                   fmt::format("operand {} of '{}' must be a value, not a label", number, row.name));
    }
  }
}

/// Checks the target of a branch or a call. Error: the opcode cannot have a target of this kind.
void BodyReader::check_target(Opcode opcode, Operand::Kind kind, const SourceSpan& place) const {
  if (opcode == Opcode::Unknown) return;
  const bool good = opcode == Opcode::Bra        ? kind == Operand::Kind::Label
                    : opcode == Opcode::BrxIndex ? kind == Operand::Kind::Targets
                                                 : kind == Operand::Kind::Prototype || kind == Operand::Kind::Targets;
  if (good) return;
  const std::string_view what = opcode == Opcode::Bra        ? "a label"
                                : opcode == Opcode::BrxIndex ? "a list of .branchtargets"
                                                             : "a .callprototype or a list of .calltargets";
  tokens_.fail(place, fmt::format("'{}' needs {} here", to_string(opcode), what));
}

}  // namespace ambit::ptx
