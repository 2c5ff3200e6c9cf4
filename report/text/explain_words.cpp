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

bool is_whole_rmw(const EventGraph& graph, const events::Execution& execution, EventId event) {
  const EventId partner = graph.events[event].rmw_partner;
  return graph.events[event].is_rmw && partner != events::kNoEvent && execution.executed.contains(partner);
}

std::string possessive(const EventGraph& graph, EventId event) { return graph.thread_name(event) + "'s"; }

/// Returns the kind of an access: "release write", "atomic update" (a relaxed read-modify-write), "volatile read",
/// "read".
std::string access_word(const EventGraph& graph, const events::Execution& execution, EventId event) {
  const Event& e = graph.events[event];
  const bool is_whole = is_whole_rmw(graph, execution, event);
  const std::string_view verb = is_whole ? "update" : e.is_read() ? "read" : "write";
  if (!e.is_atomic) return fmt::format("{}{}", is_whole ? "atomic " : e.is_volatile ? "volatile " : "", verb);
  return fmt::format("{} {}", e.order > Order::Relaxed ? ambit::to_string(e.order) : "atomic", verb);
}

bool is_base(const Link& link, BaseRelation relation, bool is_reversed) {
  return link.kind == Link::Kind::Base && link.base == relation && link.is_reversed == is_reversed;
}

}  // namespace

std::string filled(std::string_view phrase, std::string_view first, std::string_view second) {
  if (phrase.find('$') == std::string_view::npos) return fmt::format("{} and {}: {}", first, second, phrase);
  std::string text;
  for (std::size_t i = 0; i < phrase.size(); ++i) {
    if (phrase[i] != '$') {
      text += phrase[i];
    } else {
      text += phrase[++i] == '1' ? first : second;  // the parser allows only the digits 1 and 2 here
    }
  }
  return text;
}

std::string EventWords::place(EventId event, Detail detail) const {
  const Event& e = graph_.events[event];
  std::string text = e.span.line == 0 ? std::string() : fmt::format("line {}", e.span.line);
  if (detail == Detail::Scope && e.has_scope && e.kind != EventKind::Barrier) {
    text += fmt::format("{}{} scope", text.empty() ? "" : ", ", ambit::to_string(e.scope));
  }
  return text.empty() ? text : fmt::format(" ({})", text);
}

std::string EventWords::noun(EventId event, Detail detail) const {
  const Event& e = graph_.events[event];
  if (e.kind == EventKind::InitialWrite) {
    return fmt::format("the initial value of {}", graph_.program->locations[execution_.locations[event]].name);
  }
  if (detail == Detail::Short) return short_noun(event);
  const std::string whose = possessive(graph_, event);
  const std::string where = place(event, detail);
  if (e.kind == EventKind::Fence) return fmt::format("{} {} fence{}", whose, ambit::to_string(e.order), where);
  if (e.kind == EventKind::ProxyFence) return fmt::format("{} proxy fence{}", whose, where);
  if (e.kind == EventKind::Barrier) return fmt::format("{} barrier{}", whose, where);
  if (e.kind == EventKind::AsyncStep) return fmt::format("{} {}{}", whose, graph_.describe(event), where);
  const std::string cell = graph_.cell_name(event, execution_.locations[event]);
  const std::string word = access_word(graph_, execution_, event);
  if (is_whole_rmw(graph_, execution_, event)) {
    const EventId read = e.is_read() ? event : e.rmw_partner;
    const EventId write = e.is_read() ? e.rmw_partner : event;
    return fmt::format("{} {} of {} from {} to {}{}", whose, word, cell, accessed_value_text(graph_, execution_, read),
                       accessed_value_text(graph_, execution_, write), where);
  }
  return fmt::format("{} {} of {} = {}{}", whose, word, cell, accessed_value_text(graph_, execution_, event), where);
}

std::string EventWords::short_noun(EventId event) const {
  const Event& e = graph_.events[event];
  const std::string where =
      e.span.line == 0 ? "of " + graph_.thread_name(event) : fmt::format("at line {}", e.span.line);
  if (e.kind == EventKind::Fence) return fmt::format("the {} fence {}", ambit::to_string(e.order), where);
  if (e.kind == EventKind::Barrier) return fmt::format("the barrier {}", where);
  if (e.kind == EventKind::ProxyFence) return fmt::format("the proxy fence {}", where);
  if (e.kind == EventKind::AsyncStep) return fmt::format("the {} {}", graph_.describe(event), where);
  return fmt::format("the {} {}", access_word(graph_, execution_, event), where);
}

std::string EventWords::sentence(const Link& link, Detail detail) const {
  const EventId from = link.is_reversed ? link.to : link.from;
  const EventId to = link.is_reversed ? link.from : link.to;
  const std::string a = noun(from, detail);
  const std::string b = noun(to, detail);
  if (!link.phrase.empty()) return filled(link.phrase, a, b);
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
    case BaseRelation::SameTransaction: return fmt::format("{} and {} are in one transaction", a, b);
    case BaseRelation::SameFailedTransaction: return fmt::format("{} and {} are in one transaction that aborts", a, b);
    case BaseRelation::ReadModifyWritePair: return fmt::format("{} is one step", a);
    case BaseRelation::Issue: return fmt::format("{} issues {}", a, b);
    case BaseRelation::InOperation: return fmt::format("{} comes before {} in one asynchronous operation", a, b);
    case BaseRelation::GroupWait: return fmt::format("{} waits for {}", b, a);
    case BaseRelation::Tracking: return fmt::format("{} comes when {} is done", b, a);
    case BaseRelation::MbarrierPhase: return fmt::format("{} sees the end of the phase of {}", b, a);
    default: return fmt::format("{} and {}: {}", a, b, link.name);
  }
}

Chain readable(const EventGraph& graph, const Chain& chain) {
  const Chain flat = explain::flatten(chain);
  Chain result;
  for (const Link& link : flat) {
    const bool overwrites = link.kind == Link::Kind::Condition || is_base(link, BaseRelation::Coherence, false);
    const bool follows_read = !result.empty() && is_base(result.back(), BaseRelation::ReadsFrom, true);
    const bool follows_older = !result.empty() && is_base(result.back(), BaseRelation::FromReads, false);
    // Two steps must not merge if together they lead from the write to the read of one read-modify-write.
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
