#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/trace.h"

namespace ambit::trace {

// What a launch and an event may be, whatever form they are read from (docs/traces.md).

/// Threads of a block, also where a launch says "any number".
inline constexpr std::uint32_t kMaxThreadsPerBlock = 1U << 21U;
inline constexpr std::uint32_t kMaxBlocks = 1U << 31U;
inline constexpr std::uint32_t kMaxGpus = 256;
/// Bytes of an element of an array.
inline constexpr std::uint32_t kMaxElementSize = 1024;
/// Barriers of a group are numbered below.
inline constexpr std::uint32_t kMaxBarriers = 1U << 16U;

/// What is wrong with the shape of a launch.
std::optional<std::string> launch_flaw(const LaunchGeometry& launch);

/// True for a place that the launch, which has no flaw, has.
bool is_inside(const LaunchGeometry& launch, std::uint32_t gpu, std::uint32_t block, std::uint32_t index_in_block);

/// What is wrong with a location of the tables: shared memory of a block that the launch, which has no flaw, has not.
std::optional<std::string> location_flaw(const TraceTables& tables, std::uint32_t location);

/// True for a name that elements have an object of: "s", of "b0:s[1]" too; not for that of an element or an address.
bool is_object_name(std::string_view name);

/// What is wrong with the order of an operation: "a read cannot be release". For what has an order in the text form.
std::optional<std::string> order_flaw(TraceOp op, Order order);

/// What is wrong with an event apart from the numbers of names: what the text form cannot say.
std::optional<std::string> event_flaw(const TraceEvent& event);

}  // namespace ambit::trace
