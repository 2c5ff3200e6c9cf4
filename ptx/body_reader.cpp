#include "ptx/body_reader.h"

#include <fmt/format.h>

#include <charconv>

#include "ptx/constant_expression.h"
#include "ptx/variable_reader.h"

namespace ambit::ptx {
namespace {

/// The parts of a name such as "%r12": "%r" and 12. A name that does not end in a number, or whose number has leading
/// zeros, is not split into parts.
struct NumberedName {
  std::string_view prefix;
  std::uint32_t number = 0;
};
std::optional<NumberedName> split_number(std::string_view name) {
  std::size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
  if (digits == name.size() || digits == 0) return std::nullopt;
  if (name[digits] == '0' && digits + 1 != name.size()) return std::nullopt;
  NumberedName result = {name.substr(0, digits), 0};
  const auto [end, error] = std::from_chars(name.data() + digits, name.data() + name.size(), result.number);
  if (error != std::errc()) return std::nullopt;
  return result;
}

}  // namespace

BodyReader::BodyReader(ReaderState& state, Function& function, bool is_assembly)
    : state_(state), tokens_(state.tokens), function_(function), is_assembly_(is_assembly), scopes_(1) {}

void BodyReader::declare(std::string_view name, Symbol symbol, const SourceSpan& place) {
  if (scopes_.back().names.emplace(name, symbol).second) return;
  const bool is_label = symbol.kind == Symbol::Kind::Label;
  tokens_.fail(place, is_assembly_ && is_label ? fmt::format("the assembly has the label '{}' twice", name)
                                               : fmt::format("'{}' is declared twice", name));
}

void BodyReader::declare_parameter(std::string_view name, const Parameter& parameter, const SourceSpan& place) {
  if (name == "_" || parameter.is_register) return;
  declare(name, {Symbol::Kind::Variable, parameter.index}, place);
}

std::uint32_t BodyReader::read_register(const VariablePrefix& prefix) {
  const Token name = tokens_.expect_word("the name of a register");
  RegisterRange range;
  range.name = name.text;
  range.type = prefix.type;
  range.vector_width = prefix.vector_width;
  range.first = static_cast<std::uint32_t>(function_.registers.size());
  std::uint64_t count = 1;
  if (tokens_.accept('<')) {
    range.is_numbered = true;
    count = tokens_.expect_integer("the number of registers");
    tokens_.expect('>', "'>' after the number of registers");
  }
  if (count > kMaximumRegisters || state_.registers + count > kMaximumRegisters) {
    tokens_.fail(name.place, fmt::format("more than {} registers in this module", kMaximumRegisters));
  }
  state_.registers += count;
  range.count = static_cast<std::uint32_t>(count);
  function_.registers.resize(function_.registers.size() + count, range.type);
  if (!range.is_numbered) {
    declare(name.text, {Symbol::Kind::Register, range.first}, name.place);
  } else if (!scopes_.back().ranges.emplace(name.text, NamedRange{range.first, range.count}).second) {
    tokens_.fail(name.place, fmt::format("registers '{}' are declared twice", name.text));
  }
  const std::uint32_t first = range.first;
  function_.ranges.push_back(std::move(range));
  return first;
}

std::optional<Symbol> BodyReader::find(std::string_view name) const {
  const auto numbered = split_number(name);
  for (std::size_t i = scopes_.size(); i-- > 0;) {
    const auto found = scopes_[i].names.find(name);
    if (found != scopes_[i].names.end()) return found->second;
    if (!numbered || scopes_[i].ranges.empty()) continue;
    const auto range = scopes_[i].ranges.find(numbered->prefix);
    if (range != scopes_[i].ranges.end() && numbered->number < range->second.count) {
      return Symbol{Symbol::Kind::Register, range->second.first + numbered->number};
    }
  }
  const auto found = state_.symbols.find(name);
  return found == state_.symbols.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Symbol> BodyReader::find_register(std::string_view name) const {
  const std::optional<Symbol> symbol = find(name);
  return symbol && symbol->kind == Symbol::Kind::Register ? symbol : std::nullopt;
}

/// Reports the error `message`, in which `name` replaces {}. In inline assembly, reports a fixed message instead.
void BodyReader::fail_undeclared(std::string_view name, const SourceSpan& place, std::string_view message,
                                 std::string hint) const {
  if (is_assembly_) tokens_.fail(place, fmt::format("the assembly names '{}', which it does not declare", name));
  tokens_.fail(place, fmt::format(fmt::runtime(message), name), std::move(hint));
}

void BodyReader::open_braces() {
  if (scopes_.size() > kMaximumDepth) {
    tokens_.fail(tokens_.peek().place, fmt::format("braces are nested deeper than {}", kMaximumDepth));
  }
  tokens_.expect('{', "'{'");
  scopes_.emplace_back();
}

void BodyReader::close_braces() {
  BraceScope closed = std::move(scopes_.back());
  scopes_.pop_back();
  for (const PendingLabel& pending : closed.pending) {
    const auto found = closed.names.find(pending.name);
    if (found != closed.names.end()) {
      resolve(pending, found->second);
    } else if (scopes_.size() > 1) {
      scopes_.back().pending.push_back(pending);
    } else {
      const bool is_branch =
          pending.instruction != kNone && function_.instructions[pending.instruction].opcode == Opcode::Bra;
      if (is_assembly_ && is_branch) {
        tokens_.fail(pending.place, fmt::format("the assembly has no label '{}'", pending.name));
      }
      fail_undeclared(pending.name, pending.place, "'{}' is not declared",
                      "an operand is a declared register, variable or function, or a label of this function");
    }
  }
}

void BodyReader::resolve(const PendingLabel& pending, Symbol symbol) {
  if (pending.instruction == kNone) {
    if (symbol.kind != Symbol::Kind::Label)
      tokens_.fail(pending.place, fmt::format("'{}' is not a label", pending.name));
    function_.targets[pending.operand].indexes[pending.element] = symbol.index;
    return;
  }
  Operand& operand = function_.instructions[pending.instruction].operands[pending.operand];
  operand.index = symbol.index;
  switch (symbol.kind) {
    case Symbol::Kind::Label: operand.kind = Operand::Kind::Label; break;
    case Symbol::Kind::Targets: operand.kind = Operand::Kind::Targets; break;
    case Symbol::Kind::Prototype: operand.kind = Operand::Kind::Prototype; break;
    default: tokens_.fail(pending.place, fmt::format("'{}' is used before its declaration", pending.name));
  }
  check_target(function_.instructions[pending.instruction].opcode, operand.kind, pending.place);
}

void BodyReader::read(std::uint32_t function_index) {
  function_index_ = function_index;
  open_braces();
  function_.body.offset = tokens_.last_end();
  while (scopes_.size() > 1) {
    if (tokens_.peek().is('{')) {
      open_braces();
    } else if (tokens_.peek().is('}')) {
      function_.body.length = tokens_.peek().offset - function_.body.offset;
      tokens_.take();
      close_braces();
    } else {
      read_statement();
    }
  }
}

void BodyReader::read_statement() {
  const Token& token = tokens_.peek();
  if (token.is(';')) {
    tokens_.take();
  } else if (token.is_directive()) {
    read_directive();
  } else if (token.kind == Token::Kind::Word && tokens_.peek_next().is(':')) {
    read_label();
  } else if (token.kind == Token::Kind::Word || token.is('@')) {
    read_instruction();
  } else {
    tokens_.fail_expected("an instruction, a label or '}'");
  }
}

void BodyReader::read_directive() {
  const std::string_view word = tokens_.peek().text;
  if (word == ".loc") {
    tokens_.take();
    state_.locations.read_location(tokens_);
  } else if (word == ".file") {
    tokens_.take();
    state_.locations.read_file(tokens_);
  } else if (word == ".reg" || word == ".local" || word == ".param" || word == ".shared" || word == ".global" ||
             word == ".const") {
    read_declaration();
  } else {
    skip_statement(tokens_);
  }
}

void BodyReader::read_declaration() {
  const VariablePrefix prefix = read_variable_prefix(state_);
  do {
    if (prefix.is_register) {
      read_register(prefix);
      continue;
    }
    const Token name = tokens_.peek();
    const std::uint32_t number = read_variable_name(state_, prefix, function_index_);
    declare(name.text, {Symbol::Kind::Variable, number}, name.place);
    function_.variables.push_back(number);
  } while (tokens_.accept(','));
  tokens_.expect(';', "';' after the declaration");
}

void BodyReader::read_label() {
  const Token name = tokens_.take();
  tokens_.expect(':', "':'");
  const Token& next = tokens_.peek();
  if (next.is(".branchtargets")) return read_targets(name.text, name.place, false);
  if (next.is(".calltargets")) return read_targets(name.text, name.place, true);
  if (next.is(".callprototype")) return read_prototype(name.text, name.place);
  declare(name.text, {Symbol::Kind::Label, static_cast<std::uint32_t>(function_.labels.size())}, name.place);
  function_.labels.push_back(
      {std::string(name.text), static_cast<std::uint32_t>(function_.instructions.size()), name.place});
}

void BodyReader::read_targets(std::string_view name, const SourceSpan& place, bool is_calls) {
  tokens_.take();
  const auto number = static_cast<std::uint32_t>(function_.targets.size());
  declare(name, {Symbol::Kind::Targets, number}, place);
  function_.targets.push_back({std::string(name), is_calls, {}, place});
  std::vector<std::uint32_t>& indexes = function_.targets.back().indexes;
  do {
    const Token target = tokens_.expect_word("the name of a target");
    const auto element = static_cast<std::uint32_t>(indexes.size());
    indexes.push_back(kNone);
    if (!is_calls) {
      scopes_.back().pending.push_back({kNone, number, element, target.text, target.place});
      continue;
    }
    const auto function = state_.symbols.find(target.text);
    if (function == state_.symbols.end() || function->second.kind != Symbol::Kind::Function) {
      tokens_.fail(target.place, fmt::format("function '{}' is not declared", target.text));
    }
    indexes.back() = function->second.index;
  } while (tokens_.accept(','));
  tokens_.expect(';', "';' after the targets");
}

std::vector<PrototypeParameter> BodyReader::read_prototype_parameters() {
  std::vector<PrototypeParameter> result;
  tokens_.expect('(', "'('");
  if (tokens_.accept(')')) return result;
  do {
    const VariablePrefix prefix = read_variable_prefix(state_);
    PrototypeParameter parameter = {prefix.type, prefix.alignment, 1};
    if (parameter.alignment == 0) parameter.alignment = std::max(1U, bytes_of(prefix.type));
    if (tokens_.peek().kind == Token::Kind::Word) tokens_.take();
    if (tokens_.accept('[')) {
      parameter.count = tokens_.peek().is(']') ? 0 : read_constant(tokens_).value;
      tokens_.expect(']', "']'");
    }
    result.push_back(parameter);
  } while (tokens_.accept(','));
  tokens_.expect(')', "')' after the parameters");
  return result;
}

void BodyReader::read_prototype(std::string_view name, const SourceSpan& place) {
  tokens_.take();
  declare(name, {Symbol::Kind::Prototype, static_cast<std::uint32_t>(function_.prototypes.size())}, place);
  Prototype prototype;
  prototype.name = name;
  prototype.place = place;
  if (tokens_.peek().is('(')) prototype.returns = read_prototype_parameters();
  tokens_.expect_word("'_' for the name of the function");
  if (tokens_.peek().is('(')) prototype.parameters = read_prototype_parameters();
  function_.prototypes.push_back(std::move(prototype));
  while (tokens_.peek().is_directive()) {  // .noreturn, .abi_preserve 2
    tokens_.take();
    if (tokens_.peek().kind == Token::Kind::Integer) tokens_.take();
  }
  tokens_.expect(';', "';' after the prototype");
}

}  // namespace ambit::ptx
