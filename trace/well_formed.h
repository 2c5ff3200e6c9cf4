#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/trace.h"

namespace ambit::trace {

// The rules for launches and events, which are the same for all trace formats (docs/reference/traces.md).

/// The largest number of threads in a block. The number is also the limit for a launch without a block size.
inline constexpr std::uint32_t kMaxThreadsPerBlock = 1U << 21U;
inline constexpr std::uint32_t kMaxBlocks = 1U << 31U;
inline constexpr std::uint32_t kMaxGpus = 256;
/// The largest size of an array element, in bytes.
inline constexpr std::uint32_t kMaxElementSize = 1024;
/// Barrier numbers must be less than this number.
inline constexpr std::uint32_t kMaxBarriers = 1U << 16U;

/// Returns an error if the launch is invalid.
std::optional<std::string> launch_flaw(const LaunchGeometry& launch);

/// Returns whether the place is inside the launch. The launch must be valid.
bool is_inside(const LaunchGeometry& launch, std::uint32_t gpu, std::uint32_t block, std::uint32_t index_in_block);

/// Returns an error if a location is in the shared memory of a block outside the launch. The launch must be valid.
std::optional<std::string> location_flaw(const TraceTables& tables, std::uint32_t location);

/// Returns whether the name can be the name of an object with elements, such as "s", the object of "s[1]" and
/// "b0:s[1]". Returns false for the name of an element or an address.
bool is_object_name(std::string_view name);

/// Returns an error if the operation cannot have this memory order, such as "a read cannot be release". `op` must be an
/// operation that has an order in the text format.
std::optional<std::string> order_flaw(TraceOp op, Order order);

/// Returns an error if the event has properties that the text format cannot express. This function does not check
/// whether the tables contain the event's threads, locations and places.
std::optional<std::string> event_flaw(const TraceEvent& event);

}  // namespace ambit::trace
