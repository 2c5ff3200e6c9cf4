#include "parser/litmus/asm_lowering.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "parser/ptx/type_suffix.h"

namespace ambit::parser::litmus {
namespace {

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1));
}

/// The characters of adjacent string literals.
std::string unquoted(std::string_view literals) {
  std::string text;
  bool inside = false;
  for (std::size_t i = 0; i < literals.size(); ++i) {
    if (literals[i] == '"') {
      inside = !inside;
    } else if (inside && literals[i] == '\\' && i + 1 < literals.size()) {
      ++i;
      text += literals[i] == 'n' || literals[i] == 't' || literals[i] == 'r' ? ' ' : literals[i];
      if (literals[i] == 'n') text.back() = '\n';
    } else if (inside) {
      text += literals[i];
    }
  }
  return text;
}

/// PTX code without comments and braces, with %% as %.
std::string cleaned(const std::string& code) {
  std::string text;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code.compare(i, 2, "//") == 0) {
      while (i < code.size() && code[i] != '\n') ++i;
    } else if (code.compare(i, 2, "/*") == 0) {
      const std::size_t end = code.find("*/", i + 2);
      i = end == std::string::npos ? code.size() : end + 1;
    } else if (code.compare(i, 2, "%%") == 0) {
      text += "%";
      ++i;
    } else if (code.compare(i, 2, "%=") == 0) {
      ++i;  // a number that makes labels of different statements different
    } else {
      text += code[i] == '{' || code[i] == '}' ? ' ' : code[i];
    }
  }
  return text;
}

std::vector<std::string> split_operands(std::string_view text) {
  std::vector<std::string> parts;
  while (!trimmed(text).empty()) {
    const std::size_t comma = text.find(',');
    parts.push_back(trimmed(text.substr(0, comma)));
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  }
  return parts;
}

ScalarType type_of_suffix(std::string_view opcode) {
  const std::string_view last = opcode.substr(opcode.rfind('.') + 1);
  const std::optional<ptx::TypeSuffix> suffix = ptx::read_type_suffix({last, {}});
  if (!suffix) return kInt;
  return {suffix->bits, suffix->sign == ptx::TypeSuffix::Sign::Signed};
}

template <std::size_t N>
std::optional<Op> find_op(const std::array<std::pair<std::string_view, Op>, N>& table, std::string_view word) {
  const auto found = std::ranges::find(table, word, &std::pair<std::string_view, Op>::first);
  return found == table.end() ? std::nullopt : std::optional(found->second);
}

constexpr std::array<std::pair<std::string_view, Op>, 8> kArithmetic = {{{"add", Op::Add},
                                                                         {"sub", Op::Subtract},
                                                                         {"mul", Op::Multiply},
                                                                         {"and", Op::BitAnd},
                                                                         {"or", Op::BitOr},
                                                                         {"xor", Op::BitXor},
                                                                         {"shl", Op::ShiftLeft},
                                                                         {"shr", Op::ShiftRight}}};
constexpr std::array<std::pair<std::string_view, Op>, 6> kComparisons = {{{"eq", Op::Equal},
                                                                          {"ne", Op::NotEqual},
                                                                          {"lt", Op::Less},
                                                                          {"le", Op::LessEqual},
                                                                          {"gt", Op::Greater},
                                                                          {"ge", Op::GreaterEqual}}};

std::string_view word_of(std::string_view opcode, std::size_t number) {
  for (; number > 0; --number) {
    const std::size_t dot = opcode.find('.');
    opcode.remove_prefix(dot == std::string_view::npos ? opcode.size() : dot + 1);
  }
  return opcode.substr(0, opcode.find('.'));
}

}  // namespace

bool AsmLowering::fail(std::string message, std::string hint) {
  thread_.error(span_, std::move(message), std::move(hint));
  return false;
}

Operand AsmLowering::assembly(const Call& call) {
  span_ = call.node.span;
  registers_.clear();
  labels_.clear();
  bound_.clear();
  if (call.arguments.empty() || call.arguments[0].kind != ExprKind::Text) {
    return thread_.error(span_, "expected the text of the assembly");
  }
  if (!bind_operands(call)) return std::nullopt;
  const std::vector<Statement> code = statements(cleaned(unquoted(call.arguments[0].name)));
  for (const Statement& one : code) {
    if (one.label.empty() || bound_.emplace(one.label, true).second) continue;
    fail(fmt::format("the assembly has the label '{}' twice", one.label));
    return std::nullopt;
  }
  for (const Statement& one : code) {
    if (!run(one)) return std::nullopt;
  }
  for (auto& [name, made] : registers_) {
    if (!made.output) continue;
    Operand result(Expr::make_register(made.id, made.type), Type{.scalar = made.type});
    places_.write(*made.output, std::move(result), span_);
  }
  return Operand::nothing();
}

bool AsmLowering::bind_operands(const Call& call) {
  const Operand outputs = thread_.value(call.arguments[1]);
  std::size_t number = 0;
  for (std::size_t i = 2; i + 1 < call.arguments.size(); i += 2, ++number) {
    const std::string constraint = unquoted(call.arguments[i].name);
    const ExprNode& node = call.arguments[i + 1];
    const std::string name = fmt::format("%{}", number);
    if (static_cast<Value>(number) < outputs.expr.constant) {
      if (!bind_output(node, constraint.find('+') != std::string::npos, name)) return false;
      continue;
    }
    Operand value = thread_.value(node);
    if (value.erroneous) return false;
    value.expr = thread_.code.stable(std::move(value.expr), node.span);
    registers_[name] = {.id = 0, .type = kUnsignedLongLong, .value = std::move(value), .is_input = true};
  }
  return true;
}

bool AsmLowering::bind_output(const ExprNode& node, bool is_read, const std::string& name) {
  const std::optional<Place> place = places_.place(node);
  if (!place) return false;
  if (place->type.is_pointer || place->type.structure != nullptr) {
    return fail(fmt::format("the assembly writes {}: expected a number", to_string(place->type)));
  }
  PtxRegister made{.id = 0, .type = place->type.scalar};
  made.id = thread_.code.temporary(made.type);
  if (is_read) thread_.code.emit(Assign{made.id, places_.read(*place).expr}, span_);
  made.output = place;
  registers_[name] = std::move(made);
  return true;
}

std::vector<AsmLowering::Statement> AsmLowering::statements(const std::string& code) const {
  std::vector<Statement> found;
  for (std::size_t begin = 0; begin < code.size();) {
    const std::size_t end = std::min(code.find(';', begin), code.size());
    std::string text = trimmed(std::string_view(code).substr(begin, end - begin));
    begin = end + 1;
    for (;;) {  // labels
      const std::size_t colon = text.find(':');
      const bool is_label =
          colon != std::string::npos && text.compare(colon, 2, "::") != 0 && text.find_first_of(" \t\n.[@") > colon;
      if (!is_label) break;
      Statement label;
      label.label = trimmed(std::string_view(text).substr(0, colon));
      found.push_back(std::move(label));
      text = trimmed(std::string_view(text).substr(colon + 1));
    }
    if (!text.empty()) found.push_back(statement(text));
  }
  return found;
}

AsmLowering::Statement AsmLowering::statement(std::string_view text) const {
  Statement made;
  if (text.front() == '@') {
    const std::size_t blank = std::min(text.find_first_of(" \t\n"), text.size());
    made.negated = text.size() > 1 && text[1] == '!';
    made.predicate = trimmed(text.substr(made.negated ? 2 : 1, blank - (made.negated ? 2 : 1)));
    text.remove_prefix(blank);
  }
  const std::string rest = trimmed(text);
  const std::size_t blank = std::min(rest.find_first_of(" \t\n"), rest.size());
  made.opcode = rest.substr(0, blank);
  made.operands = split_operands(std::string_view(rest).substr(blank));
  return made;
}

/// .reg .pred p, q;
void AsmLowering::declare(const Statement& statement) {
  for (std::size_t i = 0; i < statement.operands.size(); ++i) {
    std::string name = statement.operands[i];
    const std::size_t blank = name.find_last_of(" \t");
    ScalarType type = kInt;
    if (i == 0 && blank != std::string::npos) {
      const std::string suffix = trimmed(std::string_view(name).substr(0, blank));
      if (suffix != ".pred") type = type_of_suffix(suffix);
      name = trimmed(std::string_view(name).substr(blank));
    } else if (i > 0) {
      type = registers_[statement.operands[0].substr(statement.operands[0].find_last_of(" \t") + 1)].type;
    }
    registers_[name] = {.id = thread_.code.temporary(type), .type = type};
  }
}

Label AsmLowering::label(const std::string& name) {
  const auto found = labels_.find(name);
  return found != labels_.end() ? found->second : labels_[name] = thread_.code.new_label();
}

bool AsmLowering::run(const Statement& statement) {
  CodeBuilder& code = thread_.code;
  if (!statement.label.empty()) {
    code.bind(label(statement.label));
    return true;
  }
  if (statement.opcode == ".reg") {
    declare(statement);
    return true;
  }
  std::optional<Expr> condition;
  if (!statement.predicate.empty()) {
    std::optional<Operand> read = value(statement.predicate);
    if (!read) return false;
    condition = statement.negated ? negate(to_boolean(read->expr)) : to_boolean(read->expr);
  }
  if (word_of(statement.opcode, 0) == "bra") {
    const std::string name = statement.operands.empty() ? "" : statement.operands[0];
    if (!bound_.contains(name)) return fail(fmt::format("the assembly has no label '{}'", name));
    condition ? code.branch(*std::move(condition), label(name), span_) : code.jump(label(name), span_);
    return true;
  }
  if (!condition) return instruction(statement);
  const Label skip = code.new_label();
  code.branch(negate(*std::move(condition)), skip, span_);
  const bool good = !code.reachable() || instruction(statement);
  code.bind(skip);
  return good;
}

bool AsmLowering::instruction(const Statement& statement) {
  const std::string_view base = word_of(statement.opcode, 0);
  const bool computes = base == "mov" || base == "selp" || base == "setp" || find_op(kArithmetic, base).has_value();
  if (base == "mapa" && statement.operands.size() == 3) {
    const std::optional<Operand> address = value(statement.operands[1]);
    const std::optional<Operand> rank = value(statement.operands[2]);
    if (!address || !rank) return false;
    Operand mapped = barriers_.map_shared(*address, *rank, span_);
    return !mapped.erroneous && assign(statement.operands[0], std::move(mapped));
  }
  return computes ? compute(statement) : on_memory(statement);
}

bool AsmLowering::compute(const Statement& statement) {
  const std::string_view base = word_of(statement.opcode, 0);
  const std::size_t wanted = base == "mov" ? 2 : base == "selp" ? 4 : 3;
  if (statement.operands.size() != wanted) {
    return fail(fmt::format("'{}' takes {} operands, not {}", statement.opcode, wanted, statement.operands.size()));
  }
  std::vector<Expr> values;
  const bool is_predicate_last = base == "selp";
  const ScalarType type = type_of_suffix(statement.opcode);
  for (std::size_t i = 1; i < wanted; ++i) {
    std::optional<Operand> read = value(statement.operands[i]);
    if (!read) return false;
    if (read->type.is_pointer && base == "mov") return assign(statement.operands[0], *std::move(read));
    if (read->type.is_pointer) return fail(fmt::format("'{}' on an address", statement.opcode));
    const bool is_truth = is_predicate_last && i + 1 == wanted;
    values.push_back(is_truth ? to_boolean(read->expr) : Expr::make_cast(read->expr, type));
  }
  Expr result;
  if (base == "mov") {
    result = values[0];
  } else if (base == "selp") {
    result = Expr::make(Op::Select, type, {values[2], values[0], values[1]});
  } else if (base == "setp") {
    const std::optional<Op> op = find_op(kComparisons, word_of(statement.opcode, 1));
    if (!op) return fail(fmt::format("Ambit does not read '{}' in inline assembly", statement.opcode));
    result = Expr::make(*op, type, {values[0], values[1]});
  } else {
    result = Expr::make(*find_op(kArithmetic, base), type, {values[0], values[1]});
  }
  return assign(statement.operands[0], Operand::integer(std::move(result)));
}

bool AsmLowering::on_memory(const Statement& statement) {
  std::vector<std::string> texts = statement.operands;
  const std::string& opcode = statement.opcode;
  // Operands that mean nothing to a memory model: the time limit of try_wait, cache policies.
  if (opcode.starts_with("mbarrier.try_wait") && texts.size() == 4) texts.pop_back();
  if (opcode.find("L2::cache_hint") != std::string::npos && !texts.empty()) texts.pop_back();
  if ((opcode.starts_with("cp.async.ca") || opcode.starts_with("cp.async.cg")) && texts.size() == 4) {
    const std::optional<Operand> size = value(texts[2]);
    const std::optional<Operand> source = value(texts[3]);
    if (!size || !source) return false;
    if (!(size->expr == source->expr)) {
      return fail("Ambit does not read cp.async with a source size other than the size of the copy",
                  "leave out the last operand");
    }
    texts.pop_back();
  }
  std::vector<PtxOperand> operands;
  for (const std::string& text : texts) {
    std::optional<PtxOperand> made = operand(text);
    if (!made) return false;
    operands.push_back(*std::move(made));
  }
  Operand result = ptx_.execute(opcode, operands, span_);
  if (result.erroneous) return false;
  if (result.type.is_void || texts.empty() || texts[0] == "_") return true;
  return assign(texts[0], std::move(result));
}

std::optional<PtxOperand> AsmLowering::operand(std::string text) {
  PtxOperand made;
  made.span = span_;
  if (text == "_") {
    made.kind = PtxOperand::Kind::Sink;
    return made;
  }
  const bool is_address = text.size() > 1 && text.front() == '[' && text.back() == ']';
  Value offset = 0;
  if (is_address) {
    text = trimmed(std::string_view(text).substr(1, text.size() - 2));
    if (const std::size_t plus = text.find('+'); plus != std::string::npos) {
      const std::string number = trimmed(std::string_view(text).substr(plus + 1));
      const std::optional<Operand> read = value(number);
      if (!read || !read->expr.is_constant()) {
        fail(fmt::format("the offset '{}' must be a number", number));
        return std::nullopt;
      }
      offset = read->expr.constant;
      text = trimmed(std::string_view(text).substr(0, plus));
    }
    made.kind = PtxOperand::Kind::Address;
  }
  std::optional<Operand> read = value(text);
  if (!read) return std::nullopt;
  made.operand = *std::move(read);
  if (is_address && !made.operand.type.is_pointer) {
    fail(fmt::format("'{}' is used as an address, but it is a number to Ambit", text),
         "pass the pointer, or (uint32_t)__cvta_generic_to_shared(pointer)");
    return std::nullopt;
  }
  if (offset != 0) made.operand = places_.move_bytes(std::move(made.operand), Operand::constant(offset), span_);
  return made.operand.erroneous ? std::nullopt : std::optional(made);
}

std::optional<Operand> AsmLowering::value(const std::string& text) {
  if (const auto found = registers_.find(text); found != registers_.end()) {
    const PtxRegister& known = found->second;
    return known.value ? *known.value : Operand::integer(Expr::make_register(known.id, known.type));
  }
  Value number = 0;
  const bool is_hex = text.starts_with("0x");
  const char* begin = text.data() + (is_hex ? 2 : 0);
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), number, is_hex ? 16 : 10);
  const bool has_suffix = end + 1 == text.data() + text.size() && *end == 'U';
  if (error == std::errc{} && (end == text.data() + text.size() || has_suffix)) {
    return Operand::constant(number, kLongLong);
  }
  fail(fmt::format("the assembly names '{}', which it does not declare", text));
  return std::nullopt;
}

bool AsmLowering::assign(const std::string& target, Operand value) {
  const auto found = registers_.find(target);
  if (found == registers_.end() || found->second.is_input) {
    return fail(fmt::format("the assembly writes '{}', which is not an output or a register of it", target));
  }
  if (value.type.is_pointer) {
    found->second.value = std::move(value);
    return true;
  }
  thread_.code.emit(Assign{found->second.id, Expr::make_cast(std::move(value.expr), found->second.type)}, span_);
  return true;
}

}  // namespace ambit::parser::litmus
