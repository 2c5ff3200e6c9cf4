#pragma once

#include <optional>
#include <vector>

#include "CommonTokenStream.h"
#include "core/source.h"

namespace ambit::parser::cat {

/// The first token that no model file contains (an unclosed comment or string, a stray character), brackets or `if`
/// nested beyond kMaxNesting, or too many tokens; nothing when the parser may have them. Asking before parsing keeps
/// garbage from costing time and stack.
std::optional<Diagnostic> find_bad_token(antlr4::CommonTokenStream& tokens, const SourceFilePtr& source);

/// Where a token stands; its length ends with its line.
SourceSpan span_of(const antlr4::Token& token);

}  // namespace ambit::parser::cat
