#include "trace/text_operation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "core/ptx_mapping.h"
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

/// Reads the memory order in parts[1] and the scope in parts[2].
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

constexpr std::string_view kGroups = "copy, bulk, matrix, tensor-load, tensor-store or tensor";

/// Reads the operations on groups: issue, issue.bulk, issue.copy.all; commit.bulk; wait.bulk, wait.bulk.read,
/// wait.copy.all.
std::string take_group(const std::vector<std::string_view>& parts, TraceEvent& event) {
  event.op = parts[0] == "issue" ? TraceOp::Issue : parts[0] == "commit" ? TraceOp::Commit : TraceOp::GroupWait;
  if (parts.size() == 1 && event.op == TraceOp::Issue) return {};
  const auto group = parts.size() < 2 ? std::nullopt : group_from_word(parts[1]);
  if (!group) return fmt::format("'{}' needs a group: {}", parts[0], kGroups);
  event.group = *group;
  event.covers_all = parts.size() > 2 && parts[2] == "all" && event.op != TraceOp::Commit;
  event.reads_only = parts.size() > 2 && parts[2] == "read" && event.op == TraceOp::GroupWait;
  const std::size_t known = event.covers_all || event.reads_only ? 3 : 2;
  return parts.size() == known ? "" : fmt::format("unexpected '.{}' after the group", parts[known]);
}

std::string take_mbarrier(const std::vector<std::string_view>& parts, TraceEvent& event) {
  const std::string_view what = parts.size() > 1 ? parts[1] : "";
  if (what == "init" && parts.size() == 2) {
    event.op = TraceOp::MbarrierInit;
    return {};
  }
  if (what != "arrive" && what != "wait") {
    return "unknown mbarrier operation: expected mbarrier.init, mbarrier.arrive.ORDER.SCOPE or "
           "mbarrier.wait.ORDER.SCOPE";
  }
  event.op = what == "arrive" ? TraceOp::MbarrierArrive : TraceOp::MbarrierWait;
  const std::vector<std::string_view> rest(parts.begin() + 1, parts.end());
  if (std::string error = take_order_and_scope(rest, event); !error.empty()) return error;
  return rest.size() == 3 ? "" : fmt::format("unexpected '.{}' after the scope", rest[3]);
}

/// Reads a proxy fence: fence.proxy.async, fence.proxy.async.global and so on.
std::string take_proxy_fence(const std::vector<std::string_view>& parts, TraceEvent& event) {
  event.op = TraceOp::ProxyFence;
  if (parts.size() == 3 && parts[2] == "async") return {};
  for (const FenceSpace space : {FenceSpace::Global, FenceSpace::SharedBlock, FenceSpace::SharedCluster}) {
    if (parts.size() != 4 || parts[2] != "async" || "." + std::string(parts[3]) != ptx_fence_space(space)) continue;
    event.count = static_cast<std::uint32_t>(space);
    return {};
  }
  return "unknown proxy fence: expected fence.proxy.async, with or without .global, .shared::cta or .shared::cluster";
}

std::string take_fence(const std::vector<std::string_view>& parts, TraceEvent& event) {
  if (parts.size() > 1 && parts[1] == "proxy") return take_proxy_fence(parts, event);
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
  std::vector<std::string_view> parts = split_at_dots(word);
  const std::string_view head = parts[0];
  const bool may_be_async = head == "r" || head == "w" || head == "red";
  if (may_be_async && parts.size() > 1 && parts[1] == "async") {
    event.is_async = true;
    parts.erase(parts.begin() + 1);
  }
  if (head == "r" || head == "w") return take_access(parts, event);
  if (head == "rmw" || head == "red") return take_update(parts, event);
  if (head == "fence") return take_fence(parts, event);
  if (head == "bar") return take_barrier_word(parts, event);
  if (head == "txn") return take_transaction(parts, event);
  if (head == "issue" || head == "commit" || head == "wait") return take_group(parts, event);
  if (head == "mbarrier") return take_mbarrier(parts, event);
  constexpr std::array<std::pair<std::string_view, TraceOp>, 7> kPlain = {{{"warpbar", TraceOp::WarpBarrier},
                                                                           {"complete", TraceOp::Complete},
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
      "unknown operation '{}': expected r, w, rmw, red, fence, bar, warpbar, acq, rel, txn, fork, join, exit, issue, "
      "commit, wait, complete or mbarrier",
      head);
}

}  // namespace ambit::trace
