#pragma once

#include <map>
#include <vector>

#include "core/context.h"
#include "model/events/event_graph.h"

namespace ambit::events {

/// Values of read-modify-writes, by read half, rising: a superset of those that it returns where it takes place.
///
/// Known are those of cells that, besides constants, are only written by read-modify-writes that compute with the value
/// before and nothing else: counters, and mbarriers, whose transaction counts would otherwise seem to grow without end.
/// Values are grounded, so a value comes from a constant by a chain in which each read-modify-write occurs at most
/// once. Those that compute alike are not told apart: a state is a value with the number of times that each kind has
/// been applied, so that a pipeline of some stages and phases has some hundred states. Cells with fewer updates than
/// `least`, and with more than 2^16 states, are left out. Throws Stopped.
std::map<EventId, std::vector<Value>> values_of_updates(const EventGraph& graph, Context& context,
                                                        std::size_t least = 4);

}  // namespace ambit::events
