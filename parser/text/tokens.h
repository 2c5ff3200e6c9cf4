#pragma once

#include <antlr4-runtime.h>

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "parser/text/reporter.h"
#include "parser/text/token_origins.h"

namespace ambit::parser {

/// A stream that has one character for each byte of a text. Therefore offsets and columns count bytes, as in
/// SourceSpan, and the text of a token is a slice of the source. Only comments and quoted text may contain non-ASCII
/// characters.
class ByteStream : public antlr4::ANTLRInputStream {
 public:
  explicit ByteStream(std::string_view text);
};

/// A token of a generated text, with the corresponding place in the original text.
class PlacedToken final : public antlr4::CommonToken {
 public:
  PlacedToken(antlr4::Token* token, SourceSpan place, bool is_name)
      : antlr4::CommonToken(token), place_(place), is_name_(is_name) {
    setLine(place.line);
    setCharPositionInLine(place.column == 0 ? 0 : place.column - 1);
  }
  SourceSpan place() const { return place_; }
  /// Returns whether the token is a name that may contain any characters, such as `Node::publish`.
  bool is_name() const { return is_name_; }

 private:
  SourceSpan place_;
  bool is_name_;
};

SourceSpan span_of(const antlr4::Token& token);

/// Reads the tokens of the body from byte offset `begin`, including the token for the end of the file. `lexer` must
/// outlive the tokens, because the tokens point into `lexer`, and the parser's error recovery requests new tokens from
/// it. Errors: text that is not a token, unsupported words, or nesting beyond kMaxNesting. read_tokens() checks the
/// nesting before parsing, because the parser is recursive. read_file() describes `origins`.
std::optional<std::vector<std::unique_ptr<antlr4::Token>>> read_tokens(antlr4::Lexer& lexer, const SourceFile& source,
                                                                       std::size_t begin, Reporter& reporter,
                                                                       const TokenOrigins* origins = nullptr);

}  // namespace ambit::parser
