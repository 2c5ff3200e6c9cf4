#include "model/repair/ptx_forms.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/trimmed.h"
#include "model/repair/call_text.h"

namespace ambit::repair {
namespace {

std::string_view scope_modifier(Scope scope) {
  switch (scope) {
    case Scope::Block: return "cta";
    case Scope::Cluster: return "cluster";
    case Scope::Device: return "gpu";
    case Scope::System: return "sys";
    case Scope::Thread: return {};
  }
  return {};
}

std::string_view order_modifier(Order order) {
  switch (order) {
    case Order::Weak: return "weak";
    case Order::Relaxed: return "relaxed";
    case Order::Acquire: return "acquire";
    case Order::Release: return "release";
    case Order::AcqRel: return "acq_rel";
    case Order::SeqCst: return "sc";
  }
  return {};
}

/// Returns the opcode with its modifiers, such as "ld.acquire.gpu". The opcode is the first word after an optional
/// guard.
std::string_view opcode_in(std::string_view slice) {
  std::string_view rest = trimmed(slice);
  while (rest.starts_with('@')) {
    rest = trimmed(rest.substr(std::min(rest.find(' '), rest.size())));
  }
  return rest.substr(0, std::min(rest.find_first_of(" \t;"), rest.size()));
}

/// Returns the first modifier of an opcode that `is_wanted` accepts; empty if it accepts no modifier.
template <typename IsWanted>
std::string_view modifier_in(std::string_view opcode, IsWanted is_wanted) {
  for (std::size_t dot = opcode.find('.'); dot != std::string_view::npos;) {
    const std::size_t next = opcode.find('.', dot + 1);
    const std::string_view word = opcode.substr(dot + 1, next == std::string_view::npos ? next : next - dot - 1);
    if (is_wanted(word)) return word;
    dot = next;
  }
  return {};
}

bool is_scope(std::string_view word) {
  return word == "cta" || word == "cluster" || word == "gpu" || word == "gl" || word == "sys";
}
bool is_order(std::string_view word) {
  return word == "relaxed" || word == "acquire" || word == "release" || word == "acq_rel" || word == "sc";
}

/// Returns the line that contains a byte, including the newline.
std::string_view line_around(const std::string& text, std::size_t at) {
  const std::size_t before = text.rfind('\n', at == 0 ? 0 : at - 1);
  const std::size_t begin = before == std::string::npos || at == 0 ? 0 : before + 1;
  const std::size_t end = std::min(text.find('\n', at), text.size());
  return std::string_view(text).substr(begin, end - begin + (end < text.size() ? 1 : 0));
}

}  // namespace

Forms::Edits PtxForms::with_scope(const Place& place, Scope scope) const {
  const std::string_view opcode = opcode_in(text_.slice(place.span));
  const std::string_view word = modifier_in(opcode, is_scope);
  if (word.empty() || scope == Scope::Thread) return std::nullopt;
  if (opcode.starts_with("membar")) {
    if (scope == Scope::Cluster) return std::nullopt;
    return std::vector{replacement(text_.text(), word, scope == Scope::Device ? "gl" : scope_modifier(scope))};
  }
  return std::vector{replacement(text_.text(), word, scope_modifier(scope))};
}

Forms::Edits PtxForms::with_order(const Place& place, Order order) const {
  const std::string_view word = modifier_in(opcode_in(text_.slice(place.span)), is_order);
  if (word.empty()) return std::nullopt;
  return std::vector{replacement(text_.text(), word, order_modifier(order))};
}

std::optional<std::string> PtxForms::fence_words(Order order, Scope scope) const {
  if (scope == Scope::Thread) return std::nullopt;
  return fmt::format("fence.{}.{}", order_modifier(order), scope_modifier(scope));
}

Forms::Edits PtxForms::fence_before(const Place& place, Order order, Scope scope) const {
  const auto at = text_.offset_of(place.span);
  const auto words = fence_words(order, scope);
  if (!at || !words) return std::nullopt;
  const std::string_view line = line_around(text_.text(), *at);
  const auto begin = static_cast<std::size_t>(line.data() - text_.text().data());
  const auto column = std::count(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(*at - begin), '|');
  std::string row;
  std::ptrdiff_t cell = 0;
  std::size_t next = 0;
  while (next < line.size() && line[next] != ';') {
    const std::size_t end = std::min(line.find_first_of("|;", next), line.size());
    std::string text(end - next, ' ');
    if (cell == column) {
      const std::string wide = fmt::format(" {} ", *words);
      text = wide + std::string(text.size() > wide.size() ? text.size() - wide.size() : 0, ' ');
    }
    row += text;
    if (end < line.size()) row += line[end];
    next = end;
    if (next < line.size() && line[next] == '|') ++next, ++cell;
  }
  if (next >= line.size()) return std::nullopt;  // the row continues on the next line
  return std::vector<TextEdit>{{begin, begin, row + "\n"}};
}

Forms::Edits PtxForms::without(const Place& fence) const {
  const std::string_view slice = text_.slice(fence.span);
  if (slice.empty()) return std::nullopt;
  const auto at = static_cast<std::size_t>(slice.data() - text_.text().data());
  const std::string_view line = line_around(text_.text(), at);
  const auto begin = static_cast<std::size_t>(line.data() - text_.text().data());
  std::string rest(line);
  rest.replace(at - begin, slice.size(), std::string(slice.size(), ' '));
  if (rest.find_first_not_of(" |;\t\r\n") == std::string::npos) {
    return std::vector<TextEdit>{{begin, begin + line.size(), ""}};
  }
  return std::vector{replacement(text_.text(), slice, std::string(slice.size(), ' '))};
}

Forms::Edits PtxForms::as_atomic(const Place& place, Scope scope) const {
  const std::string_view opcode = opcode_in(text_.slice(place.span));
  if (!opcode.starts_with("ld") && !opcode.starts_with("st")) return std::nullopt;
  const std::string relaxed = fmt::format("relaxed.{}", scope_modifier(scope));
  const std::string_view weak =
      modifier_in(opcode, [](std::string_view word) { return word == "weak" || word == "volatile"; });
  if (!weak.empty()) return std::vector{replacement(text_.text(), weak, relaxed)};
  return std::vector{replacement(text_.text(), opcode.substr(2, 0), "." + relaxed)};
}

Forms::Edits PtxForms::in_block(const Thread& thread, int block) const {
  const auto at = text_.offset_of(thread.span);
  if (!at) return std::nullopt;
  const std::string_view line = line_around(text_.text(), *at);
  const auto begin = static_cast<std::size_t>(line.data() - text_.text().data());
  const std::string_view cell = line.substr(*at - begin, line.find_first_of("|;", *at - begin) - (*at - begin));
  constexpr std::string_view kWord = "cta ";
  const std::size_t word = cell.find(kWord);
  if (word == std::string_view::npos) return std::nullopt;
  std::size_t end = word + kWord.size();
  while (end < cell.size() && is_word_character(cell[end])) ++end;
  return std::vector{
      replacement(text_.text(), cell.substr(word + kWord.size(), end - word - kWord.size()), std::to_string(block))};
}

}  // namespace ambit::repair
