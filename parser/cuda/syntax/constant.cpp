#include "parser/cuda/syntax/constant.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#include "core/expr.h"

namespace ambit::parser::cuda {
namespace {

struct BinaryOperator {
  int precedence;
  Op op;
};

std::optional<BinaryOperator> binary_operator(const Token& token) {
  static const std::map<std::string_view, BinaryOperator> kOperators = {
      {"||", {1, Op::LogicalOr}},  {"&&", {2, Op::LogicalAnd}},   {"|", {3, Op::BitOr}},
      {"^", {4, Op::BitXor}},      {"&", {5, Op::BitAnd}},        {"==", {6, Op::Equal}},
      {"!=", {6, Op::NotEqual}},   {"<", {7, Op::Less}},          {"<=", {7, Op::LessEqual}},
      {">", {7, Op::Greater}},     {">=", {7, Op::GreaterEqual}}, {"<<", {8, Op::ShiftLeft}},
      {">>", {8, Op::ShiftRight}}, {"+", {9, Op::Add}},           {"-", {9, Op::Subtract}},
      {"*", {10, Op::Multiply}},   {"/", {10, Op::Divide}},       {"%", {10, Op::Remainder}}};
  const auto found = kOperators.find(token.text);
  return token.kind != TokenKind::Punctuator || found == kOperators.end() ? std::nullopt : std::optional(found->second);
}

struct Number {
  Value value = 0;
  ScalarType type = kLongLong;
  bool is_typed = true;  ///< whether the type is known; the type of a name is unknown
};
using MaybeNumber = std::optional<Number>;

ScalarType literal_type(const Token& token) {
  if (token.kind == TokenKind::Character) return kInt;
  const std::size_t digits = token.text.find_last_not_of("uUlL");
  const std::string_view suffix = std::string_view(token.text).substr(digits == std::string::npos ? 0 : digits + 1);
  const bool is_unsigned = suffix.find_first_of("uU") != std::string_view::npos;
  const bool is_long = suffix.find_first_of("lL") != std::string_view::npos;
  const bool decimal = token.text[0] != '0';
  const auto value = static_cast<std::uint64_t>(literal_value(token).value_or(0));
  if (!is_long && !is_unsigned && value <= 0x7fffffffU) return kInt;
  if (!is_long && (is_unsigned || !decimal) && value <= 0xffffffffU) return kUnsigned;
  return !is_unsigned && value <= 0x7fffffffffffffffU ? kLongLong : kUnsignedLongLong;
}

/// Applies the usual arithmetic conversions [expr.arith.conv].
ScalarType common_type(ScalarType a, ScalarType b) {
  if (a.bits != b.bits) return a.bits > b.bits ? a : b;
  return {a.bits, a.is_signed && b.is_signed};
}

bool is_small(Value value) { return value >= 0 && value <= 0x7fffffff; }

/// Applies `op` with the types that C++ gives to the operands. For a unary operator, `b` is empty.
MaybeNumber apply_typed(Op op, const Number& a, const MaybeNumber& b) {
  const auto calculate = [&](ScalarType type) {
    const std::array<Value, 2> operands = {apply(Op::Cast, type, std::array<Value, 1>{a.value}),
                                           b ? apply(Op::Cast, type, std::array<Value, 1>{b->value}) : 0};
    return apply(op, type, std::span(operands).first(b ? 2 : 1));
  };
  const bool shift = op == Op::ShiftLeft || op == Op::ShiftRight;
  const bool logical = op == Op::LogicalAnd || op == Op::LogicalOr || op == Op::LogicalNot;
  const ScalarType type = !b || shift ? a.type : common_type(a.type, b->type);
  if (logical) return Number{calculate(kLongLong), kInt};
  if (shift && (b->value < 0 || b->value >= type.bits)) return std::nullopt;
  if (!a.is_typed || (b && !b->is_typed)) {  // the unknown type must not influence the result
    const Value result = calculate(kLongLong);
    if (!is_small(a.value) || (b && !is_small(b->value)) || !is_small(result)) return std::nullopt;
    return Number{result, kInt, is_boolean(op)};
  }
  const Value result = calculate(type);
  if (type == kInt && result != calculate(kLongLong)) return std::nullopt;  // overflow is undefined
  return Number{result, is_boolean(op) ? kInt : type};
}

class Evaluator {
 public:
  Evaluator(const Tokens& tokens, const NameValue& value_of, bool typed)
      : tokens_(tokens), value_of_(value_of), typed_(typed) {}

  std::optional<std::int64_t> evaluate(const Token** wrong) {
    MaybeNumber value = conditional(0);
    if (value && at_ < tokens_.size()) value.reset();
    if (!value && wrong != nullptr) *wrong = tokens_.empty() ? nullptr : &tokens_[std::min(at_, tokens_.size() - 1)];
    return value ? std::optional(value->value) : std::nullopt;
  }

 private:
  static constexpr int kMaxDepth = 200;

  bool take(std::string_view text) {
    if (at_ >= tokens_.size() || !tokens_[at_].is(text)) return false;
    ++at_;
    return true;
  }

  MaybeNumber calculate(Op op, const Number& a, const MaybeNumber& b) const {
    if (typed_) return apply_typed(op, a, b);
    const std::array<Value, 2> operands = {a.value, b ? b->value : 0};
    return Number{apply(op, kLongLong, std::span(operands).first(b ? 2 : 1))};
  }

  MaybeNumber conditional(int depth) {
    MaybeNumber condition = binary(1, depth);
    if (!condition || !take("?")) return condition;
    const MaybeNumber first = conditional(depth + 1);
    if (!first || !take(":")) return std::nullopt;
    const MaybeNumber second = conditional(depth + 1);
    if (!second) return std::nullopt;
    const Number& chosen = condition->value != 0 ? *first : *second;
    if (!typed_) return chosen;
    if (first->is_typed && second->is_typed) {
      const ScalarType type = common_type(first->type, second->type);
      return Number{apply(Op::Cast, type, std::array<Value, 1>{chosen.value}), type};
    }
    if (!is_small(chosen.value)) return std::nullopt;
    return Number{chosen.value, kInt, false};
  }

  MaybeNumber binary(int least, int depth) {
    MaybeNumber left = unary(depth);
    while (left && at_ < tokens_.size()) {
      const std::optional<BinaryOperator> found = binary_operator(tokens_[at_]);
      if (!found || found->precedence < least) break;
      const std::size_t place = at_++;
      const MaybeNumber right = binary(found->precedence + 1, depth + 1);
      if (!right) return std::nullopt;
      if ((found->op == Op::Divide || found->op == Op::Remainder) && right->value == 0) {
        at_ = place;
        return std::nullopt;
      }
      left = calculate(found->op, *left, right);
      if (!left) at_ = place;
    }
    return left;
  }

  MaybeNumber unary(int depth) {
    if (depth > kMaxDepth || at_ >= tokens_.size()) return std::nullopt;
    for (const auto& [text, op] : {std::pair{"-", Op::Negate}, {"~", Op::BitNot}, {"!", Op::LogicalNot}}) {
      if (!take(text)) continue;
      const MaybeNumber operand = unary(depth + 1);
      return operand ? calculate(op, *operand, std::nullopt) : std::nullopt;
    }
    if (take("+")) return unary(depth + 1);
    if (take("(")) {
      const MaybeNumber inner = conditional(depth + 1);
      return inner && take(")") ? inner : std::nullopt;
    }
    const Token& token = tokens_[at_];
    const std::optional<std::int64_t> value = token.is_name() ? value_of_(token) : literal_value(token);
    if (!value) return std::nullopt;
    ++at_;
    if (!typed_) return Number{*value};
    return token.is_name() ? Number{*value, kInt, false} : Number{*value, literal_type(token)};
  }

  const Tokens& tokens_;
  const NameValue& value_of_;
  bool typed_;
  std::size_t at_ = 0;
};

std::optional<std::int64_t> character_value(std::string_view text) {
  static const std::map<char, char> kEscapes = {{'n', '\n'},  {'t', '\t'},  {'r', '\r'}, {'0', '\0'},
                                                {'\\', '\\'}, {'\'', '\''}, {'"', '"'}};
  if (text.size() == 3 && text[1] != '\\') return text[1];
  if (text.size() == 4 && text[1] == '\\') {
    const auto found = kEscapes.find(text[2]);
    if (found != kEscapes.end()) return found->second;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::int64_t> literal_value(const Token& token) {
  if (token.kind == TokenKind::Character) return character_value(token.text);
  if (token.kind != TokenKind::Number) return std::nullopt;
  std::string text = token.text;
  std::erase(text, '\'');
  while (!text.empty() && std::string_view("uUlL").find(text.back()) != std::string_view::npos) text.pop_back();
  int base = 10;
  if (text.size() > 1 && text[0] == '0') {
    base = text[1] == 'x' || text[1] == 'X' ? 16 : text[1] == 'b' || text[1] == 'B' ? 2 : 8;
    text.erase(0, base == 8 ? 1 : 2);
  }
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

std::optional<std::int64_t> evaluate(const Tokens& tokens, const NameValue& value_of, const Token** wrong) {
  return Evaluator(tokens, value_of, false).evaluate(wrong);
}

std::optional<std::int64_t> evaluate_typed(const Tokens& tokens, const NameValue& value_of) {
  return Evaluator(tokens, value_of, true).evaluate(nullptr);
}

}  // namespace ambit::parser::cuda
