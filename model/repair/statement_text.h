#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "model/repair/text_edit.h"

namespace ambit::repair {

/// The place of a statement in a CUDA text.
struct Statement {
  std::size_t begin = 0;
  std::size_t end = 0;       ///< the position after the statement's ';' or before its '{'
  bool is_simple = false;    ///< whether the statement ends in ';'
  std::string indentation;   ///< indentation of the line, if the statement is the first on its line
  bool begins_line = false;  ///< whether only blanks precede the statement on its line
};

/// A source text, as bytes, in which the class finds the statements of C-like languages. A statement begins after ';',
/// '{' or '}' outside of parentheses and brackets. Comments, literals and preprocessor lines are skipped.
class SourceText {
 public:
  explicit SourceText(const SourceFile& file);

  const std::string& text() const { return text_; }
  /// Returns the offset of a place's first byte, or nothing if the place does not exist.
  std::optional<std::size_t> offset_of(SourceSpan span) const;
  std::string_view slice(SourceSpan span) const;
  Statement statement_at(std::size_t offset) const;
  /// Returns the control statement whose braces contain `statement`: an `if` with all its branches, a loop, a `switch`
  /// or a block. `end` is the byte after the statement's last branch. Returns nothing if the statement is at the top
  /// level of a function or thread.
  std::optional<Statement> enclosing(const Statement& statement) const;

  /// Insert whole lines before or after a statement. If the statement shares its line with other text, insert words in
  /// this line.
  TextEdit before(const Statement& statement, const std::vector<std::string>& lines) const;
  TextEdit after(const Statement& statement, const std::vector<std::string>& lines) const;
  /// Removes the statement. If the line has no other text, removes the whole line.
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
  std::size_t line_end(std::size_t offset) const;  ///< returns the position of the line's '\n', or the end of the text

  std::string text_;
  std::vector<std::size_t> lines_;  ///< the beginning of each line
  std::vector<Braces> braces_;      ///< pairs of braces, in the order in which they close
  /// The first byte after each ';', '{' or '}' between statements, in increasing order.
  std::vector<std::size_t> boundaries_;
};

}  // namespace ambit::repair
