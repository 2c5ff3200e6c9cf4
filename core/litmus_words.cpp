#include "core/litmus_words.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/assert.h"

namespace ambit {

/// Returns the text of core/litmus_words.txt. The build generates this function.
std::string_view litmus_words_text();

namespace {

using List = std::pair<std::string_view, std::vector<LitmusWord>>;

WordKind kind_of(std::string_view name) {
  constexpr std::array<std::string_view, 5> kNames = {"Keyword", "Type", "Argument", "Answer", "Function"};
  const auto found = std::ranges::find(kNames, name);
  AMBIT_ASSERT(found != kNames.end());
  return static_cast<WordKind>(found - kNames.begin());
}

std::string_view take_until(std::string_view& text, char end) {
  const std::size_t length = text.find(end);
  AMBIT_ASSERT(length != std::string_view::npos);
  const std::string_view taken = text.substr(0, length);
  text.remove_prefix(length + 1);
  return taken;
}

/// Parses the text. Returns a list of words for each value of USE, in the order of the file. A line is
/// "USE|KIND|NAME|SNIPPET|MEANING".
std::vector<List> read_lists() {
  std::vector<List> lists;
  for (std::string_view text = litmus_words_text(); !text.empty();) {
    const std::string_view use = take_until(text, '|');
    if (lists.empty() || lists.back().first != use) lists.push_back({use, {}});
    LitmusWord& word = lists.back().second.emplace_back();
    word.kind = kind_of(take_until(text, '|'));
    word.name = take_until(text, '|');
    word.snippet = take_until(text, '|');
    word.meaning = take_until(text, '\n');
  }
  return lists;
}

const std::vector<List>& lists() {
  static const std::vector<List> all = read_lists();
  return all;
}

std::span<const LitmusWord> words_for(std::string_view use) {
  const auto found = std::ranges::find(lists(), use, &List::first);
  AMBIT_ASSERT(found != lists().end());
  return found->second;
}

}  // namespace

std::span<const LitmusWord> body_words() { return words_for("body"); }
std::span<const LitmusWord> expectation_words() { return words_for("expectation"); }
std::span<const LitmusWord> expectation_heads() { return words_for("head"); }
std::span<const LitmusWord> scheduler_words() { return words_for("scheduler"); }
std::span<const LitmusWord> termination_words() { return words_for("termination"); }

std::optional<WordKind> word_kind(std::string_view word) {
  for (const auto& [use, list] : lists()) {
    const auto found = std::ranges::find(list, word, &LitmusWord::name);
    if (found != list.end()) return found->kind;
  }
  return std::nullopt;
}

}  // namespace ambit
