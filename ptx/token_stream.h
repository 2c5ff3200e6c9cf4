#pragma once

#include <cstdint>
#include <string_view>

#include "base/source.h"
#include "ptx/module.h"

namespace ambit::ptx {

/// The exception for an error in the text. read_module() catches it.
struct ReadFailure {
  Diagnostic diagnostic;
};

/// A token of PTX. A word includes its dots: ".reg", "mul.wide.s32", "%tid.x", "ld.global.L2::128B.f32".
struct Token {
  enum class Kind : std::uint8_t { Word, Integer, Float32, Float64, String, Punctuation, End };

  Kind kind = Kind::End;
  bool is_unsigned = false;  ///< whether an Integer has the suffix U or is too large for a signed integer
  std::uint32_t offset = 0;
  std::string_view text;  ///< for a String, the text between the quotes
  SourceSpan place;
  std::uint64_t value = 0;  ///< value of an Integer; bits of a Float32 or Float64

  bool is(char punctuation) const { return kind == Kind::Punctuation && text.front() == punctuation; }
  bool is(std::string_view word) const { return kind == Kind::Word && text == word; }
  bool is_directive() const { return kind == Kind::Word && text.front() == '.'; }
  std::uint32_t end() const {
    return static_cast<std::uint32_t>(offset + text.size() + (kind == Kind::String ? 2 : 0));
  }
};

/// The sequence of tokens in a text. Comments, white space and NUL bytes separate tokens. PTX from fat binaries may end
/// with NUL bytes.
class TokenStream {
 public:
  explicit TokenStream(SourceFilePtr file);

  const Token& peek() const { return current_; }
  /// Returns the token after the token that peek() returns.
  const Token& peek_next();
  Token take();

  /// If the next token is `punctuation` or `word`, skips the token and returns true.
  bool accept(char punctuation);
  bool accept(std::string_view word);
  /// Takes the next token. Error: the next token is not the expected token. `what` describes the expected token.
  Token expect(char punctuation, std::string_view what);
  Token expect_word(std::string_view what);
  std::uint64_t expect_integer(std::string_view what);

  [[noreturn]] void fail(const SourceSpan& place, std::string message, std::string hint = {}) const;
  /// Reports "expected WHAT, found TOKEN" at the next token.
  [[noreturn]] void fail_expected(std::string_view what) const;
  /// Returns the end of the last token that was taken.
  std::uint32_t last_end() const { return last_end_; }
  const SourceFilePtr& file() const { return file_; }

 private:
  Token scan();
  void skip_space();
  void skip_block_comment();
  Token scan_number();
  Token scan_string();
  void scan_word_end();
  SourceSpan span_from(std::size_t begin) const;
  char at(std::size_t position) const { return position < text_.size() ? text_[position] : '\0'; }

  SourceFilePtr file_;
  std::string_view text_;
  std::size_t position_ = 0;
  std::size_t line_begin_ = 0;
  std::uint32_t line_ = 1;
  Token current_;
  Token next_;
  bool has_next_ = false;
  std::uint32_t last_end_ = 0;
};

/// Skips tokens up to and including the next `;` outside of braces. The reader calls this function for parts that are
/// kept only as text.
void skip_statement(TokenStream& tokens);
/// Skips a pair of braces and the text between them.
void skip_braces(TokenStream& tokens);

}  // namespace ambit::ptx
