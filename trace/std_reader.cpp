#include <fmt/format.h>

#include <array>
#include <utility>

#include "trace/std_trace.h"

namespace ambit::trace {

StdTraceReader::StdTraceReader(std::unique_ptr<std::istream> in, std::string name)
    : in_(std::move(in)), name_(std::move(name)) {
  tables_.launch.block = {0, 1, 1};
  tables_.launch.warp = 1;
  tables_.launch.only_named_threads = true;
}

std::uint32_t StdTraceReader::thread(std::string_view name) {
  if (const auto known = tables_.find_thread(name)) return *known;
  return tables_.add_thread(std::string(name), 0, 0, static_cast<std::uint32_t>(tables_.threads().size()));
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
    event.thread = thread(line.substr(0, first));
    event.object = op == TraceOp::Fork || op == TraceOp::Join ? thread(operand) : tables_.location(operand);
    if (second + 1 < line.size()) event.site = tables_.site(line.substr(second + 1));
    return {};
  }
  return fmt::format("no operation: '{}' (r, w, acq, rel, fork, join)", head);
}

Result<std::size_t> StdTraceReader::read(std::span<TraceEvent> events) {
  std::size_t count = 0;
  std::string line;
  while (count < events.size() && std::getline(*in_, line)) {
    ++line_number_;
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty()) continue;
    TraceEvent event;
    std::string error = parse(line, event);
    if (error.empty()) error = checker_.check(event, tables_).value_or("");
    if (!error.empty()) {
      std::string text = line_number_ < (1U << 20U) ? std::string(line_number_ - 1, '\n') + line : "";
      return Diagnostic{std::make_shared<const SourceFile>(SourceFile{name_, std::move(text)}),
                        {line_number_, 1, static_cast<std::uint32_t>(line.size())},
                        std::move(error),
                        ""};
    }
    events[count++] = event;
  }
  return count;
}

}  // namespace ambit::trace
