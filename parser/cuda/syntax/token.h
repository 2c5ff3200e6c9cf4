#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"

/// CUDA sources (.cu files, docs/reference/cuda-sources.md): preprocesses the file, selects the device code and
/// rewrites it as a litmus test, which the litmus parser reads.
namespace ambit::parser::cuda {

enum class TokenKind : std::uint8_t {
  Name,
  Number,
  Text,
  Character,
  Punctuator,
  NearAnnotation,  ///< the first words of a comment that resembles `ambit: ...`
  Other
};

/// A preprocessing token [lex.pptoken].
struct Token {
  TokenKind kind = TokenKind::Other;
  std::string text;
  /// place in the file; for an expanded token, the place of the macro's use
  SourceSpan span;
  bool spaced = false;         ///< whether white space precedes the token
  bool starts_line = false;    ///< whether the token is the first token of a logical line
  bool is_annotation = false;  ///< whether the token is from a comment `ambit: ...`
  /// The hide set: macros that are not expanded again in this token [cpp.rescan].
  std::shared_ptr<const std::set<std::string>> hidden;

  bool is(std::string_view wanted) const { return text == wanted && kind != TokenKind::Text; }
  bool is_any(std::initializer_list<std::string_view> wanted) const {
    return kind != TokenKind::Text && std::ranges::find(wanted, text) != wanted.end();
  }
  bool opens() const { return is_any({"(", "[", "{"}); }
  bool closes() const { return is_any({")", "]", "}"}); }
  bool is_name() const { return kind == TokenKind::Name; }
};
using Tokens = std::vector<Token>;

/// Returns whether one of the tokens is `word`.
bool has_word(const Tokens& tokens, std::string_view word);

/// Returns the index after the bracket that closes the bracket at `open`; tokens.size() if the bracket is not closed.
/// skip_angles() is for `<`, and matches `<` with `>`.
std::size_t skip_group(const Tokens& tokens, std::size_t open);
std::size_t skip_angles(const Tokens& tokens, std::size_t open);

/// Returns the tokens first .. last-1.
Tokens slice(const Tokens& tokens, std::size_t first, std::size_t last);

/// Says how to read < and >. In template arguments, < and > are brackets; elsewhere, < and > are operators.
enum class Angles : std::uint8_t { AreOperators, AreBrackets };

/// Splits a list at the commas that are outside of brackets. An empty list has no parts.
std::vector<Tokens> split_at_commas(const Tokens& tokens, Angles angles = Angles::AreOperators);

}  // namespace ambit::parser::cuda
