#include "trace/text_operation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "trace/text_words.h"
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

/// Reads parts 1 and 2, an order and a scope.
std::string take_order_and_scope(const std::vector<std::string_view>& parts, TraceEvent& event) {
  if (parts.size() < 3) return fmt::format("'{}' needs an order and a scope, as in {}.relaxed.gpu", parts[0], parts[0]);
  const auto order = order_from_word(parts[1]);
  if (!order) return fmt::format("unknown order '{}': expected relaxed, acquire, release, acq_rel or sc", parts[1]);
  const auto scope = parts[2] == "thread" ? std::optional(Scope::Thread) : scope_from_word(parts[2]);
  if (!scope) return fmt::format("unknown scope '{}': expected cta, cluster, gpu or sys", parts[2]);
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
  return parts.size() == 3 ? "" : fmt::format("unexpected '.{}' after the scope", parts[3]);
}

std::string take_update(const std::vector<std::string_view>& parts, TraceEvent& event) {
  event.op = parts[0] == "rmw" ? TraceOp::Rmw : TraceOp::Reduction;
  if (std::string error = take_order_and_scope(parts, event); !error.empty()) return error;
  if (parts.size() == 3) return {};
  const auto rmw = rmw_from_word(parts[3]);
  if (!rmw || parts.size() > 4)
    return fmt::format("unknown read-modify-write '{}': expected exch, cas, add ...", parts[3]);
  event.rmw = *rmw;
  return {};
}

std::string take_fence(const std::vector<std::string_view>& parts, TraceEvent& event) {
  event.op = TraceOp::Fence;
  if (std::string error = take_order_and_scope(parts, event); !error.empty()) return error;
  return parts.size() == 3 ? "" : fmt::format("unexpected '.{}' after the scope", parts[3]);
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
  return fmt::format("unknown barrier '{}': expected bar, bar.cluster or bar.grid, with or without .arrive",
                     fmt::join(parts, "."));
}

std::string take_transaction(const std::vector<std::string_view>& parts, TraceEvent& event) {
  const std::string_view what = parts.size() > 1 ? parts[1] : std::string_view();
  if (what == "begin") {
    event.op = TraceOp::TransactionBegin;
    const auto scope = parts.size() == 3 ? scope_from_word(parts[2]) : std::nullopt;
    if (!scope) return "expected a scope: txn.begin.cta, .cluster, .gpu or .sys";
    event.scope = *scope;
    return {};
  }
  event.op = what == "commit" ? TraceOp::TransactionCommit : TraceOp::TransactionAbort;
  if (parts.size() == 2 && (what == "commit" || what == "abort")) return {};
  return fmt::format("unknown step of a transaction '{}': expected txn.begin.SCOPE, txn.commit or txn.abort",
                     fmt::join(parts, "."));
}

}  // namespace

std::string parse_operation(std::string_view word, TraceEvent& event) {
  const std::vector<std::string_view> parts = split_at_dots(word);
  const std::string_view head = parts[0];
  if (head == "r" || head == "w") return take_access(parts, event);
  if (head == "rmw" || head == "red") return take_update(parts, event);
  if (head == "fence") return take_fence(parts, event);
  if (head == "bar") return take_barrier_word(parts, event);
  if (head == "txn") return take_transaction(parts, event);
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
  return fmt::format(
      "unknown operation '{}': expected r, w, rmw, red, fence, bar, warpbar, acq, rel, txn, fork, join or exit", head);
}

}  // namespace ambit::trace
