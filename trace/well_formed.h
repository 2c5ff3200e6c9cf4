#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/trace.h"

namespace ambit::trace {

// The rules for launches and events, independent of the trace format (docs/reference/traces.md).

/// The largest number of threads of a block, even if the launch does not limit the number.
inline constexpr std::uint32_t kMaxThreadsPerBlock = 1U << 21U;
inline constexpr std::uint32_t kMaxBlocks = 1U << 31U;
inline constexpr std::uint32_t kMaxGpus = 256;
/// The largest size of an array element, in bytes.
inline constexpr std::uint32_t kMaxElementSize = 1024;
/// The barriers of a group have numbers below this limit.
inline constexpr std::uint32_t kMaxBarriers = 1U << 16U;

/// Returns an error if the launch is invalid.
std::optional<std::string> launch_flaw(const LaunchGeometry& launch);

/// Returns whether the place is inside the launch, which must be valid.
bool is_inside(const LaunchGeometry& launch, std::uint32_t gpu, std::uint32_t block, std::uint32_t index_in_block);

/// Returns an error if a location in the tables is shared memory of a block outside the launch, which must be valid.
std::optional<std::string> location_flaw(const TraceTables& tables, std::uint32_t location);

/// Returns whether an object with elements has this name: "s", which is also the object of "b0:s[1]". Returns false for
/// the name of an element or an address.
bool is_object_name(std::string_view name);

/// Returns an error if an operation cannot have this order, such as "a read cannot be release". For operations with an
/// order in the text format.
std::optional<std::string> order_flaw(TraceOp op, Order order);

/// Returns an error if the event has properties that the text format cannot express. Does not check the numbers of
/// names.
std::optional<std::string> event_flaw(const TraceEvent& event);

}  // namespace ambit::trace
