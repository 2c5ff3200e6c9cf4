#pragma once

#include <optional>
#include <span>
#include <vector>

#include "model/events/barrier_system.h"
#include "model/events/draft.h"

namespace ambit::events {

/// The value that the thread receives at a barrier event with an exchange (ValueExchange), until settle_exchanges puts
/// what it is in its place.
NodeId received_value(ValueGraph& values, EventId barrier, ScalarType type);

/// Replaces every received_value of the draft and of the gatherings by what the threads give that meet there. Throws
/// Stopped (Unsupported) if something that matters depends on a value that CUDA leaves undefined. Error: a value
/// depends on itself, through threads that meet.
std::optional<Diagnostic> settle_exchanges(Draft& draft, std::span<Gathering> gatherings);

/// Threads that receive the value of an exchange all receive the same one: every function but shuffle and match.
bool gives_all_one_value(const ValueExchange& exchange);

/// The threads of each joint wait go back together (joint_waits.cpp). After settle_exchanges.
bool joint_waits_hold(Draft& draft, std::span<const Gathering> gatherings);

}  // namespace ambit::events
