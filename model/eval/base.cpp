#include "model/eval/base.h"

namespace ambit::eval {

using events::EventId;
using events::EventSet;
using events::Execution;
using events::kNoEvent;
using events::Relation;

EventSet concrete_set(const events::ConditionalSet& set, const EventSet& executed, const std::vector<Value>& nodes) {
  EventSet result = set.always;
  if (result.word_count() == 0) result = EventSet(executed.size());
  for (const auto& member : set.sometimes) {
    if (nodes[member.condition] != 0) result.insert(member.event);
  }
  result &= executed;
  return result;
}

Relation concrete_relation(const events::ConditionalRelation& relation, const EventSet& executed,
                           const std::vector<Value>& nodes) {
  Relation result = relation.always;
  if (result.word_count() == 0) result = Relation(executed.size());
  for (const auto& pair : relation.sometimes) {
    if (nodes[pair.condition] != 0) result.insert(pair.from, pair.to);
  }
  for (EventId e = 0; e < result.size(); ++e) {
    const std::uint64_t keep = executed.contains(e) ? ~std::uint64_t{0} : 0;
    for (std::size_t w = 0; w < result.stride(); ++w) result.row(e)[w] &= executed.words()[w] & keep;
  }
  return result;
}

Relation reads_from(const Execution& execution) {
  Relation result(execution.executed.size());
  for (EventId read = 0; read < execution.reads_from.size(); ++read) {
    if (execution.reads_from[read] != kNoEvent) result.insert(execution.reads_from[read], read);
  }
  return result;
}

Relation coherence(const Execution& execution) {
  Relation result(execution.executed.size());
  for (const auto& writes : execution.coherence) result |= total_order(writes, result.size());
  return result;
}

Relation from_reads(const Execution& execution) {
  return events::compose(events::inverse(reads_from(execution)), coherence(execution));
}

Relation total_order(const std::vector<EventId>& sequence, std::size_t size) {
  Relation result(size);
  for (std::size_t later = 0; later < sequence.size(); ++later) {
    for (std::size_t earlier = 0; earlier < later; ++earlier) result.insert(sequence[earlier], sequence[later]);
  }
  return result;
}

}  // namespace ambit::eval
