#include "report/draw/trace_timeline_words.h"

#include <fmt/format.h>

#include "base/plural.h"
#include "core/ptx_mapping.h"

namespace ambit::report {
namespace {

/// Returns the suffix that gives an access's order and scope: ".relaxed.gpu", ".volatile"; empty for a plain access.
std::string tags_of(const TraceEvent& event) {
  if (event.is_volatile) return ".volatile";
  if (event.is_access() && event.order == Order::Weak) return {};
  return fmt::format(".{}.{}", ptx_order(event.order), ptx_scope(event.scope));
}

std::string values_of(const TraceEvent& event) {
  if (!event.is_update()) return event.has_value ? fmt::format(" = {}", event.value) : "";
  if (event.is_failed) return event.has_old_value ? fmt::format(" {}, failed", event.old_value) : " failed";
  const std::string old_value = event.has_old_value ? fmt::format(" {}", event.old_value) : "";
  return event.has_value ? fmt::format("{} -> {}", old_value, event.value) : old_value;
}

std::string access_text(const TraceEvent& event, const TraceTables& tables) {
  const std::string_view kind = event.op == TraceOp::Read        ? "R"
                                : event.op == TraceOp::Write     ? "W"
                                : event.op == TraceOp::Reduction ? "RED"
                                                                 : "RMW";
  std::string operation(to_string(event.rmw));
  if (!operation.empty()) operation.insert(0, ".");
  return fmt::format("{}{}{} {}{}", kind, tags_of(event), event.is_update() ? operation : "",
                     tables.locations()[event.object].name, values_of(event));
}

}  // namespace

std::string trace_event_text(const TraceEvent& event, const TraceTables& tables) {
  if (event.is_access()) return access_text(event, tables);
  switch (event.op) {
    case TraceOp::Fence: return fmt::format("F{}", tags_of(event));
    case TraceOp::Barrier: {
      const std::string_view level = event.scope == Scope::Cluster  ? ".cluster"
                                     : event.scope == Scope::Device ? ".grid"
                                                                    : "";
      return fmt::format("bar{}{} {}", level, event.arrive_only ? ".arrive" : "", event.object);
    }
    case TraceOp::WarpBarrier: return "bar.warp";
    case TraceOp::LockAcquire: return fmt::format("acquire {}", tables.locations()[event.object].name);
    case TraceOp::LockRelease: return fmt::format("release {}", tables.locations()[event.object].name);
    case TraceOp::Fork: return fmt::format("fork {}", tables.threads()[event.object].name);
    case TraceOp::Join: return fmt::format("join {}", tables.threads()[event.object].name);
    case TraceOp::Exit: return "exit";
    case TraceOp::TransactionBegin: return fmt::format("begin transaction.{}", ptx_scope(event.scope));
    case TraceOp::TransactionCommit: return "commit transaction";
    case TraceOp::TransactionAbort: return "abort transaction";
    case TraceOp::Issue: return fmt::format("issue {}", tables.threads()[event.object].name);
    case TraceOp::Commit: return "commit";
    case TraceOp::GroupWait: return event.reads_only ? "wait for reads" : "wait";
    case TraceOp::Complete:
      return fmt::format("complete {} phase {}", tables.locations()[event.object].name, event.value);
    case TraceOp::ProxyFence: return "F.proxy.async";
    case TraceOp::MbarrierInit: return fmt::format("init {}", tables.locations()[event.object].name);
    case TraceOp::MbarrierArrive:
    case TraceOp::MbarrierWait:
      return fmt::format("{}{} {} phase {}", event.op == TraceOp::MbarrierWait ? "wait" : "arrive", tags_of(event),
                         tables.locations()[event.object].name, event.value);
    default: return {};
  }
}

std::string barrier_text(const BarrierTracker::Completion& done, const TraceTables& tables) {
  const std::size_t threads = done.waiting.size() + done.arrived_only.size();
  std::string where;
  if (!done.waiting.empty()) {
    const ThreadPlace& place = tables.threads()[done.waiting.front()].place;
    if (done.op == TraceOp::WarpBarrier) {
      where = fmt::format("warp {} of block {}", place.warp, place.block);
    } else if (done.level == Scope::Block) {
      where = fmt::format("block {}", place.block);
    } else {
      where = done.level == Scope::Cluster ? "the cluster" : "the grid";
    }
  }
  return fmt::format("barrier of {}: {}", where, plural(threads, "thread", "threads meet"));
}

}  // namespace ambit::report
