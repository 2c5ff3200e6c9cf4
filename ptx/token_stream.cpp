#include "ptx/token_stream.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>

namespace ambit::ptx {
namespace {

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool begins_word(char c) { return (is_word_character(c) && !is_digit(c)) || c == '%'; }

std::string described(const Token& token) {
  if (token.kind == Token::Kind::End) return "the end of the text";
  if (token.text.size() > 60) return fmt::format("'{}...'", token.text.substr(0, 60));
  return fmt::format("'{}'", token.text);
}

}  // namespace

TokenStream::TokenStream(SourceFilePtr file) : file_(std::move(file)), text_(file_->text) { current_ = scan(); }

const Token& TokenStream::peek_next() {
  if (!has_next_) {
    next_ = scan();
    has_next_ = true;
  }
  return next_;
}

Token TokenStream::take() {
  Token token = current_;
  last_end_ = token.end();
  current_ = has_next_ ? next_ : scan();
  has_next_ = false;
  return token;
}

bool TokenStream::accept(char punctuation) {
  if (!current_.is(punctuation)) return false;
  take();
  return true;
}

bool TokenStream::accept(std::string_view word) {
  if (!current_.is(word)) return false;
  take();
  return true;
}

Token TokenStream::expect(char punctuation, std::string_view what) {
  if (!current_.is(punctuation)) fail_expected(what);
  return take();
}

Token TokenStream::expect_word(std::string_view what) {
  if (current_.kind != Token::Kind::Word) fail_expected(what);
  return take();
}

std::uint64_t TokenStream::expect_integer(std::string_view what) {
  if (current_.kind != Token::Kind::Integer) fail_expected(what);
  return take().value;
}

void TokenStream::fail(const SourceSpan& place, std::string message, std::string hint) const {
  throw ReadFailure{Diagnostic{file_, place, std::move(message), std::move(hint)}};
}

void TokenStream::fail_expected(std::string_view what) const {
  std::string hint = current_.kind == Token::Kind::End ? "the text looks truncated" : "";
  fail(current_.place, fmt::format("expected {}, found {}", what, described(current_)), std::move(hint));
}

SourceSpan TokenStream::span_from(std::size_t begin) const {
  return {line_, static_cast<std::uint32_t>(begin - line_begin_ + 1), static_cast<std::uint32_t>(position_ - begin)};
}

void TokenStream::skip_space() {
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (c == '\n') {
      ++position_;
      ++line_;
      line_begin_ = position_;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' || c == '\0') {
      ++position_;
    } else if (c == '/' && at(position_ + 1) == '/') {
      position_ = std::min(text_.find('\n', position_), text_.size());
    } else if (c == '/' && at(position_ + 1) == '*') {
      skip_block_comment();
    } else {
      return;
    }
  }
}

void TokenStream::skip_block_comment() {
  const SourceSpan begin = {line_, static_cast<std::uint32_t>(position_ - line_begin_ + 1), 2};
  const std::size_t end = text_.find("*/", position_ + 2);
  if (end == std::string_view::npos) fail(begin, "this comment has no end", "write */");
  for (; position_ < end + 2; ++position_) {
    if (text_[position_] != '\n') continue;
    ++line_;
    line_begin_ = position_ + 1;
  }
}

Token TokenStream::scan() {
  skip_space();
  Token token;
  const std::size_t begin = position_;
  token.offset = static_cast<std::uint32_t>(begin);
  if (begin == text_.size()) {
    token.place = span_from(begin);
    return token;
  }
  const char c = text_[begin];
  if (begins_word(c) || (c == '.' && is_word_character(at(begin + 1)) && !is_digit(at(begin + 1)))) {
    token.kind = Token::Kind::Word;
    scan_word_end();
    // ".reg.b32" is read as two directives.
    const std::size_t dot = std::string_view(text_).substr(0, position_).find('.', begin + 1);
    if (c == '.' && dot != std::string_view::npos) position_ = static_cast<decltype(position_)>(dot);
  } else if (is_digit(c) || (c == '.' && is_digit(at(begin + 1)))) {
    return scan_number();
  } else if (c == '"') {
    return scan_string();
  } else if (std::string_view("{}()[]<>,;:@!|+-*/%&^~=?").find(c) != std::string_view::npos) {
    token.kind = Token::Kind::Punctuation;
    ++position_;
  } else {
    ++position_;
    const bool is_printable = c > ' ' && c < 0x7f;
    fail(span_from(begin), is_printable ? fmt::format("unexpected character '{}'", c)
                                        : fmt::format("unexpected byte 0x{:02x}", static_cast<unsigned char>(c)));
  }
  token.text = text_.substr(begin, position_ - begin);
  token.place = span_from(begin);
  return token;
}

void TokenStream::scan_word_end() {
  ++position_;
  for (;;) {
    const char c = at(position_);
    if (is_word_character(c)) {
      ++position_;
    } else if (c == '.' && is_word_character(at(position_ + 1))) {
      position_ += 2;
    } else if (c == ':' && at(position_ + 1) == ':' && is_word_character(at(position_ + 2))) {
      position_ += 3;
    } else {
      return;
    }
  }
}

Token TokenStream::scan_number() {
  Token token;
  const std::size_t begin = position_;
  token.offset = static_cast<std::uint32_t>(begin);
  token.kind = Token::Kind::Integer;
  const char second = at(begin + 1);
  const bool has_prefix = at(begin) == '0';
  const bool is_bits = has_prefix && (second == 'f' || second == 'F' || second == 'd' || second == 'D');
  const bool is_hex = has_prefix && (second == 'x' || second == 'X');
  const bool is_binary = has_prefix && (second == 'b' || second == 'B');
  if (!is_bits && !is_hex && !is_binary) {
    while (is_digit(at(position_)) || at(position_) == '.' || ((at(position_) == 'e' || at(position_) == 'E'))) {
      const bool is_exponent = at(position_) == 'e' || at(position_) == 'E';
      ++position_;
      if (is_exponent && (at(position_) == '+' || at(position_) == '-')) ++position_;
    }
  } else {
    position_ += 2;
    while (is_word_character(at(position_)) && at(position_) != 'U' && at(position_) != 'u') ++position_;
  }
  const std::string_view number = text_.substr(begin, position_ - begin);
  if (!is_bits && (at(position_) == 'U' || at(position_) == 'u')) {
    ++position_;
    token.is_unsigned = true;
  }
  if (is_word_character(at(position_))) {
    while (is_word_character(at(position_))) ++position_;
    fail(span_from(begin),
         fmt::format("malformed number '{}'", text_.substr(begin, std::min<std::size_t>(60, position_ - begin))));
  }
  token.text = text_.substr(begin, position_ - begin);
  token.place = span_from(begin);
  bool good = false;
  if (!is_bits && !is_hex && number.find_first_of(".eE") != std::string_view::npos) {
    double value = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    // A number out of range is an error: the ISA rounds it to infinity or 0, but from_chars returns no value.
    good = end == number.data() + number.size() && error == std::errc();
    token.kind = Token::Kind::Float64;
    token.value = std::bit_cast<std::uint64_t>(value);
  } else {
    const bool is_octal = has_prefix && number.size() > 1 && !is_bits && !is_hex && !is_binary;
    const int base = is_bits || is_hex ? 16 : is_binary ? 2 : is_octal ? 8 : 10;
    const std::string_view digits = number.substr(is_bits || is_hex || is_binary ? 2 : is_octal ? 1 : 0);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), token.value, base);
    good = !digits.empty() && error == std::errc() && end == digits.data() + digits.size();
    if (is_bits) {
      const bool is_single = second == 'f' || second == 'F';
      token.kind = is_single ? Token::Kind::Float32 : Token::Kind::Float64;
      good = good && digits.size() == (is_single ? 8U : 16U);
    }
    if (token.value >> 63 != 0) token.is_unsigned = true;
  }
  if (!good) fail(token.place, fmt::format("malformed number '{}'", token.text.substr(0, 60)));
  return token;
}

Token TokenStream::scan_string() {
  Token token;
  const std::size_t begin = position_;
  token.kind = Token::Kind::String;
  token.offset = static_cast<std::uint32_t>(begin);
  ++position_;
  while (at(position_) != '"') {
    if (at(position_) == '\\') ++position_;
    if (position_ >= text_.size() || text_[position_] == '\n') {
      position_ = begin + 1;
      fail(span_from(begin), "this string has no end", "write a closing quote on the same line");
    }
    ++position_;
  }
  ++position_;
  token.text = text_.substr(begin + 1, position_ - begin - 2);
  token.place = span_from(begin);
  return token;
}

void skip_braces(TokenStream& tokens) {
  tokens.expect('{', "'{'");
  for (std::size_t depth = 1; depth > 0;) {
    if (tokens.peek().kind == Token::Kind::End) tokens.fail_expected("'}'");
    const Token token = tokens.take();
    if (token.is('{')) ++depth;
    if (token.is('}')) --depth;
  }
}

void skip_statement(TokenStream& tokens) {
  std::size_t depth = 0;
  for (;;) {
    if (tokens.peek().kind == Token::Kind::End) tokens.fail_expected("';'");
    if (depth == 0 && tokens.peek().is('}')) tokens.fail_expected("';' before '}'");
    const Token token = tokens.take();
    if (token.is('{')) ++depth;
    if (token.is('}')) --depth;
    if (depth == 0 && token.is(';')) return;
  }
}

}  // namespace ambit::ptx
