#include "parser/text/keywords.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/source.h"
#include "core/ptx_mapping.h"

namespace ambit::parser {
namespace {

bool remove_prefix(std::string_view& word, std::string_view prefix) {
  if (!word.starts_with(prefix)) return false;
  word.remove_prefix(prefix.size());
  return true;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Removes the prefix `cuda::`, `cuda::std::` or `std::`.
void remove_namespace(std::string_view& word) {
  remove_prefix(word, "cuda::");
  remove_prefix(word, "std::");
}

}  // namespace

std::optional<Order> read_order(std::string_view word) {
  remove_namespace(word);
  if (!remove_prefix(word, "memory_order::")) remove_prefix(word, "memory_order_");
  if (word == "sc") return Order::SeqCst;  // PTX's word, which witnesses contain
  const std::optional<Order> order = order_from_string(word);
  return order == Order::Weak ? std::nullopt : order;
}

std::optional<Scope> read_scope(std::string_view word) {
  if (const std::optional<Scope> scope = scope_from_ptx(word)) return scope;
  remove_namespace(word);
  if (!remove_prefix(word, "thread_scope::")) remove_prefix(word, "thread_scope_");
  return scope_from_string(word);
}

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates, std::string fallback) {
  const std::string_view near = nearest_name(word, candidates);
  // If two names differ only in digits, such as r1 and r2, a typing error is unlikely, and the hint would mislead.
  const bool numbers_differ = std::equal(word.begin(), word.end(), near.begin(), near.end(),
                                         [](char a, char b) { return a == b || (is_digit(a) && is_digit(b)); });
  return near.empty() || numbers_differ ? std::move(fallback) : fmt::format("did you mean '{}'?", near);
}

std::string one_of(std::string_view what, const std::vector<std::string_view>& names) {
  constexpr std::size_t kMost = 12;
  if (names.empty() || names.size() > kMost) return {};
  return fmt::format("{} {}", what, fmt::join(names, ", "));
}

const std::vector<std::string_view>& order_names() {
  static const std::vector<std::string_view> kNames = {"relaxed", "acquire", "release", "acq_rel", "seq_cst"};
  return kNames;
}

const std::vector<std::string_view>& scope_names() {
  static const std::vector<std::string_view> kNames = {"thread", "block", "cluster", "device", "system"};
  return kNames;
}

}  // namespace ambit::parser
