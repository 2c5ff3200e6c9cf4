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

StdTraceReader::Outcome StdTraceReader::thread(std::string_view name, std::uint32_t& id) {
  constexpr std::string_view kBlanks = " \t";
  if (kBlanks.find(name.front()) != std::string_view::npos || kBlanks.find(name.back()) != std::string_view::npos) {
    return Complaint{name, "unexpected blanks around the name of a thread", ""};
  }
  if (const auto known = tables_.find_thread(name)) {
    id = *known;
    return std::nullopt;
  }
  const std::size_t count = tables_.threads().size();
  if (count == kMaxThreadsPerBlock) return Complaint{name, fmt::format("more than {} threads", count), ""};
  id = tables_.add_thread(std::string(name), 0, 0, static_cast<std::uint32_t>(count));
  return std::nullopt;
}

StdTraceReader::Outcome StdTraceReader::location(std::string_view name, std::uint32_t& id) {
  const std::size_t known = tables_.locations().size();
  id = tables_.location(name);
  if (id < known) return std::nullopt;
  if (auto flaw = location_flaw(tables_, id)) return Complaint{name, std::move(*flaw), ""};
  return std::nullopt;
}

StdTraceReader::Outcome StdTraceReader::take_operation(std::string_view head, std::string_view operand,
                                                       TraceEvent& event) {
  constexpr std::array<std::pair<std::string_view, TraceOp>, 6> kOps = {{{"r", TraceOp::Read},
                                                                         {"w", TraceOp::Write},
                                                                         {"acq", TraceOp::LockAcquire},
                                                                         {"rel", TraceOp::LockRelease},
                                                                         {"fork", TraceOp::Fork},
                                                                         {"join", TraceOp::Join}}};
  for (const auto& [name, op] : kOps) {
    if (name != head) continue;
    event.op = op;
    const bool is_of_thread = op == TraceOp::Fork || op == TraceOp::Join;
    return is_of_thread ? thread(operand, event.object) : location(operand, event.object);
  }
  return Complaint{head, fmt::format("unknown operation '{}': expected r, w, acq, rel, fork or join", head),
                   "for example: T0|w(x)|12"};
}

StdTraceReader::Outcome StdTraceReader::parse(std::string_view line, TraceEvent& event) {
  const auto formless = [](std::string_view at) {
    return Complaint{at, "expected THREAD|OPERATION(OPERAND)|PLACE", "for example: T0|w(x)|12"};
  };
  const std::size_t first = line.find('|');
  const std::size_t second = first == std::string_view::npos ? first : line.find('|', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos || first == 0 ||
      line.find('|', second + 1) != std::string_view::npos) {
    return formless(line);
  }
  const std::string_view operation = line.substr(first + 1, second - first - 1);
  const std::size_t open = operation.find('(');
  if (open == std::string_view::npos || !operation.ends_with(')') || open + 2 >= operation.size()) {
    return formless(operation);
  }
  if (auto complaint = thread(line.substr(0, first), event.thread)) return complaint;
  const std::string_view operand = operation.substr(open + 1, operation.size() - open - 2);
  if (auto complaint = take_operation(operation.substr(0, open), operand, event)) return complaint;
  if (second + 1 < line.size()) event.site = tables_.site(line.substr(second + 1));
  return std::nullopt;
}

Result<std::size_t> StdTraceReader::read(std::span<TraceEvent> events) {
  std::size_t count = 0;
  while (count < events.size()) {
    const LineSource::Line kind = lines_.next();
    const std::string_view line = lines_.line();
    if (kind == LineSource::Line::End) {
      if (has_events_) break;
      return lines_.diagnose(1, 0, "the file is empty", "write one event per line: THREAD|OPERATION(OPERAND)|PLACE");
    }
    Outcome wrong;
    TraceEvent event;
    if (kind != LineSource::Line::Whole) {
      wrong = Complaint{line, std::string(LineSource::describe(kind)), ""};
    } else if (line.empty()) {
      continue;
    } else if (line.starts_with("\xef\xbb\xbf")) {
      wrong = Complaint{line, "unexpected byte order mark", ""};
    } else {
      wrong = parse(line, event);
      auto error = wrong ? std::nullopt : checker_.check(event, tables_);
      if (error) wrong = Complaint{line, std::move(*error), ""};
    }
    if (wrong) {
      const auto column = static_cast<std::uint32_t>(wrong->at.data() - line.data() + 1);
      return lines_.diagnose(column, wrong->at.size(), std::move(wrong->message), std::move(wrong->hint));
    }
    has_events_ = true;
    events[count++] = event;
  }
  return count;
}

}  // namespace ambit::trace
