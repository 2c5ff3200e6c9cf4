#include "parser/litmus_words.h"

#include <fmt/format.h>

#include "core/source.h"

namespace ambit::parser::litmus {
namespace {

bool remove_prefix(std::string_view& word, std::string_view prefix) {
  if (!word.starts_with(prefix)) return false;
  word.remove_prefix(prefix.size());
  return true;
}

/// Takes `cuda::`, `cuda::std::` or `std::` off.
void remove_namespace(std::string_view& word) {
  remove_prefix(word, "cuda::");
  remove_prefix(word, "std::");
}

}  // namespace

std::optional<Order> read_order(std::string_view word) {
  remove_namespace(word);
  if (!remove_prefix(word, "memory_order::")) remove_prefix(word, "memory_order_");
  const std::optional<Order> order = order_from_string(word);
  return order == Order::Weak ? std::nullopt : order;
}

std::optional<Scope> read_scope(std::string_view word) {
  remove_namespace(word);
  if (!remove_prefix(word, "thread_scope::")) remove_prefix(word, "thread_scope_");
  return scope_from_string(word);
}

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates) {
  const std::string_view near = nearest_name(word, candidates);
  return near.empty() ? std::string{} : fmt::format("did you mean '{}'?", near);
}

const std::vector<std::string_view>& order_names() {
  static const std::vector<std::string_view> kNames = {"relaxed", "acquire", "release", "acq_rel", "seq_cst"};
  return kNames;
}

const std::vector<std::string_view>& scope_names() {
  static const std::vector<std::string_view> kNames = {"thread", "block", "cluster", "device", "system"};
  return kNames;
}

}  // namespace ambit::parser::litmus
