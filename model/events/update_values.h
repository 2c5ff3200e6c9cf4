#pragma once

#include <map>
#include <vector>

#include "base/context.h"
#include "model/events/event_graph.h"

namespace ambit::events {

/// Returns, for each read half of a read-modify-write, a superset of the read's possible values, in ascending order.
///
/// The analysis handles a cell if each write to the cell stores a constant or is a read-modify-write that depends only
/// on the old value. Examples are counters and mbarriers. Without this analysis, the transaction counts of mbarriers
/// would have no bound. Each value results from a constant through a chain in which each read-modify-write occurs at
/// most once. Read-modify-writes with equal functions form one kind. A state consists of a value and of how often each
/// kind has been applied. So a pipeline of a few stages and phases has a few hundred states. Omits cells with fewer
/// updates than `least` or with more than 2^16 states. Throws Stopped.
std::map<EventId, std::vector<Value>> values_of_updates(const EventGraph& graph, Context& context,
                                                        std::size_t least = 4);

}  // namespace ambit::events
