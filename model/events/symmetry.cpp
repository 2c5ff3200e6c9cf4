#include "model/events/symmetry.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "model/events/exchange_test.h"

namespace ambit::events {
namespace {

/// Limit on the number of classes with which a thread or block is compared. With more classes, the search is not
/// worthwhile.
constexpr std::size_t kMostClasses = 16;

}  // namespace

/// Finds the valid exchanges, and selects the pairs of writes for Symmetry::write_order().
class SymmetryFinder {
 public:
  SymmetryFinder(const EventGraph& graph, const Looked& looked, Context& context)
      : graph_(graph), test_(graph, looked, context), writes_at_(graph.program->locations.size(), 0) {
    for (const Event& event : graph.events) {
      if (event.is_write() && event.locations.size() == 1) ++writes_at_[event.locations.front()];
    }
  }

  Symmetry find() {
    if (test_.is_too_large()) return {};
    for (std::uint32_t t = 0; t < graph_.program->threads.size(); ++t) {
      const ThreadPlace& place = graph_.program->threads[t].place;
      blocks_[{place.gpu, place.cluster, place.block}].threads.push_back(t);
    }
    for (auto& [place, block] : blocks_) find_classes(block);
    find_block_classes();
    order_writes();
    describe();
    return std::move(result_);
  }

 private:
  struct Block {
    std::vector<std::uint32_t> threads;
    /// for each thread, the number of its class in the block; threads of one class are exchangeable
    std::vector<std::uint32_t> classes;
    std::uint32_t type = 0;  ///< the type of a block; exchangeable blocks have equal types
  };

  void find_classes(Block& block) {
    std::vector<std::vector<std::uint32_t>> members;  // the positions of the threads in the block
    block.classes.resize(block.threads.size());
    for (std::uint32_t i = 0; i < block.threads.size(); ++i) {
      bool found = false;
      for (std::uint32_t c = 0; c < members.size() && c < kMostClasses && !found; ++c) {
        const std::uint32_t like = block.threads[members[c].back()];
        if (test_.events_of(like).empty() || !test_.passes({{like, block.threads[i]}})) continue;
        members[c].push_back(i);
        block.classes[i] = c;
        found = true;
      }
      if (found) continue;
      block.classes[i] = static_cast<std::uint32_t>(members.size());
      members.push_back({i});
    }
  }

  /// Finds exchangeable blocks: blocks with threads of the same classes at the same positions.
  void find_block_classes() {
    std::vector<std::vector<Block*>> members;
    for (auto& [place, block] : blocks_) {
      bool found = false;
      for (std::uint32_t c = 0; c < members.size() && c < kMostClasses && !found; ++c) {
        const Block& like = *members[c].back();
        if (like.classes != block.classes) continue;
        Exchange exchange;
        for (std::size_t i = 0; i < block.threads.size(); ++i) {
          if (!test_.events_of(like.threads[i]).empty()) exchange.emplace_back(like.threads[i], block.threads[i]);
          if (test_.events_of(like.threads[i]).size() != test_.events_of(block.threads[i]).size()) exchange.clear();
        }
        if (exchange.empty() || !test_.passes(exchange)) continue;
        members[c].push_back(&block);
        block.type = c;
        found = true;
      }
      if (found) continue;
      block.type = static_cast<std::uint32_t>(members.size());
      members.push_back({&block});
    }
    for (const std::vector<Block*>& of_type : members) {
      order_blocks(of_type);
      if (of_type.size() < 2) continue;
      Symmetry::Class& units = result_.classes_.emplace_back();
      for (const Block* block : of_type) units.push_back(unit_of(block->threads));
    }
  }

  /// Returns the unit that consists of the threads. Exchangeable units have their events in corresponding orders.
  Symmetry::Unit unit_of(const std::vector<std::uint32_t>& threads) const {
    Symmetry::Unit unit{threads, {}};
    std::set<LocationId> cells;
    for (const std::uint32_t thread : threads) {
      for (const EventId e : test_.events_of(thread)) {
        unit.events.push_back(e);
        const Event& event = graph_.events[e];
        if (event.locations.size() != 1 || !test_.moved_locations().contains(event.locations.front())) continue;
        if (cells.insert(event.locations.front()).second) unit.events.push_back(event.locations.front());
      }
    }
    return unit;
  }

  /// Returns one write of each of these threads: all to the same cell, and at the same place of the code. Prefers
  /// read-modify-writes. Among read-modify-writes, prefers the cell with the most writes, because these writes can have
  /// the most orders.
  std::vector<EventId> matching_writes(const std::vector<std::uint32_t>& threads) const {
    std::vector<EventId> best;
    std::size_t most = 0;
    const std::vector<EventId>& first = test_.events_of(threads.front());
    for (std::size_t i = 0; i < first.size(); ++i) {
      const Event& write = graph_.events[first[i]];
      if (write.kind != EventKind::Write || write.locations.size() != 1) continue;
      std::vector<EventId> writes;
      for (const std::uint32_t t : threads) writes.push_back(test_.events_of(t)[i]);
      const bool meet =
          std::ranges::all_of(writes, [&](EventId w) { return graph_.events[w].locations == write.locations; });
      if (!meet) continue;
      const std::size_t at_cell = write.is_rmw ? writes_at_[write.locations.front()] : 0;
      if (!best.empty() && at_cell <= most) continue;
      most = at_cell;
      best = std::move(writes);
    }
    return best;
  }

  void put_in_order(const std::vector<EventId>& writes) {
    for (std::size_t i = 0; i < writes.size(); ++i) {
      for (std::size_t j = i + 1; j < writes.size(); ++j) result_.write_order_.emplace_back(writes[i], writes[j]);
    }
  }

  void order_writes() {
    for (const auto& [place, block] : blocks_) {
      std::map<std::uint32_t, std::vector<std::uint32_t>> members;
      for (std::size_t i = 0; i < block.threads.size(); ++i) members[block.classes[i]].push_back(block.threads[i]);
      for (const auto& [number, threads] : members) {
        if (threads.size() < 2) continue;
        put_in_order(matching_writes(threads));
        Symmetry::Class& units = result_.classes_.emplace_back();
        for (const std::uint32_t thread : threads) units.push_back(unit_of({thread}));
      }
    }
  }

  /// Orders the blocks by one write of each block. An exchange moves whole blocks, so the order within each block does
  /// not change.
  void order_blocks(const std::vector<Block*>& blocks) {
    if (blocks.size() < 2) return;
    std::vector<EventId> best;
    for (std::size_t i = 0; i < blocks.front()->threads.size(); ++i) {
      std::vector<std::uint32_t> threads;
      for (const Block* block : blocks) threads.push_back(block->threads[i]);
      std::vector<EventId> writes = matching_writes(threads);
      if (writes.empty()) continue;
      if (best.empty() || (graph_.events[writes.front()].is_rmw && !graph_.events[best.front()].is_rmw)) {
        best = std::move(writes);
      }
    }
    put_in_order(best);
  }

  void describe() {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> alike;
    for (const auto& [place, block] : blocks_) {
      for (std::size_t i = 0; i < block.threads.size(); ++i) {
        alike[{block.type, block.classes[i]}].push_back(block.threads[i]);
      }
    }
    if (std::ranges::all_of(alike, [](const auto& type) { return type.second.size() == 1; })) {
      result_ = {};
      return;
    }
    result_.alike_.resize(graph_.program->threads.size());
    for (auto& [type, threads] : alike) {
      std::ranges::sort(threads);
      for (const std::uint32_t thread : threads) result_.alike_[thread] = threads;
    }
    result_.moved_.assign(graph_.program->locations.size(), false);
    for (const LocationId l : test_.moved_locations()) result_.moved_[l] = true;
  }

  const EventGraph& graph_;
  ExchangeTest test_;
  std::vector<std::size_t> writes_at_;  ///< number of writes at each location
  std::map<std::tuple<int, int, int>, Block> blocks_;
  Symmetry result_;
};

namespace {

/// Returns whether two threads may have the same code, according to their first events. The check quickly rejects
/// litmus tests in which each thread has its own code.
bool may_be_symmetric(const EventGraph& graph) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> places;
  std::uint32_t last = kNoThread;
  for (const Event& event : graph.events) {
    if (event.thread == kNoThread || event.thread == last) continue;
    last = event.thread;
    if (!places.emplace(event.span.line, event.span.column).second) return true;
  }
  return false;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> Symmetry::alike_threads() const {
  std::vector<std::vector<std::uint32_t>> result;
  for (std::uint32_t t = 0; t < alike_.size(); ++t) {
    if (alike_[t].size() > 1 && alike_[t].front() == t) result.push_back(alike_[t]);
  }
  return result;
}

Symmetry Symmetry::find(const EventGraph& graph, const Looked& looked, Context& context) {
  if (!may_be_symmetric(graph)) return {};
  try {
    return SymmetryFinder(graph, looked, context).find();
  } catch (const Stopped& stopped) {
    if (stopped.reason == UnknownReason::Values) return {};  // images of nodes are too large to compare
    throw;
  }
}

}  // namespace ambit::events
