#include "parser/text/header.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

#include "base/trimmed.h"
#include "parser/text/keywords.h"

namespace ambit::parser {
namespace {

bool is_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
}

/// Returns the hint for a test of herd7 or Dartagnan, if the first word is a language of such tests.
std::string hint_for_language(std::string_view word) {
  static const std::set<std::string_view> kLanguagesOfC = {"C", "C11", "OpenCL", "OPENCL", "LLVM"};
  static const std::set<std::string_view> kProcessors = {"AArch64", "ARM",  "X86",  "X86_64", "PPC",  "RISCV",
                                                         "MIPS",    "LISA", "Bell", "BPF",    "JAVA", "ASL"};
  if (kLanguagesOfC.contains(word)) {
    return fmt::format(
        "Ambit does not read {} tests of other tools: write 'CUDA NAME', memory as {{ global int x; }}, "
        "threads as P0 @ block 0 {{ ... }} (docs/reference/language.md)",
        word);
  }
  if (kProcessors.contains(word)) {
    return fmt::format(
        "{} tests have no blocks and scopes: Ambit reads CUDA (docs/reference/language.md) and PTX "
        "(docs/reference/ptx-files.md) tests",
        word);
  }
  if (word == "Vulkan" || word == "VULKAN" || word == "SPIRV") {
    return "Ambit reads CUDA (docs/reference/language.md) and PTX (docs/reference/ptx-files.md) tests";
  }
  return {};
}

/// Reads the lines of the header. The grammar does not contain these lines, because they are free text ("2+2W",
/// "Source=https://...").
class HeaderScanner {
 public:
  HeaderScanner(const SourceFile& source, Reporter& reporter) : text_(source.text), reporter_(reporter) {}

  std::optional<Header> scan() {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    if (!skip_blanks()) return std::nullopt;
    if (at_ == text_.size()) {
      const bool blank = trimmed(text_).empty();
      reporter_.error({1, 1, 0}, blank ? "the file is empty" : "the file contains only comments",
                      "begin the file with a line 'CUDA NAME' or 'PTX NAME'");
      return std::nullopt;
    }
    if (!scan_title() || !scan_texts() || !scan_metadata()) return std::nullopt;
    header_.end = at_;
    return header_;
  }

  std::string_view scan_first_word() {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    if (!skip_blanks()) return {};
    const std::size_t begin = at_;
    while (is_name_character(peek())) ++at_;
    return std::string_view(text_).substr(begin, at_ - begin);
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void error(std::size_t offset, std::size_t length, std::string message, std::string hint = {}) {
    reporter_.error(span_at(text_, offset, length), std::move(message), std::move(hint));
  }

  bool skip_comment(std::string_view close, std::size_t close_from) {
    const std::size_t end = text_.find(close, at_ + close_from);
    if (end == std::string::npos) {
      error(at_, 2, fmt::format("this comment is not closed: expected '{}'", close));
      return false;
    }
    at_ = end + close.size();
    return true;
  }

  /// Skips white space and comments. Returns false if a comment is not closed.
  bool skip_blanks() {
    while (at_ < text_.size()) {
      if (std::isspace(static_cast<unsigned char>(peek())) != 0) {
        ++at_;
      } else if (peek() == '/' && peek(1) == '/') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (peek() == '/' && peek(1) == '*') {
        if (!skip_comment("*/", 2)) return false;
      } else if (peek() == '(' && peek(1) == '*') {
        if (!skip_comment("*)", 2)) return false;
      } else {
        break;
      }
    }
    return true;
  }

  bool scan_title() {
    const std::size_t begin = at_;
    while (is_name_character(peek())) ++at_;
    const std::string_view word = std::string_view(text_).substr(begin, at_ - begin);
    const bool is_ptx = word == "PTX" || word == "ptx";
    if (word != "CUDA" && !is_ptx) {
      const std::string found =
          word.empty() ? fmt::format("'{}'", printable(peek())) : fmt::format("'{}'", shown(word));
      error(begin, std::max<std::size_t>(1, std::min<std::size_t>(word.size(), 40)),
            fmt::format("expected 'CUDA NAME' at the beginning of the file, found {}", found),
            did_you_mean(word, {"CUDA", "PTX"}, hint_for_language(word)));
      return false;
    }
    const std::size_t line_end = std::min(text_.find('\n', at_), text_.size());
    const std::string_view rest = std::string_view(text_).substr(at_, line_end - at_);
    const std::size_t brace = is_ptx ? rest.find('{') : rest.npos;
    const std::size_t cut =
        std::min({rest.find("//"), rest.find("/*"), rest.find("(*"), rest.find('"'), brace, rest.size()});
    header_.name = trimmed(rest.substr(0, cut));
    if (header_.name.empty()) {
      error(begin, word.size(), fmt::format("expected the name of the test after '{}'", word),
            fmt::format("for example: {} MP+fences", word));
      return false;
    }
    at_ += cut;
    return true;
  }

  static std::string printable(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 && byte < 0x7f ? std::string(1, c) : fmt::format("\\x{:02x}", byte);
  }
  static std::string shown(std::string_view word) {
    return word.size() <= 40 ? std::string(word) : std::string(word.substr(0, 40)) + "...";
  }

  /// Reads the quoted texts. A test of a public PTX suite has a description and the URL of the source.
  bool scan_texts() {
    for (;;) {
      if (!skip_blanks()) return false;
      if (peek() != '"') return true;
      const std::size_t end = text_.find('"', at_ + 1);
      if (end == std::string::npos) {
        error(at_, 1, "this quoted text is not closed: expected '\"'");
        return false;
      }
      const std::string quoted = text_.substr(at_ + 1, end - at_ - 1);
      if (is_url(quoted)) {
        append(header_.metadata["URL"], " ", trimmed(quoted));
      } else {
        append(header_.description, "\n", quoted);
      }
      at_ = end + 1;
    }
  }

  static bool is_url(std::string_view quoted) {
    const std::string_view text = trimmed(quoted);
    return (text.starts_with("https://") || text.starts_with("http://")) && text.find_first_of(" \t\n") == text.npos;
  }
  static void append(std::string& to, std::string_view separator, std::string_view text) {
    if (!to.empty()) to += separator;
    to += text;
  }

  /// Reads the lines `Key=Value`. The value ends at the end of the line. The value is free text and may contain "//".
  bool scan_metadata() {
    for (;;) {
      if (!skip_blanks()) return false;
      std::size_t end = at_;
      while (end < text_.size() && is_name_character(text_[end])) ++end;
      const std::size_t key_end = end;
      while (end < text_.size() && (text_[end] == ' ' || text_[end] == '\t')) ++end;
      if (key_end == at_ || end >= text_.size() || text_[end] != '=') return true;
      const std::string key = text_.substr(at_, key_end - at_);
      const std::size_t line_end = std::min(text_.find('\n', end), text_.size());
      const std::string value(trimmed(std::string_view(text_).substr(end + 1, line_end - end - 1)));
      if (!header_.metadata.emplace(key, value).second) {
        error(at_, key.size(), fmt::format("'{}' is given twice in the header", key));
      }
      at_ = line_end;
    }
  }

  const std::string& text_;
  Reporter& reporter_;
  Header header_;
  std::size_t at_ = 0;
};

}  // namespace

SourceSpan span_at(const std::string& text, std::size_t offset, std::size_t length) {
  offset = std::min(offset, text.size());
  const auto begin = text.begin();
  const auto end = begin + static_cast<std::ptrdiff_t>(offset);
  const auto line = static_cast<std::uint32_t>(1 + std::count(begin, end, '\n'));
  const std::size_t newline = offset == 0 ? std::string::npos : text.rfind('\n', offset - 1);
  const std::size_t column = newline == std::string::npos ? offset + 1 : offset - newline;
  return {line, static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(length)};
}

std::optional<Header> read_header(const SourceFile& source, Reporter& reporter) {
  return HeaderScanner(source, reporter).scan();
}

std::string_view first_word(const SourceFile& source) {
  Reporter ignored(nullptr);
  return HeaderScanner(source, ignored).scan_first_word();
}

bool is_cuda_source(const SourceFile& source) {
  const std::string& path = source.path;
  if (path.ends_with(".cu") || path.ends_with(".cuh")) return true;
  if (path.ends_with(".litmus") || path.ends_with(".test")) return false;
  const std::string_view word = first_word(source);
  const bool is_litmus = word == "CUDA" || word == "PTX" || word == "ptx";
  return !is_litmus && source.text.find("__global__") != std::string::npos;
}

}  // namespace ambit::parser
