// Resolves the names of constants and types in function bodies, and evaluates `if constexpr`.

#include <algorithm>
#include <utility>

#include "parser/cuda/launch/device_code.h"
#include "parser/cuda/library/type_sizes.h"

namespace ambit::parser::cuda {
namespace {

/// Returns the index after the next `;` outside of brackets.
std::size_t past_semicolon(const Tokens& tokens, std::size_t at) {
  while (at < tokens.size() && !tokens[at].is(";")) at = tokens[at].opens() ? skip_group(tokens, at) : at + 1;
  return std::min(at + 1, tokens.size());
}

/// Returns the index after the statement at `at`.
std::size_t past_statement(const Tokens& tokens, std::size_t at) {
  if (at >= tokens.size()) return at;
  if (tokens[at].is("{")) return skip_group(tokens, at);
  const bool is_if = tokens[at].is("if");
  if (is_if || tokens[at].is_any({"for", "while", "switch"})) {
    std::size_t open = at + 1;
    if (open < tokens.size() && tokens[open].is("constexpr")) ++open;
    std::size_t past = past_statement(tokens, skip_group(tokens, open));
    if (is_if && past < tokens.size() && tokens[past].is("else")) past = past_statement(tokens, past + 1);
    return past;
  }
  if (tokens[at].is("do")) return past_semicolon(tokens, past_statement(tokens, at + 1));
  return past_semicolon(tokens, at);
}

}  // namespace

/// Removes `using T = ...;` from a function's body and adds the types to `names`. Adds the constants of the body to
/// `locals`, because template arguments may use them. A name that is declared with two different values is not a
/// constant.
Tokens DeviceCode::without_local_names(const Tokens& body, const Context& outer, Substitution& names,
                                       Substitution& locals) {
  Tokens code;
  std::set<std::string> ambiguous;
  const auto add = [&](Substitution& to, const std::string& name, Tokens tokens) {
    const auto known = to.find(name);
    const bool differs =
        known != to.end() && !std::ranges::equal(known->second, tokens, {}, &Token::text, &Token::text);
    if (differs) ambiguous.insert(name);
    to[name] = std::move(tokens);
  };
  for (std::size_t i = 0; i < body.size(); ++i) {
    const Context context{&names, outer.structure, 0, &locals, outer.space};
    const bool is_alias = body[i].is("using") && i + 2 < body.size() && body[i + 1].is_name() && body[i + 2].is("=");
    if (is_alias) {
      const std::size_t past = past_semicolon(body, i);
      Tokens type = put_in(slice(body, i + 3, past - 1), context);
      if (!has_word(type, "*") && !has_word(type, "(")) {
        add(names, body[i + 1].text, std::move(type));
        i = past - 1;
        continue;
      }
    }
    const bool is_constant = body[i].is("constexpr") || body[i].is("const");
    const bool begins = i == 0 || body[i - 1].is_any({";", "{", "}", "static", ")"});
    if (is_constant && begins) {
      const std::size_t past = past_semicolon(body, i);
      const auto equals =
          std::find_if(body.begin() + static_cast<std::ptrdiff_t>(i), body.begin() + static_cast<std::ptrdiff_t>(past),
                       [](const Token& token) { return token.is("=") || token.is("{"); });
      const auto at = static_cast<std::size_t>(equals - body.begin());
      if (at < past && at > i + 1 && body[at - 1].is_name()) {
        const Tokens value = initializer_of(slice(body, i, past), at - 1 - i);
        if (const auto known = silent_constant(put_in(value, context))) {
          add(locals, body[at - 1].text, {number_token(*known, body[at - 1])});
        }
      }
    }
    code.push_back(body[i]);
  }
  for (const std::string& name : ambiguous) locals.erase(name);
  return code;
}

/// Reads `if constexpr (C) S else T`. Emits S or T if the value of C is known; otherwise, emits an `if` statement.
/// Returns the index after the statement.
std::size_t DeviceCode::constant_branch(const Tokens& tokens, std::size_t at, const Context& context, Pieces& pieces) {
  const std::size_t open = at + 2;
  if (open >= tokens.size() || !tokens[open].is("(")) return open;
  const std::size_t close = skip_group(tokens, open);
  const std::optional<std::int64_t> value = silent_constant(put_in(slice(tokens, open + 1, close - 1), context));
  if (!value) {
    rewrite(slice(tokens, at, at + 1), context, pieces);
    rewrite(slice(tokens, open, close), context, pieces);
    return close;
  }
  const std::size_t end = past_statement(tokens, close);
  const bool has_else = end < tokens.size() && tokens[end].is("else");
  const std::size_t past = has_else ? past_statement(tokens, end + 1) : end;
  const Tokens chosen = *value != 0 ? slice(tokens, close, end) : has_else ? slice(tokens, end + 1, past) : Tokens{};
  pieces.push_back({"{", tokens[at].span, Piece::Kind::Plain, true});
  rewrite(chosen, context, pieces);
  pieces.push_back({"}", tokens[at].span, Piece::Kind::Plain, true});
  return past;
}

/// Returns the value of a constant expression. If the expression is not constant, returns nothing and reports no error.
std::optional<std::int64_t> DeviceCode::silent_constant(const Tokens& tokens) {
  return tokens.empty() ? std::nullopt : known_constant(with_type_properties(tokens));
}

}  // namespace ambit::parser::cuda
