#include "trace/text_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>

#include "base/number_text.h"
#include "core/ptx_mapping.h"

namespace ambit::trace {

std::optional<Order> order_from_word(std::string_view word) {
  if (word == "relaxed" || word == "rlx") return Order::Relaxed;
  if (word == "acquire" || word == "acq") return Order::Acquire;
  if (word == "release" || word == "rel") return Order::Release;
  if (word == "acq_rel") return Order::AcqRel;
  if (word == "sc" || word == "seq_cst") return Order::SeqCst;
  return std::nullopt;
}

std::optional<Scope> scope_from_word(std::string_view word) {
  if (const std::optional<Scope> scope = scope_from_ptx(word)) return scope;
  const std::optional<Scope> scope = scope_from_string(word);
  return scope == Scope::Thread ? std::nullopt : scope;
}

std::optional<TraceRmw> rmw_from_word(std::string_view word) {
  for (std::size_t i = 1; i < kTraceRmws; ++i) {
    if (to_string(static_cast<TraceRmw>(i)) == word) return static_cast<TraceRmw>(i);
  }
  return std::nullopt;
}

std::string_view group_word(AsyncGroup group) {
  switch (group) {
    case AsyncGroup::None: break;
    case AsyncGroup::Copy: return "copy";
    case AsyncGroup::Bulk: return "bulk";
    case AsyncGroup::Matrix: return "matrix";
    case AsyncGroup::TensorLoad: return "tensor-load";
    case AsyncGroup::TensorStore: return "tensor-store";
    case AsyncGroup::Tensor: return "tensor";
  }
  return "";
}

std::optional<AsyncGroup> group_from_word(std::string_view word) {
  for (const AsyncGroup group : {AsyncGroup::Copy, AsyncGroup::Bulk, AsyncGroup::Matrix, AsyncGroup::TensorLoad,
                                 AsyncGroup::TensorStore, AsyncGroup::Tensor}) {
    if (word == group_word(group)) return group;
  }
  return std::nullopt;
}

std::optional<Value> value_from_text(std::string_view text) {
  if (text.starts_with("0x")) {
    const auto bits = number_from_text(text);
    if (!bits) return std::nullopt;
    return static_cast<Value>(*bits);
  }
  Value value = 0;
  if (!take_number(text, value) || !text.empty()) return std::nullopt;
  return value;
}

std::optional<PlaceName> place_from_text(std::string_view text) {
  PlaceName place;
  if (text.starts_with('g')) {
    text.remove_prefix(1);
    if (!take_number(text, place.gpu) || place.gpu < 0) return std::nullopt;
  }
  if (!text.starts_with('b')) return std::nullopt;
  text.remove_prefix(1);
  if (!take_number(text, place.block) || !text.starts_with('t')) return std::nullopt;
  text.remove_prefix(1);
  if (!take_number(text, place.thread) || !text.empty()) return std::nullopt;
  return place;
}

bool names_block(std::string_view location) {
  const auto take_digits = [&](char letter) {
    if (!location.starts_with(letter)) return false;
    const std::size_t end = std::min(location.find_first_not_of("0123456789", 1), location.size());
    location.remove_prefix(end);
    return end > 1;
  };
  if (location.starts_with('g') && !take_digits('g')) return false;
  return take_digits('b') && location.starts_with(':');
}

std::string escaped(std::string_view name, std::string_view special) {
  std::string text;
  for (const char c : name) {
    const auto code = static_cast<unsigned char>(c);
    const bool is_plain = code > ' ' && code != 0x7f && c != '#' && c != '%' && special.find(c) == special.npos;
    if (is_plain) {
      text += c;
    } else {
      text += fmt::format("%{:02X}", code);
    }
  }
  constexpr std::array<std::string_view, 5> kLines = {"launch", "thread", "object", "init", "end"};
  if (std::find(kLines.begin(), kLines.end(), text) == kLines.end()) return text;
  return fmt::format("%{:02X}{}", static_cast<unsigned char>(text[0]), std::string_view(text).substr(1));
}

std::string unescaped(std::string_view text) {
  std::string name;
  while (!text.empty()) {
    std::size_t size = 1;
    char c = text[0];
    if (c == '%' && text.size() > 2) {
      unsigned char code = 0;
      const auto [end, error] = std::from_chars(text.data() + 1, text.data() + 3, code, 16);
      if (error == std::errc{} && end == text.data() + 3) {
        c = static_cast<char>(code);
        size = 3;
      }
    }
    name += c;
    text.remove_prefix(size);
  }
  return name;
}

}  // namespace ambit::trace
