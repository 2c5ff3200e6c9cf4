#include "parser/text/nesting.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ambit::parser {
namespace {

template <std::size_t N>
bool is_one_of(std::string_view token, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), token) != words.end();
}

constexpr std::array<std::string_view, 7> kNestingStatements = {"if", "else", "while", "for", "do", "return", "switch"};
constexpr std::array<std::string_view, 12> kRightToLeft = {
    "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "?"};

}  // namespace

void NestingMeter::end_expression(Level& level) {
  depth_ -= level.prefixes;
  operators_ -= level.operators;
  level.prefixes = 0;
  level.operators = 0;
}

void NestingMeter::close() {
  if (levels_.size() == 1) return;  // the parser reports the unmatched bracket
  end_expression(levels_.back());
  depth_ -= levels_.back().statements + 1;
  levels_.pop_back();
}

NestingMeter::Verdict NestingMeter::add(std::string_view token, bool is_operand) {
  Level& level = levels_.back();
  if (level.statement_ended && token != "else") {
    depth_ -= level.statements;
    level.statements = 0;
  }
  level.statement_ended = false;
  const bool after_operand = std::exchange(after_operand_, is_operand);
  if (is_operand) return Verdict::Fine;
  if (token == "(" || token == "[" || token == "{") {
    if (token == "{") end_expression(level);
    levels_.emplace_back();
    ++depth_;
  } else if (token == ")" || token == "]" || token == "}") {
    close();
    after_operand_ = token != "}";
    Level& outer = levels_.back();
    if (token == "}") {
      end_expression(outer);
      outer.statement_ended = true;
    } else {
      ++outer.operators;
      ++operators_;
    }
  } else if (token == ";") {
    end_expression(level);
    level.statement_ended = true;
  } else if (token == ",") {
    end_expression(level);
  } else if (is_one_of(token, kNestingStatements)) {
    ++level.statements;
    ++depth_;
    after_operand_ = false;
  } else {
    const bool nests = !after_operand || is_one_of(token, kRightToLeft);
    ++(nests ? level.prefixes : level.operators);
    ++(nests ? depth_ : operators_);
  }
  if (depth_ > kMaxNesting) return Verdict::TooDeep;
  return operators_ > kMaxOperators ? Verdict::TooManyOperators : Verdict::Fine;
}

}  // namespace ambit::parser
