#include "report/text/explain_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "report/results/words.h"

namespace ambit::report {
namespace {

using events::Event;
using events::EventGraph;
using events::EventId;
using events::EventKind;
using explain::Chain;
using explain::Link;

std::string line_text(const Event& event) {
  return event.span.line == 0 ? std::string() : fmt::format(" (line {})", event.span.line);
}

bool is_whole_rmw(const EventGraph& graph, const events::Execution& execution, EventId event) {
  const EventId partner = graph.events[event].rmw_partner;
  return graph.events[event].is_rmw && partner != events::kNoEvent && execution.executed.contains(partner);
}

std::string possessive(const EventGraph& graph, EventId event) { return graph.thread_name(event) + "'s"; }

std::string access_word(const EventGraph& graph, const events::Execution& execution, EventId event) {
  const Event& e = graph.events[event];
  if (is_whole_rmw(graph, execution, event)) return "atomic update";
  const std::string_view verb = e.is_read() ? "read" : "write";
  if (e.is_atomic) return fmt::format("atomic {}", verb);
  return std::string(verb);
}

bool is_base(const Link& link, BaseRelation relation, bool is_reversed) {
  return link.kind == Link::Kind::Base && link.base == relation && link.is_reversed == is_reversed;
}

}  // namespace

std::string EventWords::noun(EventId event) const {
  const Event& e = graph_.events[event];
  if (e.kind == EventKind::InitialWrite) {
    return fmt::format("the initial value of {}", graph_.program->locations[execution_.locations[event]].name);
  }
  const std::string whose = possessive(graph_, event);
  const std::string line = line_text(e);
  if (e.kind == EventKind::Fence) {
    return fmt::format("{} fence of {} scope{}", whose, ambit::to_string(e.scope), line);
  }
  if (e.kind == EventKind::ProxyFence) return fmt::format("{} proxy fence{}", whose, line);
  if (e.kind == EventKind::Barrier) return fmt::format("{} barrier{}", whose, line);
  const std::string cell = graph_.cell_name(event, execution_.locations[event]);
  const std::string word = access_word(graph_, execution_, event);
  if (is_whole_rmw(graph_, execution_, event)) {
    const EventId read = e.is_read() ? event : e.rmw_partner;
    const EventId write = e.is_read() ? e.rmw_partner : event;
    return fmt::format("{} {} of {} from {} to {}{}", whose, word, cell,
                       value_text(*graph_.program, execution_.values[read], e.type),
                       value_text(*graph_.program, execution_.values[write], e.type), line);
  }
  return fmt::format("{} {} of {} = {}{}", whose, word, cell,
                     value_text(*graph_.program, execution_.values[event], e.type), line);
}

std::string EventWords::short_noun(EventId event) const {
  const Event& e = graph_.events[event];
  const std::string where =
      e.span.line == 0 ? "of " + graph_.thread_name(event) : fmt::format("at line {}", e.span.line);
  if (e.kind == EventKind::InitialWrite) return "the initial value";
  if (e.kind == EventKind::Fence) return fmt::format("the fence {}", where);
  if (e.kind == EventKind::Barrier) return fmt::format("the barrier {}", where);
  if (e.kind == EventKind::ProxyFence) return fmt::format("the proxy fence {}", where);
  return fmt::format("the {} {}", access_word(graph_, execution_, event), where);
}

std::string EventWords::sentence(const Link& link) const {
  const EventId from = link.is_reversed ? link.to : link.from;
  const EventId to = link.is_reversed ? link.from : link.to;
  const std::string a = noun(from);
  const std::string b = noun(to);
  if (link.kind == Link::Kind::Order) return fmt::format("{} comes before {} in the order {}", a, b, link.name);
  if (link.kind != Link::Kind::Base || !link.base) return fmt::format("{} and {}: {}", a, b, link.name);
  switch (*link.base) {
    case BaseRelation::ProgramOrder: return fmt::format("{} comes before {} in program order", a, b);
    case BaseRelation::ReadsFrom: return fmt::format("{} takes its value from {}", b, a);
    case BaseRelation::Coherence: return fmt::format("{} is overwritten by {}", a, b);
    case BaseRelation::FromReads: return fmt::format("{} sees an older value than {}", a, b);
    case BaseRelation::BarrierSync: return fmt::format("{} and {} meet at one barrier", a, b);
    case BaseRelation::AddressDependency: return fmt::format("the address of {} depends on {}", b, a);
    case BaseRelation::DataDependency: return fmt::format("the value of {} depends on {}", b, a);
    case BaseRelation::ControlDependency: return fmt::format("whether {} happens depends on {}", b, a);
    case BaseRelation::CriticalSection: return fmt::format("{} opens the section that {} closes", a, b);
    case BaseRelation::ReadModifyWritePair: return fmt::format("{} is one step", a);
    default: return fmt::format("{} and {}: {}", a, b, link.name);
  }
}

std::vector<std::string> EventWords::sentences(const Chain& chain) const {
  std::vector<std::string> lines;
  for (const Link& link : readable(graph_, chain)) {
    const bool is_only = chain.size() == 1;
    if (link.base == BaseRelation::ReadModifyWritePair && !is_only) continue;
    if (link.base == BaseRelation::ProgramOrder && graph_.events[link.from].rmw_partner == link.to) continue;
    lines.push_back(sentence(link));
  }
  return lines;
}

/// "executes its fence of device scope (line 4) and sets f to 1 (line 5)", at the end of a chain "continues to line 5".
std::string EventWords::walk(EventId from, EventId to, bool is_last) const {
  std::string past;
  for (EventId e = from; e <= to; ++e) {  // events of a thread are numbered in program order
    const Event& event = graph_.events[e];
    if (event.kind != EventKind::Fence || !execution_.executed.contains(e)) continue;
    past += fmt::format("{}fence of {} scope{}", past.empty() ? "executes its " : " and its ",
                        ambit::to_string(event.scope), line_text(event));
  }
  const Event& end = graph_.events[to];
  if (end.kind == EventKind::Fence) return past;
  const bool is_half = is_whole_rmw(graph_, execution_, to) && end.is_read();
  const EventId write = is_half ? end.rmw_partner : to;
  if (is_last || !graph_.events[write].is_write()) {
    return fmt::format("{}{}continues to line {}", past, past.empty() ? "" : " and ", end.span.line);
  }
  const std::string sets =
      fmt::format("sets {} to {}{}", graph_.cell_name(write, execution_.locations[write]),
                  value_text(*graph_.program, execution_.values[write], graph_.events[write].type), line_text(end));
  return past.empty() ? sets : fmt::format("{} and {}", past, sets);
}

std::optional<std::string> EventWords::step(const Link& link, bool is_same_thread, bool is_last) const {
  if (link.is_reversed || !link.base || graph_.events[link.to].span.line == 0) return std::nullopt;
  const std::string to = graph_.thread_name(link.to);
  const std::string line = line_text(graph_.events[link.to]);
  switch (*link.base) {
    case BaseRelation::ProgramOrder: {
      const std::string text = walk(link.from, link.to, is_last);
      const bool is_list = text.starts_with("executes") && (text.find(" and sets ") != std::string::npos || is_last);
      return fmt::format("{} {}", !is_same_thread ? to : is_list ? "," : " and", text);
    }
    case BaseRelation::ReadsFrom: return fmt::format("{} reads that value{}", to, line);
    case BaseRelation::Coherence: return fmt::format("{} overwrites that value{}", to, line);
    case BaseRelation::BarrierSync: return fmt::format("{} meets it at the barrier{}", to, line);
    default: return std::nullopt;
  }
}

std::optional<std::string> EventWords::one_sentence(const Chain& chain) const {
  std::string text;
  Chain merged;  // steps of a thread that follow each other are one, over both halves of a read-modify-write
  for (const Link& link : readable(graph_, chain)) {
    const bool is_walk = link.base == BaseRelation::ProgramOrder || link.base == BaseRelation::ReadModifyWritePair;
    if (is_walk && graph_.events[link.from].rmw_partner == link.to) continue;
    const bool follows = !merged.empty() && merged.back().base == BaseRelation::ProgramOrder;
    if (is_walk && follows) {
      merged.back().to = link.to;
    } else {
      merged.push_back(link);
    }
  }
  for (std::size_t i = 0; i < merged.size(); ++i) {
    const bool is_same_thread = i > 0 && merged[i].base == BaseRelation::ProgramOrder;
    const std::optional<std::string> told = step(merged[i], is_same_thread, i + 1 == merged.size());
    if (!told) return std::nullopt;
    text += fmt::format("{}{}", i == 0 || is_same_thread ? "" : "; ", *told);
  }
  if (text.empty()) return std::nullopt;
  return text;
}

void EventWords::append(const Chain& chain, std::size_t indent, bool deep, std::vector<std::string>& lines) const {
  const std::string space(indent, ' ');
  Chain plain;
  const auto flush = [&] {
    for (const std::string& text : sentences(plain)) lines.push_back(space + text);
    plain.clear();
  };
  for (const Link& link : explain::unwrap(chain)) {
    const Chain flat = readable(graph_, {link});
    if (link.parts.empty() || flat.size() < 2) {
      plain.insert(plain.end(), flat.begin(), flat.end());
      continue;
    }
    flush();
    lines.push_back(fmt::format("{}{}: from {} to {}", space, link.name, noun(link.from), noun(link.to)));
    if (deep) {
      append(link.parts, indent + 2, deep, lines);
    } else {
      for (const std::string& text : sentences(flat)) lines.push_back(fmt::format("{}  {}", space, text));
    }
  }
  flush();
}

std::vector<std::string> EventWords::outline(const Chain& chain, bool deep) const {
  std::vector<std::string> lines;
  append(chain, 0, deep, lines);
  return lines;
}

Chain readable(const EventGraph& graph, const Chain& chain) {
  const Chain flat = explain::flatten(chain);
  Chain result;
  for (const Link& link : flat) {
    const bool overwrites = link.kind == Link::Kind::Condition || is_base(link, BaseRelation::Coherence, false);
    const bool follows_read = !result.empty() && is_base(result.back(), BaseRelation::ReadsFrom, true);
    const bool follows_older = !result.empty() && is_base(result.back(), BaseRelation::FromReads, false);
    // What comes between the halves of a read-modify-write is told step by step.
    const bool comes_back = !result.empty() && graph.events[result.back().from].rmw_partner == link.to;
    if (overwrites && graph.events[link.to].is_write() && (follows_read || (follows_older && !comes_back))) {
      Link& read = result.back();
      read.base = BaseRelation::FromReads;
      read.name = "fr";
      read.is_reversed = false;
      read.to = link.to;
      continue;
    }
    result.push_back(link);
  }
  return result;
}

std::string lines_text(std::vector<std::uint32_t> lines) {
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  if (lines.size() == 1) return fmt::format("line {}", lines.front());
  std::string text = "lines ";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : i + 1 == lines.size() ? " and " : ", ", lines[i]);
  }
  return text;
}

}  // namespace ambit::report
