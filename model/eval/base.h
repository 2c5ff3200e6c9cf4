#pragma once

#include <vector>

#include "model/events/execution.h"

namespace ambit::eval {

/// Returns the executed events that belong to a base set. nodes[n] is the value of node n.
events::EventSet concrete_set(const events::ConditionalSet& set, const events::EventSet& executed,
                              const std::vector<Value>& nodes);

/// Returns the pairs of executed events that belong to a base relation.
events::Relation concrete_relation(const events::ConditionalRelation& relation, const events::EventSet& executed,
                                   const std::vector<Value>& nodes);

/// Return rf, co and fr = rf^-1 ; co of an execution.
events::Relation reads_from(const events::Execution& execution);
events::Relation coherence(const events::Execution& execution);
events::Relation from_reads(const events::Execution& execution);

/// Returns the strict total order of the events in `sequence`, as a relation over `size` events.
events::Relation total_order(const std::vector<events::EventId>& sequence, std::size_t size);

}  // namespace ambit::eval
