#include "parser/cuda/launch/host_uses.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "parser/cuda/syntax/constant.h"
#include "parser/cuda/syntax/host_type.h"

namespace ambit::parser::cuda {
namespace {

constexpr std::size_t kNone = HostFunction::kNone;

template <std::size_t N>
bool is_one_of(const Token& token, const std::array<std::string_view, N>& words) {
  return token.kind != TokenKind::Text && std::find(words.begin(), words.end(), token.text) != words.end();
}

/// Returns whether the token is a binary operator that computes a value and changes no operand.
bool is_binary(const Token& token) {
  static constexpr std::array<std::string_view, 18> kOperators = {
      "+", "-", "*", "/", "%", "<", ">", "<=", ">=", "==", "!=", "&&", "||", "<<", "^", "|", "&", ">>"};
  return is_one_of(token, kOperators);
}

bool is_assignment(const Token& token) {
  static constexpr std::array<std::string_view, 11> kOperators = {
      "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
  return is_one_of(token, kOperators);
}

bool is_end(const Token& token) { return token.is_any({")", ";", ",", "]", "}", ":"}); }

bool is_condition(const Token& token) { return token.is_any({"if", "while", "switch"}); }

bool is_statement_word(const Token& token) {
  static constexpr std::array<std::string_view, 8> kWords = {"return", "else",      "do",       "case",
                                                             "throw",  "co_return", "co_yield", "co_await"};
  return is_one_of(token, kWords);
}

/// Returns whether the token names a type whose constructors copy their arguments.
bool is_value_type(const Token& token) {
  static constexpr std::array<std::string_view, 22> kTypes = {
      "dim3",     "int",      "unsigned", "long",   "short",   "char",    "bool",    "float",
      "double",   "auto",     "size_t",   "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t",
      "uint16_t", "uint32_t", "uint64_t", "uint",   "signed",  "uint3"};
  return token.is_name() && is_one_of(token, kTypes);
}

/// Returns whether the token names a function of C, std:: or the CUDA runtime that takes numbers by value or const
/// reference.
bool is_known_function(const Token& token) {
  static constexpr std::array<std::string_view, 29> kNames = {
      "malloc",  "calloc",   "realloc", "memset",  "memcpy",       "memcmp",    "printf", "fprintf",
      "sprintf", "snprintf", "puts",    "putchar", "exit",         "abs",       "min",    "max",
      "sqrt",    "log2",     "ceil",    "floor",   "assert",       "to_string", "fill_n", "generate_n",
      "copy_n",  "resize",   "reserve", "srand",   "static_assert"};
  const bool runtime = token.text.size() > 4 && token.text.starts_with("cuda") && token.text[4] >= 'A' &&
                       token.text[4] <= 'Z';  // CUDA's C functions change only arguments of the form &name
  return token.is_name() && (runtime || is_one_of(token, kNames));
}

}  // namespace

bool HostUses::is_unevaluated(std::size_t index) const {
  const auto word = [&](std::size_t i) { return at(i).is_any({"sizeof", "alignof", "decltype"}); };
  for (std::size_t open = function_.bracket_around(index); open != kNone; open = function_.bracket_around(open)) {
    if (at(open).is("(") && open > 0 && word(open - 1)) return true;
    if (at(open).is("{")) break;
  }
  std::size_t i = index;
  while (i > 0 && at(i - 1).is("*")) --i;
  return i > 0 && word(i - 1);
}

/// Returns whether an operand may end at this token, so that the next operator is binary.
bool HostUses::is_operand_end(std::size_t index) const {
  const Token& token = at(index);
  if (token.is_name()) return !is_statement_word(token);
  return token.kind == TokenKind::Number || token.kind == TokenKind::Text || token.kind == TokenKind::Character ||
         token.is(")") || token.is("]");
}

/// Returns whether the brackets enclose an expression, ( e ), and do not belong to a call, a condition or a cast.
bool HostUses::is_group(std::size_t open) const {
  if (!at(open).is("(") || open == 0) return false;
  const Token& before = at(open - 1);
  return is_statement_word(before) || (!before.is_name() && !before.is(")") && !before.is("]") && !before.is(">"));
}

/// Returns whether the bracket closes ( T ) or ( T * ) before an operand.
bool HostUses::is_cast(std::size_t close) const {
  if (!at(close).is(")")) return false;
  const std::size_t open = function_.partner(close);
  if (open + 1 == close || !at(open + 1).is_name() ||
      (open > 0 && at(open - 1).is_name() && !is_statement_word(at(open - 1)))) {
    return false;
  }
  for (std::size_t i = open + 1; i < close; ++i) {
    if (!at(i).is_name() && !at(i).is("*") && !at(i).is("::") && !at(i).is("<") && !at(i).is(">")) return false;
  }
  return true;
}

/// Returns whether the bracket before an & may be a cast, so that & takes an address. Returns false for `( a + b )` and
/// `f( a )`.
bool HostUses::may_be_cast(std::size_t close) const {
  if (!at(close).is(")")) return false;
  const std::size_t open = function_.partner(close);
  const Token& before = open == 0 ? at(kNone) : at(open - 1);
  if (before.is_name() && !is_statement_word(before) && !is_condition(before) && !before.is("for")) return false;
  const Token& last = at(close - 1);
  if (last.is_any({"*", "&", "]", "const"})) return true;
  for (std::size_t i = open + 1; i < close; ++i) {
    const bool calculates = is_binary(at(i)) && !at(i).is("*") && !at(i).is("&") && !at(i).is("&&");
    if (at(i).is("<")) return true;
    if (calculates || at(i).kind == TokenKind::Number || at(i).is(".") || at(i).is("->")) return false;
  }
  return true;
}

bool HostUses::has_reference(std::size_t begin, std::size_t end) const {
  for (std::size_t i = begin; i < end; ++i) {
    if (at(i).is("&") || at(i).is("&&")) return true;
  }
  return false;
}

/// Returns the operand that consists of a name and the indices, fields, stars and brackets around it.
HostUses::Operand HostUses::operand(std::size_t index) const {
  Operand result{index, index + 1, true};
  for (;;) {
    const Token& next = at(result.end);
    const Token& before = result.begin == 0 ? at(kNone) : at(result.begin - 1);
    if (next.is("[")) {
      result.end = function_.partner(result.end) + 1;
      result.is_name = false;
    } else if ((next.is(".") || next.is("->")) && at(result.end + 1).is_name()) {
      const bool call = at(result.end + 2).is("(");
      const bool load = call && at(result.end + 1).is("load");  // an atomic's load() only reads
      if (call && !load) return result;
      result.end = load ? function_.partner(result.end + 2) + 1 : result.end + 2;
      result.is_name = false;
    } else if (before.is("*") && (result.begin < 2 || !is_operand_end(result.begin - 2))) {
      --result.begin;
      result.is_name = false;
    } else if (before.is("(") && next.is(")") && is_group(result.begin - 1)) {
      --result.begin;
      ++result.end;
    } else {
      return result;
    }
  }
}

/// Returns true for `T v = e`, which copies the value of the operand e to another variable.
bool HostUses::is_copied(const Operand& operand) const {
  const std::size_t begin = function_.statement_begin(operand.begin);
  for (std::size_t i = begin; i < operand.begin; ++i) {
    if (at(i).is("(") && (at(i + 1).is("&") || at(i + 1).is("&&"))) {  // int (&r)[2] = h;
      const Token& past = at(function_.partner(i) + 1);
      if (past.is("=") || past.is("[")) return false;
    }
    if (at(i).opens()) i = function_.partner(i);
    if (at(i).is("&") || at(i).is("&&")) return false;
    if (is_assignment(at(i))) return true;
  }
  return false;
}

bool HostUses::is_read(std::size_t index, bool array) const {
  const Operand read = operand(index);
  if (array && read.is_name) return false;
  const Token& next = at(read.end);
  const Token& before = read.begin == 0 ? at(kNone) : at(read.begin - 1);
  const bool changed = is_assignment(next) || next.is("++") || next.is("--") || before.is("++") || before.is("--");
  const bool more = next.is_any({"(", "[", "{", ".", "->"});
  if (changed || more || before.is(">>")) return false;
  const bool two = read.begin > 1 && is_operand_end(read.begin - 2) && !may_be_cast(read.begin - 2);
  if (before.is("&") && !two) return false;
  if (is_binary(next) || next.is("?")) return true;
  if (!is_end(next)) return before.is("<") && next.is(">");
  if (before.is("?") || before.is(":")) return is_copied(read);
  if (before.is("=")) return is_copied(read);
  if (is_binary(before) || before.is("!") || before.is("~") || is_assignment(before)) return true;
  if (before.is("[")) return next.is("]");
  if (before.is("return")) return !has_reference(0, function_.statement_begin(index));
  if (before.is(")")) return is_cast(read.begin - 1);
  return is_part_of_list(read);
}

/// Returns whether the bracket at `open` initializes a variable of a type that copies the values: a number, dim3 or a
/// container.
bool HostUses::copies_into_declared(std::size_t open) const {
  static constexpr std::array<std::string_view, 4> kContainers = {"vector", "host_vector", "device_vector", "string"};
  std::size_t type = function_.statement_begin(open);
  while (at(type).is_any({"const", "static", "constexpr", "std", "::", "thrust"})) {
    ++type;
  }
  return (is_value_type(at(type)) || is_one_of(at(type), kContainers)) && !has_reference(type, open);
}

/// Returns whether the operand is an element e of ( e ), ( a, e ) or { e }, and the expression in brackets only reads
/// the operand.
bool HostUses::is_part_of_list(const Operand& operand) const {
  const std::size_t open = function_.bracket_around(operand.begin);
  const Token& before = at(operand.begin - 1);
  const Token& next = at(operand.end);
  const bool alone = before.is_any({"(", "{", ","}) && next.is_any({")", "}", ","});
  if (!alone || open == kNone || open == 0) return false;
  const Token& outside = at(open - 1);
  const bool declarator = outside.is_name() && function_.declaration(outside.text, open - 1) == open - 1;
  if (declarator || (at(open).is("{") && (outside.is("=") || outside.is("]")))) return copies_into_declared(open);
  if (is_value_type(outside)) return true;
  if (!at(open).is("(")) return false;
  if (is_condition(outside)) return true;
  const std::optional<std::size_t> name = callee(open);
  if (name && at(*name).text.ends_with("_cast")) return !has_reference(*name, open);
  const std::optional<HostArgument> passed = argument(operand.begin);
  return passed && takes_value(*passed);
}

bool HostUses::stores_zero(std::size_t index, bool array) const {
  const Operand target = operand(index);
  if (array && target.is_name) return false;
  const Token& before = target.begin == 0 ? at(kNone) : at(target.begin - 1);
  const bool begins = before.is_any({";", "{", "}", ")", "else", "do"});
  return begins && at(target.end).is("=") && literal_value(at(target.end + 1)) == 0 && at(target.end + 2).is(";");
}

bool HostUses::is_null_test(std::size_t index) const {
  const Token& before = index == 0 ? at(kNone) : at(index - 1);
  const Token& next = at(index + 1);
  if (next.is("==") || next.is("!=") || before.is("==") || before.is("!=")) return is_end(next) || is_binary(next);
  if (before.is("!")) return is_end(next) || is_binary(next);
  const bool condition = before.is("(") && index > 1 && (is_condition(at(index - 2)) || at(index - 2).is("assert"));
  return condition ? next.is_any({")", "&&", "||"})
                   : (before.is("&&") || before.is("||")) && next.is_any({")", "&&", "||"});
}

/// Returns the index of the called function's name. The arguments of the call begin at `open`.
std::optional<std::size_t> HostUses::callee(std::size_t open) const {
  if (open == 0) return std::nullopt;
  std::size_t i = open - 1;
  if (at(i).is(">")) {
    std::size_t depth = 0;
    for (; i > 0; --i) {
      if (at(i).is_any({";", "{", "}"})) return std::nullopt;
      if (at(i).is(">")) ++depth;
      if (at(i).is("<") && --depth == 0) break;
    }
    if (i == 0) return std::nullopt;
    --i;
  }
  return at(i).is_name() && !is_statement_word(at(i)) ? std::optional(i) : std::nullopt;
}

/// Extends the tokens begin .. end-1 by the casts and brackets around them. Returns the new begin and sets `end`.
std::size_t HostUses::before_casts(std::size_t begin, std::size_t& end) const {
  while (begin > 0) {
    if (is_cast(begin - 1)) {
      begin = function_.partner(begin - 1);
    } else if (at(begin - 1).is("(") && at(end).is(")")) {
      const std::optional<std::size_t> name = callee(begin - 1);
      const bool named_cast = name && at(*name).text.ends_with("_cast");
      if (!named_cast && !is_group(begin - 1)) break;
      if (named_cast && has_reference(*name, begin - 1)) break;
      begin = named_cast ? *name : begin - 1;
      ++end;
    } else {
      break;
    }
  }
  return begin;
}

std::optional<HostArgument> HostUses::argument(std::size_t index) const {
  HostArgument result;
  const Operand passed = operand(index);
  result.whole = passed.is_name;
  std::size_t end = passed.end;
  std::size_t begin = before_casts(passed.begin, end);
  if (begin > 0 && at(begin - 1).is("&") && (begin < 2 || !is_operand_end(begin - 2) || may_be_cast(begin - 2))) {
    result.address = true;
    begin = before_casts(begin - 1, end);
  }
  const std::size_t open = begin == 0 ? kNone : function_.bracket_around(begin);
  if (open == kNone || !at(open).is("(")) return std::nullopt;
  const Token& before = at(begin - 1);
  if ((!before.is("(") && !before.is(",")) || (!at(end).is(")") && !at(end).is(","))) return std::nullopt;
  const std::optional<std::size_t> name = callee(open);
  if (!name) return std::nullopt;
  result.callee = *name;
  result.open = open;
  for (std::size_t i = open + 1; i < begin; ++i) {
    if (at(i).opens()) i = function_.partner(i);
    if (at(i).is(",")) ++result.index;
  }
  return result;
}

bool HostUses::calls(const HostArgument& argument, std::string_view name) const {
  if (!at(argument.callee).is(name) || argument.callee == 0) return false;
  const Token& before = at(argument.callee - 1);
  if (before.is(".") || before.is("->")) return false;
  return !before.is("::") || argument.callee < 2 || !at(argument.callee - 2).is_name() ||
         at(argument.callee - 2).is("std");
}

bool HostUses::is_printed(const HostArgument& argument) const {
  return (calls(argument, "printf") && argument.index > 0) || (calls(argument, "fprintf") && argument.index > 1);
}

bool HostUses::takes_value(const HostArgument& argument) const {
  const Token& name = at(argument.callee);
  if (argument.address) return false;
  if (name.text.ends_with("_cast")) return !has_reference(argument.callee, argument.open);
  if (argument.callee == 0) return false;
  const Token& before = at(argument.callee - 1);
  const bool member = before.is(".") || before.is("->");
  if (member) return name.is("resize") || name.is("reserve");
  const bool qualified = before.is("::") && argument.callee > 1 && at(argument.callee - 2).is_name();
  if (qualified && !at(argument.callee - 2).is("std") && !unit_.has_namespace(at(argument.callee - 2).text))
    return false;
  const bool in_file = !unit_.find(name.text).empty();
  if (in_file) return function_takes_value(argument);
  // These functions write only to their first argument, which may be an array in a struct.
  static constexpr std::array<std::string_view, 6> kWrite = {"memset",   "memcpy", "sprintf",
                                                             "snprintf", "fill_n", "generate_n"};
  const bool writes = name.text.starts_with("cudaMem") || is_one_of(name, kWrite);
  if (name.is("copy_n")) return argument.index == 1;
  return is_known_function(name) && (!writes || argument.index > 0);
}

/// Returns whether all declarations of the function in this file take the argument by value.
bool HostUses::function_takes_value(const HostArgument& argument) const {
  const auto may_refer = [&](const Token& token) {  // T &, T *, or an alias of such a type
    if (token.is_any({"&", "&&", "*", "[", "..."})) return true;
    const std::vector<std::size_t> named = unit_.find(token.text);
    return token.is_name() && std::any_of(named.begin(), named.end(), [&](std::size_t found) {
             const Declaration& alias = unit_.declarations()[found];
             return alias.kind == Declaration::Kind::Alias && !host_type(alias.tokens);
           });
  };
  for (std::size_t i = argument.callee + 1; i < argument.open; ++i) {  // f<int &>(n)
    if (may_refer(at(i))) return false;
  }
  for (const std::size_t found : unit_.find(at(argument.callee).text)) {
    const Declaration& declaration = unit_.declarations()[found];
    const std::size_t open = declaration.name_index + 1;
    if (!declaration.is_function || open >= declaration.tokens.size() || !declaration.tokens[open].is("("))
      return false;
    const std::vector<Tokens> parameters =
        split_at_commas(slice(declaration.tokens, open + 1, skip_group(declaration.tokens, open) - 1));
    if (argument.index >= parameters.size()) return false;
    const Tokens& parameter = parameters[argument.index];
    if (std::any_of(parameter.begin(), parameter.end(), may_refer)) return false;
  }
  return true;
}

}  // namespace ambit::parser::cuda
