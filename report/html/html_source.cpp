#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "core/litmus_words.h"
#include "report/html/html.h"

namespace ambit::report {
namespace {

/// Returns the CSS class of a word of the litmus language, or an empty text.
std::string_view css_class(WordKind kind) {
  switch (kind) {
    case WordKind::Keyword: return "k";
    case WordKind::Type: return "t";
    case WordKind::Argument: return "p";
    case WordKind::Answer: return "a";
    // Other code highlights functions, and only in calls, because a variable may have the name of a function.
    case WordKind::Function: return "";
  }
  return "";
}

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '%'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// Highlights the lines of a source one after the other. A comment may extend over several lines.
class Colourist {
 public:
  Colourist(std::string_view text, std::string_view prefix) : rest_(text), prefix_(prefix) {}

  std::string colour() {
    std::string lines;
    for (std::size_t number = 1; !rest_.empty(); ++number) {
      const std::size_t end = std::min(rest_.find('\n'), rest_.size());
      line_ = rest_.substr(0, end);
      if (line_.ends_with('\r')) line_.remove_suffix(1);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      // A row with one column for each thread must not wrap, because the columns must stay aligned.
      const bool is_row = line_.find(" | ") != std::string_view::npos && line_.find('"') == std::string_view::npos;
      out_.clear();
      is_first_ = true;
      while (!line_.empty()) token();
      lines += fmt::format("<span id=\"{}L{}\"{}>{}</span>", prefix_, number, is_row ? " class=\"w\"" : "", out_);
    }
    return lines;
  }

 private:
  /// Moves the next `size` characters to the output. `css` is their CSS class, or empty.
  void take(std::size_t size, std::string_view css) {
    const std::string text = html_text(line_.substr(0, size));
    line_.remove_prefix(std::min(size, line_.size()));
    is_first_ = is_first_ && text.find_first_not_of(" \t") == std::string::npos;
    out_ += css.empty() ? text : fmt::format("<span class=\"{}\">{}</span>", css, text);
  }

  void token() {
    if (!comment_end_.empty()) return comment(0);
    if (line_.starts_with("//")) return take(line_.size(), "c-c");
    if (is_first_ && line_.front() == '#') return take(line_.size(), "p");
    for (const auto& [begin, end] : {std::pair("/*", "*/"), std::pair("(*", "*)")}) {
      if (!line_.starts_with(begin) || is_dereference()) continue;
      comment_end_ = end;
      return comment(2);
    }
    const char c = line_.front();
    if (c == '"') {
      const std::size_t end = line_.find('"', 1);
      return take(end == std::string_view::npos ? line_.size() : end + 1, "s");
    }
    if (is_digit(c)) return take(length([](char d) { return is_digit(d) || is_letter(d); }), "d");
    if (is_letter(c)) return word();
    take(1, "");
  }

  /// Returns whether a `(*` begins a dereference instead of a comment. As in the grammar, `(*p)` is CUDA, and
  /// `(* text *)` is a comment.
  bool is_dereference() const {
    return line_.starts_with("(*") && line_.size() > 2 && line_.find_first_of(" \t*", 2) != 2;
  }

  void comment(std::size_t from) {
    const std::size_t end = line_.find(comment_end_, from);
    if (end == std::string_view::npos) return take(line_.size(), "c-c");
    comment_end_ = {};
    take(end + 2, "c-c");
  }

  void word() {
    const std::size_t size = length([](char d) { return is_digit(d) || is_letter(d) || d == '.'; });
    const std::string_view word = line_.substr(0, size);
    const bool is_call = size < line_.size() && line_[size] == '(';
    const bool is_instruction =
        word.find('.') != std::string_view::npos || word.starts_with("atomic") || word.starts_with("__");
    const std::optional<WordKind> kind = word_kind(word);
    const std::string_view css = kind ? css_class(*kind) : "";
    take(size, css.empty() && (is_call || is_instruction) ? "m" : css);
  }

  template <typename Holds>
  std::size_t length(const Holds& holds) const {
    const auto end = std::find_if_not(line_.begin(), line_.end(), holds);
    return static_cast<std::size_t>(end - line_.begin());
  }

  std::string_view rest_;
  std::string_view prefix_;  ///< prefix of the ids of lines
  std::string_view line_;
  std::string_view comment_end_;  ///< end of the open comment; empty if no comment is open
  bool is_first_ = true;          ///< whether the line so far has only blanks
  std::string out_;
};

}  // namespace

std::string html_source(const SourceFile& source, std::string_view prefix) {
  return "<pre class=\"source\">" + Colourist(source.text, prefix).colour() + "</pre>\n";
}

std::string html_with_lines(std::string_view text, const SourceFile& source) {
  constexpr std::string_view kWord = "line ";
  std::uint64_t lines = static_cast<std::uint64_t>(std::count(source.text.begin(), source.text.end(), '\n'));
  if (!source.text.empty() && !source.text.ends_with('\n')) ++lines;
  const std::string escaped = html_text(text);
  std::string out;
  for (std::size_t at = 0; at < escaped.size();) {
    const std::size_t found = std::min(escaped.find(kWord, at), escaped.size());
    out += escaped.substr(at, found - at);
    if (found == escaped.size()) break;
    std::size_t end = found + kWord.size();
    std::uint64_t number = 0;
    while (end < escaped.size() && is_digit(escaped[end]) && number <= lines) {
      number = number * 10 + static_cast<std::uint64_t>(escaped[end++] - '0');
    }
    if (number == 0 || number > lines) {
      end = found + kWord.size();
      out += kWord;
    } else {
      out += fmt::format("<a href=\"#L{}\">{}</a>", number, escaped.substr(found, end - found));
    }
    at = end;
  }
  return out;
}

}  // namespace ambit::report
