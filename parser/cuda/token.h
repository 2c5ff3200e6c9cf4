#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/source.h"

/// CUDA sources (.cu files, docs/cuda-sources.md): preprocesses the file, selects the device code and rewrites it as a
/// litmus test, which the litmus parser reads.
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
  SourceSpan span;                                      ///< in the file; for an expanded token, the macro's use
  bool spaced = false;                                  ///< follows white space
  bool starts_line = false;                             ///< the first token of its logical line
  bool is_annotation = false;                           ///< from a comment `ambit: ...`
  std::shared_ptr<const std::set<std::string>> hidden;  ///< macros that are not expanded again here [cpp.rescan]

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

/// Returns the index after the bracket that closes the one at `open`, or tokens.size() if it is not closed. For `<`,
/// matches angle brackets.
std::size_t skip_group(const Tokens& tokens, std::size_t open);
std::size_t skip_angles(const Tokens& tokens, std::size_t open);

/// Returns the tokens first .. last-1.
Tokens slice(const Tokens& tokens, std::size_t first, std::size_t last);

/// In template arguments, angles that match are brackets.
enum class Angles : std::uint8_t { AreOperators, AreBrackets };

/// Returns the parts between the commas outside brackets; no parts for no tokens.
std::vector<Tokens> split_at_commas(const Tokens& tokens, Angles angles = Angles::AreOperators);

}  // namespace ambit::parser::cuda
