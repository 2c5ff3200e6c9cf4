// Tests barriers with a count. A fixed number of arrivals, by any threads, completes a phase of such a barrier. The
// tests compare the choices in the event graph with all orders of arrival.

#include <atomic>
#include <map>
#include <set>
#include <tuple>

#include "tests/support/dice.h"
#include "tests/unit/events/graph_helpers.h"

namespace ambit::events {
namespace {

Barrier counted(std::uint32_t count, bool arrive_only = false, std::uint32_t id = 1) {
  Barrier barrier;
  barrier.id = id;
  barrier.count = constant(count);
  barrier.arrive_only = arrive_only;
  return barrier;
}

/// The barrier instructions of each thread. The value is true for bar.sync and false for bar.arrive.
using Threads = std::vector<std::vector<bool>>;

/// The observable result of a run. Events have consecutive numbers, one thread after the other.
struct Shown {
  std::set<EventId> executed;
  std::set<EventId> stays;
  std::set<std::pair<EventId, EventId>> synchronised;
  std::set<std::pair<EventId, EventId>> ordered;
  friend auto operator<=>(const Shown&, const Shown&) = default;
};

/// Explores all orders in which the threads can arrive.
class Orders {
 public:
  Orders(const Threads& threads, int count) : threads_(threads), count_(count) {
    EventId next = 0;
    for (const auto& thread : threads) {
      first_.push_back(next);
      next += static_cast<EventId>(thread.size());
    }
    phase_.assign(next, -1);
    next_.assign(threads.size(), 0);
    waits_.assign(threads.size(), false);
  }

  std::set<Shown> all() {
    step(0, 0);
    return found_;
  }

 private:
  EventId event(std::size_t t) const { return first_[t] + static_cast<EventId>(next_[t]); }

  void step(int phase, int arrived) {
    bool moved = false;
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      if (waits_[t] || next_[t] == threads_[t].size()) continue;
      moved = true;
      const auto before = std::tuple(phase_, next_, waits_);
      phase_[event(t)] = phase;
      if (threads_[t][next_[t]]) {
        waits_[t] = true;
      } else {
        ++next_[t];
      }
      if (arrived + 1 == count_) {
        for (std::size_t u = 0; u < threads_.size(); ++u) {
          if (waits_[u]) ++next_[u];
          waits_[u] = false;
        }
        step(phase + 1, 0);
      } else {
        step(phase, arrived + 1);
      }
      std::tie(phase_, next_, waits_) = before;
    }
    if (!moved) found_.insert(shown());
  }

  Shown shown() const {
    Shown result;
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      if (waits_[t]) result.stays.insert(event(t));
    }
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      for (std::size_t i = 0; i < threads_[t].size(); ++i) {
        const EventId a = first_[t] + static_cast<EventId>(i);
        if (phase_[a] < 0) continue;
        result.executed.insert(a);
        for (std::size_t u = 0; u < threads_.size(); ++u) {
          for (std::size_t k = 0; k < threads_[u].size(); ++k) {
            const EventId b = first_[u] + static_cast<EventId>(k);
            if (t == u || phase_[b] < 0) continue;
            if (phase_[a] < phase_[b]) result.ordered.emplace(a, b);
            if (phase_[a] == phase_[b] && threads_[u][k] && !result.stays.contains(b))
              result.synchronised.emplace(a, b);
          }
        }
      }
    }
    return result;
  }

  const Threads& threads_;
  int count_;
  std::vector<EventId> first_;
  std::vector<int> phase_;
  std::vector<std::size_t> next_;
  std::vector<bool> waits_;
  std::set<Shown> found_;
};

std::set<std::pair<EventId, EventId>> pairs(const EventGraph& graph, BaseRelation id, const std::set<EventId>& executed,
                                            const std::vector<Value>& nodes) {
  std::set<std::pair<EventId, EventId>> result;
  const auto add = [&](EventId a, EventId b) {
    if (executed.contains(a) && executed.contains(b)) result.emplace(a, b);
  };
  graph.relation(id).always.for_each(add);
  for (const auto& pair : graph.relation(id).sometimes) {
    if (nodes[pair.condition] != 0) add(pair.from, pair.to);
  }
  return result;
}

/// Returns the result of the event graph for given values of the nodes.
Shown shown(const EventGraph& graph, const std::vector<Value>& nodes) {
  Shown result;
  for (EventId e = 0; e < graph.size(); ++e) {
    const bool is_executed = nodes[graph.events[e].guard] != 0;
    if (graph.events[e].kind == EventKind::Barrier && is_executed) result.executed.insert(e);
  }
  for (const BarrierWait& wait : graph.waits) {
    if (nodes[wait.stays] != 0) result.stays.insert(wait.event);
  }
  EXPECT_EQ(nodes[graph.stuck] != 0, !result.stays.empty());
  result.synchronised = pairs(graph, BaseRelation::BarrierSync, result.executed, nodes);
  result.ordered = pairs(graph, BaseRelation::BarrierOrder, result.executed, nodes);
  return result;
}

void add_threads(ProgramBuilder& program, const Threads& threads, std::uint32_t count) {
  for (std::size_t t = 0; t < threads.size(); ++t) {
    ThreadBuilder& thread = program.thread("T" + std::to_string(t), {.warp = static_cast<int>(t)});
    for (const bool is_sync : threads[t]) thread.add(counted(count, !is_sync));
  }
}

void expect_all_orders(const Threads& threads, int count) {
  ProgramBuilder program;
  add_threads(program, threads, static_cast<std::uint32_t>(count));
  const EventGraph graph = graph_of(program);
  ASSERT_FALSE(graph.unfinished);
  std::set<Shown> found;
  for_each_choice(graph, {}, [&](const std::vector<Value>& nodes) { found.insert(shown(graph, nodes)); });
  EXPECT_EQ(found, Orders(threads, count).all()) << ::testing::PrintToString(threads) << " with " << count;
}

TEST(Quorum, MatchesTheOrdersOfArrivals) {
  expect_all_orders({{true}, {true}, {true}}, 2);
  expect_all_orders({{true}, {true}, {true}, {true}}, 2);
  expect_all_orders({{true, true}, {true, true}, {true}}, 2);
  expect_all_orders({{false, false}, {true}}, 2);
  expect_all_orders({{false}, {false, true}, {true, false, true}}, 2);
  expect_all_orders({{true}, {false, true}, {true}}, 1);
  expect_all_orders({{false, false, true}, {true}}, 3);
}

TEST(Quorum, MatchesTheOrdersOfArrivalsOfRandomThreads) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    Dice dice(seed);
    Threads threads(2 + dice.below(3));
    bool arrives = false;
    std::size_t uses = 0;
    for (auto& thread : threads) {
      thread.resize(1 + dice.below(threads.size() > 3 ? 1 : 2));
      for (auto&& waits : thread) {
        waits = dice.chance(65);
        arrives = arrives || !waits;
      }
      uses += thread.size();
    }
    const std::size_t count = 1 + dice.below(uses);
    // If the count is at least the number of threads, no thread arrives twice in one phase. The graph then has no
    // choices for the barrier.
    if (count >= threads.size()) continue;
    expect_all_orders(threads, static_cast<int>(count));
  }
}

TEST(Quorum, OneChoiceOfAPhaseForEachArrival) {
  ProgramBuilder program;
  add_threads(program, Threads(8, {true}), 2);
  const EventGraph graph = graph_of(program);
  ASSERT_EQ(graph.size(), 16U);
  for (EventId e = 8; e < 16; ++e) {
    EXPECT_EQ(graph.events[e].kind, EventKind::Choice);
    EXPECT_EQ(graph.events[e].alternatives, 4U);  // every phase is complete at the end
  }
  EXPECT_TRUE(graph.waits.empty());
  EXPECT_TRUE(graph.incidents.empty());
  EXPECT_FALSE(graph.set(BaseSet::Universe).always.contains(8));
}

TEST(Quorum, ManyWaysTakeNoMoreThanFew) {
  ProgramBuilder program;
  add_threads(program, Threads(40, {true}), 4);  // 40! / 4!^10 ways, some 10^33
  const EventGraph graph = graph_of(program);
  EXPECT_FALSE(graph.unfinished);
  EXPECT_EQ(graph.relation(BaseRelation::BarrierSync).sometimes.size(), 40U * 39U);
  EXPECT_LT(graph.values.size(), 40000U);
}

TEST(Quorum, AThreadThatMayNotComeLeavesOthersWaiting) {
  ProgramBuilder program;
  const Expr x = program.global("x");
  for (int t = 0; t < 3; ++t) {
    ThreadBuilder& thread = program.thread("T" + std::to_string(t), {.warp = t});
    if (t < 2) {
      thread.add(counted(2));  // 1 2
      continue;
    }
    const RegisterId r = thread.load(x);  // 3
    const auto end = thread.later();
    thread.branch(thread.value(r) == 0, end).add(counted(2)).place(end);  // 4
  }
  program.thread("W", {.warp = 3}).store(x, 1);  // 5
  const EventGraph graph = graph_of(program);
  std::map<Value, std::set<std::set<EventId>>> stays;  // for each value read, the sets of threads that wait forever
  for (const Value read : {0, 1}) {
    for_each_choice(graph, {{3, read}}, [&](const std::vector<Value>& nodes) {
      std::set<EventId> waiting;
      for (const BarrierWait& wait : graph.waits) {
        if (nodes[wait.stays] != 0) waiting.insert(wait.event);
      }
      stays[read].insert(waiting);
    });
  }
  EXPECT_EQ(stays[0], (std::set<std::set<EventId>>{{}}));
  EXPECT_EQ(stays[1], (std::set<std::set<EventId>>{{1}, {2}, {4}}));
}

TEST(Quorum, ThreadsThatPassItReachTheNextBarrier) {
  for (const int threads : {3, 4}) {
    ProgramBuilder program;
    for (int t = 0; t < threads; ++t) {
      program.thread("T" + std::to_string(t), {.warp = t}).add(counted(2)).barrier(0);  // 2t, 2t + 1
    }
    const EventGraph graph = graph_of(program);
    const auto met = graph.relation(BaseRelation::BarrierSync).always.count();
    if (threads == 4) {
      EXPECT_EQ(met, 12U);  // each thread meets each other thread at barrier 0
      EXPECT_EQ(graph.stuck, ValueGraph::kFalse);
    } else {
      EXPECT_EQ(met, 0U);
      // One thread waits forever at the barrier with a count. The other two threads have passed this barrier, but wait
      // forever at barrier 0.
      std::set<std::set<EventId>> stays;
      for_each_choice(graph, {}, [&](const std::vector<Value>& nodes) {
        stays.insert(shown(graph, nodes).stays);
        EXPECT_EQ(shown(graph, nodes).synchronised.size(), 2U);
      });
      EXPECT_EQ(stays, (std::set<std::set<EventId>>{{0, 3, 5}, {1, 2, 5}, {1, 3, 4}}));
    }
  }
}

TEST(Quorum, AnotherNumberOfArrivalsIsFollowedOrderByOrder) {
  ProgramBuilder program;
  for (int t = 0; t < 9; ++t) {
    program.thread("T" + std::to_string(t), {.warp = t}).add(counted(t < 8 ? 2 : 3)).add(counted(2));
  }
  const EventGraph graph = graph_of(program);
  ASSERT_TRUE(graph.unfinished);
  EXPECT_EQ(graph.unfinished->reason, UnknownReason::Barriers);
  EXPECT_EQ(graph.unfinished->detail, "threads can meet at the barriers in more than 4000 ways");
  EXPECT_EQ(graph.size(), 0U);
}

TEST(Quorum, TheSearchForOrdersObservesLimits) {
  ProgramBuilder program;
  for (int t = 0; t < 9; ++t) {
    program.thread("T" + std::to_string(t), {.warp = t}).add(counted(t < 8 ? 2 : 3)).add(counted(2));
  }
  const std::atomic<bool> interrupted = true;
  Context context;
  context.set_cancellation(&interrupted);
  const auto graph = build(program.build(), {}, context);
  ASSERT_TRUE(graph.ok() && graph.value().unfinished);
  EXPECT_EQ(graph.value().unfinished->reason, UnknownReason::Interrupted);
  EXPECT_EQ(graph.value().program->threads.size(), 9U);
}

}  // namespace
}  // namespace ambit::events
