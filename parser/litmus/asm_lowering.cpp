#include "parser/litmus/asm_lowering.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <utility>

#include "core/trimmed.h"
#include "parser/ptx/type_suffix.h"

namespace ambit::parser::litmus {
namespace {

/// Returns the characters of adjacent string literals.
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

/// Removes comments and the braces of scopes from PTX code, and replaces %% by %. Keeps the braces of operands, as in
/// `{%0, %1}`.
std::string cleaned(const std::string& code) {
  std::string text;
  std::vector<bool> scopes;  // for each open brace, whether it opens a scope
  const auto begins_statement = [&] {
    const std::size_t last = text.find_last_not_of(" \t\r\n");
    return last == std::string::npos || text[last] == ';' || text[last] == ':';
  };
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
      ++i;  // removes %=, which makes labels unique; labels in Ambit are local
    } else if (code[i] == '{') {
      scopes.push_back(begins_statement());
      text += scopes.back() ? ' ' : '{';
    } else if (code[i] == '}') {
      const bool is_scope = scopes.empty() || scopes.back();
      if (!scopes.empty()) scopes.pop_back();
      text += is_scope ? ' ' : '}';
    } else {
      text += code[i];
    }
  }
  return text;
}

/// Returns the parts between commas outside brackets and braces.
std::vector<std::string> split_operands(std::string_view text) {
  std::vector<std::string> parts;
  while (!trimmed(text).empty()) {
    std::size_t end = 0;
    for (int depth = 0; end < text.size() && (text[end] != ',' || depth > 0); ++end) {
      if (text[end] == '[' || text[end] == '{') ++depth;
      if (text[end] == ']' || text[end] == '}') --depth;
    }
    parts.emplace_back(trimmed(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
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
  thread_.error(state_.span, std::move(message), std::move(hint));
  return false;
}

Operand AsmLowering::assembly(const Call& call) {
  // An operand may be a call of a function that itself contains assembly.
  const AtExit restore(
      [this, outer = std::exchange(state_, State{.span = call.node.span})]() mutable { state_ = std::move(outer); });
  if (call.arguments.size() < 2 || call.arguments[0].kind != ExprKind::Text) {
    return thread_.error(state_.span, "expected the text of the assembly");
  }
  const std::string text = cleaned(unquoted(call.arguments[0].name));
  state_.multiplies = text.find("wgmma.mma_async") != std::string::npos;
  if (!bind_operands(call)) return std::nullopt;
  const std::vector<Statement> code = statements(text);
  for (const Statement& one : code) {
    if (one.label.empty() || state_.bound.emplace(one.label, true).second) continue;
    fail(fmt::format("the assembly has the label '{}' twice", one.label));
    return std::nullopt;
  }
  for (const Statement& one : code) {
    if (!run(one)) return std::nullopt;
  }
  for (auto& [name, made] : state_.registers) {
    if (!made.output) continue;
    Operand result =
        made.value ? *made.value : Operand(Expr::make_register(made.id, made.type), Type{.scalar = made.type});
    const std::size_t first = thread_.code.size();
    places_.write(*made.output, std::move(result), state_.span);
    if (made.is_product) thread_.code.mark_bindings(first);
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
    state_.registers[name] = {.id = 0, .type = kUnsignedLongLong, .value = std::move(value), .is_input = true};
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
  const std::size_t first = thread_.code.size();
  if (is_read) thread_.code.emit(Assign{made.id, places_.read(*place).expr}, state_.span);
  if (state_.multiplies) thread_.code.mark_bindings(first);
  made.output = place;
  state_.registers[name] = std::move(made);
  return true;
}

std::vector<AsmLowering::Statement> AsmLowering::statements(const std::string& code) const {
  std::vector<Statement> found;
  for (std::size_t begin = 0; begin < code.size();) {
    const std::size_t end = std::min(code.find(';', begin), code.size());
    std::string text(trimmed(std::string_view(code).substr(begin, end - begin)));
    begin = end + 1;
    for (;;) {  // labels
      const std::size_t colon = text.find(':');
      const bool is_label =
          colon != std::string::npos && text.compare(colon, 2, "::") != 0 && text.find_first_of(" \t\n.[@") > colon;
      if (!is_label) break;
      Statement label;
      label.label = trimmed(std::string_view(text).substr(0, colon));
      found.push_back(std::move(label));
      text = std::string(trimmed(std::string_view(text).substr(colon + 1)));
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
  const std::string rest(trimmed(text));
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
      const std::string suffix(trimmed(std::string_view(name).substr(0, blank)));
      if (suffix != ".pred") type = type_of_suffix(suffix);
      name = std::string(trimmed(std::string_view(name).substr(blank)));
    } else if (i > 0) {
      type = state_.registers[statement.operands[0].substr(statement.operands[0].find_last_of(" \t") + 1)].type;
    }
    const bool is_predicate = statement.operands[0].find(".pred") != std::string::npos;
    state_.registers[name] = {.id = thread_.code.temporary(type), .type = type, .is_predicate = is_predicate};
  }
}

Label AsmLowering::label(const std::string& name) {
  const auto found = state_.labels.find(name);
  return found != state_.labels.end() ? found->second : state_.labels[name] = thread_.code.new_label();
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
    if (!state_.bound.contains(name)) return fail(fmt::format("the assembly has no label '{}'", name));
    condition ? code.branch(*std::move(condition), label(name), state_.span) : code.jump(label(name), state_.span);
    return true;
  }
  if (!condition) return instruction(statement);
  const Label skip = code.new_label();
  code.branch(negate(*std::move(condition)), skip, state_.span);
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
    Operand mapped = barriers_.map_shared(*address, *rank, state_.span);
    return !mapped.erroneous && assign(statement.operands[0], std::move(mapped));
  }
  if (const std::optional<bool> done = warp_instruction(statement)) return *done;
  if (base == "wgmma" && word_of(statement.opcode, 1) == "mma_async") return multiply(statement);
  if (base == "cvta" || base == "cvt") return convert(statement);
  return computes ? compute(statement) : on_memory(statement);
}

bool AsmLowering::compute(const Statement& statement) {
  const std::string_view base = word_of(statement.opcode, 0);
  const std::size_t wanted = base == "mov" ? 2 : base == "selp" ? 4 : 3;
  if (statement.operands.size() != wanted) {
    return fail(fmt::format("'{}' takes {} operands, not {}", statement.opcode, wanted, statement.operands.size()));
  }
  std::vector<Operand> read;
  for (std::size_t i = 1; i < wanted; ++i) {
    std::optional<Operand> one = value(statement.operands[i]);
    if (!one) return false;
    read.push_back(*std::move(one));
  }
  if (std::ranges::any_of(read, [](const Operand& one) { return one.type.is_pointer; })) {
    return compute_address(statement, read);
  }
  std::vector<Expr> values;
  const bool is_predicate_last = base == "selp";
  const ScalarType type = type_of_suffix(statement.opcode);
  for (std::size_t i = 0; i < read.size(); ++i) {
    const bool is_truth = is_predicate_last && i + 1 == read.size();
    values.push_back(is_truth ? to_boolean(read[i].expr) : Expr::make_cast(read[i].expr, type));
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

/// Lowers mov of an address, or an arithmetic operation that computes a matrix descriptor from an address.
bool AsmLowering::compute_address(const Statement& statement, const std::vector<Operand>& values) {
  const std::string_view base = word_of(statement.opcode, 0);
  if (base == "mov") return assign(statement.operands[0], values[0]);
  const std::optional<Op> op = find_op(kArithmetic, base);
  const bool is_first = values[0].type.is_pointer;
  const bool is_shift = op == Op::ShiftLeft || op == Op::ShiftRight;
  const Operand& address = values[is_first ? 0 : 1];
  const bool is_one = values.size() == 2 && values[0].type.is_pointer != values[1].type.is_pointer;
  if (!op || !is_one || !address.type.is_shared_address || (is_shift && !is_first)) {
    return fail(fmt::format("'{}' cannot be applied to an address", statement.opcode));
  }
  const Operand& number = values[is_first ? 1 : 0];
  Operand result = op == Op::Add && !address.type.is_descriptor
                       ? places_.move_bytes(address, number, state_.span)
                       : matrices_.descriptor(*op, address, number, state_.span);
  return !result.erroneous && assign(statement.operands[0], std::move(result));
}

/// Lowers conversions. Conversions of addresses, such as cvta.to.shared.u64 a, p and cvt.u32.u64 a, b, do not change
/// the address.
bool AsmLowering::convert(const Statement& statement) {
  if (statement.operands.size() != 2) {
    return fail(fmt::format("'{}' takes 2 operands, not {}", statement.opcode, statement.operands.size()));
  }
  std::optional<Operand> read = value(statement.operands[1]);
  if (!read) return false;
  const bool is_cvta = word_of(statement.opcode, 0) == "cvta";
  if (is_cvta && word_of(statement.opcode, 1) == "to" && word_of(statement.opcode, 2) == "shared" &&
      read->type.is_pointer) {
    read->type.is_shared_address = true;
  }
  if (read->type.is_shared_address) return assign(statement.operands[0], *std::move(read));
  const auto to = ptx::read_type_suffix({word_of(statement.opcode, 1), {}});
  const auto from = ptx::read_type_suffix({word_of(statement.opcode, 2), {}});
  if (is_cvta || !to || !from || !word_of(statement.opcode, 3).empty() || read->type.is_pointer) {
    return fail(fmt::format("Ambit does not read '{}' in inline assembly", statement.opcode));
  }
  const auto scalar = [](const ptx::TypeSuffix& type) {
    return ScalarType{type.bits, type.sign == ptx::TypeSuffix::Sign::Signed};
  };
  Expr result = Expr::make_cast(Expr::make_cast(std::move(read->expr), scalar(*from)), scalar(*to));
  return assign(statement.operands[0], Operand::integer(std::move(result)));
}

/// Returns the registers in braces, `{%0, %1}`. Error: a name is not a register of the assembly.
std::optional<std::vector<std::string>> AsmLowering::registers_in(const std::string& braces) {
  if (!braces.starts_with('{') || !braces.ends_with('}')) {
    fail(fmt::format("expected registers in braces, found '{}'", braces.substr(0, 40)));
    return std::nullopt;
  }
  std::vector<std::string> names = split_operands(std::string_view(braces).substr(1, braces.size() - 2));
  for (const std::string& name : names) {
    if (!value(name)) return std::nullopt;
  }
  return names;
}

/// Lowers wgmma.mma_async {d}, a, b, scale-d, ... Emits the reads of factors in shared memory. Ambit does not compute
/// the product.
bool AsmLowering::multiply(const Statement& statement) {
  constexpr std::size_t kFactorRegisters = 4;  // number of registers for the first factor, if it is in registers
  const std::vector<std::string>& texts = statement.operands;
  const bool a_in_registers = texts.size() > 1 && texts[1].starts_with('{');
  const std::optional<MatrixForm> form = matrix_form(statement.opcode, a_in_registers);
  if (!form) {
    return fail(fmt::format("unknown instruction '{}'", statement.opcode),
                "the form is wgmma.mma_async.sync.aligned.m64nNkK.D.A.B, with a shape that fits the types");
  }
  if (texts.size() != form->operands) {
    return fail(fmt::format("'{}' takes {} operands here, not {}", statement.opcode, form->operands, texts.size()),
                "the operands are {d}, a, b, scale-d, and further operands that the types require");
  }
  const auto product = registers_in(texts[0]);
  if (!product) return false;
  if (product->size() != form->accumulators) {
    return fail(fmt::format("'{}' has {} accumulators in each thread, not {}", statement.opcode, form->accumulators,
                            product->size()));
  }
  const auto machine = std::make_shared<MachineInstruction>();
  machine->name = statement.opcode;
  AsyncStep operation;
  operation.name = "wgmma.mma_async";
  operation.group = AsyncGroup::Matrix;
  for (std::size_t i = 1; i < texts.size(); ++i) {
    if (i == 1 && a_in_registers) {
      const auto factor = registers_in(texts[1]);
      if (!factor) return false;
      if (factor->size() == kFactorRegisters) continue;
      return fail(
          fmt::format("the first factor has {} registers in each thread, not {}", kFactorRegisters, factor->size()));
    }
    const std::optional<Operand> read = value(texts[i]);
    if (!read) return false;
    const std::size_t first = operation.elements.size();
    if (i <= 2 && !matrices_.add_operand(*read, operation, state_.span)) return false;
    if (operation.elements.size() > first) {
      machine->operands.push_back(
          {MachineInstruction::Operand::Kind::Address, operation.elements[first].source->address});
    }
    if (i > 2 && read->type.is_pointer) return fail(fmt::format("'{}' is an address: expected a number", texts[i]));
  }
  for (const std::string& name : *product) {
    const auto found = state_.registers.find(name);
    if (found == state_.registers.end() || !found->second.output) continue;
    found->second.is_product = true;
    Variable* const variable = found->second.output->variable;
    if (variable == nullptr || variable->kind != Variable::Kind::Register) continue;
    operation.products.push_back(variable->reg);
    thread_.variables.keep_register(variable->reg);
  }
  const std::size_t issue = thread_.code.size();
  if (thread_.values_matter()) thread_.code.emit(std::move(operation), state_.span);
  thread_.code.attach(issue, machine);
  for (const std::string& name : *product) {
    const auto found = state_.registers.find(name);
    const ScalarType type = found == state_.registers.end() ? kInt : found->second.type;
    if (!assign(name, Operand::opaque(Type{.scalar = type, .is_opaque = true}))) return false;
  }
  return true;
}

bool AsmLowering::on_memory(const Statement& statement) {
  const std::vector<std::string>& texts = statement.operands;
  std::vector<PtxOperand> operands;
  for (const std::string& text : texts) {
    std::optional<PtxOperand> made = operand(text);
    if (!made) return false;
    operands.push_back(*std::move(made));
  }
  Operand result = ptx_.execute(statement.opcode, operands, state_.span);
  if (result.erroneous) return false;
  if (result.type.is_void || texts.empty() || texts[0] == "_") return true;
  return assign(texts[0], std::move(result));
}

std::optional<PtxOperand> AsmLowering::operand(std::string text) {
  PtxOperand made;
  made.span = state_.span;
  if (text == "_") {
    made.kind = PtxOperand::Kind::Sink;
    return made;
  }
  if (text.starts_with('{')) {
    const auto names = registers_in(text);
    if (!names) return std::nullopt;
    made.kind = PtxOperand::Kind::Vector;
    for (const std::string& name : *names) made.coordinates.push_back(*value(name));
    return made;
  }
  const bool is_address = text.size() > 1 && text.front() == '[' && text.back() == ']';
  if (is_address && text.find('{') != std::string::npos) return tensor_operand(text);
  Value offset = 0;
  if (is_address) {
    text = std::string(trimmed(std::string_view(text).substr(1, text.size() - 2)));
    if (const std::size_t plus = text.find('+'); plus != std::string::npos) {
      const std::string number(trimmed(std::string_view(text).substr(plus + 1)));
      const std::optional<Operand> read = value(number);
      if (!read || !read->expr.is_constant()) {
        fail(fmt::format("the offset '{}' must be a number", number));
        return std::nullopt;
      }
      offset = read->expr.constant;
      text = std::string(trimmed(std::string_view(text).substr(0, plus)));
    }
    made.kind = PtxOperand::Kind::Address;
  }
  std::optional<Operand> read = value(text);
  if (!read) return std::nullopt;
  made.operand = *std::move(read);
  const auto declared = state_.registers.find(text);
  made.is_predicate = declared != state_.registers.end() && declared->second.is_predicate;
  if (is_address && !made.operand.type.is_pointer) {
    fail(fmt::format("'{}' is used as an address, but it is a number to Ambit", text),
         "pass the pointer, or (uint32_t)__cvta_generic_to_shared(pointer)");
    return std::nullopt;
  }
  if (offset != 0) made.operand = places_.move_bytes(std::move(made.operand), Operand::constant(offset), state_.span);
  return made.operand.erroneous ? std::nullopt : std::optional(made);
}

/// Reads a tensor operand [%1, {%2, %3}]: a tensor map and the coordinates of a box.
std::optional<PtxOperand> AsmLowering::tensor_operand(std::string_view text) {
  const std::vector<std::string> parts = split_operands(text.substr(1, text.size() - 2));
  const bool has_coordinates = parts.size() == 2 && parts[1].starts_with('{') && parts[1].ends_with('}');
  if (!has_coordinates) {
    fail(fmt::format("expected a tensor map and coordinates, [%1, {{%2, %3}}], found '{}'", text.substr(0, 60)));
    return std::nullopt;
  }
  PtxOperand made{.kind = PtxOperand::Kind::Tensor, .span = state_.span};
  std::optional<Operand> map = value(parts[0]);
  if (!map) return std::nullopt;
  made.operand = *std::move(map);
  for (const std::string& part : split_operands(std::string_view(parts[1]).substr(1, parts[1].size() - 2))) {
    std::optional<Operand> coordinate = value(part);
    if (!coordinate) return std::nullopt;
    made.coordinates.push_back(*std::move(coordinate));
  }
  return made;
}

std::optional<Operand> AsmLowering::value(const std::string& text) {
  if (const auto found = state_.registers.find(text); found != state_.registers.end()) {
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
  if (std::optional<Operand> found = special(text)) return found;
  fail(fmt::format("the assembly names '{}', which it does not declare", text));
  return std::nullopt;
}

bool AsmLowering::assign(const std::string& target, Operand value) {
  const auto found = state_.registers.find(target);
  if (found == state_.registers.end() || found->second.is_input) {
    return fail(fmt::format("the assembly writes '{}', which is neither its output nor its register", target));
  }
  if (value.type.is_pointer) {
    found->second.value = std::move(value);
    return true;
  }
  found->second.value.reset();
  thread_.code.emit(Assign{found->second.id, Expr::make_cast(std::move(value.expr), found->second.type)}, state_.span);
  return true;
}

}  // namespace ambit::parser::litmus
