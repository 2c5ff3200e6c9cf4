#include "parser/text/tokens.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <typeinfo>
#include <utility>

#include "grammar/LitmusLexer.h"
#include "grammar/LitmusParser.h"
#include "parser/text/header.h"
#include "parser/text/nesting.h"
#include "parser/text/vector_types.h"

namespace ambit::parser {
namespace {

std::string hint_for_unsupported(std::string_view word) {
  if (word == "goto") return "use if, while, do or for";
  if (word == "asm") return "Ambit does not read inline assembly; write a PTX litmus file instead";
  return {};
}

/// Reports tokens that represent invalid text.
class TokenCheck {
 public:
  TokenCheck(bool is_cuda_source, Reporter& reporter) : is_cuda_source_(is_cuda_source), reporter_(reporter) {}

  void check(const antlr4::Token& token, std::string_view text) {
    const auto span = [&] { return span_of(token); };  // computed only for errors, because it is slow
    switch (token.getType()) {
      case LitmusLexer::UNTERMINATED_COMMENT:
        reporter_.error({span().line, span().column, 2}, "this comment is not closed: expected '*/'");
        break;
      case LitmusLexer::UNTERMINATED_PAREN_COMMENT:
        reporter_.error({span().line, span().column, 2}, "this comment is not closed: expected '*)'",
                        "'(*' followed by a blank begins a comment; write the dereference (*p) without a blank");
        break;
      case LitmusLexer::UNTERMINATED_STRING:
        reporter_.error({span().line, span().column, 1}, "this quoted text is not closed: expected '\"'");
        break;
      case LitmusLexer::DIRECTIVE:
        reporter_.error(span(),
                        "preprocessor directives other than #include and #pragma are not part of the litmus language",
                        text.find("define") != std::string_view::npos ? "write constexpr int NAME = VALUE; instead"
                                                                      : "a comment begins with //");
        break;
      case LitmusLexer::BAD_NUMBER: reporter_.error(span(), fmt::format("'{}' is not a number", text)); break;
      case LitmusLexer::UNSUPPORTED:
        reporter_.error(span(),
                        fmt::format("'{}' is not {}", text,
                                    is_cuda_source_ ? "supported in device code" : "part of the litmus language"),
                        hint_for_unsupported(text));
        break;
      case LitmusLexer::BAD_TEXT:
        reporter_.error(span(), "unexpected non-ASCII text; only comments and quoted text may contain it");
        break;
      case LitmusLexer::BAD_CHARACTER: reporter_.error(span(), bad_character(text)); break;
      default: break;
    }
  }

  bool check_nesting(const antlr4::Token& token, std::string_view text) {
    const std::size_t type = token.getType();
    const bool operand = type == LitmusLexer::ID || type == LitmusLexer::INTEGER || type == LitmusLexer::FLOATING ||
                         type == LitmusLexer::VERSION || type == LitmusLexer::STRING || type == LitmusLexer::TYPE ||
                         type == LitmusLexer::VOLATILE || type == LitmusLexer::QUALIFIER ||
                         type == LitmusLexer::ATOMIC_TYPE || type == LitmusLexer::BARRIER_TYPE ||
                         type == LitmusLexer::TENSOR_MAP_TYPE || type == LitmusParser::TYPE_NAME;
    switch (meter_.add(text, operand)) {
      case NestingMeter::Verdict::Fine: return true;
      case NestingMeter::Verdict::TooDeep:
        reporter_.error(span_of(token),
                        fmt::format("statements or expressions are nested deeper than {}", kMaxNesting));
        return false;
      case NestingMeter::Verdict::TooManyOperators:
        reporter_.error(span_of(token),
                        fmt::format("an expression has more than {} operators", NestingMeter::kMaxOperators),
                        "split it into several statements");
        return false;
    }
    return false;
  }

 private:
  static std::string bad_character(std::string_view text) {
    const auto byte = static_cast<unsigned char>(text.empty() ? '\0' : text.front());
    if (byte >= 0x20 && byte < 0x7f) return fmt::format("unexpected character '{}'", text.front());
    return fmt::format("unexpected character with code 0x{:02x}", byte);
  }

  bool is_cuda_source_;
  Reporter& reporter_;
  NestingMeter meter_;
};

/// Replaces the place of a token by the corresponding place in the original text. A name of the generated text becomes
/// one token, even if it contains characters such as `<`.
std::unique_ptr<antlr4::Token> place_token(antlr4::Lexer& lexer, std::unique_ptr<antlr4::Token> token,
                                           const TokenOrigins& origins) {
  if (token->getType() == antlr4::Token::EOF) return std::make_unique<PlacedToken>(token.get(), origins.end(), false);
  const TokenOrigin& first = origins.at(token->getStartIndex());
  const TokenOrigin& last = origins.at(token->getStopIndex());
  SourceSpan place = first.span;
  if (last.span.line == place.line && last.span.column >= place.column) {
    place.length = std::max(place.length, last.span.column + last.span.length - place.column);
  }
  auto placed = std::make_unique<PlacedToken>(token.get(), place, first.kind != TokenOrigin::Kind::Words);
  if (first.kind == TokenOrigin::Kind::Words) return placed;
  placed->setType(first.kind == TokenOrigin::Kind::TypeName ? LitmusParser::TYPE_NAME : LitmusParser::ID);
  placed->setStopIndex(first.offset + first.length - 1);
  lexer.getInputStream()->seek(first.offset + first.length);
  return placed;
}

}  // namespace

ByteStream::ByteStream(std::string_view text) {
  _data.resize(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) _data[i] = static_cast<unsigned char>(text[i]);
  p = 0;
}

SourceSpan span_of(const antlr4::Token& token) {
  if (typeid(token) == typeid(PlacedToken)) return static_cast<const PlacedToken&>(token).place();
  const std::size_t length = token.getStopIndex() + 1 - token.getStartIndex();
  return {static_cast<std::uint32_t>(token.getLine()), static_cast<std::uint32_t>(token.getCharPositionInLine() + 1),
          token.getType() == antlr4::Token::EOF ? 0U : static_cast<std::uint32_t>(length)};
}

std::optional<std::vector<std::unique_ptr<antlr4::Token>>> read_tokens(antlr4::Lexer& lexer, const SourceFile& source,
                                                                       std::size_t begin, Reporter& reporter,
                                                                       const TokenOrigins* origins) {
  const SourceSpan start = span_at(source.text, begin, 0);
  lexer.removeErrorListeners();
  lexer.getInputStream()->seek(begin);
  lexer.setLine(start.line);
  lexer.setCharPositionInLine(start.column - 1);
  TokenCheck check(origins != nullptr, reporter);
  const std::size_t errors_before = reporter.count();
  std::vector<std::unique_ptr<antlr4::Token>> tokens;
  std::set<std::string_view> struct_names;
  bool after_struct = false;
  bool in_launch = false;  // whether the position is after >>>
  for (;;) {
    std::unique_ptr<antlr4::Token> token = lexer.nextToken();
    if (origins != nullptr) token = place_token(lexer, std::move(token), *origins);
    const bool at_end = token->getType() == antlr4::Token::EOF;
    if (!at_end) {
      const std::string_view text =
          std::string_view(source.text)
              .substr(token->getStartIndex(), token->getStopIndex() + 1 - token->getStartIndex());
      if (token->getType() == LitmusLexer::ID) {
        if (after_struct) struct_names.insert(text);
        const bool is_variable = origins != nullptr && text.starts_with('$');  // a Type::variable
        if (struct_names.contains(text) || vector_type(text) || is_variable)
          dynamic_cast<antlr4::CommonToken&>(*token).setType(LitmusParser::TYPE_NAME);
      }
      after_struct = text == "struct";
      in_launch = text == ">>>" || (in_launch && text != ";");
      if (in_launch && text == "{" && tokens.back()->getText() == "=") {
        dynamic_cast<antlr4::CommonToken&>(*tokens.back()).setType(LitmusParser::CONTENTS);
      }
      check.check(*token, text);
      if (!check.check_nesting(*token, text)) return std::nullopt;
      if (reporter.count() > kMaxDiagnostics) return std::nullopt;  // too many errors
    }
    tokens.push_back(std::move(token));
    if (at_end) break;
  }
  if (reporter.count() > errors_before) return std::nullopt;
  return tokens;
}

}  // namespace ambit::parser
