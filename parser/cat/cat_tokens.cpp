#include "parser/cat/cat_tokens.h"

#include <fmt/format.h>

#include <set>
#include <string>
#include <vector>

#include "cat/CatLexer.h"
#include "parser/cat/model_syntax.h"
#include "parser/text/nesting.h"

namespace ambit::parser::cat {
namespace {

bool opens_bracket(const std::string& text) { return text == "(" || text == "["; }
bool closes_bracket(const std::string& text) { return text == ")" || text == "]"; }
bool is_postfix_sign(const std::string& text) { return text == "+" || text == "*" || text == "?" || text == "^-1"; }
Diagnostic error_at(const SourceFilePtr& source, const antlr4::Token& token, std::string message,
                    std::string hint = {}) {
  return {source, span_of(token), std::move(message), std::move(hint)};
}

}  // namespace

bool begins_statement(const std::string& text) {
  static const std::set<std::string> kWords = {"let",  "and",   "acyclic", "irreflexive", "empty",
                                               "flag", "order", "include", "option",      "mapping"};
  return kWords.contains(text);
}

SourceSpan span_of(const antlr4::Token& token) {
  const std::size_t length =
      token.getType() == antlr4::Token::EOF ? 1 : token.getStopIndex() - token.getStartIndex() + 1;
  return {static_cast<std::uint32_t>(token.getLine()), static_cast<std::uint32_t>(token.getCharPositionInLine() + 1),
          static_cast<std::uint32_t>(length)};
}

void hide_display_statements(antlr4::CommonTokenStream& tokens) {
  tokens.fill();
  const std::vector<antlr4::Token*> all = tokens.getTokens();
  bool is_hidden = false;
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {  // the last token is EOF
    const std::string text = all[i]->getText();
    if (begins_statement(text)) is_hidden = false;
    // A definition can be named `show`. In an expression, two names are never adjacent, so `show r` is a statement.
    const std::string next = all[i + 1]->getText();
    const bool precedes_name = all[i + 1]->getType() == CatLexer::NAME && !begins_statement(next);
    const bool names_order = i + 3 < all.size() && next == "co" && all[i + 2]->getText() == "from";
    const bool is_display = text == "show" || text == "unshow" || (text == "with" && names_order);
    const bool is_word = all[i]->getType() == CatLexer::NAME || text == "with";
    if (is_word && is_display && precedes_name) is_hidden = true;
    if (!is_hidden) continue;
    if (auto* token = dynamic_cast<antlr4::WritableToken*>(all[i])) token->setChannel(antlr4::Token::HIDDEN_CHANNEL);
  }
  tokens.seek(0);
}

std::optional<Diagnostic> find_bad_token(antlr4::CommonTokenStream& tokens, const SourceFilePtr& source) {
  std::size_t nesting = 0;  // nesting depth: the number of open brackets, `if` and `try`; each `else if` adds one
  std::size_t conditions = 0;
  std::size_t signs = 0;  // number of adjacent postfix operators; each adds a nesting level
  for (std::size_t i = 1;; ++i) {
    const antlr4::Token& token = *tokens.LT(1);
    if (token.getType() == antlr4::Token::EOF) break;
    if (i > kMaxTokens) {
      return error_at(source, token, fmt::format("the model file is too long: it has more than {} tokens", kMaxTokens));
    }
    tokens.consume();
    if (token.getType() == CatLexer::NAME || token.getType() == CatLexer::STRING) {
      signs = 0;
      continue;
    }
    const std::string text = token.getText();
    if (token.getType() == CatLexer::OPEN_COMMENT)
      return error_at(source, token, "this comment is not closed: expected '*)'");
    if (token.getType() == CatLexer::OPEN_STRING) {
      return error_at(source, token, "this quoted text is not closed: expected '\"' in the same line");
    }
    if (token.getType() == CatLexer::OTHER) {
      const auto byte = static_cast<unsigned char>(text.empty() ? '\0' : text[0]);
      return error_at(source, token,
                      byte > 0x20 && byte != 0x7f ? fmt::format("unexpected character '{}'", text)
                                                  : fmt::format("unexpected control character {:#04x}", byte),
                      text == "{" ? "write 0 for the empty set or the empty relation" : "");
    }
    if (begins_statement(text)) nesting = conditions = 0;
    if (opens_bracket(text)) ++nesting;
    if (closes_bracket(text) && nesting > 0) --nesting;
    if (text == "if" || text == "try") ++conditions;
    signs = is_postfix_sign(text) ? signs + 1 : 0;
    if (nesting + conditions + signs > kMaxNesting) {
      return error_at(source, token, fmt::format("nested too deeply: more than {} levels", kMaxNesting));
    }
  }
  tokens.seek(0);
  return std::nullopt;
}

}  // namespace ambit::parser::cat
