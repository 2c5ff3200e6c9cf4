#include "parser/ptx/instruction_text.h"

#include <utility>

namespace ambit::parser::ptx {

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (std::size_t end = 0; end != std::string_view::npos; text.remove_prefix(end == text.npos ? 0 : end + 1)) {
    end = text.find(at);
    parts.push_back(text.substr(0, end));
  }
  return parts;
}

std::vector<Word> split_at_dots(const Word& word) {
  std::vector<Word> parts;
  parts.reserve(5);
  std::string_view rest = word.text;
  SourceSpan span = word.span;
  for (;;) {
    const std::size_t dot = rest.find('.');
    const std::string_view part = rest.substr(0, dot);
    span.length = static_cast<std::uint32_t>(part.size());
    parts.push_back({part, span});
    if (dot == std::string_view::npos) return parts;
    rest.remove_prefix(dot + 1);
    span.column += span.length + 1;
  }
}

std::string whole_name(const std::vector<Word>& opcode) {
  std::string name;
  for (const Word& word : opcode) name += (name.empty() ? "" : ".") + std::string(word.text);
  return name;
}

/// Reads an optional `@r1` or `@!r1`.
bool InstructionReader::read_guard(InstructionNode& node) {
  if (!scanner_.current().is("@") || brackets_are_memory_) return true;
  scanner_.advance();
  node.is_negated = scanner_.current().is("!");
  if (node.is_negated) scanner_.advance();
  const Token name = scanner_.current();
  if (name.kind != Token::Kind::Word || !is_register_name(name.text)) {
    scanner_.report_expected("a register after '@'", "write @r1 bra LC00, or @!r1 bra LC00");
    return false;
  }
  OperandNode& guard = node.guard.emplace();
  guard.kind = OperandNode::Kind::Register;
  guard.name = name.word();
  guard.span = name.span;
  scanner_.advance();
  return true;
}

/// Reads a vector `{r0, r1}` into `node.vector`. Returns a sink, which represents the vector in the list of operands.
std::optional<OperandNode> InstructionReader::vector(InstructionNode& node) {
  constexpr std::size_t kMost = 4;
  OperandNode place;
  place.kind = OperandNode::Kind::Sink;
  place.span = scanner_.current().span;
  if (!node.vector.empty()) {
    scanner_.report_expected("an operand", "an instruction has only one vector");
    return std::nullopt;
  }
  do {
    scanner_.advance();
    std::optional<OperandNode> element = operand();
    if (!element) return std::nullopt;
    node.vector.push_back(*element);
  } while (scanner_.current().is(",") && node.vector.size() < kMost);
  if (!scanner_.expect("}")) return std::nullopt;
  close_span(place);
  return place;
}

std::optional<InstructionNode> InstructionReader::read() {
  InstructionNode node;
  if (!read_guard(node)) return std::nullopt;
  const Token opcode = scanner_.current();
  if (opcode.kind != Token::Kind::Word) {
    scanner_.report_expected("an instruction");
    return std::nullopt;
  }
  node.span = opcode.span;
  node.opcode = split_at_dots(opcode.word());
  scanner_.advance();
  const auto at_end = [&] {
    const Token& token = scanner_.current();
    const bool ends_label = token.is(":") && node.operands.empty();
    return token.kind == Token::Kind::End || token.is("|") || token.is(";") || token.is("}") || ends_label;
  };
  node.operands.reserve(3);
  while (!at_end()) {
    std::optional<OperandNode> operand = scanner_.current().is("{") ? vector(node) : this->operand();
    if (!operand) return std::nullopt;
    if (operand->span.line == node.span.line) {
      node.span.length = operand->span.column + operand->span.length - node.span.column;
    }
    node.operands.push_back(*operand);
    if (scanner_.current().is("=") && brackets_are_memory_) {
      scanner_.advance();
      if (!scanner_.expect("=", "'=='")) return std::nullopt;
      node.required = integer();
      if (!node.required) return std::nullopt;
      break;
    }
    if (!scanner_.current().is(",")) break;
    scanner_.advance();
    if (at_end()) {
      scanner_.report_expected("an operand after ','");
      return std::nullopt;
    }
  }
  return node;
}

std::optional<OperandNode> InstructionReader::integer() {
  OperandNode node;
  node.span = scanner_.current().span;
  const bool negative = scanner_.current().is("-");
  if (negative) scanner_.advance();
  const Token number = scanner_.current();
  if (number.kind != Token::Kind::Number) {
    scanner_.report_expected("a number");
    return std::nullopt;
  }
  scanner_.advance();
  node.value =
      negative ? static_cast<Value>(std::uint64_t{0} - static_cast<std::uint64_t>(number.value)) : number.value;
  node.literal = number.literal;
  // -2147483648 is an int, although 2147483648 needs a wider type.
  if (negative)
    node.literal = node.value >= kInt.wrap(node.value) && kInt.wrap(node.value) == node.value ? kInt : kLongLong;
  if (negative && node.value > 0)
    reporter_.error(number.span, "the number is out of range: it needs more than 64 bits");
  close_span(node);
  return node;
}

void InstructionReader::close_span(OperandNode& node) const {
  const SourceSpan end = scanner_.after_previous();
  if (end.line == node.span.line && end.column > node.span.column) node.span.length = end.column - node.span.column;
}

std::optional<OperandNode> InstructionReader::operand() {
  const Token token = scanner_.current();
  if (token.kind == Token::Kind::Number || token.is("-")) return integer();
  OperandNode node;
  node.span = token.span;
  bool good = false;
  if (token.is("[")) {
    good = bracketed_operand(node);
  } else if (token.is("&")) {
    scanner_.advance();
    node.address_of = true;
    good = named_operand(node);
    if (good && node.kind == OperandNode::Kind::Register) {
      reporter_.error(node.span, "a register has no address");
      return std::nullopt;
    }
  } else if (token.is_word("_")) {
    scanner_.advance();
    node.kind = OperandNode::Kind::Sink;
    good = true;
  } else if (token.kind == Token::Kind::Word) {
    good = named_operand(node);
    if (good && brackets_are_memory_) node.kind = OperandNode::Kind::Register;
  } else {
    scanner_.report_expected("an operand");
  }
  if (!good) return std::nullopt;
  close_span(node);
  return node;
}

bool InstructionReader::named_operand(OperandNode& node) {
  const Token token = scanner_.current();
  if (token.kind != Token::Kind::Word || token.text.find_first_of(".:") != std::string_view::npos) {
    // The word probably begins the next instruction, because the word is on the next line or has modifiers.
    scanner_.report_expected(token.kind == Token::Kind::Word ? "an operand, '|' or ';'" : "a name");
    return false;
  }
  scanner_.advance();
  node.name = token.word();
  node.kind = is_register_name(token.text) ? OperandNode::Kind::Register : OperandNode::Kind::Location;
  if (!scanner_.current().is("[") || node.kind == OperandNode::Kind::Register) return true;
  node.index = index();
  return node.index.has_value();
}

std::optional<Value> InstructionReader::index() {
  scanner_.advance();
  const std::optional<OperandNode> number = integer();
  if (!number || !scanner_.expect("]")) return std::nullopt;
  return number->value;
}

bool InstructionReader::bracketed_operand(OperandNode& node) {
  scanner_.advance();
  node.in_brackets = true;
  if (!named_operand(node)) return false;
  if (scanner_.current().is("+") || scanner_.current().is("-")) {
    if (scanner_.current().is("+")) scanner_.advance();
    const std::optional<OperandNode> offset = integer();
    if (!offset) return false;
    node.offset = offset->value;
  }
  if (scanner_.current().is(",")) {
    scanner_.advance();
    const std::optional<std::vector<Value>> coordinates = numbers();
    if (!coordinates) return false;
    node.coordinates = *coordinates;
  }
  return scanner_.expect("]");
}

std::optional<std::vector<Value>> InstructionReader::numbers() {
  if (!scanner_.current().is("{")) {
    scanner_.report_expected("numbers in braces: {0,2}");
    return std::nullopt;
  }
  std::vector<Value> values;
  do {
    scanner_.advance();
    const std::optional<OperandNode> number = integer();
    if (!number) return std::nullopt;
    values.push_back(number->value);
  } while (scanner_.current().is(","));
  if (!scanner_.expect("}")) return std::nullopt;
  return values;
}

}  // namespace ambit::parser::ptx
