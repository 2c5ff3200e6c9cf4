#include "parser/ptx/modifier_order.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "parser/ptx/modifiers.h"
#include "parser/ptx/type_suffix.h"

namespace ambit::parser::ptx {
namespace {

bool is_order(std::string_view word) {
  static constexpr std::array<std::string_view, 6> kOrders = {"weak",    "relaxed", "acquire",
                                                              "release", "acq_rel", "volatile"};
  return std::ranges::find(kOrders, word) != kOrders.end();
}

constexpr int kUnknown = 7;

/// Returns the position of a modifier of ld, st, atom or red in the syntax of the PTX ISA.
int place_of(const Word& word) {
  if (word.text == "mmio") return 0;
  if (is_order(word.text)) return 1;
  if (find_name(kScopes, word.text)) return 2;
  if (word.text == "global" || word.text.starts_with("shared")) return 3;
  if (find_name(kRmwOps, word.text)) return 4;
  return read_type_suffix(word) ? 5 : kUnknown;
}

}  // namespace

std::vector<Word> in_order(const std::vector<Word>& opcode) {
  std::vector<Word> words = opcode;
  const std::string_view name = words.front().text;
  const bool is_access = name == "ld" || name == "st" || name == "atom" || name == "red";
  // If a word is unknown, the order is not changed, so that the error refers to the right word.
  const bool is_known =
      std::none_of(words.begin() + 1, words.end(), [](const Word& word) { return place_of(word) == kUnknown; });
  if (is_access && is_known) {
    std::stable_sort(words.begin() + 1, words.end(),
                     [](const Word& a, const Word& b) { return place_of(a) < place_of(b); });
  }
  const bool is_fence = name == "fence" && words.size() == 3;
  if (is_fence && find_name(kScopes, words[1].text) && (is_order(words[2].text) || words[2].text == "sc")) {
    std::swap(words[1], words[2]);
  }
  return words;
}

}  // namespace ambit::parser::ptx
