#include "runner/sim/simulator_options.h"

#include <array>
#include <cstddef>

namespace ambit::sim {
namespace {

constexpr std::array<std::string_view, 2> kMemories = {"sc", "gpu"};
constexpr std::array<std::string_view, 4> kSchedules = {"random", "rr", "pct", "exhaustive"};
constexpr std::array<std::string_view, 2> kWarps = {"independent", "lockstep"};

template <typename Enum, typename Names>
std::optional<Enum> find(const Names& names, std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace

std::string_view to_string(MemoryKind kind) { return kMemories[static_cast<std::size_t>(kind)]; }
std::string_view to_string(ScheduleKind kind) { return kSchedules[static_cast<std::size_t>(kind)]; }
std::string_view to_string(WarpKind kind) { return kWarps[static_cast<std::size_t>(kind)]; }
std::optional<MemoryKind> memory_from_string(std::string_view name) { return find<MemoryKind>(kMemories, name); }
std::optional<ScheduleKind> schedule_from_string(std::string_view name) { return find<ScheduleKind>(kSchedules, name); }
std::optional<WarpKind> warps_from_string(std::string_view name) { return find<WarpKind>(kWarps, name); }

}  // namespace ambit::sim
