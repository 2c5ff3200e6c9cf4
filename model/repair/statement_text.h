#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/source.h"
#include "model/repair/text_edit.h"

namespace ambit::repair {

/// Where a statement of a CUDA text stands.
struct Statement {
  std::size_t begin = 0;
  std::size_t end = 0;       ///< behind its ';' or before its '{'
  bool is_simple = false;    ///< ends in ';'
  std::string indentation;   ///< of its line, if it is the first thing there
  bool begins_line = false;  ///< nothing but blanks stands before it on its line
};

/// A source text in bytes, with the statements of C-like languages: where nothing is open but braces, a statement
/// begins behind ';', '{', '}'. Comments, literals and lines of the preprocessor are skipped.
class SourceText {
 public:
  explicit SourceText(const SourceFile& file);

  const std::string& text() const { return text_; }
  /// The byte of a place; `span.length` characters further is its end. Nothing: there is no such place.
  std::optional<std::size_t> offset_of(SourceSpan span) const;
  std::string_view slice(SourceSpan span) const;
  Statement statement_at(std::size_t offset) const;
  /// Returns the control statement (an `if` with all its branches, a loop, a `switch`, a block) whose braces hold
  /// `statement`; `end` is the byte after its last branch. Nothing at the top of a function or thread.
  std::optional<Statement> enclosing(const Statement& statement) const;

  /// Insertions of whole lines before and behind a statement, or of words on its line where other things stand there.
  TextEdit before(const Statement& statement, const std::vector<std::string>& lines) const;
  TextEdit after(const Statement& statement, const std::vector<std::string>& lines) const;
  /// Removes the statement, and its line where nothing else stands on it.
  TextEdit without(const Statement& statement) const;

 private:
  struct Braces {
    std::size_t open = 0;
    std::size_t close = 0;
  };

  void scan();
  std::string_view first_word(std::size_t offset) const;
  std::size_t skip_blanks(std::size_t at) const;
  const Braces* braces_around(std::size_t begin, std::size_t end) const;
  const Braces* braces_that(std::size_t Braces::*side, std::size_t offset) const;
  std::size_t begin_of_branches(std::size_t begin) const;
  std::size_t end_of_branches(std::size_t end) const;
  void set_line(Statement& statement) const;
  void skip_comment_or_literal(std::size_t& at) const;
  std::size_t line_begin(std::size_t offset) const;
  std::size_t line_end(std::size_t offset) const;  ///< of its '\n', or of the text

  std::string text_;
  std::vector<std::size_t> lines_;       ///< where each begins
  std::vector<Braces> braces_;           ///< pairs, in the order in which they close
  std::vector<std::size_t> boundaries_;  ///< first byte behind each ';', '{', '}' between statements, rising
};

}  // namespace ambit::repair
