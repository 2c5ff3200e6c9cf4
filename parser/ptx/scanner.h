#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/source.h"
#include "parser/ptx/test_tree.h"
#include "parser/text/reporter.h"

namespace ambit::parser::ptx {

struct Token {
  enum class Kind : std::uint8_t { Word, Number, Punctuation, End } kind = Kind::End;
  std::string_view text;  ///< text of the token, a slice of the source
  SourceSpan span;
  Value value = 0;  ///< value of a Number
  /// The type of a Number: the narrowest of int, unsigned, long long and unsigned long long that represents the value.
  ScalarType literal = kInt;

  bool is(std::string_view punctuation) const { return kind == Kind::Punctuation && text == punctuation; }
  bool is_word(std::string_view word) const { return kind == Kind::Word && text == word; }
  Word word() const { return {text, span}; }
};

/// Splits the columns of a PTX litmus file into words, numbers and single characters, with one token of lookahead. A
/// word may contain dots ("ld.relaxed.gpu", "d0.b0.t0") and "::" ("shared::cta"). The scanner is written by hand,
/// because a generated lexer and parser would be slow: they take more than twice the time of all other work on a test
/// (docs/reference/ptx-files.md).
class Scanner {
 public:
  /// Begins at byte offset `begin` of the text.
  Scanner(const SourceFile& source, std::size_t begin, Reporter& reporter);

  const Token& current() const { return current_; }
  /// Returns the byte offset of the current token.
  std::size_t offset() const { return current_begin_; }
  /// Returns the first non-blank character after the current token.
  char next_character() const;
  /// Advances to the next token.
  void advance();
  /// Returns the end of the previous token. Errors about a missing token refer to this place.
  SourceSpan after_previous() const { return after_previous_; }

  /// Skips the punctuation. If the current token is not this punctuation, reports "expected WHAT, found ...".
  bool expect(std::string_view punctuation, std::string_view what = {});
  /// Reports "expected WHAT, found ...". If the current token begins a line, the error is at the end of the previous
  /// line.
  void report_expected(std::string_view what, std::string hint = {});
  /// Describes the current token in messages, for example "'x'" or "the end of the file".
  std::string found() const;
  /// Skips tokens up to a character in `stops` or the end of the text.
  void skip_to(std::string_view stops);
  /// Taints the registers and labels between the byte offset `begin` and the current token, after an error in this
  /// text. Errors about tainted names are not reported, because the first error may have caused them.
  void taint_since(std::size_t begin);

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool skip_blanks();
  bool skip_comment(std::string_view close);
  void take_word();
  void take_number();
  SourceSpan span_from(std::size_t begin) const;

  std::string_view text_;
  Reporter& reporter_;
  std::size_t at_ = 0;
  std::size_t current_begin_ = 0;
  std::uint32_t line_ = 1;
  std::size_t line_begin_ = 0;
  SourceSpan after_previous_;
  Token current_;
};

}  // namespace ambit::parser::ptx
