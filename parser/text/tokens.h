#pragma once

#include <antlr4-runtime.h>

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/source.h"
#include "parser/text/reporter.h"
#include "parser/text/token_origins.h"

namespace ambit::parser {

/// The characters of a text, one a byte: offsets and columns then count bytes, as SourceSpan does, and the text of a
/// token is a slice of the source. Non-ASCII characters occur in comments and quoted texts only.
class ByteStream : public antlr4::ANTLRInputStream {
 public:
  explicit ByteStream(std::string_view text);
};

/// A token of a text that was laid out from another one: it stands at a place of that one.
class PlacedToken : public antlr4::CommonToken {
 public:
  PlacedToken(antlr4::Token* token, SourceSpan place, bool is_name)
      : antlr4::CommonToken(token), place_(place), is_name_(is_name) {
    setLine(place.line);
    setCharPositionInLine(place.column == 0 ? 0 : place.column - 1);
  }
  SourceSpan place() const { return place_; }
  /// Whatever its characters: `Node::publish`.
  bool is_name() const { return is_name_; }

 private:
  SourceSpan place_;
  bool is_name_;
};

SourceSpan span_of(const antlr4::Token& token);

/// The tokens of the body, from byte offset `begin` on, the end of file included. They point into `lexer`, which the
/// parser's error recovery asks for new ones. Errors (then nothing is returned):
/// text that is no token, words that the language does not have, nesting over kMaxNesting. The nesting is checked here,
/// before the parser, which is recursive. `origins`: see read_file.
std::optional<std::vector<std::unique_ptr<antlr4::Token>>> read_tokens(antlr4::Lexer& lexer, const SourceFile& source,
                                                                       std::size_t begin, Reporter& reporter,
                                                                       const TokenOrigins* origins = nullptr);

}  // namespace ambit::parser
