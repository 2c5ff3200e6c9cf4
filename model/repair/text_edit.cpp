#include "model/repair/text_edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace ambit::repair {

TextEdit replacement(const std::string& text, std::string_view part, std::string_view by) {
  const auto begin = static_cast<std::size_t>(part.data() - text.data());
  return {begin, begin + part.size(), std::string(by)};
}

namespace {

/// Returns the effective edits, in increasing order of places.
std::vector<TextEdit> effective(const std::vector<TextEdit>& edits) {
  std::vector<TextEdit> kept;
  for (const TextEdit& edit : edits) {
    if (std::find(kept.begin(), kept.end(), edit) == kept.end()) kept.push_back(edit);
  }
  const std::vector<TextEdit> all = kept;
  std::erase_if(kept, [&](const TextEdit& edit) {
    return std::any_of(all.begin(), all.end(), [&](const TextEdit& other) {
      const bool holds = other.begin <= edit.begin && edit.end <= other.end && other.begin < other.end;
      return !(other == edit) && other.text.empty() && holds && (edit.end > edit.begin || edit.begin > other.begin);
    });
  });
  std::stable_sort(kept.begin(), kept.end(), [](const TextEdit& a, const TextEdit& b) {
    return a.begin != b.begin ? a.begin < b.begin : (a.end == a.begin) > (b.end == b.begin);
  });
  return kept;
}

}  // namespace

std::optional<std::string> edited(std::string_view text, const std::vector<TextEdit>& edits) {
  std::string result;
  std::size_t done = 0;
  for (const TextEdit& edit : effective(edits)) {
    if (edit.begin < done) return std::nullopt;
    result += text.substr(done, edit.begin - done);
    result += edit.text;
    done = edit.end;
  }
  result += text.substr(done);
  return result;
}

std::size_t old_position(const std::vector<TextEdit>& edits, std::size_t position) {
  std::size_t old_end = 0;  // the end of the last edit in each text
  std::size_t new_end = 0;
  for (const TextEdit& edit : effective(edits)) {
    const std::size_t begin = new_end + (edit.begin - old_end);
    if (position < begin) break;
    if (position < begin + edit.text.size()) return edit.begin;
    old_end = edit.end;
    new_end = begin + edit.text.size();
  }
  return old_end + (position - new_end);
}

namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::size_t length = end == std::string_view::npos ? text.size() : end + 1;
    lines.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

/// One line of the edit script: ' ' for a line of both texts, '-' for a line of the old text, '+' for a line of the new
/// text.
struct ScriptLine {
  char kind = ' ';
  std::string_view text;
};

/// Returns the shortest edit script between two lists of lines. The function uses the lengths of longest common
/// subsequences.
std::vector<ScriptLine> script_of(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b) {
  std::vector<ScriptLine> script;
  std::size_t front = 0;
  while (front < a.size() && front < b.size() && a[front] == b[front]) script.push_back({' ', a[front++]});
  std::size_t back = 0;
  while (back < a.size() - front && back < b.size() - front && a[a.size() - 1 - back] == b[b.size() - 1 - back]) ++back;
  const std::size_t rows = a.size() - front - back;
  const std::size_t columns = b.size() - front - back;
  constexpr std::size_t kMostCells = std::size_t{1} << 24;
  std::vector<std::uint32_t> common;
  const auto cell = [&](std::size_t i, std::size_t j) -> std::uint32_t& { return common[i * (columns + 1) + j]; };
  const bool is_small = (rows + 1) * (columns + 1) <= kMostCells;
  if (is_small) {
    common.assign((rows + 1) * (columns + 1), 0);
    for (std::size_t i = rows; i-- > 0;) {
      for (std::size_t j = columns; j-- > 0;) {
        cell(i, j) = a[front + i] == b[front + j] ? cell(i + 1, j + 1) + 1 : std::max(cell(i + 1, j), cell(i, j + 1));
      }
    }
  }
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < rows || j < columns) {
    if (is_small && i < rows && j < columns && a[front + i] == b[front + j]) {
      script.push_back({' ', a[front + i]});
      ++i, ++j;
    } else if (i < rows && (j == columns || !is_small || cell(i + 1, j) >= cell(i, j + 1))) {
      script.push_back({'-', a[front + i++]});
    } else {
      script.push_back({'+', b[front + j++]});
    }
  }
  for (std::size_t k = a.size() - back; k < a.size(); ++k) script.push_back({' ', a[k]});
  return script;
}

}  // namespace

std::string unified_diff(const std::string& path, std::string_view before, std::string_view after) {
  constexpr std::size_t kContext = 3;
  const std::vector<ScriptLine> script = script_of(lines_of(before), lines_of(after));
  const auto is_change = [](const ScriptLine& line) { return line.kind != ' '; };
  std::string text;
  std::size_t old_line = 1;
  std::size_t new_line = 1;
  for (std::size_t at = 0; at < script.size();) {
    const auto first = std::find_if(script.begin() + static_cast<std::ptrdiff_t>(at), script.end(), is_change);
    if (first == script.end()) break;
    const std::size_t change = static_cast<std::size_t>(first - script.begin());
    const std::size_t begin = std::max(at, change - std::min(change, kContext));
    old_line += begin - at;
    new_line += begin - at;
    std::size_t end = change;
    for (std::size_t i = change; i < script.size() && i <= end + 2 * kContext; ++i) {
      if (is_change(script[i])) end = i;
    }
    end = std::min(script.size(), end + 1 + kContext);
    std::string body;
    std::size_t removed = 0;
    std::size_t added = 0;
    for (std::size_t i = begin; i < end; ++i) {
      if (script[i].kind != '+') ++removed;
      if (script[i].kind != '-') ++added;
      body += script[i].kind;
      body += script[i].text;
      if (!script[i].text.ends_with('\n')) body += "\n\\ No newline at end of file\n";
    }
    if (text.empty()) text = fmt::format("--- {}\n+++ {}\n", path, path);
    text += fmt::format("@@ -{},{} +{},{} @@\n", removed == 0 ? old_line - 1 : old_line, removed,
                        added == 0 ? new_line - 1 : new_line, added);
    text += body;
    old_line += removed;
    new_line += added;
    at = end;
  }
  return text;
}

}  // namespace ambit::repair
