#include <fmt/format.h>

#include <array>
#include <utility>

#include "trace/std_trace.h"
#include "trace/well_formed.h"

namespace ambit::trace {

StdTraceReader::StdTraceReader(std::unique_ptr<std::istream> in, std::string name)
    : lines_(std::move(in), std::move(name)) {
  tables_.launch.block = {0, 1, 1};
  tables_.launch.warp = 1;
  tables_.launch.only_named_threads = true;
}

std::string StdTraceReader::thread(std::string_view name, std::uint32_t& id) {
  constexpr std::string_view kBlanks = " \t";
  if (kBlanks.find(name.front()) != std::string_view::npos || kBlanks.find(name.back()) != std::string_view::npos) {
    return "blanks around the name of a thread";
  }
  if (const auto known = tables_.find_thread(name)) {
    id = *known;
    return {};
  }
  const std::size_t count = tables_.threads().size();
  if (count == kMaxThreadsPerBlock) return fmt::format("more than {} threads", count);
  id = tables_.add_thread(std::string(name), 0, 0, static_cast<std::uint32_t>(count));
  return {};
}

std::string StdTraceReader::parse(std::string_view line, TraceEvent& event) {
  constexpr std::string_view kExpected = "expected THREAD|OPERATION(OPERAND)|PLACE";
  const std::size_t first = line.find('|');
  const std::size_t second = first == std::string_view::npos ? first : line.find('|', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos || first == 0 ||
      line.find('|', second + 1) != std::string_view::npos) {
    return std::string(kExpected);
  }
  const std::string_view operation = line.substr(first + 1, second - first - 1);
  const std::size_t open = operation.find('(');
  if (open == std::string_view::npos || !operation.ends_with(')') || open + 2 >= operation.size()) {
    return std::string(kExpected);
  }
  constexpr std::array<std::pair<std::string_view, TraceOp>, 6> kOps = {{{"r", TraceOp::Read},
                                                                         {"w", TraceOp::Write},
                                                                         {"acq", TraceOp::LockAcquire},
                                                                         {"rel", TraceOp::LockRelease},
                                                                         {"fork", TraceOp::Fork},
                                                                         {"join", TraceOp::Join}}};
  const std::string_view head = operation.substr(0, open);
  const std::string_view operand = operation.substr(open + 1, operation.size() - open - 2);
  for (const auto& [name, op] : kOps) {
    if (name != head) continue;
    event.op = op;
    if (std::string error = thread(line.substr(0, first), event.thread); !error.empty()) return error;
    if (op == TraceOp::Fork || op == TraceOp::Join) {
      if (std::string error = thread(operand, event.object); !error.empty()) return error;
    } else {
      event.object = tables_.location(operand);
    }
    if (second + 1 < line.size()) event.site = tables_.site(line.substr(second + 1));
    return {};
  }
  return fmt::format("no operation: '{}' (r, w, acq, rel, fork, join)", head);
}

Result<std::size_t> StdTraceReader::read(std::span<TraceEvent> events) {
  std::size_t count = 0;
  while (count < events.size()) {
    const LineSource::Line kind = lines_.next();
    const std::string_view line = lines_.line();
    if (kind == LineSource::Line::End) {
      if (has_events_) break;
      return lines_.diagnose(1, 0, "an empty file is no trace", "THREAD|OPERATION(OPERAND)|PLACE");
    }
    std::string error(LineSource::describe(kind));
    TraceEvent event;
    if (error.empty() && line.empty()) continue;
    if (error.empty() && line.starts_with("\xef\xbb\xbf")) error = "a byte order mark is no part of a trace";
    if (error.empty()) error = parse(line, event);
    if (error.empty()) error = checker_.check(event, tables_).value_or("");
    if (!error.empty()) return lines_.diagnose(1, line.size(), std::move(error));
    has_events_ = true;
    events[count++] = event;
  }
  return count;
}

}  // namespace ambit::trace
