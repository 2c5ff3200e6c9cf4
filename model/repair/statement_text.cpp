#include "model/repair/statement_text.h"

#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "model/repair/call_text.h"

namespace ambit::repair {
namespace {

constexpr std::string_view kBlanks = " \t\r";

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

}  // namespace

SourceText::SourceText(const SourceFile& file) : text_(file.text) {
  lines_.push_back(0);
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') lines_.push_back(i + 1);
  }
  scan();
}

void SourceText::skip_comment_or_literal(std::size_t& at) const {
  const std::string_view rest = std::string_view(text_).substr(at);
  const auto until = [&](std::string_view end, std::size_t from) {
    const std::size_t found = text_.find(end, at + from);
    at = found == std::string::npos ? text_.size() : found + end.size();
  };
  if (rest.starts_with("//")) {
    at = line_end(at);
  } else if (rest.starts_with("/*")) {
    until("*/", 2);
  } else if (rest.starts_with("(*") && rest.find("*)") < rest.find('\n')) {
    until("*)", 2);
  } else if (rest.front() == '"' || rest.front() == '\'') {
    const char quote = rest.front();
    for (++at; at < text_.size() && text_[at] != quote && text_[at] != '\n'; ++at) {
      if (text_[at] == '\\') ++at;
    }
    if (at < text_.size()) ++at;
  } else if (rest.front() == '#' && is_blank(std::string_view(text_).substr(line_begin(at), at - line_begin(at)))) {
    at = line_end(at);
    while (at > 0 && at < text_.size() && text_[at - 1] == '\\') at = line_end(at + 1);
  }
}

void SourceText::scan() {
  int open = 0;  // the number of open parentheses and brackets
  std::vector<std::size_t> open_braces;
  for (std::size_t at = 0; at < text_.size();) {
    const std::size_t before = at;
    skip_comment_or_literal(at);
    if (at != before) continue;
    const char c = text_[at++];
    if (c == '(' || c == '[') ++open;
    if ((c == ')' || c == ']') && open > 0) --open;
    if (c == '{' || c == '}') open = 0;
    if (c == '{') open_braces.push_back(at - 1);
    if (c == '}' && !open_braces.empty()) {
      braces_.push_back({open_braces.back(), at - 1});
      open_braces.pop_back();
    }
    if (open == 0 && (c == ';' || c == '{' || c == '}')) boundaries_.push_back(at);
  }
}

std::size_t SourceText::line_begin(std::size_t offset) const {
  return *(std::upper_bound(lines_.begin(), lines_.end(), offset) - 1);
}

std::size_t SourceText::line_end(std::size_t offset) const { return std::min(text_.find('\n', offset), text_.size()); }

std::optional<std::size_t> SourceText::offset_of(SourceSpan span) const {
  if (span.line == 0 || span.line > lines_.size() || span.column == 0) return std::nullopt;
  std::size_t at = lines_[span.line - 1];
  const std::size_t end = line_end(at);
  for (std::uint32_t column = 1; column < span.column && at < end; ++column) {
    at += std::max<std::size_t>(1, utf8_length(text_, at));
  }
  return at < end ? std::optional(at) : std::nullopt;
}

std::string_view SourceText::slice(SourceSpan span) const {
  const auto begin = offset_of(span);
  if (!begin) return {};
  std::size_t end = *begin;
  for (std::uint32_t i = 0; i < span.length && end < text_.size() && text_[end] != '\n'; ++i) {
    end += std::max<std::size_t>(1, utf8_length(text_, end));
  }
  return std::string_view(text_).substr(*begin, end - *begin);
}

Statement SourceText::statement_at(std::size_t offset) const {
  Statement result;
  const auto next = std::upper_bound(boundaries_.begin(), boundaries_.end(), offset);
  std::size_t at = next == boundaries_.begin() ? 0 : *(next - 1);
  while (at < offset) {  // skip blanks and comments before the statement
    const std::size_t before = at;
    skip_comment_or_literal(at);
    if (at != before && text_[before] != '"' && text_[before] != '\'') continue;
    at = before;
    if (std::string_view(" \t\r\n").find(text_[at]) == std::string_view::npos) break;
    ++at;
  }
  result.begin = at;
  result.end = next == boundaries_.end() ? text_.size() : *next;
  result.is_simple = next != boundaries_.end() && text_[*next - 1] == ';';
  if (!result.is_simple && next != boundaries_.end()) --result.end;
  set_line(result);
  return result;
}

void SourceText::set_line(Statement& statement) const {
  const std::size_t line = line_begin(statement.begin);
  const std::string_view front = std::string_view(text_).substr(line, statement.begin - line);
  statement.begins_line = is_blank(front);
  statement.indentation = std::string(front.substr(0, std::min(front.find_first_not_of(kBlanks), front.size())));
}

std::size_t SourceText::skip_blanks(std::size_t at) const {
  while (at < text_.size()) {
    const std::size_t before = at;
    if (text_[at] != '"' && text_[at] != '\'') skip_comment_or_literal(at);
    if (at != before) continue;
    if (std::string_view(" \t\r\n").find(text_[at]) == std::string_view::npos) break;
    ++at;
  }
  return at;
}

std::string_view SourceText::first_word(std::size_t offset) const {
  std::size_t end = offset;
  while (end < text_.size() && is_word_character(text_[end])) ++end;
  return std::string_view(text_).substr(offset, end - offset);
}

const SourceText::Braces* SourceText::braces_around(std::size_t begin, std::size_t end) const {
  const auto found = std::find_if(braces_.begin(), braces_.end(), [&](const Braces& braces) {
    return braces.open < begin && braces.close >= end;  // the innermost pair of braces closes first
  });
  return found == braces_.end() ? nullptr : &*found;
}

const SourceText::Braces* SourceText::braces_that(std::size_t Braces::*side, std::size_t offset) const {
  const auto found =
      std::find_if(braces_.begin(), braces_.end(), [&](const Braces& braces) { return braces.*side == offset; });
  return found == braces_.end() ? nullptr : &*found;
}

/// If an `else` is at `begin`, returns the first byte of its `if`. For other statements, returns `begin` itself.
std::size_t SourceText::begin_of_branches(std::size_t begin) const {
  while (first_word(begin) == "else") {
    const auto next = std::upper_bound(boundaries_.begin(), boundaries_.end(), begin);
    if (next == boundaries_.begin()) break;
    const std::size_t last = *(next - 1) - 1;  // position of the '}' or ';' that ends the previous branch
    const Braces* const braces = text_[last] == '}' ? braces_that(&Braces::close, last) : nullptr;
    begin = statement_at(braces != nullptr ? braces->open : last).begin;
  }
  return begin;
}

/// `end` is the byte after the '}' of a branch. Returns the byte after the last `else` branch that follows, or `end`
/// itself if no `else` follows.
std::size_t SourceText::end_of_branches(std::size_t end) const {
  for (std::size_t next = skip_blanks(end); next < text_.size(); next = skip_blanks(end)) {
    if (first_word(next) != "else") break;
    const Statement branch = statement_at(next);
    const Braces* const braces = branch.is_simple ? nullptr : braces_that(&Braces::open, branch.end);
    if (!branch.is_simple && braces == nullptr) break;
    end = branch.is_simple ? branch.end : braces->close + 1;
  }
  return end;
}

std::optional<Statement> SourceText::enclosing(const Statement& statement) const {
  const Braces* const braces = braces_around(statement.begin, statement.end);
  if (braces == nullptr) return std::nullopt;
  Statement result = statement_at(braces->open);
  const std::string_view word = first_word(result.begin);
  constexpr std::array<std::string_view, 6> kControl = {"if", "else", "for", "while", "do", "switch"};
  const bool is_control = std::find(kControl.begin(), kControl.end(), word) != kControl.end();
  if (!is_control && result.begin != braces->open) return std::nullopt;
  result.begin = begin_of_branches(result.begin);
  result.end = word == "do" ? statement_at(skip_blanks(braces->close + 1)).end : end_of_branches(braces->close + 1);
  result.is_simple = true;
  set_line(result);
  return result;
}

TextEdit SourceText::before(const Statement& statement, const std::vector<std::string>& lines) const {
  std::string added;
  for (const std::string& line : lines) {
    added += statement.begins_line ? statement.indentation + line + "\n" : line + " ";
  }
  const std::size_t at = statement.begins_line ? line_begin(statement.begin) : statement.begin;
  return {at, at, std::move(added)};
}

TextEdit SourceText::after(const Statement& statement, const std::vector<std::string>& lines) const {
  const std::size_t end = line_end(statement.end);
  std::string_view rest = std::string_view(text_).substr(statement.end, end - statement.end);
  rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
  const bool ends_line = rest.empty() || rest.starts_with("//");
  std::string added;
  if (ends_line && statement.begins_line && end < text_.size()) {
    for (const std::string& line : lines) added += statement.indentation + line + "\n";
    return {end + 1, end + 1, std::move(added)};
  }
  for (const std::string& line : lines) added += " " + line;
  return {statement.end, statement.end, std::move(added)};
}

TextEdit SourceText::without(const Statement& statement) const {
  const std::size_t end = line_end(statement.end);
  const bool ends_line = is_blank(std::string_view(text_).substr(statement.end, end - statement.end));
  if (statement.begins_line && ends_line && end < text_.size()) return {line_begin(statement.begin), end + 1, ""};
  std::size_t last = statement.end;
  while (last < end && kBlanks.find(text_[last]) != std::string_view::npos) ++last;
  return {statement.begin, ends_line ? statement.end : last, ""};
}

}  // namespace ambit::repair
