#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/source.h"

/// CUDA sources (.cu files, docs/cuda-sources.md): preprocessing, the choice of the device code, and its layout as a
/// litmus test, which the reader of the litmus language then reads.
namespace ambit::parser::cuda {

enum class TokenKind : std::uint8_t {
  Name,
  Number,
  Text,
  Character,
  Punctuator,
  NearAnnotation,  ///< the first words of a comment that is nearly `ambit: ...`
  Other
};

/// A preprocessing token [lex.pptoken].
struct Token {
  TokenKind kind = TokenKind::Other;
  std::string text;
  SourceSpan span;             ///< in the file; of the macro's use where the token comes out of an expansion
  bool spaced = false;         ///< white space stands before it
  bool starts_line = false;    ///< first of its logical line
  bool is_annotation = false;  ///< from a comment `ambit: ...`
  std::shared_ptr<const std::set<std::string>> hidden;  ///< macros that are not expanded here again [cpp.rescan]

  bool is(std::string_view wanted) const { return text == wanted && kind != TokenKind::Text; }
  bool is_name() const { return kind == TokenKind::Name; }
};
using Tokens = std::vector<Token>;

/// Index behind the bracket that closes the one at `open`, or tokens.size() when there is none. Of `<`: by angle
/// brackets.
std::size_t skip_group(const Tokens& tokens, std::size_t open);
std::size_t skip_angles(const Tokens& tokens, std::size_t open);

/// Tokens first .. last-1.
Tokens slice(const Tokens& tokens, std::size_t first, std::size_t last);

/// The parts between commas outside brackets; none for no tokens.
std::vector<Tokens> split_at_commas(const Tokens& tokens);

}  // namespace ambit::parser::cuda
