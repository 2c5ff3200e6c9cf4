#pragma once

#include <CommonTokenStream.h>

#include <optional>
#include <string>

#include "base/source.h"

namespace ambit::parser::cat {

/// Hides the herd7 statements that do not change a model: `show r`, `unshow r` and `with co from e`.
void hide_display_statements(antlr4::CommonTokenStream& tokens);

/// Checks the tokens before parsing, to bound the parser's time and stack depth. Returns the first error: an unclosed
/// comment or string, an unknown character, brackets or `if` nested beyond kMaxNesting, or too many tokens.
std::optional<Diagnostic> find_bad_token(antlr4::CommonTokenStream& tokens, const SourceFilePtr& source);

/// Returns whether a word begins a statement. Returns true also for `and`, which begins the next definition of a `let
/// rec`.
bool begins_statement(const std::string& text);

/// Returns the place of a token. If the token has several lines, the span covers only the first line.
SourceSpan span_of(const antlr4::Token& token);

}  // namespace ambit::parser::cat
