#include "parser/cuda_constant.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
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

class Evaluator {
 public:
  Evaluator(const Tokens& tokens, const NameValue& value_of) : tokens_(tokens), value_of_(value_of) {}

  std::optional<std::int64_t> evaluate(const Token** wrong) {
    std::optional<std::int64_t> value = conditional(0);
    if (value && at_ < tokens_.size()) value.reset();
    if (!value && wrong != nullptr) *wrong = tokens_.empty() ? nullptr : &tokens_[std::min(at_, tokens_.size() - 1)];
    return value;
  }

 private:
  static constexpr int kMaxDepth = 200;

  bool take(std::string_view text) {
    if (at_ >= tokens_.size() || !tokens_[at_].is(text)) return false;
    ++at_;
    return true;
  }

  std::optional<std::int64_t> conditional(int depth) {
    std::optional<std::int64_t> condition = binary(1, depth);
    if (!condition || !take("?")) return condition;
    const std::optional<std::int64_t> first = conditional(depth + 1);
    if (!first || !take(":")) return std::nullopt;
    const std::optional<std::int64_t> second = conditional(depth + 1);
    if (!second) return std::nullopt;
    return *condition != 0 ? first : second;
  }

  std::optional<std::int64_t> binary(int least, int depth) {
    std::optional<std::int64_t> left = unary(depth);
    while (left && at_ < tokens_.size()) {
      const std::optional<BinaryOperator> found = binary_operator(tokens_[at_]);
      if (!found || found->precedence < least) break;
      const std::size_t place = at_++;
      const std::optional<std::int64_t> right = binary(found->precedence + 1, depth + 1);
      if (!right) return std::nullopt;
      if ((found->op == Op::Divide || found->op == Op::Remainder) && *right == 0) {
        at_ = place;
        return std::nullopt;
      }
      left = apply(found->op, kLongLong, std::array<Value, 2>{*left, *right});
    }
    return left;
  }

  std::optional<std::int64_t> unary(int depth) {
    if (depth > kMaxDepth || at_ >= tokens_.size()) return std::nullopt;
    for (const auto& [text, op] : {std::pair{"-", Op::Negate}, {"~", Op::BitNot}, {"!", Op::LogicalNot}}) {
      if (!take(text)) continue;
      const std::optional<std::int64_t> operand = unary(depth + 1);
      return operand ? std::optional(apply(op, kLongLong, std::array<Value, 1>{*operand})) : std::nullopt;
    }
    if (take("+")) return unary(depth + 1);
    if (take("(")) {
      const std::optional<std::int64_t> inner = conditional(depth + 1);
      return inner && take(")") ? inner : std::nullopt;
    }
    const Token& token = tokens_[at_];
    const std::optional<std::int64_t> value = token.is_name() ? value_of_(token) : literal_value(token);
    if (value) ++at_;
    return value;
  }

  const Tokens& tokens_;
  const NameValue& value_of_;
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
  return Evaluator(tokens, value_of).evaluate(wrong);
}

}  // namespace ambit::parser::cuda
