#include "parser/cuda/syntax/lexer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace ambit::parser::cuda {
namespace {

/// The punctuators, sorted by length; the longest are first. CUDA adds `<<<` and `>>>`.
constexpr std::array<std::string_view, 30> kPunctuators = {
    "<<<", ">>>", "<<=", ">>=", "...", "->*", "<=>", "::", "->", "++", "--", "<<", ">>", "<=", ">=",
    "==",  "!=",  "&&",  "||",  "+=",  "-=",  "*=",  "/=", "%=", "&=", "|=", "^=", "##", ".*", "//"};
constexpr std::string_view kSingle = "{}[]()#;:?.~!+-*/%^&|=<>,";

bool is_name_start(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_part(char c) { return is_name_start(c) || is_digit(c); }

/// Detects a misspelled annotation: a comment that probably should begin with `ambit:`. Returns the length of the
/// annotation's prefix, such as `Ambit expect`; 0 for an ordinary comment. If the comment has no colon, the text after
/// "ambit" must resemble an item of an annotation.
std::size_t near_annotation(std::string_view text) {
  static constexpr std::string_view kAmbit = "ambit";
  std::size_t at = 0;
  for (; at < kAmbit.size(); ++at) {
    if (at >= text.size() || std::tolower(static_cast<unsigned char>(text[at])) != kAmbit[at]) return 0;
  }
  const auto skip_spaces = [&] { at = std::min(text.find_first_not_of(" \t", at), text.size()); };
  skip_spaces();
  const bool colon = text.substr(at).starts_with(':');
  if (colon) ++at;
  skip_spaces();
  if (!colon && is_name_part(text[at - 1])) return 0;  // another word, for example Ambitious
  if (colon && text.substr(at).starts_with('"')) return at;
  if (text.substr(at).starts_with('~')) ++at;
  std::size_t end = at;
  while (end < text.size() && is_name_part(text[end])) ++end;
  const std::string_view word = text.substr(at, end - at);
  const std::string_view rest = text.substr(end, text.find('\n', end) - end);
  const bool condition = word == "exists" || word == "forall" || word == "filter";
  const bool statement = word == "expect" || word == "label" || word == "detect";
  if (!condition && !statement && word != "launch") return 0;
  const std::size_t past = rest.find_first_not_of(" \t");
  const bool item = colon || (condition   ? past != std::string_view::npos && rest[past] == '('
                              : statement ? rest.find(':') != std::string_view::npos
                                          : rest.find("<<<") != std::string_view::npos);
  return item ? end : 0;
}

class Lexer {
 public:
  Lexer(std::string_view text, std::uint32_t first_line, Reporter& reporter)
      : text_(text), line_(first_line), reporter_(reporter) {}

  Tokens read() {
    if (text_.starts_with("\xEF\xBB\xBF")) advance(3);
    read_until(text_.size(), false);
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  SourceSpan here(std::size_t length) const {
    return {line_, static_cast<std::uint32_t>(at_ - line_begin_ + 1), static_cast<std::uint32_t>(length)};
  }

  void advance(std::size_t count) {
    for (; count > 0 && at_ < text_.size(); --count, ++at_) {
      if (text_[at_] != '\n') continue;
      ++line_;
      line_begin_ = at_ + 1;
    }
  }

  /// Returns the length of a line splice [lex.phases]; 0 if `begin` is not a line splice. A line splice may have blanks
  /// after the backslash, because compilers accept them.
  std::size_t splice_length(std::size_t begin) const {
    if (begin >= text_.size() || text_[begin] != '\\') return 0;
    const std::size_t end = text_.find_first_not_of(" \t\r\f\v", begin + 1);
    return end < text_.size() && text_[end] == '\n' ? end + 1 - begin : 0;
  }

  /// Reads to offset `end`. An annotation may contain comments of the litmus language. Line ends in an annotation have
  /// no meaning.
  void read_until(std::size_t end, bool annotation) {
    while (at_ < end) {
      const char c = peek();
      const std::size_t splice = splice_length(at_);
      if (splice > 0 && at_ > 0 && is_name_part(text_[at_ - 1]) && is_name_part(peek(splice))) {
        reporter_.error(here(1), "a word that continues in the next line is not supported",
                        "write the word in one line");
      }
      if (splice > 0 || std::isspace(static_cast<unsigned char>(c)) != 0) {
        spaced_ = true;
        if (splice == 0 && c == '\n') new_line(annotation);
        advance(splice > 0 ? splice : 1);
      } else if (c == '/' && peek(1) == '/') {
        line_comment(annotation ? end : text_.size(), annotation);
      } else if (c == '/' && peek(1) == '*' && !annotation) {
        block_comment();
      } else {
        token(annotation, end);
      }
    }
  }

  void new_line(bool annotation) {
    if (annotation) {
      decoration_ = true;
    } else {
      starts_line_ = true;
    }
  }

  /// Returns the offset after "ambit:" in an annotation that begins at `begin`; npos for other comments.
  std::size_t annotation_begin(std::size_t begin) const {
    begin = comment_begin(begin);
    return text_.substr(begin).starts_with("ambit:") ? begin + 6 : std::string_view::npos;
  }
  /// Returns the offset of the text in a comment. `///` begins an ordinary comment; after `////` or `// //`, the text
  /// begins with `//`.
  std::size_t comment_begin(std::size_t begin) const {
    const std::string_view text = text_.substr(std::min(begin, text_.size()));
    if (text.starts_with('/') && !text.starts_with("//")) ++begin;
    return std::min(text_.find_first_not_of(" \t*!", begin), text_.size());
  }

  /// Records a comment up to `end` that resembles an annotation. The preprocessor reports the comment if the comment is
  /// in a selected #if branch.
  void note_near_annotation(std::size_t end) {
    const std::size_t begin = comment_begin(at_ + 2);
    const std::size_t length = begin < end ? near_annotation(text_.substr(begin, end - begin)) : 0;
    if (length == 0) return;
    annotation_starts_line_ = starts_line_;
    advance(begin - at_);
    add(TokenKind::NearAnnotation, length, true);
  }

  void read_annotation(std::size_t begin, std::size_t end) {
    const bool starts_line = std::exchange(starts_line_, false);
    annotation_starts_line_ = starts_line;  // the annotation is not part of a preceding directive
    advance(begin - at_);
    spaced_ = true;
    read_until(end, true);
    decoration_ = false;
    starts_line_ = starts_line;
  }

  void line_comment(std::size_t limit, bool annotation) {
    std::size_t end = at_;
    while (end < limit && text_[end] != '\n') end += std::max(splice_length(end), std::size_t{1});
    end = std::min(end, limit);
    const std::size_t begin = annotation ? std::string_view::npos : annotation_begin(at_ + 2);
    if (begin <= end) {
      read_annotation(begin, end);
    } else if (!annotation) {
      note_near_annotation(end);
    }
    advance(end - at_);
    spaced_ = true;
  }

  void block_comment() {
    const std::size_t close = text_.find("*/", at_ + 2);
    if (close == std::string_view::npos) {
      reporter_.error(here(2), "this comment is not closed: expected '*/'");
      advance(text_.size() - at_);
      return;
    }
    const std::size_t begin = annotation_begin(at_ + 2);
    if (begin <= close) {
      read_annotation(begin, close);
    } else {
      note_near_annotation(close);
    }
    advance(close + 2 - at_);
    spaced_ = true;
  }

  void token(bool annotation, std::size_t end) {
    const char c = peek();
    // skips a decorative " * " at the beginning of a comment line
    if (annotation && std::exchange(decoration_, false) && c == '*' && peek(1) != '=') {
      advance(1);
      return;
    }
    if (is_name_start(c)) {
      std::size_t length = 1;
      while (is_name_part(peek(length))) ++length;
      const std::string_view word = text_.substr(at_, length);
      const bool prefix = word == "L" || word == "u8" || word == "u" || word == "U";
      const bool raw = word == "R" || word == "LR" || word == "uR" || word == "UR" || word == "u8R";
      if (peek(length) == '"' && raw) return raw_text(length);
      if (peek(length) == '"' && prefix) return quoted(length, '"', annotation, end);
      add(TokenKind::Name, length, annotation);
      if (!annotation) spell_operator(tokens_.back());
      return;
    }
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number(annotation);
    if (c == '"') return quoted(0, '"', annotation, end);
    if (c == '\'' && !annotation) return quoted(0, '\'', annotation, end);
    for (const std::string_view punctuator : kPunctuators) {
      if (text_.substr(at_).starts_with(punctuator)) return add(TokenKind::Punctuator, punctuator.size(), annotation);
    }
    if (kSingle.find(c) != std::string_view::npos) return add(TokenKind::Punctuator, 1, annotation);
    std::size_t length = 1;
    while (static_cast<unsigned char>(peek()) >= 0x80 && static_cast<unsigned char>(peek(length)) >= 0x80) ++length;
    add(TokenKind::Other, length, annotation);
  }

  /// Replaces the alternative tokens of operators [lex.digraph].
  static void spell_operator(Token& token) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kWords = {{{"and", "&&"},
                                                                                              {"or", "||"},
                                                                                              {"not", "!"},
                                                                                              {"bitand", "&"},
                                                                                              {"bitor", "|"},
                                                                                              {"xor", "^"},
                                                                                              {"compl", "~"},
                                                                                              {"not_eq", "!="},
                                                                                              {"and_eq", "&="},
                                                                                              {"or_eq", "|="},
                                                                                              {"xor_eq", "^="}}};
    for (const auto& [word, spelling] : kWords) {
      if (token.text != word) continue;
      token.kind = TokenKind::Punctuator;
      token.text = spelling;
      return;
    }
  }

  /// Reads a preprocessing number [lex.ppnumber]. In an annotation, a number contains no sign, as in ptx-7.5.
  void number(bool annotation) {
    std::size_t length = 1;
    for (;; ++length) {
      const char c = peek(length);
      const char before = peek(length - 1);
      const bool hexadecimal = peek() == '0' && (peek(1) == 'x' || peek(1) == 'X');
      const bool exponent = !hexadecimal && (before == 'e' || before == 'E') && (c == '+' || c == '-');
      const bool separator = c == '\'' && is_name_part(peek(length + 1));
      if (!is_name_part(c) && c != '.' && (annotation || (!exponent && !separator))) break;
    }
    add(TokenKind::Number, length, annotation);
  }

  /// Reads a string or character literal. An unclosed literal ends at the end of its line or of its annotation.
  void quoted(std::size_t prefix, char quote, bool annotation, std::size_t end) {
    std::size_t length = prefix + 1;
    const auto more = [&] {
      return annotation ? at_ + length < end : length + at_ < text_.size() && peek(length) != '\n';
    };
    while (more() && peek(length) != quote) length += peek(length) == '\\' ? 2 : 1;
    const bool closed = more() && peek(length) == quote;
    const TokenKind kind = !closed ? TokenKind::Other : quote == '"' ? TokenKind::Text : TokenKind::Character;
    length = std::min(closed ? length + 1 : length, text_.size() - at_);
    add(kind, length, annotation);
  }

  void raw_text(std::size_t prefix) {
    const std::size_t open = text_.find('(', at_ + prefix);
    const std::size_t close =
        open == std::string_view::npos
            ? open
            : text_.find(")" + std::string(text_.substr(at_ + prefix + 1, open - at_ - prefix - 1)) + "\"", open);
    if (close == std::string_view::npos) {
      reporter_.error(here(prefix + 1), "this quoted text is not closed");
      advance(text_.size() - at_);
      return;
    }
    add(TokenKind::Text, text_.find('"', close) + 1 - at_, false);
  }

  void add(TokenKind kind, std::size_t length, bool annotation) {
    Token token;
    token.kind = kind;
    token.text = text_.substr(at_, length);
    token.span = here(token.text.size());
    const bool is_word = kind == TokenKind::Name || kind == TokenKind::Number;
    if (is_word && token.text.find('$') != std::string::npos) {
      reporter_.error(token.span, "Ambit's reader does not read names with '$'", "rename it");
    }
    token.spaced = std::exchange(spaced_, false);
    token.is_annotation = annotation;
    token.starts_line = std::exchange(annotation ? annotation_starts_line_ : starts_line_, false);
    tokens_.push_back(std::move(token));
    decoration_ = false;
    advance(length);
  }

  std::string_view text_;
  std::uint32_t line_;
  Reporter& reporter_;
  Tokens tokens_;
  std::size_t at_ = 0;
  std::size_t line_begin_ = 0;
  bool spaced_ = false;
  bool starts_line_ = true;
  bool annotation_starts_line_ = false;
  bool decoration_ = false;  ///< whether the current line of the annotation has only white space so far
};

}  // namespace

Tokens read_tokens(std::string_view text, std::uint32_t first_line, Reporter& reporter) {
  return Lexer(text, first_line, reporter).read();
}

bool has_word(const Tokens& tokens, std::string_view word) {
  return std::any_of(tokens.begin(), tokens.end(), [&](const Token& token) { return token.is(word); });
}

std::size_t skip_group(const Tokens& tokens, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.kind != TokenKind::Punctuator) continue;
    if (token.opens()) ++depth;
    if (token.closes() && --depth == 0) return i + 1;
  }
  return tokens.size();
}

std::size_t skip_angles(const Tokens& tokens, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.is("(") || token.is("[")) {
      i = skip_group(tokens, i) - 1;
    } else if (token.is("<")) {
      ++depth;
    } else if (token.is_any({">", ">>", ">>>"})) {
      depth -= std::min(depth, token.text.size());
      if (depth == 0) return i + 1;
    } else if (token.is_any({";", "{", "}"})) {
      break;
    }
  }
  return tokens.size();
}

Tokens slice(const Tokens& tokens, std::size_t first, std::size_t last) {
  if (first >= last) return {};
  return {tokens.begin() + static_cast<std::ptrdiff_t>(first), tokens.begin() + static_cast<std::ptrdiff_t>(last)};
}

std::vector<Tokens> split_at_commas(const Tokens& tokens, Angles angles) {
  std::vector<Tokens> parts;
  if (tokens.empty()) return parts;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].opens()) {
      i = skip_group(tokens, i) - 1;
    } else if (angles == Angles::AreBrackets && tokens[i].is("<") && tokens[skip_angles(tokens, i) - 1].is(">")) {
      i = skip_angles(tokens, i) - 1;
    } else if (tokens[i].is(",")) {
      parts.push_back(slice(tokens, begin, i));
      begin = i + 1;
    }
  }
  parts.push_back(slice(tokens, begin, tokens.size()));
  return parts;
}

}  // namespace ambit::parser::cuda
