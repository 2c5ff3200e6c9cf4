#include "trace/text_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "core/number_text.h"
#include "trace/well_formed.h"

namespace ambit::trace {
namespace {

std::vector<std::string_view> split_at_dots(std::string_view word) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t dot = word.find('.');
    parts.push_back(word.substr(0, dot));
    if (dot == std::string_view::npos) return parts;
    word.remove_prefix(dot + 1);
  }
}

/// Parts 1 and 2 are an order and a scope.
std::string take_order_and_scope(const std::vector<std::string_view>& parts, TraceEvent& event) {
  if (parts.size() < 3) return fmt::format("'{}' needs an order and a scope: {}.relaxed.gpu", parts[0], parts[0]);
  const auto order = order_from_word(parts[1]);
  if (!order) return fmt::format("no order: '{}' (relaxed, acquire, release, acq_rel, sc)", parts[1]);
  const auto scope = parts[2] == "thread" ? std::optional(Scope::Thread) : scope_from_word(parts[2]);
  if (!scope) return fmt::format("no scope: '{}' (cta, cluster, gpu, sys)", parts[2]);
  event.order = *order;
  event.scope = *scope;
  return order_flaw(event.op, event.order).value_or("");
}

std::string take_access(const std::vector<std::string_view>& parts, TraceEvent& event) {
  event.op = parts[0] == "r" ? TraceOp::Read : TraceOp::Write;
  if (parts.size() == 1) return {};
  if (parts.size() == 2 && parts[1] == "volatile") {
    event.order = Order::Relaxed;
    event.scope = Scope::System;
    event.is_volatile = true;
    return {};
  }
  if (std::string error = take_order_and_scope(parts, event); !error.empty()) return error;
  return parts.size() == 3 ? "" : fmt::format("nothing can follow the scope: '.{}'", parts[3]);
}

std::string take_update(const std::vector<std::string_view>& parts, TraceEvent& event) {
  event.op = parts[0] == "rmw" ? TraceOp::Rmw : TraceOp::Reduction;
  if (std::string error = take_order_and_scope(parts, event); !error.empty()) return error;
  if (parts.size() == 3) return {};
  const auto rmw = rmw_from_word(parts[3]);
  if (!rmw || parts.size() > 4) return fmt::format("no read-modify-write: '{}' (exch, cas, add ...)", parts[3]);
  event.rmw = *rmw;
  return {};
}

std::string take_fence(const std::vector<std::string_view>& parts, TraceEvent& event) {
  event.op = TraceOp::Fence;
  if (std::string error = take_order_and_scope(parts, event); !error.empty()) return error;
  return parts.size() == 3 ? "" : fmt::format("nothing can follow the scope: '.{}'", parts[3]);
}

std::string take_barrier_word(const std::vector<std::string_view>& parts, TraceEvent& event) {
  event.op = TraceOp::Barrier;
  event.scope = Scope::Block;
  std::size_t next = 1;
  const auto take = [&](std::string_view part) {
    const bool is_next = next < parts.size() && parts[next] == part;
    if (is_next) ++next;
    return is_next;
  };
  if (take("cluster")) {
    event.scope = Scope::Cluster;
  } else if (take("grid")) {
    event.scope = Scope::Device;
  }
  event.arrive_only = take("arrive");
  if (next == parts.size()) return {};
  return fmt::format("no barrier: '{}' (bar, bar.cluster, bar.grid, each also with .arrive behind it)",
                     fmt::join(parts, "."));
}

}  // namespace

std::string_view order_word(Order order) {
  constexpr std::array<std::string_view, 6> kWords = {"weak", "relaxed", "acquire", "release", "acq_rel", "sc"};
  return kWords[static_cast<std::size_t>(order)];
}

std::string_view scope_word(Scope scope) {
  constexpr std::array<std::string_view, 5> kWords = {"thread", "cta", "cluster", "gpu", "sys"};
  return kWords[static_cast<std::size_t>(scope)];
}

std::optional<Order> order_from_word(std::string_view word) {
  if (word == "relaxed" || word == "rlx") return Order::Relaxed;
  if (word == "acquire" || word == "acq") return Order::Acquire;
  if (word == "release" || word == "rel") return Order::Release;
  if (word == "acq_rel") return Order::AcqRel;
  if (word == "sc" || word == "seq_cst") return Order::SeqCst;
  return std::nullopt;
}

std::optional<Scope> scope_from_word(std::string_view word) {
  if (word == "cta" || word == "block") return Scope::Block;
  if (word == "cluster") return Scope::Cluster;
  if (word == "gpu" || word == "device") return Scope::Device;
  if (word == "sys" || word == "system") return Scope::System;
  return std::nullopt;
}

std::optional<TraceRmw> rmw_from_word(std::string_view word) {
  for (std::size_t i = 1; i < kTraceRmws; ++i) {
    if (to_string(static_cast<TraceRmw>(i)) == word) return static_cast<TraceRmw>(i);
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

std::string parse_operation(std::string_view word, TraceEvent& event) {
  const std::vector<std::string_view> parts = split_at_dots(word);
  const std::string_view head = parts[0];
  if (head == "r" || head == "w") return take_access(parts, event);
  if (head == "rmw" || head == "red") return take_update(parts, event);
  if (head == "fence") return take_fence(parts, event);
  if (head == "bar") return take_barrier_word(parts, event);
  constexpr std::array<std::pair<std::string_view, TraceOp>, 6> kPlain = {{{"warpbar", TraceOp::WarpBarrier},
                                                                           {"acq", TraceOp::LockAcquire},
                                                                           {"rel", TraceOp::LockRelease},
                                                                           {"fork", TraceOp::Fork},
                                                                           {"join", TraceOp::Join},
                                                                           {"exit", TraceOp::Exit}}};
  for (const auto& [name, op] : kPlain) {
    if (head != name) continue;
    event.op = op;
    return parts.size() == 1 ? "" : fmt::format("'{}' takes no qualifiers", head);
  }
  return fmt::format("no operation: '{}' (r, w, rmw, red, fence, bar, warpbar, acq, rel, fork, join, exit)", head);
}

}  // namespace ambit::trace
