#include "base/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

namespace ambit {
namespace {

bool same_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

/// Returns whether one insertion, deletion, replacement or swap of adjacent characters turns `a` into `b`.
bool one_edit_apart(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > 1) return false;
  const auto prefix = static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin());
  if (b.size() == a.size() + 1) return a.substr(prefix) == b.substr(prefix + 1);
  if (a.substr(prefix + 1) == b.substr(prefix + 1)) return true;
  return prefix + 1 < a.size() && a[prefix] == b[prefix + 1] && a[prefix + 1] == b[prefix] &&
         a.substr(prefix + 2) == b.substr(prefix + 2);
}

/// The minimum length of a name that nearest_name() accepts as the beginning of a candidate.
constexpr std::size_t kLeastForBeginning = 4;
/// The minimum length of names for which two edits count as a typing error. Shorter names that differ by two edits are
/// treated as unrelated names.
constexpr std::size_t kLeastForTwoEdits = 6;

/// Returns whether at most two insertions, deletions or changes of one character make the names equal.
bool two_edits_apart(std::string_view a, std::string_view b) {
  constexpr std::size_t kMost = 2;
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > kMost) return false;
  std::vector<std::size_t> row(b.size() + 1);  // Levenshtein distances between a prefix of `a` and each prefix of `b`
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t change = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({change, row[j] + 1, diagonal + 1});
    }
  }
  return row.back() <= kMost;
}

/// A diagnostic quotes lines up to this length completely, and longer lines only around the caret.
constexpr std::size_t kMaxQuotedLine = 160;

}  // namespace

std::string_view SourceFile::line(std::uint32_t number) const {
  std::string_view rest = text;
  for (std::uint32_t i = 1; i < number; ++i) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) return {};
    rest.remove_prefix(end + 1);
  }
  std::string_view line = rest.substr(0, rest.find('\n'));
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

std::string Diagnostic::render() const {
  std::string out;
  const std::string_view word = severity == Severity::Note ? "note" : "error";
  if (!file) {
    out = fmt::format("{}: {}\n", word, message);
  } else if (span.line == 0) {
    out = fmt::format("{}: {}: {}\n", file->path, word, message);
  } else {
    out = fmt::format("{}:{}:{}: {}: {}\n", file->path, span.line, span.column, word, message);
    std::string quoted(file ? file->line(span.line) : std::string_view{});
    std::size_t column = span.column == 0 ? 0 : span.column - 1;
    if (quoted.size() > kMaxQuotedLine) {
      const std::size_t start = column > kMaxQuotedLine / 2 ? column - kMaxQuotedLine / 2 : 0;
      quoted = quoted.substr(std::min(start, quoted.size()), kMaxQuotedLine);
      column -= start;
    }
    for (char& c : quoted) {
      const auto byte = static_cast<unsigned char>(c);
      if (c == '\t')
        c = ' ';
      else if (byte < 0x20 || byte == 0x7f)
        c = '?';
    }
    column = std::min(column, quoted.size());
    const std::size_t room = quoted.size() - column;
    const std::size_t length = std::max<std::size_t>(1, std::min<std::size_t>(span.length, room));
    out += fmt::format("  {}\n  {}^{}\n", quoted, std::string(column, ' '), std::string(length - 1, '~'));
  }
  if (!hint.empty()) out += fmt::format("  hint: {}\n", hint);
  return out;
}

std::string render(const Diagnostics& diagnostics) {
  Diagnostics sorted = diagnostics;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.span.line, a.span.column) < std::tie(b.span.line, b.span.column);
  });
  std::string out;
  for (std::size_t i = 0; i < std::min(sorted.size(), kMaxDiagnostics); ++i) out += sorted[i].render();
  if (sorted.size() > kMaxDiagnostics) {
    out += fmt::format("... and {} more errors\n", sorted.size() - kMaxDiagnostics);
  }
  return out;
}

std::string_view nearest_name(std::string_view name, const std::vector<std::string_view>& candidates) {
  for (const std::string_view candidate : candidates) {
    if (same_ignoring_case(name, candidate)) return candidate;
  }
  for (const std::string_view candidate : candidates) {
    if (candidate.size() > 1 && one_edit_apart(name, candidate)) return candidate;
  }
  if (name.size() >= kLeastForBeginning) {
    for (const std::string_view candidate : candidates) {
      if (candidate.starts_with(name)) return candidate;
    }
  }
  if (name.size() < kLeastForTwoEdits) return {};
  for (const std::string_view candidate : candidates) {
    if (candidate.size() >= kLeastForTwoEdits && two_edits_apart(name, candidate)) return candidate;
  }
  return {};
}

}  // namespace ambit
