#pragma once

#include <optional>
#include <span>
#include <vector>

#include "model/events/barrier_system.h"
#include "model/events/draft.h"

namespace ambit::events {

/// Returns a placeholder for the value that the thread receives at a barrier event with an exchange (ValueExchange).
/// settle_exchanges() replaces the placeholder.
NodeId received_value(ValueGraph& values, EventId barrier, ScalarType type);

/// Replaces each received_value() in the draft and in the gatherings by a function of the contributions of the phase's
/// threads. Throws Stopped (Unsupported) if a result depends on a value that CUDA leaves undefined. Returns an error if
/// a value depends on itself through exchanges.
std::optional<Diagnostic> settle_exchanges(Draft& draft, std::span<Gathering> gatherings);

/// Returns whether all threads that receive a value receive the same value. Only shuffle and match can give different
/// threads different values.
bool gives_all_one_value(const ValueExchange& exchange);

/// Returns whether the threads of each joint wait repeat the loop together (joint_waits.cpp). Must be called after
/// settle_exchanges().
bool joint_waits_hold(Draft& draft, std::span<const Gathering> gatherings);

}  // namespace ambit::events
