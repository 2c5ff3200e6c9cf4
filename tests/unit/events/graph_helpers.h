#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "model/events/event_graph.h"
#include "tests/support/program_builder.h"

namespace ambit::events {

using namespace ambit::test;

using Pairs = std::vector<std::pair<EventId, EventId>>;
using Strings = std::vector<std::string>;

/// A fixture for tests that build a program of several threads.
class BuiltProgram : public ::testing::Test {
 protected:
  ProgramBuilder p;
};

/// Fixture for a program with one thread.
class OneThread : public BuiltProgram {
 protected:
  ThreadBuilder& t = p.thread("P0", {});
};

inline EventGraph graph_of(const ProgramBuilder& program, const GraphOptions& options = {}) {
  auto built = build(program.build(), options);
  EXPECT_TRUE(built.ok()) << (built.ok() ? "" : built.errors().front().message);
  return std::move(built).value();
}

/// Returns the descriptions of the events of a thread.
inline std::vector<std::string> described(const EventGraph& graph, std::uint32_t thread) {
  std::vector<std::string> result;
  for (EventId e = 0; e < graph.size(); ++e) {
    if (graph.events[e].thread == thread) result.push_back(graph.describe(e));
  }
  return result;
}

/// Returns one thread's events.
inline std::vector<EventId> of_thread(const EventGraph& graph, std::uint32_t thread) {
  std::vector<EventId> result;
  for (EventId e = 0; e < graph.size(); ++e) {
    if (graph.events[e].thread == thread) result.push_back(e);
  }
  return result;
}

inline bool all_unconditional(const EventGraph& graph) {
  return std::all_of(graph.events.begin(), graph.events.end(), [](const Event& e) { return e.is_unconditional(); });
}

inline Pairs always_pairs(const EventGraph& graph, BaseRelation relation) {
  Pairs pairs;
  graph.relation(relation).always.for_each([&](EventId a, EventId b) { pairs.emplace_back(a, b); });
  return pairs;
}

inline std::vector<EventId> always_members(const EventGraph& graph, BaseSet set) {
  std::vector<EventId> members;
  graph.set(set).always.for_each([&](EventId e) { members.push_back(e); });
  return members;
}

using Reads = std::vector<std::pair<EventId, Value>>;

/// Returns the values of all nodes. `reads` gives the values of reads and choices; all other values are 0.
inline std::vector<Value> nodes_of(const EventGraph& graph, const Reads& reads) {
  std::vector<Value> read_values(graph.size(), 0);
  for (const auto& [event, value] : reads) read_values[event] = value;
  std::vector<Value> nodes;
  evaluate(graph.values, read_values, nodes);
  return nodes;
}

/// Returns the value of a node. `reads` gives the values of the reads; all other values are 0.
inline Value value_of(const EventGraph& graph, NodeId node, const Reads& reads) {
  std::vector<Value> read_values(graph.size(), 0);
  for (const auto& [event, value] : reads) read_values[event] = value;
  std::vector<Value> nodes;
  evaluate(graph.values, read_values, nodes);
  return nodes[node];
}

/// Tries every combination of values of the graph's choices, with `reads` as the values of the reads. If a combination
/// satisfies the graph's requirements, calls function(node values).
template <typename Function>
void for_each_choice(const EventGraph& graph, const Reads& reads, Function function) {
  Reads all = reads;
  for (EventId e = 0; e < graph.size(); ++e) {
    if (graph.is_choice(e)) all.emplace_back(e, 0);
  }
  const auto is_required = [&](const std::vector<Value>& nodes) {
    return std::ranges::all_of(graph.requirements, [&](NodeId requirement) { return nodes[requirement] != 0; });
  };
  for (std::size_t at = 0;;) {
    const std::vector<Value> nodes = nodes_of(graph, all);
    if (is_required(nodes)) function(nodes);
    // Counts up. The first choice is the least significant digit.
    for (at = reads.size(); at < all.size(); ++at) {
      auto& [event, value] = all[at];
      if (++value < static_cast<Value>(graph.events[event].alternatives)) break;
      value = 0;
    }
    if (at == all.size()) return;
  }
}

/// Expects that the condition is 1 for the values in `holds` and 0 for the values in `fails`.
inline void expect_distinguishes(const EventGraph& graph, NodeId node, const Reads& holds, const Reads& fails) {
  EXPECT_EQ(value_of(graph, node, holds), 1) << ::testing::PrintToString(holds);
  EXPECT_EQ(value_of(graph, node, fails), 0) << ::testing::PrintToString(fails);
}

}  // namespace ambit::events
