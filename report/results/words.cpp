#include "report/results/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/trimmed.h"
#include "core/wide_value.h"

namespace ambit::report {
namespace {

using events::Event;
using events::EventGraph;
using events::EventId;
using events::EventKind;
using events::Execution;

/// Returns the order and scope in an event's description (EventGraph::describe): ".relaxed.gpu" for "R.relaxed.gpu
/// flag".
std::string tags_of(const std::string& description) {
  const std::size_t end = description.find(' ');
  const std::string head = description.substr(0, end);
  const std::size_t dot = head.find('.');
  return dot == std::string::npos ? std::string() : head.substr(dot);
}

bool is_pair(const EventGraph& graph, const Execution& execution, EventId event) {
  const Event& e = graph.events[event];
  return e.is_rmw && e.rmw_partner != events::kNoEvent && execution.executed.contains(event) &&
         execution.executed.contains(e.rmw_partner);
}

std::string kind_text(const EventGraph& graph, const Execution& execution, EventId event) {
  const Event& e = graph.events[event];
  if (e.kind == EventKind::InitialWrite) return "init";
  const std::string_view kind = is_pair(graph, execution, event) ? "RMW" : e.is_read() ? "R" : "W";
  return fmt::format("{}{}", kind, tags_of(graph.describe(event)));
}

/// Returns the statement at a position in a line; the whole line if the line has at most one statement.
std::string_view statement_at(std::string_view line, std::size_t position) {
  std::size_t begin = 0;
  std::size_t end = line.size();
  std::size_t ends = 0;
  int open = 0;
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != 0) {
      if (c == '\\') ++i;
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '/' && line.substr(i).starts_with("//")) {
      break;
    } else if (c == '(' || c == ')') {
      open += c == '(' ? 1 : -1;
    } else if (open <= 0 && (c == ';' || c == '{' || c == '}')) {
      if (c == ';') ++ends;
      if (i < position) begin = i + 1;
      if (i >= position && end == line.size()) end = c == ';' ? i + 1 : i;
    }
  }
  return ends > 1 ? line.substr(begin, end - begin) : line;
}

/// If the line contains the head and the body of a thread or kernel, and `position` is in the body, returns only the
/// body. Otherwise, returns the whole line. Changes `position` to the position in the result.
std::string_view body_at(std::string_view line, std::size_t& position) {
  const std::string_view code = line.substr(0, line.find("//", position));
  const std::size_t open = code.find('{');
  if (open == std::string_view::npos || open >= position) return line;
  const std::string_view head = code.substr(0, open);
  const bool is_head = head.find('@') != std::string_view::npos || head.find("__global__") != std::string_view::npos;
  if (!is_head) return line;
  const std::size_t close = code.rfind('}');
  position -= open + 1;
  return close == std::string_view::npos || close <= open + position ? code.substr(open + 1)
                                                                     : code.substr(open + 1, close - open - 1);
}

}  // namespace

std::string value_text(const Program& program, Value value, ScalarType type) {
  if (is_wide(type) && is_torn(value)) return torn_text(value);
  if (type.bits == 64) {
    if (const auto name = program.pointer_name(value)) return "&" + *name;
    if (!type.is_signed) return fmt::format("{}", static_cast<std::uint64_t>(value));
  }
  return fmt::format("{}", value);
}

std::string accessed_value_text(const EventGraph& graph, const Execution& execution, EventId event) {
  const Program& program = *graph.program;
  if (program.objects[program.locations[execution.locations[event]].object].is_opaque) return "?";
  return value_text(program, execution.values[event], graph.events[event].type);
}

std::string outcome_text(const Program& program, const events::Outcome& outcome) {
  std::string text;
  for (std::size_t i = 0; i < outcome.size(); ++i) {
    const Observable& observable = program.observables[i];
    text += fmt::format("{}{} == {}", i == 0 ? "" : ", ", observable.name,
                        value_text(program, outcome[i], observable.type));
  }
  return text;
}

std::string access_text(const EventGraph& graph, const Execution& execution, EventId event) {
  const Event& e = graph.events[event];
  if (!e.is_access()) return graph.describe(event);
  return fmt::format("{} {}", kind_text(graph, execution, event), graph.cell_name(event, execution.locations[event]));
}

std::string event_text(const EventGraph& graph, const Execution& execution, EventId event) {
  const Event& e = graph.events[event];
  std::string access = access_text(graph, execution, event);
  if (!e.is_access()) return access;
  const auto value = [&](EventId id) { return accessed_value_text(graph, execution, id); };
  if (!is_pair(graph, execution, event)) return fmt::format("{} = {}", access, value(event));
  const EventId read = e.is_read() ? event : e.rmw_partner;
  const EventId write = e.is_read() ? e.rmw_partner : event;
  return fmt::format("{} {} -> {}", access, value(read), value(write));
}

std::string_view source_text(const Program& program, const SourceSpan& span) {
  if (!program.source || span.line == 0) return {};
  const std::string_view line = program.source->line(span.line);
  // In a PTX litmus file, a row also contains statements of other threads.
  const std::uint32_t below = program.condition.span.line;
  const bool is_row = program.has_columns && (below == 0 || span.line < below);
  const bool has_column = span.column > 0 && span.column <= line.size();
  if (!has_column) return trimmed(line);
  if (is_row) return trimmed(line.substr(span.column - 1, span.length));
  std::size_t position = span.column - 1;
  const std::string_view body = body_at(line, position);
  return trimmed(statement_at(body, position));
}

std::string place_text(const Program& program, const SourceSpan& span) {
  const std::string path = program.source ? program.source->path : std::string("<unknown>");
  return span.line == 0 ? path : fmt::format("{}:{}", path, span.line);
}

std::string_view to_string(events::Possibility possibility) {
  constexpr std::array<std::string_view, 3> kNames = {"impossible", "possible", "unknown"};
  return kNames[static_cast<std::size_t>(possibility)];
}

std::string share(std::uint64_t count, std::uint64_t all) {
  return fmt::format("{:.1f} %", 100.0 * static_cast<double>(count) / static_cast<double>(all));
}

std::string first_names(std::span<const std::string> names, bool has_more) {
  constexpr std::size_t kMostNamed = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(kMostNamed, names.size()); ++i) text += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > kMostNamed) {
    text += fmt::format(" and {}{} more", has_more ? "at least " : "", names.size() - kMostNamed);
  }
  return text;
}

std::string_view remedy(UnknownReason reason) {
  switch (reason) {
    case UnknownReason::Bound: return "raise --unroll";
    case UnknownReason::Timeout: return "raise --timeout, or try the other --engine";
    case UnknownReason::Memory: return "raise --memory, or try the other --engine";
    case UnknownReason::Interrupted: return "run it again";
    case UnknownReason::Values: return "try the other --engine";
    case UnknownReason::Unsupported: return "change the test, or try the other --engine";
    case UnknownReason::Opaque: return "--opaque-branches takes such branches both ways";
    case UnknownReason::Barriers: return "use fewer threads or arrivals, or barriers that wait for all their users";
    case UnknownReason::Endless: return "give it one, or ask --property termination";
    case UnknownReason::Model: return "ask a model that has rules for it: --model ptx";
  }
  return {};
}

std::string unknown_text(UnknownReason reason, std::string_view detail) {
  std::string text = fmt::format("Unknown ({})", ambit::to_string(reason));
  if (!detail.empty()) text += fmt::format(": {}", detail);
  const std::string_view help = remedy(reason);
  return help.empty() ? text : fmt::format("{}; {}", text, help);
}

}  // namespace ambit::report
