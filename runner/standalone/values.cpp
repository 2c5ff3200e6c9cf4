#include "runner/standalone/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "runner/cuda/emit/emit_names.h"

namespace ambit::standalone {
namespace {

/// Returns whether an operation can overflow with undefined behaviour in C++. In tests, overflow is defined: the result
/// wraps to the number of bits of the type. The result is also true for products of short unsigned integers, which C++
/// computes as int.
bool may_overflow(Op op, ScalarType type) {
  if (type.bits < 32) return op == Op::Multiply;
  return type.is_signed && (op == Op::Add || op == Op::Subtract || op == Op::Multiply);
}

/// Returns the unsigned type in which C++ computes the same result without undefined behaviour.
ScalarType unsigned_form(ScalarType type) {
  return {.bits = std::max<std::uint8_t>(type.bits, 32), .is_signed = false};
}

std::string_view opposite(Op op) {
  switch (op) {
    case Op::Equal: return "!=";
    case Op::NotEqual: return "==";
    case Op::Less: return ">=";
    case Op::LessEqual: return ">";
    case Op::Greater: return "<=";
    default: return "<";
  }
}

std::string parenthesised(const Expr& expr, const std::string& text) {
  return expr.arguments.size() < 2 ? text : "(" + text + ")";
}

/// Returns whether the word is a valid name of a register in a test, but not a valid name of a variable in C++.
bool is_reserved(const std::string& name) {
  static const std::set<std::string> kWords = {
      "alignas", "and",       "asm",      "catch",    "class",   "concept",  "delete",  "export",  "friend", "goto",
      "mutable", "namespace", "new",      "not",      "nullptr", "operator", "or",      "private", "public", "this",
      "throw",   "try",       "template", "typename", "union",   "using",    "virtual", "xor"};
  return kWords.contains(name);
}

/// A sum of 64-bit numbers: the sum of its constants, and its other terms.
struct Sum {
  Value constant = 0;
  std::vector<const Expr*> terms = {};

  void add(const Expr& expr) {
    if (expr.is_constant()) {
      constant += expr.constant;
    } else if (expr.op == Op::Cast && expr.type.bits == 64) {
      expr.arguments[0].result_type().bits == 64 ? add(expr.arguments[0]) : terms.push_back(&expr.arguments[0]);
    } else if (expr.op == Op::Add && expr.type.bits == 64) {
      add(expr.arguments[0]);
      add(expr.arguments[1]);
    } else {
      terms.push_back(&expr);
    }
  }
};
Sum sum_of(const Expr& address) {
  Sum sum;
  sum.add(address);
  return sum;
}

}  // namespace

std::string variable_name(const MemoryObject& object) {
  const std::size_t colon = object.name.find(':');
  return colon == std::string::npos ? object.name : object.name.substr(colon + 1);
}

std::vector<std::string> identifiers(const Thread& thread) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const Register& reg : thread.registers) {
    std::string name = reg.name;
    const bool is_temporary = name.starts_with('%');
    if (is_temporary)
      name = (name.size() > 1 && std::isdigit(static_cast<unsigned char>(name[1])) != 0 ? "t" : "") + name.substr(1);
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0 && c != '_'; }, '_');
    if (is_reserved(name) || name.empty()) name += '_';
    while (!taken.insert(name).second) name += '_';
    names.push_back(std::move(name));
  }
  return names;
}

std::optional<ObjectId> ValueWriter::object(const Expr& address) const {
  const Value id = object_of(sum_of(address).constant);
  if (id < 0 || id >= static_cast<Value>(program_.objects.size())) return std::nullopt;
  return static_cast<ObjectId>(id);
}

std::optional<std::string> ValueWriter::cell(const Expr& address) const {
  const auto id = object(address);
  if (!id) return std::nullopt;
  const MemoryObject& found = program_.objects[*id];
  const auto [constant, terms] = sum_of(address);
  const std::uint32_t first = index_of(constant);
  if (!found.is_array) return terms.empty() && first == 0 ? std::optional(variable_name(found)) : std::nullopt;
  std::string index;
  for (const Expr* term : terms) {
    const auto text = value(*term);
    if (!text) return std::nullopt;
    index += (index.empty() ? "" : " + ") + *text;
  }
  if (first != 0 || index.empty()) index += fmt::format("{}{}", index.empty() ? "" : " + ", first);
  return fmt::format("{}[{}]", variable_name(found), index);
}

std::optional<std::string> ValueWriter::operand(const Expr& expr, std::size_t i) const {
  const Expr& argument = expr.arguments[i];
  const auto text = value(argument);
  if (!text) return std::nullopt;
  if (argument.is_constant() && argument.type.bits <= expr.type.bits)
    return cuda::literal(argument.constant, expr.type);
  if (argument.result_type() == expr.type) return parenthesised(argument, *text);
  return fmt::format("({}){}", cuda::type_name(expr.type), parenthesised(argument, *text));
}

std::optional<std::string> ValueWriter::binary(const Expr& expr) const {
  const auto a = operand(expr, 0);
  const auto b = operand(expr, 1);
  if (!a || !b) return std::nullopt;
  if (expr.op == Op::Min || expr.op == Op::Max) return fmt::format("{}({}, {})", to_string(expr.op), *a, *b);
  const std::string type = cuda::type_name(expr.type);
  if (expr.op == Op::IncrementWrap || expr.op == Op::DecrementWrap) return std::nullopt;
  if (expr.op == Op::Divide || expr.op == Op::Remainder) return division(expr, *a, *b);
  if (expr.op == Op::ShiftLeft || expr.op == Op::ShiftRight) {
    const Expr& count = expr.arguments[1];
    const bool fits = count.is_constant() && count.constant >= 0 && count.constant < expr.type.bits;
    const std::string text =
        fmt::format("{} {} {}", *a, to_string(expr.op), fits ? *b : fmt::format("({} & {})", *b, expr.type.bits - 1));
    return expr.type.bits < 32 ? fmt::format("({})({})", type, text) : text;
  }
  if (may_overflow(expr.op, expr.type)) {
    const ScalarType wide = unsigned_form(expr.type);
    const Expr& right = expr.arguments[1];
    if (right.is_constant() && expr.type.wrap(right.constant) >= 0)
      return fmt::format("({})({} {} {})", type, *a, to_string(expr.op), cuda::literal(right.constant, wide));
    return fmt::format("({})(({}){} {} {})", type, cuda::type_name(wide), *a, to_string(expr.op), *b);
  }
  const std::string text = fmt::format("{} {} {}", *a, to_string(expr.op), *b);
  const bool is_promoted = expr.type.bits < 32 && !is_comparison(expr.op);
  return is_promoted ? fmt::format("({})({})", type, text) : text;
}

std::string ValueWriter::division(const Expr& expr, const std::string& a, const std::string& b) {
  const std::string type = cuda::type_name(expr.type);
  const std::string text = fmt::format("{} {} {}", a, to_string(expr.op), b);
  std::string quotient = expr.type.bits < 32 ? fmt::format("({})({})", type, text) : text;
  const Expr& divisor = expr.arguments[1];
  if (divisor.is_constant() && divisor.constant != 0 && expr.type.wrap(divisor.constant) != -1) return quotient;
  std::string result = fmt::format("{} == 0 ? ({})-1 : ", b, type);
  if (expr.type.is_signed) {
    const std::string by_minus_one =
        expr.op == Op::Remainder ? fmt::format("({})0", type)
                                 : fmt::format("({})(0 - ({}){})", type, cuda::type_name(unsigned_form(expr.type)), a);
    result += fmt::format("{} == -1 ? {} : ", b, by_minus_one);
  }
  return "(" + result + quotient + ")";
}

std::optional<std::string> ValueWriter::value(const Expr& expr) const {
  switch (expr.op) {
    case Op::Const:
      if (expr.type.bits == 64 && program_.location_at(expr.constant)) return std::nullopt;
      return cuda::literal(expr.constant, expr.type);
    case Op::Register: {
      const std::string& name = names_[expr.reg];
      if (thread_.registers[expr.reg].type == expr.type) return name;
      return fmt::format("({}){}", cuda::type_name(expr.type), name);
    }
    case Op::Cast: {
      auto text = value(expr.arguments[0]);
      if (!text) return std::nullopt;
      if (expr.arguments[0].result_type() == expr.type) return text;
      return fmt::format("({}){}", cuda::type_name(expr.type), parenthesised(expr.arguments[0], *text));
    }
    case Op::Negate: {
      const auto text = operand(expr, 0);
      if (!text) return std::nullopt;
      const ScalarType wide = unsigned_form(expr.type);
      return fmt::format("({})({} - {})", cuda::type_name(expr.type), cuda::literal(0, wide), *text);
    }
    case Op::BitNot: {
      const auto text = operand(expr, 0);
      return text ? std::optional("~" + *text) : std::nullopt;
    }
    case Op::LogicalNot:
    case Op::LogicalAnd:
    case Op::LogicalOr: {
      const auto text = condition(expr, false);
      return text ? std::optional("(" + *text + ")") : std::nullopt;
    }
    case Op::Select: {
      const auto test = condition(expr.arguments[0], false);
      const auto a = operand(expr, 1);
      const auto b = operand(expr, 2);
      return test && a && b ? std::optional(fmt::format("({} ? {} : {})", *test, *a, *b)) : std::nullopt;
    }
    default: return binary(expr);
  }
}

std::optional<std::string> ValueWriter::condition(const Expr& expr, bool negated) const {
  if (is_comparison(expr.op)) {
    const auto a = operand(expr, 0);
    const auto b = operand(expr, 1);
    if (!a || !b) return std::nullopt;
    return fmt::format("{} {} {}", *a, negated ? opposite(expr.op) : to_string(expr.op), *b);
  }
  if (expr.op == Op::LogicalNot) return condition(expr.arguments[0], !negated);
  if (expr.op == Op::LogicalAnd || expr.op == Op::LogicalOr) {
    const auto a = condition(expr.arguments[0], negated);
    const auto b = condition(expr.arguments[1], negated);
    if (!a || !b) return std::nullopt;
    const bool is_and = (expr.op == Op::LogicalAnd) != negated;
    return fmt::format("({}) {} ({})", *a, is_and ? "&&" : "||", *b);
  }
  const auto text = value(expr);
  if (!text) return std::nullopt;
  return fmt::format("{} {} 0", parenthesised(expr, *text), negated ? "==" : "!=");
}

}  // namespace ambit::standalone
