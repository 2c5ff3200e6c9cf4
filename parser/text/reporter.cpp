#include "parser/text/reporter.h"

#include <algorithm>

namespace ambit::parser {
namespace {

bool is_identifier_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

}  // namespace

void Reporter::error(SourceSpan span, std::string message, std::string hint) {
  if (is_consequence(span)) {
    ++consequences_;
    return;
  }
  add(span, std::move(message), std::move(hint));
}

void Reporter::syntax_error(SourceSpan span, std::string message, std::string hint) {
  add(span, std::move(message), std::move(hint));
  damaged_lines_.insert(span.line);
}

void Reporter::add(SourceSpan span, std::string message, std::string hint) {
  if (!seen_.emplace(span.line, span.column, message).second) return;
  SourceFilePtr file = file_;
  if (second_ != nullptr && span.line >= second_first_line_) {
    file = second_;
    span.line -= second_first_line_ - 1;
  }
  diagnostics_.push_back({std::move(file), span, std::move(message), std::move(hint)});
}

void Reporter::remark(SourceSpan span, std::string message, std::string hint) {
  if (!seen_.emplace(span.line, span.column, message).second) return;
  remarks_.push_back({file_, span, std::move(message), std::move(hint), Severity::Note});
}

bool Reporter::is_consequence(SourceSpan span) const {
  if (damaged_lines_.contains(span.line)) return true;
  if (tainted_.empty() || file_ == nullptr || span.line == 0) return false;
  std::string_view text = file_->line(span.line);
  if (span.column == 0 || span.column > text.size()) return false;
  text = text.substr(span.column - 1, std::max<std::size_t>(span.length, 1));
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_identifier_character(text[end])) ++end;
    if (end > at && tainted_.contains(text.substr(at, end - at))) return true;
    at = end + 1;
  }
  return false;
}

}  // namespace ambit::parser
