#include "parser/cuda/launch/host_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "parser/cuda/syntax/constant.h"
#include "parser/cuda/syntax/unit.h"

namespace ambit::parser::cuda {
namespace {

constexpr std::size_t kMaxSubstitutions = 1000;
constexpr int kMaxInitializerDepth = 20;  // maximum length of a chain of variables that initialize each other

/// Removes the outer brackets of `( dim3 ( 2 ) )`.
Tokens drop_dim3_brackets(Tokens tokens) {
  const bool whole =
      tokens.size() > 3 && tokens[0].is("(") && tokens[1].is("dim3") && skip_group(tokens, 0) == tokens.size();
  return whole ? slice(tokens, 1, tokens.size() - 1) : tokens;
}

/// Returns the C++ literal of a number of this type.
Tokens literal(std::int64_t value, const HostType& type, SourceSpan span) {
  const bool negative = value < 0 && (type.is_signed() || type.bytes < 8);
  const std::uint64_t magnitude = negative ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  const std::string suffix =
      type.bytes < 4 ? "" : (type.is_signed() ? "" : "u") + std::string(type.bytes == 8 ? "ll" : "");
  Tokens made;
  if (negative) made.push_back(made_token(TokenKind::Punctuator, "-", span));
  made.push_back(made_token(TokenKind::Number, std::to_string(magnitude) + suffix, span));
  return made;
}

/// Returns ( T ) ( value ).
Tokens cast(Tokens value, const HostType& type, SourceSpan span) {
  static const std::map<std::int64_t, std::string> kWords = {{1, "char"}, {2, "short"}, {4, "int"}, {8, "long long"}};
  Tokens made = {made_token(TokenKind::Punctuator, "(", span)};
  if (!type.is_signed() && !type.is_bool()) made.push_back(made_token(TokenKind::Name, "unsigned", span));
  made.push_back(made_token(TokenKind::Name, type.is_bool() ? "bool" : kWords.at(type.bytes), span));
  made.push_back(made_token(TokenKind::Punctuator, ")", span));
  made.push_back(made_token(TokenKind::Punctuator, "(", span));
  std::move(value.begin(), value.end(), std::back_inserter(made));
  made.push_back(made_token(TokenKind::Punctuator, ")", span));
  return made;
}

std::int64_t convert(std::int64_t value, const HostType& type) {
  if (type.is_bool()) return value != 0 ? 1 : 0;
  if (type.bytes >= 8) return value;
  const auto bits = static_cast<unsigned>(type.bytes * 8);
  const std::uint64_t low = static_cast<std::uint64_t>(value) & ((std::uint64_t{1} << bits) - 1);
  const bool negative = type.is_signed() && (low >> (bits - 1)) != 0;
  return static_cast<std::int64_t>(negative ? low | (~std::uint64_t{0} << bits) : low);
}

}  // namespace

Token made_token(TokenKind kind, std::string text, SourceSpan span) {
  Token token;
  token.kind = kind;
  token.text = std::move(text);
  token.span = span;
  token.spaced = true;
  return token;
}

std::optional<HostType> HostValues::type(const Tokens& words) {
  if (const std::optional<HostType> known = host_type(words)) return known;
  Tokens resolved;
  for (const Piece& piece : device_.rewrite(words)) {
    const bool star = piece.text == "*";
    resolved.push_back(made_token(star ? TokenKind::Punctuator : TokenKind::Name, piece.text, piece.span));
  }
  return host_type(resolved);
}

/// Replaces sizeof of scalars and pointers by numbers.
Tokens HostValues::with_sizes(const Tokens& tokens) {
  Tokens result;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].is("sizeof") && i + 1 < tokens.size() && tokens[i + 1].is("(")) {
      const std::size_t past = skip_group(tokens, i + 1);
      if (const std::optional<HostType> measured = type(slice(tokens, i + 2, past - 1))) {
        result.push_back(made_token(TokenKind::Number, std::to_string(measured->bytes) + "ull", tokens[i].span));
        i = past - 1;
        continue;
      }
    }
    result.push_back(tokens[i]);
  }
  return result;
}

Tokens HostValues::known(const Tokens& tokens, std::size_t at) {
  const bool had_failed = std::exchange(failed_, false);
  is_silent_ = true;
  Tokens result = with_sizes(substitute(tokens, at));
  is_silent_ = false;
  if (failed_) result.clear();
  failed_ = had_failed;
  return result;
}

void HostValues::report(const Token& use, std::size_t declared) {
  if (is_silent_) {
    failed_ = true;
    return;
  }
  const std::optional<std::size_t> changed = function_.is_parameter(declared) ? std::nullopt : change(declared);
  const std::string why =
      changed ? fmt::format(": line {} may change it", function_.at(*changed).span.line) : std::string{};
  reporter_.error(use.span, fmt::format("'{}' is not a constant in the host code{}", use.text, why),
                  std::string(kLaunchForm));
  failed_ = true;
}

/// Appends the sizeof expression at index `i` of `tokens` to `result`. The sizeof of a variable becomes a product.
/// Returns the index after the sizeof expression.
std::size_t HostValues::put_size(const Tokens& tokens, std::size_t i, std::size_t at, int depth, Tokens& result) {
  std::size_t begin = i + 1;
  std::size_t end = begin;
  if (begin < tokens.size() && tokens[begin].is("(")) {
    end = skip_group(tokens, begin++);
  } else {
    while (end < tokens.size() && tokens[end].is("*")) ++end;
    if (end < tokens.size() && tokens[end].is_name()) ++end;
    while (end < tokens.size() && tokens[end].is("[")) end = skip_group(tokens, end);
  }
  const Tokens operand = slice(tokens, begin, tokens[end - 1].is(")") ? end - 1 : end);
  const std::optional<Tokens> size = size_of_variable(operand, at, depth);
  const Tokens put = size ? *size : slice(tokens, i, end);
  result.insert(result.end(), put.begin(), put.end());
  return end;
}

Tokens HostValues::substitute(const Tokens& tokens, std::size_t at, int depth) {
  Tokens result;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.is("sizeof")) {
      i = put_size(tokens, i, at, depth, result) - 1;
      continue;
    }
    if (const std::optional<Tokens> size = size_of_vector(tokens, i, at)) {
      result.insert(result.end(), size->begin(), size->end());
      i += 4;
      continue;
    }
    const bool member = i > 0 && tokens[i - 1].is_any({".", "->", "::"});
    const bool called = i + 1 < tokens.size() && (tokens[i + 1].is("(") || tokens[i + 1].is("::"));
    const std::optional<std::size_t> local =
        token.is_name() && !member && !called ? function_.declaration(token.text, at) : std::nullopt;
    if (!local) {
      result.push_back(token);
      continue;
    }
    const std::optional<Tokens> value = value_of(token, *local, depth);
    if (!value) continue;
    result.push_back(made_token(TokenKind::Punctuator, "(", token.span));
    for (Token one : *value) {
      one.span = token.span;
      result.push_back(std::move(one));
    }
    result.push_back(made_token(TokenKind::Punctuator, ")", token.span));
  }
  return drop_dim3_brackets(std::move(result));
}

/// If the tokens at `i` are `h.size()` and h is declared as std::vector<T> h(LENGTH, ...), returns LENGTH; otherwise,
/// nothing.
std::optional<Tokens> HostValues::size_of_vector(const Tokens& tokens, std::size_t i, std::size_t at) {
  if (i + 4 >= tokens.size() || !tokens[i + 1].is(".") || !tokens[i + 2].is("size") || !tokens[i + 3].is("(") ||
      !tokens[i].is_name()) {
    return std::nullopt;
  }
  const std::optional<std::size_t> declared = function_.declaration(tokens[i].text, at);
  if (!declared || !function_.at(*declared + 1).is("(")) return std::nullopt;
  const Tokens type = function_.type_of(*declared);
  if (std::ranges::none_of(type, [](const Token& token) { return token.is("vector"); })) return std::nullopt;
  for (const std::size_t place : function_.places(tokens[i].text)) {  // push_back and similar members change the length
    const bool grows = function_.at(place + 1).is(".") &&
                       !function_.at(place + 2).is_any({"size", "data", "empty", "begin", "end", "front", "back"});
    const bool passed = uses_.argument(place).has_value();
    if (place > *declared && (grows || passed || function_.at(place + 1).is("="))) return std::nullopt;
  }
  const std::vector<Tokens> parts =
      split_at_commas(slice(function_.code(), *declared + 2, function_.partner(*declared + 1)));
  if (parts.empty()) return std::nullopt;
  Tokens result = {made_token(TokenKind::Punctuator, "(", tokens[i].span)};
  const Tokens length = substitute(parts[0], *declared, 1);
  result.insert(result.end(), length.begin(), length.end());
  result.push_back(made_token(TokenKind::Punctuator, ")", tokens[i].span));
  return result;
}

/// Returns the value of a local variable. If the value is unknown, reports an error and returns nothing.
std::optional<Tokens> HostValues::value_of(const Token& use, std::size_t declared, int depth) {
  if (depth > kMaxInitializerDepth || ++substitutions_ > kMaxSubstitutions) {
    if (!failed_ && !is_silent_) {
      reporter_.error(
          use.span,
          fmt::format(
              "the value of '{}' depends on more than {} variables, or their initializers are nested deeper than {}",
              use.text, kMaxSubstitutions, kMaxInitializerDepth),
          std::string(kLaunchForm));
    }
    failed_ = true;
    return std::nullopt;
  }
  if (const std::optional<Tokens>& value = constant_value(declared)) {
    if (std::optional<Tokens> held = converted(declared, substitute(*value, declared, depth + 1))) return held;
  }
  report(use, declared);
  return std::nullopt;
}

/// Returns `value` converted to the variable's type: 2 for `char c = 258;`, 2u for `unsigned n = 2;`. Returns nothing
/// if the type is not known to be an integer type.
std::optional<Tokens> HostValues::converted(std::size_t declared, Tokens value) {
  const Tokens words = function_.type_of(declared);
  const bool taken_over = !words.empty() && (words.front().is("dim3") || words.front().is("auto"));
  if (taken_over) return value;
  const std::optional<HostType> held = type(words);
  if (!held || !held->is_integer()) return std::nullopt;
  const std::optional<std::int64_t> number = device_.known_constant(with_sizes(value));
  if (number) return literal(convert(*number, *held), *held, function_.at(declared).span);
  return cast(std::move(value), *held, function_.at(declared).span);  // `value` may contain the sizeof of a struct
}

std::optional<std::int64_t> HostValues::bytes(const Tokens& tokens, std::size_t at) {
  const Tokens put = with_sizes(substitute(tokens, at));
  return put.empty() || failed_ ? std::nullopt : device_.known_constant(put);
}

/// Returns the size of a host variable, or of the memory that the variable points to, as ( sizeof(TYPE) * (LENGTH) ).
/// Returns nothing if `tokens` do not name a host variable.
std::optional<Tokens> HostValues::size_of_variable(const Tokens& tokens, std::size_t at, int depth) {
  const bool star = tokens.size() == 2 && tokens[0].is("*");  // sizeof(*d)
  const bool element = tokens.size() > 2 && tokens[1].is("[") && skip_group(tokens, 1) == tokens.size();
  if (tokens.empty() || (tokens.size() > 1 && !star && !element) || depth > kMaxInitializerDepth) return std::nullopt;
  const Token& name = tokens[star ? 1 : 0];
  const std::optional<std::size_t> local =
      name.is_name() ? function_.declaration(name.text, at) : std::optional<std::size_t>();
  if (!local) return std::nullopt;
  const bool array = function_.at(*local + 1).is("[");
  const Tokens type = function_.type_of(*local);
  const bool pointed = (star || element) && !array;
  if (pointed && (type.empty() || !type.back().is("*"))) return std::nullopt;
  const SourceSpan span = tokens[0].span;
  const Tokens& code = function_.code();
  Tokens size;
  const auto put = [&](TokenKind kind, std::string text) { size.push_back(made_token(kind, std::move(text), span)); };
  put(TokenKind::Punctuator, "(");
  put(TokenKind::Name, "sizeof");
  put(TokenKind::Punctuator, "(");
  size.insert(size.end(), type.begin(), pointed ? type.end() - 1 : type.end());
  put(TokenKind::Punctuator, ")");
  const std::size_t lengths = array && (star || element) ? function_.partner(*local + 1) + 1 : *local + 1;
  for (std::size_t i = lengths; function_.at(i).is("["); i = function_.partner(i) + 1) {
    Tokens length = substitute(slice(code, i + 1, function_.partner(i)), *local, depth + 1);
    if (length.empty()) {  // T h[] = {...}
      const std::size_t count = split_at_commas(listed_values(function_.partner(i)).value_or(Tokens{})).size();
      length = {made_token(TokenKind::Number, std::to_string(count), span)};
    }
    put(TokenKind::Punctuator, "*");
    put(TokenKind::Punctuator, "(");
    size.insert(size.end(), length.begin(), length.end());
    put(TokenKind::Punctuator, ")");
  }
  put(TokenKind::Punctuator, ")");
  return size;
}

/// Returns the first place where a variable may change between its declaration and the launch.
std::optional<std::size_t> HostValues::change(std::size_t declared) const {
  if (function_.is_constant(declared)) return std::nullopt;
  const std::string& name = function_.at(declared).text;
  const bool array = function_.at(declared + 1).is("[");
  for (const std::size_t place : function_.places(name)) {
    if (place <= declared || place >= end_ || function_.declaration(name, place) != declared) continue;
    if (uses_.is_unevaluated(place) || uses_.is_read(place, array)) continue;
    const std::optional<HostArgument> argument = uses_.argument(place);
    const bool copied_from = argument && argument->index == 1 &&
                             (uses_.calls(*argument, "cudaMemcpy") || uses_.calls(*argument, "cudaMemcpyAsync") ||
                              uses_.calls(*argument, "memcpy"));
    if (!copied_from) return place;
  }
  return std::nullopt;
}

const std::optional<Tokens>& HostValues::constant_value(std::size_t declared) {
  const auto known = constants_.find(declared);
  if (known != constants_.end()) return known->second;
  std::optional<Tokens> value = change(declared) ? std::nullopt : initial_value(declared);
  return constants_.emplace(declared, std::move(value)).first->second;
}

/// Returns the initial value of a variable. The initial value of `T n{}` is 0.
std::optional<Tokens> HostValues::initial_value(std::size_t declared) const {
  if (function_.is_parameter(declared)) return std::nullopt;
  if (function_.is_reference(declared) && !function_.is_constant(declared)) return std::nullopt;
  Tokens value = initializer_of(function_.code(), declared);
  const SourceSpan span = function_.at(declared).span;
  const Tokens type = function_.type_of(declared);
  if (!type.empty() && type.front().is("dim3")) {
    const bool constructed = !value.empty() && value.front().is("dim3");
    if (constructed) return value;
    Tokens made = {made_token(TokenKind::Name, "dim3", span), made_token(TokenKind::Punctuator, "(", span)};
    made.insert(made.end(), value.begin(), value.end());
    made.push_back(made_token(TokenKind::Punctuator, ")", span));
    return value.empty() ? std::nullopt : std::optional(made);
  }
  if (!value.empty()) return value;
  const bool zero = function_.at(declared + 1).is("{") && function_.at(declared + 2).is("}");
  return zero ? std::optional(Tokens{made_token(TokenKind::Number, "0", span)}) : std::nullopt;
}

/// Returns the tokens between the braces of the initializer after `index`, without a trailing comma; nothing if there
/// is no initializer.
std::optional<Tokens> HostValues::listed_values(std::size_t index) const {
  const std::size_t open = function_.at(index + 1).is("=") ? index + 2 : index + 1;
  if (!function_.at(open).is("{")) return std::nullopt;
  const std::size_t close = function_.partner(open);
  const bool comma = close > open + 1 && function_.at(close - 1).is(",");
  return slice(function_.code(), open + 1, comma ? close - 1 : close);
}

std::optional<Tokens> HostValues::contents(std::size_t declared) {
  const Token& name = function_.at(declared);
  if (!function_.at(declared + 1).is("[")) {
    if (!constant_value(declared)) return std::nullopt;
    return substitute({name}, declared);
  }
  const std::size_t close = function_.partner(declared + 1);
  if (change(declared) || function_.is_parameter(declared) || function_.at(close + 1).is("[")) return std::nullopt;
  const std::optional<Tokens> values = listed_values(close);
  if (!values) return std::nullopt;
  if (values->empty()) return Tokens{made_token(TokenKind::Number, "0", name.span)};
  return substitute(*values, declared);
}

}  // namespace ambit::parser::cuda
