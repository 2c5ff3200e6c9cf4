#include "runner/cuda/emit/emit_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <set>

#include "base/assert.h"
#include "core/wide_value.h"

namespace ambit::cuda {
namespace {

ScalarType unsigned_of(ScalarType type) { return {std::max<std::uint8_t>(type.bits, 32), false}; }

bool is_plain_register(const std::string& name) {
  return name.size() > 1 && name[0] == 'r' &&
         std::all_of(name.begin() + 1, name.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

class Writer {
 public:
  Writer(const Thread& thread, const std::vector<std::string>& registers) : thread_(thread), registers_(registers) {}

  std::string write(const Expr& expr) const {
    switch (expr.op) {
      case Op::Const: return literal(expr.constant, expr.type);
      case Op::Register: {
        const bool is_same = thread_.registers[expr.reg].type == expr.type;
        return is_same ? registers_[expr.reg] : fmt::format("{}{}", cast(expr.type), registers_[expr.reg]);
      }
      case Op::Cast: return operand(expr, 0);
      case Op::Select:
        return fmt::format("({} ? {} : {})", truth(expr.arguments[0]), operand(expr, 1), operand(expr, 2));
      default: return is_boolean(expr.op) ? fmt::format("({} ? 1 : 0)", truth(expr)) : arithmetic(expr);
    }
  }

  /// Returns the expression as a C++ condition.
  std::string truth(const Expr& expr) const {
    if (is_comparison(expr.op)) {
      return fmt::format("{} {} {}", operand(expr, 0), to_string(expr.op), operand(expr, 1));
    }
    if (expr.op == Op::LogicalNot) return fmt::format("!({})", truth(expr.arguments[0]));
    if (expr.op == Op::LogicalAnd || expr.op == Op::LogicalOr) {
      return fmt::format("(({}) {} ({}))", truth(expr.arguments[0]), to_string(expr.op), truth(expr.arguments[1]));
    }
    return fmt::format("{} != 0", write(expr));
  }

 private:
  static std::string cast(ScalarType type) { return fmt::format("({})", type_name(type)); }

  /// Returns an argument in the type of the operation.
  std::string operand(const Expr& expr, std::size_t i) const {
    const Expr& argument = expr.arguments[i];
    if (argument.result_type() == expr.type) return write(argument);
    return fmt::format("{}({})", cast(expr.type), write(argument));
  }

  std::string arithmetic(const Expr& expr) const {
    const std::string type = cast(expr.type);
    const std::string wide = cast(unsigned_of(expr.type));
    const std::string a = operand(expr, 0);
    if (expr.op == Op::Negate) return fmt::format("{}(0 - {}{})", type, wide, a);
    if (expr.op == Op::BitNot) return fmt::format("{}(~{})", type, a);
    const std::string b = operand(expr, 1);
    switch (expr.op) {
      case Op::Add:
      case Op::Subtract:
      case Op::Multiply: return fmt::format("{}({}{} {} {}{})", type, wide, a, to_string(expr.op), wide, b);
      case Op::BitAnd:
      case Op::BitOr:
      case Op::BitXor: return fmt::format("{}({} {} {})", type, a, to_string(expr.op), b);
      case Op::Divide: return fmt::format("divide<{}>({}, {})", type_name(expr.type), a, b);
      case Op::Remainder: return fmt::format("remainder<{}>({}, {})", type_name(expr.type), a, b);
      case Op::IncrementWrap: return fmt::format("increment_wrap<{}>({}, {})", type_name(expr.type), a, b);
      case Op::DecrementWrap: return fmt::format("decrement_wrap<{}>({}, {})", type_name(expr.type), a, b);
      case Op::ShiftLeft: return fmt::format("{}({}{} << ((unsigned){} % {}u))", type, wide, a, b, expr.type.bits);
      case Op::ShiftRight: return fmt::format("{}({} >> ((unsigned){} % {}u))", type, a, b, expr.type.bits);
      case Op::Min: return fmt::format("({0} < {1} ? {0} : {1})", a, b);
      case Op::Max: return fmt::format("({0} < {1} ? {1} : {0})", a, b);
      default: break;
    }
    AMBIT_ASSERT(false && "an operator");
    return {};
  }

  const Thread& thread_;
  const std::vector<std::string>& registers_;
};

}  // namespace

std::string type_name(ScalarType type) {
  const std::string sign = type.is_signed ? "" : "unsigned ";
  switch (type.bits) {
    case 8: return type.is_signed ? "signed char" : "unsigned char";
    case 16: return sign + "short";
    case 64:
    case 128: return sign + "long long";
    default: return type.is_signed ? "int" : "unsigned";
  }
}

std::string cell_type_name(ScalarType type) { return is_wide(type) ? "Wide" : type_name(type); }

std::string literal(Value value, ScalarType type) {
  const Value wrapped = type.wrap(value);
  if (type.bits >= 64) {
    if (!type.is_signed) return fmt::format("{}ull", static_cast<std::uint64_t>(wrapped));
    if (wrapped == std::numeric_limits<Value>::min()) return "(-9223372036854775807ll - 1)";
    return fmt::format("{}ll", wrapped);
  }
  if (type.bits == 32 && !type.is_signed) return fmt::format("{}u", wrapped);
  if (wrapped == std::numeric_limits<std::int32_t>::min()) return "(-2147483647 - 1)";
  return type.bits == 32 ? fmt::format("{}", wrapped) : fmt::format("({}){}", type_name(type), wrapped);
}

std::vector<std::string> register_names(const Thread& thread) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const Register& reg : thread.registers) {
    std::string name = reg.name;
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0 && c != '_'; }, '_');
    // The trailing underscore distinguishes the name from C++ keywords and from names of the harness.
    if (!is_plain_register(name)) name = fmt::format("v_{}_", name);
    while (!taken.insert(name).second) name += '_';
    names.push_back(std::move(name));
  }
  return names;
}

std::string expression(const Expr& expr, const Thread& thread, const std::vector<std::string>& registers) {
  return Writer(thread, registers).write(expr);
}

std::string condition(const Expr& expr, const Thread& thread, const std::vector<std::string>& registers) {
  return Writer(thread, registers).truth(expr);
}

ScalarType in_register(ScalarType type) { return type.bits >= 64 ? type : ScalarType{32, type.is_signed}; }

std::string result_cast(ScalarType from, ScalarType to) {
  const std::string narrow = from.bits < 32 ? fmt::format("({})", type_name(from)) : "";
  return (to == from ? "" : fmt::format("({})", type_name(to))) + narrow;
}

std::string operand_text(const Expr& expr, ScalarType type, const Thread& thread,
                         const std::vector<std::string>& registers) {
  const std::string text = expression(expr, thread, registers);
  const bool fits = type.bits >= 32;
  if (expr.result_type() == type && fits) return text;
  const std::string narrowed = expr.result_type() == type ? text : fmt::format("({})({})", type_name(type), text);
  return fits ? narrowed : fmt::format("({})({})", type_name(in_register(type)), narrowed);
}

std::string source_comment(const Program& program, const SourceSpan& span, std::uint32_t& last_line) {
  if (program.has_columns || program.source == nullptr || span.line == 0 || span.line == last_line) return {};
  last_line = span.line;
  std::string text(program.source->line(span.line));
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return {};
  text = text.substr(begin, text.find_last_not_of(" \t\\\r") + 1 - begin);
  return fmt::format("  // {}\n", text);
}

}  // namespace ambit::cuda
