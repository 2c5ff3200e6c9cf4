#include <algorithm>

#include "model/events/draft.h"

namespace ambit::events {
namespace {

class RelationFiller {
 public:
  explicit RelationFiller(Draft& draft) : draft_(draft), graph_(draft.graph) {}

  void fill(BaseRelation id) {
    Relation& relation = graph_.relations[static_cast<std::size_t>(id)].always;
    relation = Relation(graph_.size());
    switch (id) {
      case BaseRelation::ProgramOrder: return program_order(relation);
      case BaseRelation::SameLocation: return same_location(relation);
      case BaseRelation::Identity:
        for (EventId e = 0; e < graph_.size(); ++e) relation.insert(e, e);
        return;
      case BaseRelation::Internal: return by_thread(relation, [](std::uint32_t t, std::uint32_t u) { return t == u; });
      case BaseRelation::External: return external(relation);
      case BaseRelation::ReadModifyWritePair: return rmw_pairs(relation);
      case BaseRelation::SameBlock: return same_instances(relation, Scope::Block);
      case BaseRelation::SameCluster: return same_instances(relation, Scope::Cluster);
      case BaseRelation::SameDevice: return same_instances(relation, Scope::Device);
      case BaseRelation::SameWarp: return same_warp(relation);
      // These relations are chosen by the execution:
      case BaseRelation::ReadsFrom:
      case BaseRelation::Coherence:
      case BaseRelation::FromReads:
      // These relations are filled by fill_dependencies(), fill_barriers() and fill_locks():
      case BaseRelation::AddressDependency:
      case BaseRelation::DataDependency:
      case BaseRelation::ControlDependency:
      case BaseRelation::BarrierSync:
      case BaseRelation::BarrierOrder:
      case BaseRelation::RelaxedArrival:
      case BaseRelation::CriticalSection:
      // These relations are filled by fill_asynchronous():
      case BaseRelation::Issue:
      case BaseRelation::InOperation:
      case BaseRelation::GroupWait:
      case BaseRelation::Tracking:
      case BaseRelation::MbarrierPhase:
      case BaseRelation::MbarrierBlock:
      case BaseRelation::InSpace:
      case BaseRelation::MbarrierSeen:
      case BaseRelation::GridEnd:
      case BaseRelation::HomeBlock:
      case BaseRelation::TensorPipeline: return;
      case BaseRelation::SameVirtualAddress: return same_virtual_address(relation);
      case BaseRelation::SameTransaction: return same_transaction(id, true);
      case BaseRelation::SameFailedTransaction: return same_transaction(id, false);
    }
  }

 private:
  std::uint32_t thread_count() const { return static_cast<std::uint32_t>(draft_.program().threads.size()); }
  const ThreadPlace& place(std::uint32_t thread) const { return draft_.program().threads[thread].place; }

  /// Sets the bits first..end-1 of a row.
  static void insert_range(std::uint64_t* row, EventId first, EventId end) {
    for (EventId e = first; e < end;) {
      const EventId stop = std::min<EventId>(end, (e / 64 + 1) * 64);
      const std::uint64_t ones = stop - e == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << (stop - e)) - 1;
      row[e / 64] |= ones << (e % 64);
      e = stop;
    }
  }

  /// Omits accesses of asynchronous operations, because they are not in program order.
  void program_order(Relation& relation) {
    for (std::uint32_t t = 0; t < thread_count(); ++t) {
      const EventId end = draft_.first_event[t + 1];
      std::vector<EventId> outside;
      for (EventId e = draft_.first_event[t]; e < end; ++e) {
        if (graph_.events[e].is_async()) {
          outside.push_back(e);
        } else {
          insert_range(relation.row(e), e + 1, end);
        }
      }
      for (EventId e = draft_.first_event[t]; e < end && !outside.empty(); ++e) {
        for (const EventId other : outside) relation.erase(e, other);
      }
    }
  }

  /// If related(t, u), relates all events of thread t to all events of thread u.
  template <typename Related>
  void by_thread(Relation& relation, Related related) {
    for (std::uint32_t t = 0; t < thread_count(); ++t) {
      const EventId first = draft_.first_event[t];
      const EventId end = draft_.first_event[t + 1];
      if (first == end) continue;
      std::uint64_t* row = relation.row(first);
      for (std::uint32_t u = 0; u < thread_count(); ++u) {
        if (related(t, u)) insert_range(row, draft_.first_event[u], draft_.first_event[u + 1]);
      }
      for (EventId e = first + 1; e < end; ++e) std::copy_n(row, relation.stride(), relation.row(e));
    }
  }

  void same_instances(Relation& relation, Scope scope) {
    by_thread(relation, [&](std::uint32_t t, std::uint32_t u) { return same_instance(place(t), place(u), scope); });
  }

  void same_warp(Relation& relation) {
    by_thread(relation, [&](std::uint32_t t, std::uint32_t u) {
      return same_instance(place(t), place(u), Scope::Block) && place(t).warp == place(u).warp;
    });
  }

  /// Relates events of different threads. An initial write belongs to no thread, so it is external to all other events.
  void external(Relation& relation) {
    const auto size = static_cast<EventId>(graph_.size());
    for (EventId e = 0; e < size; ++e) {
      const std::uint32_t t = graph_.events[e].thread;
      const EventId first = t == kNoThread ? e : draft_.first_event[t];
      const EventId end = t == kNoThread ? e + 1 : draft_.first_event[t + 1];
      insert_range(relation.row(e), 0, first);
      insert_range(relation.row(e), end, size);
    }
  }

  void rmw_pairs(Relation& relation) {
    for (EventId e = 0; e < graph_.size(); ++e) {
      const Event& event = graph_.events[e];
      if (event.is_read() && event.rmw_partner != kNoEvent) relation.insert(e, event.rmw_partner);
    }
  }

  /// Relates all pairs of events of one transaction that commits (if `commits`) or aborts.
  void same_transaction(BaseRelation id, bool commits) {
    for (EventId a = 0; a < graph_.size(); ++a) {
      const std::uint32_t transaction = graph_.events[a].transaction;
      if (transaction == kNoTransaction) continue;
      const NodeId committed = graph_.transactions[transaction].commits;
      const NodeId condition = commits ? committed : graph_.values.negation(committed);
      for (EventId b = a; b < graph_.size() && graph_.events[b].thread == graph_.events[a].thread; ++b) {
        if (graph_.events[b].transaction == transaction) insert_both(id, a, b, condition);
      }
    }
  }

  /// Groups the accesses with only one possible cell by this cell, and compares the other accesses individually.
  void same_location(Relation& relation) {
    std::vector<EventSet> accesses(draft_.program().locations.size(), EventSet(graph_.size()));
    std::vector<EventId> dynamic;
    for (EventId e = 0; e < graph_.size(); ++e) {
      const Event& event = graph_.events[e];
      if (!event.is_access()) continue;
      if (event.locations.size() == 1) {
        accesses[event.locations.front()].insert(e);
      } else {
        dynamic.push_back(e);
      }
    }
    for (const EventSet& cell : accesses) {
      cell.for_each([&](EventId e) { std::copy_n(cell.words(), cell.word_count(), relation.row(e)); });
    }
    for (const EventId e : dynamic) {
      for (EventId other = 0; other < graph_.size(); ++other) {
        // If both accesses have several possible cells, handle the pair only once.
        if (graph_.events[other].locations.size() > 1 && other < e) continue;
        compare(e, other);
      }
    }
  }

  void compare(EventId a, EventId b) {
    const Event& x = graph_.events[a];
    const Event& y = graph_.events[b];
    if (!y.is_access()) return;
    const bool can_meet = std::any_of(x.locations.begin(), x.locations.end(), [&](LocationId l) {
      return std::binary_search(y.locations.begin(), y.locations.end(), l);
    });
    if (!can_meet) return;
    insert_both(BaseRelation::SameLocation, a, b, graph_.values.equal(x.cell, cell_address(y), kLongLong));
  }

  /// Adds the pair of two events in both directions, with the condition `condition`.
  void insert_both(BaseRelation id, EventId a, EventId b, NodeId condition) {
    if (condition == ValueGraph::kFalse) return;
    ConditionalRelation& relation = graph_.relations[static_cast<std::size_t>(id)];
    if (condition == ValueGraph::kTrue) {
      relation.always.insert(a, b);
      relation.always.insert(b, a);
      return;
    }
    relation.sometimes.push_back({a, b, condition});
    if (a != b) relation.sometimes.push_back({b, a, condition});
  }

  /// Returns the address of the event's cell. If only one cell is possible, the address is a constant.
  NodeId cell_address(const Event& event) {
    if (event.locations.size() != 1) return event.cell;
    const Location& location = draft_.program().locations[event.locations.front()];
    return graph_.values.constant(make_address(location.object, location.index), kLongLong);
  }

  /// Fills the relation with the pairs of loc that have equal virtual addresses. Only aliases make the addresses of a
  /// pair different. loc is already complete, because loc precedes this relation in the vocabulary. An initial write is
  /// treated as an access by every address of its cell.
  void same_virtual_address(Relation& relation) {
    const ConditionalRelation& same_cell = graph_.relation(BaseRelation::SameLocation);
    if (!draft_.program().has_aliases()) {
      graph_.relations[static_cast<std::size_t>(BaseRelation::SameVirtualAddress)] = same_cell;
      return;
    }
    relation = same_cell.always;
    const auto is_initial = [&](EventId e) { return graph_.events[e].kind == EventKind::InitialWrite; };
    const auto restrict = [&](EventId a, EventId b, NodeId condition) {
      const NodeId same = graph_.values.equal(graph_.events[a].address, graph_.events[b].address, kLongLong);
      insert_both(BaseRelation::SameVirtualAddress, a, b, graph_.values.conjunction(condition, same));
    };
    same_cell.always.for_each([&](EventId a, EventId b) {
      if (a >= b || is_initial(a)) return;
      relation.erase(a, b);
      relation.erase(b, a);
      restrict(a, b, ValueGraph::kTrue);
    });
    for (const ConditionalRelation::Pair& pair : same_cell.sometimes) {
      if (pair.from >= pair.to) continue;
      if (is_initial(pair.from)) {
        insert_both(BaseRelation::SameVirtualAddress, pair.from, pair.to, pair.condition);
      } else {
        restrict(pair.from, pair.to, pair.condition);
      }
    }
  }

  Draft& draft_;
  EventGraph& graph_;
};

}  // namespace

void fill_relations(Draft& draft) {
  RelationFiller filler(draft);
  for (const auto& entry : kBaseRelations) filler.fill(entry.id);
}

}  // namespace ambit::events
