#include "ptx/code_writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include "base/assert.h"
#include "core/ptx_mapping.h"

namespace ambit::ptx {
namespace {

/// Returns whether the litmus format has this instruction and the ISA does not. Such an instruction is a branch on a
/// comparison, or an access through a non-generic proxy (docs/reference/ptx-files.md).
bool is_word_of_format(std::string_view name) {
  constexpr std::array<std::string_view, 10> kWords = {"goto", "beq", "bne",  "blt", "ble",
                                                       "bgt",  "bge", "cold", "tld", "suatom"};
  return std::ranges::find(kWords, name.substr(0, name.find('.'))) != kWords.end();
}

}  // namespace

Code::Code(const Program& program, std::size_t thread, Names& names, const Style& style, Diagnostics& errors)
    : program_(program), thread_(thread), names_(names), style_(style), errors_(errors) {
  find_addresses();
}

// ---- cells ----

void Code::emit(Opcode opcode, std::string_view modifiers, std::initializer_list<std::string_view> operands) {
  const OpcodeRow& row = row_of(opcode);
  AMBIT_ASSERT(takes_operands(row, operands.size()));
  append(fmt::format("{}{}{}{}", row.name, modifiers, operands.size() == 0 ? "" : " ", fmt::join(operands, ", ")));
}

void Code::emit(std::string instruction) {
  const std::string_view name = std::string_view(instruction).substr(0, instruction.find(' '));
  AMBIT_ASSERT(match_opcode(name) || is_word_of_format(name));
  append(std::move(instruction));
}

void Code::append(std::string instruction) {
  std::string cell;
  for (const std::string& label : pending_) cell += label + ": ";
  pending_.clear();
  cells_.push_back(cell + std::move(instruction));
}

std::string Code::new_label() { return fmt::format("LC{:02}", labels_++); }

std::vector<std::string> Code::take() && {
  if (!pending_.empty()) {
    append("");
    cells_.back().pop_back();  // removes the blank after the last label
  }
  return std::move(cells_);
}

void Code::fail(std::string message, std::string hint) {
  errors_.push_back({program_.source, span_, std::move(message), std::move(hint)});
}

// ---- registers ----

const std::string& Code::target(RegisterId reg) {
  const std::string& name = names_.reg(thread_, reg);
  written_.insert(name);
  return name;
}

std::vector<std::string> Code::unwritten() const {
  std::vector<std::string> names;
  std::set_difference(read_.begin(), read_.end(), written_.begin(), written_.end(), std::back_inserter(names));
  return names;
}

std::string Code::suffix(ScalarType type) const { return style_.typed ? "." + ptx_type(type) : std::string(); }

void Code::move(RegisterId reg, const OperandText& operand) {
  const OperandText value = convert(operand, type_of(reg));
  const std::string& name = target(reg);
  if (value.text == name) return;
  const ScalarType type = type_of(reg);
  emit(Opcode::Mov, suffix(type.bits < 32 ? kInt : type), {name, value.text});
}

// ---- addresses ----

/// Finds the registers to which an instruction assigns an address. Repeats the search until it finds no more registers.
void Code::find_addresses() {
  std::size_t before = 0;
  do {
    before = addresses_.size();
    for (const ambit::Instruction& instruction : program_.threads[thread_].code) {
      const auto* assign = std::get_if<Assign>(&instruction.operation);
      if (assign != nullptr && type_of(assign->target).bits == 64 && is_address(assign->value)) {
        addresses_.insert(assign->target);
      }
    }
  } while (addresses_.size() != before);
}

bool Code::is_address(const Expr& expr) const {
  if (expr.result_type().bits != 64) return false;
  const auto argument = [&](std::size_t i) { return is_address(expr.arguments[i]); };
  switch (expr.op) {
    case Op::Const: return program_.location_at(expr.constant).has_value();
    case Op::Register: return addresses_.contains(expr.reg);
    case Op::Cast: return argument(0);
    case Op::Add: return argument(0) || argument(1);
    case Op::Subtract: return argument(0) && !argument(1);
    case Op::Select: return argument(1) || argument(2);
    default: return false;
  }
}

/// Returns whether the expression is the address of `p->field`. To make this address, the parser adds the number of the
/// field's object to the upper half of the address p.
bool Code::is_field_step(const Expr& expr) {
  return expr.op == Op::Add && expr.type.bits == 64 && expr.arguments[1].is_constant() &&
         !expr.arguments[0].is_constant() && (expr.arguments[1].constant >> 32) > 0;
}

std::string Code::address(const Expr& expr) {
  if (expr.is_constant()) {
    if (std::optional<std::string> name = names_.address(expr.constant)) return *std::move(name);
    fail("this access is out of bounds, and PTX has no name for such a cell");
    return "_";
  }
  return fmt::format("[{}]", address_value(expr, {}).text);
}

OperandText Code::moved_address(Value address, const std::string& into) {
  OperandText result{into.empty() ? fresh() : into, kLongLong, std::nullopt};
  emit(Opcode::Mov, ".u64", {result.text, names_.address(address).value_or("_")});
  return result;
}

/// Computes an address. The program's offsets count elements, but PTX offsets count bytes.
OperandText Code::address_value(const Expr& expr, const std::string& into) {
  if (expr.op == Op::Const && is_address(expr)) return moved_address(expr.constant, into);
  if (is_field_step(expr)) {
    fail("a PTX litmus file cannot express an access to a struct's field through a computed pointer",
         "PTX litmus files have no structs: write one array for each field");
    return constant(0, kLongLong);
  }
  if (expr.op == Op::Cast && is_address(expr.arguments[0])) return address_value(expr.arguments[0], into);
  if (expr.op == Op::Select) return choice(expr);
  const bool is_sum = (expr.op == Op::Add || expr.op == Op::Subtract) && is_address(expr);
  if (!is_sum) return value(expr);
  const bool first = is_address(expr.arguments[0]);
  const Expr& index = expr.arguments[first ? 1 : 0];
  const OperandText base = address_value(expr.arguments[first ? 0 : 1], {});
  const Value size = style_.element_bytes;
  OperandText offset;
  if (index.is_constant()) {
    offset = constant((expr.op == Op::Subtract ? -index.constant : index.constant) * size, kLongLong);
  } else {
    OperandText elements = convert(value(index), kLongLong);
    const Value factor = expr.op == Op::Subtract ? -size : size;
    offset = compute(Opcode::Mul, kLongLong, elements, constant(factor, kLongLong), {});
  }
  OperandText result{into.empty() ? fresh() : into, kLongLong, std::nullopt};
  emit(Opcode::Add, ".u64", {result.text, base.text, offset.text});
  return result;
}

}  // namespace ambit::ptx
