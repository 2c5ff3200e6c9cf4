#include "parser/cuda_host_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "parser/cuda_unit.h"

namespace ambit::parser::cuda {
namespace {

constexpr std::size_t kMaxSubstitutions = 1000;
constexpr int kMaxDepth = 20;  // of variables that are initialised with variables

/// ( dim3 ( 2 ) ) is dim3 ( 2 ).
Tokens drop_dim3_brackets(Tokens tokens) {
  const bool whole =
      tokens.size() > 3 && tokens[0].is("(") && tokens[1].is("dim3") && skip_group(tokens, 0) == tokens.size();
  return whole ? slice(tokens, 1, tokens.size() - 1) : tokens;
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

bool is_compound_assignment(const Token& token) {
  return token.kind == TokenKind::Punctuator && token.text.size() > 1 && token.text.ends_with('=') && !token.is("==") &&
         !token.is("!=") && !token.is("<=") && !token.is(">=");
}

/// Host variables whose value is constant put in.
Tokens HostValues::substitute(const Tokens& tokens, int depth) {
  Tokens result;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    const bool member = i > 0 && (tokens[i - 1].is(".") || tokens[i - 1].is("->") || tokens[i - 1].is("::"));
    const bool called =
        i + 1 < tokens.size() && (tokens[i + 1].is("(") || tokens[i + 1].is("::") || tokens[i + 1].is("<"));
    if (token.is("sizeof") && i + 1 < tokens.size() && tokens[i + 1].is("(")) {
      const std::size_t behind = skip_group(tokens, i + 1);
      if (const std::optional<Tokens> size = size_of_variable(slice(tokens, i + 2, behind - 1), depth)) {
        result.insert(result.end(), size->begin(), size->end());
        i = behind - 1;
        continue;
      }
      result.insert(result.end(), tokens.begin() + static_cast<std::ptrdiff_t>(i),
                    tokens.begin() + static_cast<std::ptrdiff_t>(behind));
      i = behind - 1;
      continue;
    }
    const std::optional<std::size_t> local = token.is_name() && !member ? variable(token.text) : std::nullopt;
    if (!local || depth > kMaxDepth || called) {
      result.push_back(token);
      continue;
    }
    std::optional<Tokens> value = ++substitutions_ > kMaxSubstitutions ? std::nullopt : constant_value(*local);
    if (!value) {
      reporter_.error(token.span, fmt::format("'{}' is not a constant of the host code", token.text),
                      std::string(kLaunchForm));
      failed_ = true;
      continue;
    }
    result.push_back(made_token(TokenKind::Punctuator, "(", token.span));
    Tokens inner = substitute(*value, depth + 1);
    for (Token& one : inner) one.span = token.span;
    result.insert(result.end(), inner.begin(), inner.end());
    result.push_back(made_token(TokenKind::Punctuator, ")", token.span));
  }
  return drop_dim3_brackets(std::move(result));
}

/// The type of a declared variable with its stars: `int *` of b in `const int a, *b;`.
Tokens HostValues::type_of(std::size_t declared) const {
  Tokens type;
  for (std::size_t i = statement_begin(declared); i < declared; ++i) {
    const Token& next = code_[i + 1];
    const bool declarator = next.is("=") || next.is(",") || next.is("(") || next.is("[") || next.is("{");
    if (code_[i].is("*") || (code_[i].is_name() && declarator)) break;
    if (!code_[i].is("const") && !code_[i].is("static") && !code_[i].is("constexpr")) type.push_back(code_[i]);
  }
  for (std::size_t i = declared; i > 0 && code_[i - 1].is("*"); --i) type.push_back(code_[i - 1]);
  return type;
}

/// sizeof of a host variable, or of what it points at, as ( sizeof(TYPE) * (LENGTH) ); nothing when `tokens` name none.
std::optional<Tokens> HostValues::size_of_variable(const Tokens& tokens, int depth) {
  const bool pointed = tokens.size() == 2 && tokens[0].is("*");  // sizeof(*d)
  const std::optional<std::size_t> local =
      (tokens.size() == 1 || pointed) && tokens.back().is_name() ? variable(tokens.back().text) : std::nullopt;
  if (!local || depth > kMaxDepth) return std::nullopt;
  const SourceSpan at = tokens[0].span;
  Tokens size;
  const auto put = [&](TokenKind kind, std::string text) { size.push_back(made_token(kind, std::move(text), at)); };
  put(TokenKind::Punctuator, "(");
  put(TokenKind::Name, "sizeof");
  put(TokenKind::Punctuator, "(");
  const Tokens type = type_of(*local);
  size.insert(size.end(), type.begin(), pointed && !type.empty() ? type.end() - 1 : type.end());
  put(TokenKind::Punctuator, ")");
  for (std::size_t i = *local + 1; i < code_.size() && code_[i].is("["); i = skip_group(code_, i)) {
    Tokens length = substitute(slice(code_, i + 1, skip_group(code_, i) - 1), depth + 1);
    if (length.empty()) {  // T h[] = {...}
      const Tokens values = initializer_of(slice(code_, i + 1, end_), 0);
      const std::size_t count =
          values.size() > 2 && values[0].is("{") ? split_at_commas(slice(values, 1, values.size() - 1)).size() : 0;
      length = {made_token(TokenKind::Number, std::to_string(count), at)};
    }
    put(TokenKind::Punctuator, "*");
    put(TokenKind::Punctuator, "(");
    size.insert(size.end(), length.begin(), length.end());
    put(TokenKind::Punctuator, ")");
  }
  put(TokenKind::Punctuator, ")");
  return size;
}

/// Index of the name where the function declares a variable before the launch.
std::optional<std::size_t> HostValues::variable(std::string_view name) const {
  static const std::set<std::string, std::less<>> kNoTypes = {"return", "else",   "case", "goto",
                                                              "throw",  "delete", "new"};
  for (std::size_t i = end_; i-- > 1;) {
    if (!code_[i].is(name) || !code_[i].is_name() || i + 1 >= code_.size()) continue;
    const Token& before = code_[i - 1];
    const bool typed = before.is_name() && !kNoTypes.contains(before.text);
    const bool pointer = (before.is("*") || before.is(">")) && only_type_before(i);
    std::size_t star = i - 1;
    while (star > 0 && code_[star].is("*")) --star;
    const bool listed = code_[star].is(",") && in_declaration(i);
    const Token& after = code_[i + 1];
    const bool ends =
        after.is("=") || after.is(";") || after.is(",") || after.is("(") || after.is("{") || after.is("[");
    if ((typed || pointer || listed) && ends) return i;
  }
  return std::nullopt;
}

/// First token of the statement around `at`; brackets on the way are stepped over.
std::size_t HostValues::statement_begin(std::size_t at) const {
  std::size_t depth = 0;
  std::size_t i = at;
  for (; i > 0; --i) {
    const Token& token = code_[i - 1];
    const bool closes = token.is(")") || token.is("]") || (token.is("}") && depth > 0);
    const bool opens = token.is("(") || token.is("[") || (token.is("{") && depth > 0);
    if (opens && depth == 0) break;
    if (depth == 0 && (token.is(";") || token.is("{") || token.is("}"))) break;
    depth += closes ? 1 : 0;
    depth -= opens ? 1 : 0;
  }
  return i;
}

/// `T * name`, not `n = a * name`.
bool HostValues::only_type_before(std::size_t at) const {
  const auto begin = code_.begin() + static_cast<std::ptrdiff_t>(statement_begin(at));
  return std::all_of(begin, code_.begin() + static_cast<std::ptrdiff_t>(at), [](const Token& token) {
    return token.is_name() || token.is("*") || token.is("::") || token.is("<") || token.is(">");
  });
}

/// `int a = 1, b = 2;`: the statement that b stands in begins with a type.
bool HostValues::in_declaration(std::size_t at) const {
  const std::size_t i = statement_begin(at);
  return i + 1 < at && code_[i].is_name() && (code_[i + 1].is_name() || code_[i + 1].is("*"));
}

/// What a variable is initialised with, when nothing may change it before the launch.
std::optional<Tokens> HostValues::constant_value(std::size_t declared) const {
  const std::string& name = code_[declared].text;
  for (std::size_t i = declared + 1; i < end_; ++i) {
    if (!code_[i].is(name) || !code_[i].is_name()) continue;
    const Token& after = code_[i + 1];
    const Token& before = code_[i - 1];
    const bool assigned = after.is("=") || after.is("++") || after.is("--") || before.is("++") || before.is("--") ||
                          is_compound_assignment(after);
    if (assigned || before.is("&") || before.is(">>")) return std::nullopt;
  }
  Tokens value = initializer_of(code_, declared);
  const std::size_t type = statement_begin(declared);
  if (code_[type].is("dim3") || (code_[type].is("const") && code_[type + 1].is("dim3"))) {
    const bool constructed = !value.empty() && value.front().is("dim3");
    if (constructed) return value;
    Tokens made = {made_token(TokenKind::Name, "dim3", code_[declared].span),
                   made_token(TokenKind::Punctuator, "(", code_[declared].span)};
    made.insert(made.end(), value.begin(), value.end());
    made.push_back(made_token(TokenKind::Punctuator, ")", code_[declared].span));
    return value.empty() ? std::nullopt : std::optional(made);
  }
  if (value.empty()) return std::nullopt;
  return value;
}

/// A host variable that occurs in copies only.
bool HostValues::unchanged(std::size_t declared, const std::string& name) const {
  for (std::size_t i = declared + 1; i < end_; ++i) {
    if (!code_[i].is(name)) continue;
    const bool passed = code_[i - 1].is(",") || (i > 1 && code_[i - 1].is("&") && code_[i - 2].is(","));
    const bool measured = code_[i - 1].is("(") && i > 1 && code_[i - 2].is("sizeof");
    if (!passed && !measured) return false;
  }
  return true;
}

}  // namespace ambit::parser::cuda
