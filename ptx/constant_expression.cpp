#include "ptx/constant_expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace ambit::ptx {
namespace {

/// An entry of the operator stack: an operator of C, a cast or an open parenthesis.
struct Operator {
  std::string_view name;
  int precedence = 0;
  bool is_unary = false;
  SourceSpan place;
};

struct BinaryRow {
  std::string_view name;
  int precedence;
};
/// The binary operators. Two-character operators come before one-character operators, so that `<<` is not read as `<`.
constexpr std::array kBinary = {BinaryRow{"||", 1}, BinaryRow{"&&", 2}, BinaryRow{"==", 6}, BinaryRow{"!=", 6},
                                BinaryRow{"<<", 8}, BinaryRow{">>", 8}, BinaryRow{"<=", 7}, BinaryRow{">=", 7},
                                BinaryRow{"|", 3},  BinaryRow{"^", 4},  BinaryRow{"&", 5},  BinaryRow{"<", 7},
                                BinaryRow{">", 7},  BinaryRow{"+", 9},  BinaryRow{"-", 9},  BinaryRow{"*", 10},
                                BinaryRow{"/", 10}, BinaryRow{"%", 10}};
constexpr int kUnaryPrecedence = 11;
constexpr std::size_t kMaximumOperators = 1000;

/// Evaluates constant expressions with two stacks, without recursion.
class Evaluator {
 public:
  explicit Evaluator(TokenStream& tokens) : tokens_(tokens) {}

  Constant read() {
    for (;;) {
      while (read_prefix()) {}
      read_number();
      while (!operators_.empty() && open_ > 0 && tokens_.accept(')')) close();
      const std::optional<Operator> binary = peek_binary();
      if (!binary) break;
      apply_down_to(binary->precedence);
      for (std::size_t i = 0; i < binary->name.size(); ++i) tokens_.take();
      push(*binary);
    }
    if (open_ > 0) tokens_.fail_expected("')'");
    apply_down_to(0);
    return values_.back();
  }

 private:
  void push(const Operator& op) {
    if (operators_.size() == kMaximumOperators) {
      tokens_.fail(op.place, fmt::format("this constant has more than {} operators", kMaximumOperators));
    }
    operators_.push_back(op);
  }

  /// Reads an open parenthesis, a cast or a unary operator.
  bool read_prefix() {
    const Token& token = tokens_.peek();
    if (token.is('(')) {
      const Token& next = tokens_.peek_next();
      if (next.is(".s64") || next.is(".u64")) {
        push({next.is(".u64") ? "u" : "s", kUnaryPrecedence, true, token.place});
        tokens_.take();
        tokens_.take();
        tokens_.expect(')', "')' after the type");
        return true;
      }
      push({"(", 0, false, token.place});
      ++open_;
    } else if (token.is('-') || token.is('+') || token.is('~') || token.is('!')) {
      push({token.text, kUnaryPrecedence, true, token.place});
    } else {
      return false;
    }
    tokens_.take();
    return true;
  }

  void read_number() {
    const Token& token = tokens_.peek();
    if (token.is("WARP_SZ")) {
      values_.push_back({32, false});
    } else if (token.kind == Token::Kind::Integer) {
      values_.push_back({token.value, token.is_unsigned});
    } else {
      tokens_.fail_expected("an integer");
    }
    tokens_.take();
  }

  std::optional<Operator> peek_binary() {
    const Token& token = tokens_.peek();
    if (token.kind != Token::Kind::Punctuation) return std::nullopt;
    for (const BinaryRow& row : kBinary) {
      if (row.name.front() != token.text.front()) continue;
      if (row.name.size() == 2) {
        const Token& next = tokens_.peek_next();
        if (!next.is(row.name[1]) || next.offset != token.offset + 1) continue;
      }
      return Operator{row.name, row.precedence, false, token.place};
    }
    return std::nullopt;
  }

  void close() {
    apply_down_to(1);
    operators_.pop_back();
    --open_;
    // Unary operators before the parenthesis bind tighter than the next operator; apply_down_to() applies them.
  }

  /// Applies operators from the top of the stack while their precedence is at least `precedence`. Stops at an open
  /// parenthesis.
  void apply_down_to(int precedence) {
    while (!operators_.empty() && operators_.back().name != "(" && operators_.back().precedence >= precedence) {
      const Operator op = operators_.back();
      operators_.pop_back();
      if (op.is_unary) {
        values_.back() = unary(op.name.front(), values_.back());
      } else {
        const Constant right = values_.back();
        values_.pop_back();
        values_.back() = binary(op, values_.back(), right);
      }
    }
  }

  static Constant unary(char op, Constant a) {
    switch (op) {
      case '-': return {std::uint64_t{0} - a.value, a.is_unsigned};
      case '~': return {~a.value, a.is_unsigned};
      case '!': return {a.value == 0 ? 1U : 0U, false};
      case 'u': return {a.value, true};
      case 's': return {a.value, false};
      default: return a;
    }
  }

  Constant binary(const Operator& op, Constant a, Constant b) const {
    const bool is_unsigned = a.is_unsigned || b.is_unsigned;
    const auto as_signed = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
    const auto less = [&](Constant x, Constant y) {
      return is_unsigned ? x.value < y.value : as_signed(x.value) < as_signed(y.value);
    };
    const auto truth = [](bool value) { return Constant{value ? 1U : 0U, false}; };
    if (op.name == "||") return truth(a.value != 0 || b.value != 0);
    if (op.name == "&&") return truth(a.value != 0 && b.value != 0);
    if (op.name == "==") return truth(a.value == b.value);
    if (op.name == "!=") return truth(a.value != b.value);
    if (op.name == "<=") return truth(!less(b, a));
    if (op.name == ">=") return truth(!less(a, b));
    if (op.name == "<<") return {b.value < 64 ? a.value << b.value : 0, a.is_unsigned};
    if (op.name == ">>") {
      const std::uint64_t amount = std::min<std::uint64_t>(b.value, 63);
      if (!a.is_unsigned) return {static_cast<std::uint64_t>(as_signed(a.value) >> amount), false};
      return {b.value < 64 ? a.value >> b.value : 0, true};
    }
    switch (op.name.front()) {
      case '<': return truth(less(a, b));
      case '>': return truth(less(b, a));
      case '|': return {a.value | b.value, is_unsigned};
      case '^': return {a.value ^ b.value, is_unsigned};
      case '&': return {a.value & b.value, is_unsigned};
      case '+': return {a.value + b.value, is_unsigned};
      case '-': return {a.value - b.value, is_unsigned};
      case '*': return {a.value * b.value, is_unsigned};
      default: break;
    }
    if (b.value == 0) tokens_.fail(op.place, "division by 0");
    const bool is_division = op.name.front() == '/';
    if (is_unsigned) return {is_division ? a.value / b.value : a.value % b.value, true};
    if (b.value == ~std::uint64_t{0}) return {is_division ? std::uint64_t{0} - a.value : 0, false};
    const std::int64_t x = as_signed(a.value);
    const std::int64_t y = as_signed(b.value);
    return {static_cast<std::uint64_t>(is_division ? x / y : x % y), false};
  }

  TokenStream& tokens_;
  std::vector<Operator> operators_;
  std::vector<Constant> values_;
  std::size_t open_ = 0;
};

}  // namespace

Constant read_constant(TokenStream& tokens) {
  const Token& token = tokens.peek();
  if (token.kind == Token::Kind::Integer) {
    const Token& next = tokens.peek_next();
    if (next.is(',') || next.is(';') || next.is(']') || next.is('}')) {
      const Constant result = {token.value, token.is_unsigned};
      tokens.take();
      return result;
    }
  }
  return Evaluator(tokens).read();
}

std::int64_t read_offset(TokenStream& tokens) {
  const bool is_plus = tokens.peek().is('+');
  if (!is_plus && !tokens.peek().is('-')) return 0;
  if (is_plus) tokens.take();
  return static_cast<std::int64_t>(read_constant(tokens).value);
}

}  // namespace ambit::ptx
