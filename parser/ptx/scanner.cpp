#include "parser/ptx/scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "parser/text/header.h"

namespace ambit::parser::ptx {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$'; }
bool is_name_character(char c) { return is_letter(c) || is_digit(c); }

bool is_prefix_with_digits(std::string_view name, std::string_view prefix) {
  return name.size() > prefix.size() && name.starts_with(prefix) &&
         std::all_of(name.begin() + static_cast<std::ptrdiff_t>(prefix.size()), name.end(), is_digit);
}

ScalarType narrowest(std::uint64_t value) {
  for (const ScalarType type : {kInt, kUnsigned, kLongLong}) {
    const unsigned bits = type.is_signed ? type.bits - 1U : type.bits;
    if (value <= (std::uint64_t{1} << bits) - 1) return type;
  }
  return kUnsignedLongLong;
}

}  // namespace

bool is_register_name(std::string_view name) { return is_prefix_with_digits(name, "r"); }
bool is_label_name(std::string_view name) { return is_prefix_with_digits(name, "LC"); }

Scanner::Scanner(const SourceFile& source, std::size_t begin, Reporter& reporter)
    : text_(source.text), reporter_(reporter), at_(begin) {
  const SourceSpan start = span_at(source.text, begin, 0);
  line_ = start.line;
  line_begin_ = begin - (start.column - 1);
  after_previous_ = start;
  advance();
}

SourceSpan Scanner::span_from(std::size_t begin) const {
  return {line_, static_cast<std::uint32_t>(begin - line_begin_ + 1), static_cast<std::uint32_t>(at_ - begin)};
}

bool Scanner::skip_comment(std::string_view close) {
  const std::size_t begin = at_;
  std::size_t end = text_.find(close, at_ + 2);
  if (end == std::string_view::npos) {
    at_ += 2;
    reporter_.error(span_from(begin), fmt::format("this comment is not closed: expected '{}'", close));
    at_ = text_.size();
    return false;
  }
  end += close.size();
  for (; at_ < end; ++at_) {
    if (text_[at_] != '\n') continue;
    ++line_;
    line_begin_ = at_ + 1;
  }
  return true;
}

bool Scanner::skip_blanks() {
  for (; at_ < text_.size();) {
    const char c = text_[at_];
    if (c == '\n') {
      ++line_;
      line_begin_ = ++at_;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++at_;
    } else if (c == '/' && peek(1) == '/') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (c == '/' && peek(1) == '*') {
      if (!skip_comment("*/")) return false;
    } else if (c == '(' && peek(1) == '*') {
      if (!skip_comment("*)")) return false;
    } else {
      return true;
    }
  }
  return false;
}

void Scanner::take_word() {
  ++at_;  // a letter, or a dot before a letter
  for (; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if (is_name_character(c) || c == '.') continue;
    if (c != ':' || peek(1) != ':' || !is_name_character(peek(2))) break;
    at_ += 2;
  }
  current_.kind = Token::Kind::Word;
}

void Scanner::take_number() {
  const std::size_t begin = at_;
  while (is_name_character(peek())) ++at_;
  std::string_view digits = text_.substr(begin, at_ - begin);
  const std::string_view shown = digits.substr(0, 40);
  int base = 10;
  if (digits.size() > 2 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X')) {
    base = 16;
    digits.remove_prefix(2);
  }
  while (digits.size() > 1 && (digits.back() == 'U' || digits.back() == 'u')) digits.remove_suffix(1);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error == std::errc::result_out_of_range) {
    reporter_.error(span_from(begin), fmt::format("the number {} is out of range: it needs more than 64 bits", shown),
                    "numbers and registers have 64 bits, even if an access has 16 bytes");
  } else if (error != std::errc{} || end != digits.data() + digits.size()) {
    reporter_.error(span_from(begin), fmt::format("'{}' is not a number", shown));
  }
  current_.kind = Token::Kind::Number;
  current_.value = static_cast<Value>(value);
  current_.literal = narrowest(value);
}

void Scanner::advance() {
  after_previous_ = span_from(at_);
  after_previous_.length = 1;
  current_ = {};
  const bool more = skip_blanks();
  current_begin_ = at_;
  if (more) {
    const char c = text_[at_];
    if (is_letter(c) || (c == '.' && is_letter(peek(1)))) {
      take_word();
    } else if (is_digit(c)) {
      take_number();
    } else {
      current_.kind = Token::Kind::Punctuation;
      ++at_;
      while (static_cast<unsigned char>(c) >= 0x80 && static_cast<unsigned char>(peek()) >= 0x80) ++at_;
    }
  }
  current_.text = text_.substr(current_begin_, at_ - current_begin_);
  current_.span = span_from(current_begin_);
}

char Scanner::next_character() const {
  const std::size_t next = text_.find_first_not_of(" \t\r\n", at_);
  return next == std::string_view::npos ? '\0' : text_[next];
}

std::string Scanner::found() const {
  constexpr std::size_t kLongest = 40;
  if (current_.kind == Token::Kind::End) return "the end of the file";
  const auto byte = static_cast<unsigned char>(current_.text.front());
  if (byte >= 0x80) return "non-ASCII text";
  if (byte < 0x20 || byte == 0x7f) return fmt::format("a character with code 0x{:02x}", byte);
  return current_.text.size() <= kLongest ? fmt::format("'{}'", current_.text)
                                          : fmt::format("'{}...'", current_.text.substr(0, kLongest));
}

void Scanner::report_expected(std::string_view what, std::string hint) {
  const bool begins_line = current_.span.line > after_previous_.line;
  reporter_.error(begins_line ? after_previous_ : current_.span, fmt::format("expected {}, found {}", what, found()),
                  std::move(hint));
}

bool Scanner::expect(std::string_view punctuation, std::string_view what) {
  if (current_.is(punctuation)) {
    advance();
    return true;
  }
  report_expected(what.empty() ? fmt::format("'{}'", punctuation) : std::string(what));
  return false;
}

void Scanner::taint_since(std::size_t begin) {
  const std::string_view skipped = text_.substr(begin, current_begin_ - begin);
  for (std::size_t at = 0; at < skipped.size();) {
    std::size_t end = at;
    while (end < skipped.size() && is_name_character(skipped[end])) ++end;
    const std::string_view word = skipped.substr(at, end - at);
    if (is_register_name(word) || is_label_name(word)) reporter_.taint(word);
    at = std::max(end, at + 1);
  }
}

void Scanner::skip_to(std::string_view stops) {
  while (current_.kind != Token::Kind::End &&
         !(current_.kind == Token::Kind::Punctuation && stops.find(current_.text) != std::string_view::npos)) {
    advance();
  }
}

}  // namespace ambit::parser::ptx
