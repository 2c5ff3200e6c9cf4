#include "report/text/witness_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>
#include <vector>

#include "base/plural.h"
#include "model/eval/base.h"
#include "report/results/words.h"
#include "report/text/table.h"

namespace ambit::report {
namespace {

using events::Event;
using events::EventGraph;
using events::EventId;
using events::EventKind;
using events::Execution;
using events::kNoEvent;
using events::Relation;

/// Returns the event that represents `event` in the list: for the write of a read-modify-write, its read.
EventId listed(const EventGraph& graph, const Execution& execution, EventId event) {
  const Event& e = graph.events[event];
  if (e.kind == EventKind::Write && e.is_rmw && e.rmw_partner != kNoEvent &&
      execution.executed.contains(e.rmw_partner)) {
    return e.rmw_partner;
  }
  return event;
}

/// Limits the text to the first threads and the first locations.
struct Part {
  std::size_t threads = std::numeric_limits<std::size_t>::max();
  std::size_t locations = std::numeric_limits<std::size_t>::max();
  bool with_outcome = true;

  bool shows(const EventGraph& graph, const Execution& execution, EventId event) const {
    const Event& e = graph.events[event];
    return e.thread < threads && (!e.is_access() || execution.locations[event] < locations);
  }
};

/// Finds an order for the list of events. A read-modify-write is a single step, so all edges join listed events.
class Sequencer {
 public:
  Sequencer(const EventGraph& graph, const Execution& execution, const Part& part)
      : graph_(graph), execution_(execution) {
    execution.executed.for_each([&](EventId e) {
      if (graph.events[e].kind == EventKind::InitialWrite || !part.shows(graph, execution, e)) return;
      if (listed(graph, execution, e) == e) steps_.push_back(e);
    });
  }

  struct Listing {
    std::vector<EventId> steps;
    std::string_view meaning;
  };

  Listing listing() const {
    Relation with_rf(graph_.size());
    program_order(with_rf);
    reads_from(with_rf);
    Relation with_barriers = with_rf;
    barriers(with_barriers);
    Relation with_all = with_barriers;
    coherence(with_all);
    for (const auto& order : execution_.orders) chain(with_all, order);
    if (auto steps = sort(with_all); steps.size() == steps_.size()) return {steps, "step by step"};
    for (const Relation& edges : {with_barriers, with_rf}) {
      if (auto steps = sort(edges); steps.size() == steps_.size()) {
        return {steps, "not an interleaving of the threads; each read follows the write that it reads"};
      }
    }
    return {steps_, "not an interleaving of the threads; listed by thread"};
  }

 private:
  void edge(Relation& edges, EventId from, EventId to) const {
    from = listed(graph_, execution_, from);
    to = listed(graph_, execution_, to);
    const bool initial = graph_.events[from].kind == EventKind::InitialWrite;
    if (from != to && !initial && graph_.events[to].kind != EventKind::InitialWrite) edges.insert(from, to);
  }

  void chain(Relation& edges, const std::vector<EventId>& order) const {
    for (std::size_t i = 1; i < order.size(); ++i) edge(edges, order[i - 1], order[i]);
  }

  void program_order(Relation& edges) const {
    for (std::size_t i = 1; i < steps_.size(); ++i) {  // a thread's events are numbered in program order
      if (graph_.events[steps_[i - 1]].thread == graph_.events[steps_[i]].thread) {
        edges.insert(steps_[i - 1], steps_[i]);
      }
    }
  }

  /// Adds edges for barriers: a thread that waits at a barrier continues after all arrivals that it waits for. Two
  /// arrivals in different phases of a barrier keep their order.
  void barriers(Relation& edges) const {
    std::map<EventId, EventId> following;  // for each step, the next step of the same thread
    for (std::size_t i = 1; i < steps_.size(); ++i) {
      if (graph_.events[steps_[i - 1]].thread == graph_.events[steps_[i]].thread) {
        following[steps_[i - 1]] = steps_[i];
      }
    }
    std::vector<Value> nodes;
    events::evaluate(graph_.values, execution_.values, nodes);
    const auto pairs = [&](BaseRelation relation) {
      return eval::concrete_relation(graph_.relation(relation), execution_.executed, nodes);
    };
    pairs(BaseRelation::BarrierSync).for_each([&](EventId arrival, EventId waiting) {
      const auto next = following.find(waiting);
      if (next != following.end()) edge(edges, arrival, next->second);
    });
    pairs(BaseRelation::BarrierOrder).for_each([&](EventId from, EventId to) { edge(edges, from, to); });
  }

  void reads_from(Relation& edges) const {
    execution_.executed.for_each([&](EventId e) {
      if (graph_.events[e].is_read() && execution_.reads_from[e] != kNoEvent) edge(edges, execution_.reads_from[e], e);
    });
  }

  void coherence(Relation& edges) const {
    std::map<EventId, EventId> next;  // for each write, the write that overwrites it
    for (const auto& writes : execution_.coherence) {
      chain(edges, writes);
      for (std::size_t i = 1; i < writes.size(); ++i) next[writes[i - 1]] = writes[i];
    }
    execution_.executed.for_each([&](EventId e) {
      if (!graph_.events[e].is_read()) return;
      const auto overwriting = next.find(execution_.reads_from[e]);
      if (overwriting != next.end()) edge(edges, e, overwriting->second);
    });
  }

  /// Returns a topological order that rarely changes from one thread to another. If there is a cycle, some steps are
  /// missing from the order.
  std::vector<EventId> sort(const Relation& edges) const {
    std::vector<std::size_t> waiting(graph_.size(), 0);
    edges.for_each([&](EventId, EventId to) { ++waiting[to]; });
    std::vector<bool> done(graph_.size(), false);
    std::vector<EventId> sorted;
    while (sorted.size() < steps_.size()) {
      EventId next = kNoEvent;
      for (const EventId candidate : steps_) {
        if (done[candidate] || waiting[candidate] != 0) continue;
        const bool same_thread =
            !sorted.empty() && graph_.events[sorted.back()].thread == graph_.events[candidate].thread;
        if (next == kNoEvent || same_thread) next = candidate;
        if (same_thread) break;
      }
      if (next == kNoEvent) break;
      done[next] = true;
      sorted.push_back(next);
      for (const EventId to : steps_) {
        if (edges.contains(next, to)) --waiting[to];
      }
    }
    return sorted;
  }

  const EventGraph& graph_;
  const Execution& execution_;
  std::vector<EventId> steps_;
};

class Writer {
 public:
  Writer(const EventGraph& graph, const rules::Rules& rules, const Execution& execution, const Style& style,
         std::size_t indent, Part part)
      : graph_(graph), rules_(rules), execution_(execution), style_(style), indent_(indent), part_(part) {}

  /// `threads`: the threads to list; null to list the whole execution.
  std::string write(const std::set<std::uint32_t>* threads = nullptr) {
    const Sequencer::Listing listing = Sequencer(graph_, execution_, part_).listing();
    if (listing.steps.size() > kMostEvents) threads_ = threads;
    listed_locations_ = find_listed_locations();
    for (std::size_t i = 0; i < listing.steps.size(); ++i) number_[listing.steps[i]] = i + 1;
    std::string out = line(style_.faint(fmt::format("({})", listing.meaning)));
    out += steps(listing.steps);
    for (std::size_t i = 0; i < std::min(execution_.coherence.size(), part_.locations); ++i) out += coherence(i);
    for (std::size_t i = 0; i < execution_.orders.size() && i < rules_.orders.size(); ++i) out += order(i);
    out += outcome();
    return out;
  }

 private:
  std::string line(std::string_view text) const { return std::string(indent_, ' ') + std::string(text) + "\n"; }

  std::string reference(EventId event) const {
    const auto found = number_.find(listed(graph_, execution_, event));
    return found == number_.end() ? "init" : fmt::format("#{}", found->second);
  }

  std::string steps(const std::vector<EventId>& steps) const {
    using Align = Table::Align;
    Table table({Align::Right, Align::Left, Align::Left, Align::Left, Align::Right, Align::Left});
    std::size_t left_out = 0;
    for (const EventId e : steps) {
      const Event& event = graph_.events[e];
      if (threads_ != nullptr && !threads_->contains(event.thread)) {
        ++left_out;
        continue;
      }
      std::string from;
      if (event.is_read()) from = "reads " + reference(execution_.reads_from[e]) + overlooked(e);
      table.add({fmt::format("#{}", number_.at(e)), graph_.thread_name(e), event_text(graph_, execution_, e), from,
                 event.span.line == 0 ? std::string() : fmt::format("line {}", event.span.line),
                 style_.faint(source_text(*graph_.program, event.span))});
    }
    std::string text = table.render(indent_);
    if (left_out > 0) {
      text +=
          line(style_.faint(fmt::format("and {} of other threads, which --witness lists", plural(left_out, "event"))));
    }
    return text;
  }

  /// Returns a note for a read of an old value. If the list has already shown the write that replaced the value, the
  /// note is " (before #1)".
  std::string overlooked(EventId read) const {
    const std::vector<EventId>& writes = execution_.coherence[execution_.locations[read]];
    const auto source = std::find(writes.begin(), writes.end(), execution_.reads_from[read]);
    if (source == writes.end() || source + 1 == writes.end()) return {};
    const EventId newer = listed(graph_, execution_, *(source + 1));
    return newer != read && number_.at(newer) < number_.at(read) ? fmt::format(" (before {})", reference(newer)) : "";
  }

  /// Returns the locations that listed threads access; for a whole execution, nothing.
  std::set<std::size_t> find_listed_locations() const {
    std::set<std::size_t> found;
    if (threads_ == nullptr) return found;
    execution_.executed.for_each([&](EventId e) {
      const Event& event = graph_.events[e];
      if (event.is_access() && threads_->contains(event.thread)) found.insert(execution_.locations[e]);
    });
    return found;
  }

  /// Returns whether an excerpt shows the coherence order: a listed thread accesses the location, and several threads
  /// write it. The coherence order of one thread's writes is program order.
  bool is_informative(std::size_t location) const {
    std::set<std::uint32_t> writers;
    for (const EventId write : execution_.coherence[location]) writers.insert(graph_.events[write].thread);
    writers.erase(events::kNoThread);
    return writers.size() > 1 && listed_locations_.contains(location);
  }

  /// Returns the coherence order of a location: "x: 0 (init), then 1 (#1), then 2 (#4)".
  std::string coherence(std::size_t location) const {
    const std::vector<EventId>& writes = execution_.coherence[location];
    if (writes.size() < 3 || (threads_ != nullptr && !is_informative(location))) return {};
    std::string text = graph_.program->locations[location].name + ": ";
    if (threads_ != nullptr && writes.size() > kMostInOrder) {
      return line(text + plural(writes.size() - 1, "write"));  // the first write writes the initial value
    }
    for (std::size_t i = 0; i < writes.size(); ++i) {
      const std::string value = accessed_value_text(graph_, execution_, writes[i]);
      text += fmt::format("{}{} ({})", i == 0 ? "" : ", then ", value, reference(writes[i]));
    }
    return line(text);
  }

  /// Returns the line for an order that the model declares: "order fso: #2 #5".
  std::string order(std::size_t index) const {
    const std::vector<EventId>& order = execution_.orders[index];
    std::string text;
    std::size_t count = 0;
    EventId last = kNoEvent;
    for (const EventId e : order) {
      const EventId step = listed(graph_, execution_, e);
      const bool is_hidden = graph_.events[e].kind == EventKind::InitialWrite || !part_.shows(graph_, execution_, e);
      if (is_hidden || step == last) continue;
      text += " " + reference(step);
      last = step;
      ++count;
    }
    if (threads_ != nullptr && count > kMostInOrder) text = " " + plural(count, "event");
    return count < 2 ? std::string() : line(fmt::format("order {}:{}", rules_.orders[index].name, text));
  }

  std::string outcome() const {
    if (graph_.program->observables.empty() || !part_.with_outcome) return {};
    std::vector<Value> nodes;
    return line("outcome: " + outcome_text(*graph_.program, events::outcome_of(graph_, execution_, nodes)));
  }

  const EventGraph& graph_;
  const rules::Rules& rules_;
  const Execution& execution_;
  const Style& style_;
  std::size_t indent_;
  Part part_;
  const std::set<std::uint32_t>* threads_ = nullptr;  ///< the threads to list; null for all threads
  std::set<std::size_t> listed_locations_;
  std::map<EventId, std::size_t> number_;
};

}  // namespace

std::string witness_text(const EventGraph& graph, const rules::Rules& rules, const Execution& execution,
                         const Style& style, std::size_t indent) {
  return Writer(graph, rules, execution, style, indent, {}).write();
}

std::string witness_excerpt(const EventGraph& graph, const rules::Rules& rules, const Execution& execution,
                            const std::set<std::uint32_t>& threads, const Style& style, std::size_t indent) {
  return Writer(graph, rules, execution, style, indent, {}).write(&threads);
}

std::string partial_witness_text(const EventGraph& graph, const rules::Rules& rules, const Execution& execution,
                                 std::size_t threads, std::size_t locations, const Style& style, std::size_t indent) {
  return Writer(graph, rules, execution, style, indent, {threads, locations, false}).write();
}

}  // namespace ambit::report
