#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/source.h"
#include "parser/ptx/test_tree.h"
#include "parser/text/reporter.h"

namespace ambit::parser::ptx {

struct Token {
  enum class Kind : std::uint8_t { Word, Number, Punctuation, End } kind = Kind::End;
  std::string_view text;  ///< a slice of the source
  SourceSpan span;
  Value value = 0;            ///< Number
  ScalarType literal = kInt;  ///< Number: the narrowest of int, unsigned, long long, unsigned long long that holds it

  bool is(std::string_view punctuation) const { return kind == Kind::Punctuation && text == punctuation; }
  bool is_word(std::string_view word) const { return kind == Kind::Word && text == word; }
  Word word() const { return {text, span}; }
};

/// Cuts the columns of a PTX litmus file into words, numbers and single characters, one token ahead. A word holds dots
/// ("ld.relaxed.gpu", "d0.b0.t0") and "::" within ("shared::cta"). The columns are a table rather than a language: with
/// a generated lexer and parser, reading them costs more than twice as much as all else that reading a test does
/// (docs/ptx-files.md).
class Scanner {
 public:
  /// Reads on from byte offset `begin` of the text.
  Scanner(const SourceFile& source, std::size_t begin, Reporter& reporter);

  const Token& current() const { return current_; }
  /// Byte offset of the current token.
  std::size_t offset() const { return current_begin_; }
  /// The first character behind the current token that is no blank.
  char next_character() const;
  /// Steps to the next token.
  void advance();
  /// Where the token before the current one ended: the place of something missing.
  SourceSpan after_previous() const { return after_previous_; }

  /// Takes the punctuation, or reports "expected WHAT, found ...".
  bool expect(std::string_view punctuation, std::string_view what = {});
  /// Reports "expected WHAT, found ...": at the end of the line before where the current token begins a line.
  void report_expected(std::string_view what, std::string hint = {});
  /// As a message names the current token: "'x'", "the end of the file".
  std::string found() const;
  /// Steps over what follows until one of the characters of `stops`, or the end.
  void skip_to(std::string_view stops);

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
