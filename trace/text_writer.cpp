#include <fmt/format.h>

#include <utility>

#include "core/ptx_mapping.h"
#include "trace/text_trace.h"
#include "trace/text_words.h"

namespace ambit::trace {
namespace {

std::string operation_word(const TraceEvent& event) {
  const auto qualified = [&](std::string_view head) {
    return fmt::format("{}.{}.{}", head, ptx_order(event.order), ptx_scope(event.scope));
  };
  const auto with_group = [&](std::string_view head) {
    std::string word(head);
    if (event.group != AsyncGroup::None) word += fmt::format(".{}", group_word(event.group));
    return word + (event.covers_all ? ".all" : event.reads_only ? ".read" : "");
  };
  switch (event.op) {
    case TraceOp::Read:
    case TraceOp::Write: {
      const std::string_view head = event.op == TraceOp::Read ? "r" : "w";
      if (event.is_volatile) return fmt::format("{}.volatile", head);
      const std::string word = event.is_async ? fmt::format("{}.async", head) : std::string(head);
      return event.order == Order::Weak ? word : qualified(word);
    }
    case TraceOp::Rmw:
    case TraceOp::Reduction: {
      const std::string word = qualified(event.op == TraceOp::Rmw ? "rmw" : event.is_async ? "red.async" : "red");
      return event.rmw == TraceRmw::Generic ? word : fmt::format("{}.{}", word, to_string(event.rmw));
    }
    case TraceOp::Fence: return qualified("fence");
    case TraceOp::Barrier:
      return fmt::format("bar{}{}",
                         event.scope == Scope::Cluster  ? ".cluster"
                         : event.scope == Scope::Device ? ".grid"
                                                        : "",
                         event.arrive_only ? ".arrive" : "");
    case TraceOp::WarpBarrier: return "warpbar";
    case TraceOp::LockAcquire: return "acq";
    case TraceOp::LockRelease: return "rel";
    case TraceOp::Fork: return "fork";
    case TraceOp::Join: return "join";
    case TraceOp::Exit: return "exit";
    case TraceOp::TransactionBegin: return fmt::format("txn.begin.{}", ptx_scope(event.scope));
    case TraceOp::TransactionCommit: return "txn.commit";
    case TraceOp::TransactionAbort: return "txn.abort";
    case TraceOp::Issue: return with_group("issue");
    case TraceOp::Commit: return with_group("commit");
    case TraceOp::GroupWait: return with_group("wait");
    case TraceOp::Complete: return "complete";
    case TraceOp::ProxyFence: {
      return fmt::format("fence.proxy.async{}", ptx_fence_space(static_cast<FenceSpace>(event.count)));
    }
    case TraceOp::MbarrierInit: return "mbarrier.init";
    case TraceOp::MbarrierArrive: return qualified("mbarrier.arrive");
    case TraceOp::MbarrierWait: return qualified("mbarrier.wait");
  }
  return {};
}

/// Escapes the name of a location, including '=', '!' and '>', which may follow a location.
std::string location_word(std::string_view name) { return escaped(name, "=!>"); }

const std::string& location_name(const TraceEvent& event, const TraceTables& tables) {
  return tables.locations()[event.object].name;
}

std::string update_values(const TraceEvent& event) {
  const std::string old_value = event.has_old_value ? std::to_string(event.old_value) : "";
  if (event.is_failed) return fmt::format(":{}!", old_value);
  if (!event.has_old_value && !event.has_value) return {};
  return fmt::format(":{}->{}", old_value, event.has_value ? std::to_string(event.value) : "");
}

std::string operand(const TraceEvent& event, const TraceTables& tables) {
  switch (event.op) {
    case TraceOp::Read:
    case TraceOp::Write: {
      const std::string name = location_word(location_name(event, tables));
      return event.has_value ? fmt::format("{}={}", name, event.value) : name;
    }
    case TraceOp::Rmw:
    case TraceOp::Reduction: return location_word(location_name(event, tables)) + update_values(event);
    case TraceOp::Barrier:
      return event.count == 0 ? fmt::format("{} mask=all", event.object)
                              : fmt::format("{} count={}", event.object, event.count);
    case TraceOp::WarpBarrier: return event.count == kAllLanes ? "mask=all" : fmt::format("mask={:#010x}", event.count);
    case TraceOp::LockAcquire:
    case TraceOp::LockRelease:
      return fmt::format("{}.{}", location_word(location_name(event, tables)), ptx_scope(event.scope));
    case TraceOp::Fork:
    case TraceOp::Join:
    case TraceOp::Issue: return escaped(tables.threads()[event.object].name);
    case TraceOp::GroupWait: return event.covers_all ? "" : fmt::format("pending={}", event.count);
    case TraceOp::Complete:
    case TraceOp::MbarrierArrive:
    case TraceOp::MbarrierWait: return fmt::format("{}={}", location_word(location_name(event, tables)), event.value);
    case TraceOp::MbarrierInit: return location_word(location_name(event, tables));
    case TraceOp::Fence:
    case TraceOp::Exit:
    case TraceOp::Commit:
    case TraceOp::ProxyFence:
    case TraceOp::TransactionBegin:
    case TraceOp::TransactionCommit:
    case TraceOp::TransactionAbort: break;
  }
  return {};
}

Diagnostic output_error(std::string message, std::string hint) {
  return {std::make_shared<const SourceFile>(SourceFile{"<output>", ""}), {}, std::move(message), std::move(hint)};
}

}  // namespace

std::string to_text(const TraceEvent& event, const TraceTables& tables) {
  std::string line = fmt::format("{} {}", escaped(tables.threads()[event.thread].name), operation_word(event));
  if (const std::string text = operand(event, tables); !text.empty()) line += " " + text;
  if (event.site != kNoName) line += " " + escaped(tables.sites()[event.site]);
  return line;
}

void TextTraceWriter::write_line(const std::string& line) {
  has_long_line_ = has_long_line_ || line.size() > LineSource::kMaxLine;
  if (!has_long_line_) out_ << line << '\n';
}

void TextTraceWriter::write_header(const TraceTables& tables) {
  const LaunchGeometry& launch = tables.launch;
  out_ << "ambit-trace 1 sealed\n"
       << fmt::format("launch grid={},{},{} block={},{},{} warp={}", launch.grid[0], launch.grid[1], launch.grid[2],
                      launch.block[0], launch.block[1], launch.block[2], launch.warp);
  if (launch.cluster != 1) out_ << fmt::format(" cluster={}", launch.cluster);
  if (launch.gpus != 1) out_ << fmt::format(" gpus={}", launch.gpus);
  if (launch.only_named_threads) out_ << " threads=named";
  out_ << '\n';
}

void TextTraceWriter::write_names(const TraceTables& tables) {
  for (; threads_ < tables.threads().size(); ++threads_) {
    if (!tables.launch.only_named_threads) continue;
    const TraceThread& thread = tables.threads()[threads_];
    if (thread.is_operation()) continue;
    const std::string gpu = thread.place.gpu == 0 ? "" : fmt::format("g{}", thread.place.gpu);
    write_line(
        fmt::format("thread {} at {}b{}t{}", escaped(thread.name), gpu, thread.place.block, thread.index_in_block));
  }
  for (; objects_ < tables.objects().size(); ++objects_) {
    const TraceObject& object = tables.objects()[objects_];
    if (!object.name.empty() && object.element_size != 4) {
      write_line(fmt::format("object {} size={}", location_word(object.name), object.element_size));
    }
  }
  for (; locations_ < tables.locations().size(); ++locations_) {
    const auto initial = tables.initial_values().find(static_cast<std::uint32_t>(locations_));
    if (initial == tables.initial_values().end()) continue;
    write_line(fmt::format("init {}={}", location_word(tables.locations()[locations_].name),
                           initial->second ? std::to_string(*initial->second) : "?"));
  }
}

Result<bool> TextTraceWriter::write(const TraceTables& tables, std::span<const TraceEvent> events) {
  if (!has_header_) write_header(tables);
  has_header_ = true;
  write_names(tables);
  for (const TraceEvent& event : events) write_line(to_text(event, tables));
  events_ += events.size();
  if (!has_long_line_) return true;
  return output_error(
      fmt::format("a name is too long for the text format: a line has at most {} bytes", LineSource::kMaxLine),
      "use the binary format (.btrace), which has no limit");
}

Result<bool> TextTraceWriter::finish(const TraceTables& tables) {
  if (auto written = write(tables, {}); !written.ok()) return written;
  out_ << "end " << events_ << '\n';
  out_.flush();
  if (!out_) return output_error("cannot write the trace", "");
  return true;
}

}  // namespace ambit::trace
