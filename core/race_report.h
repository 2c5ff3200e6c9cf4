#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/scope.h"
#include "core/trace.h"

namespace ambit {

/// The reason why a detector considers two accesses unordered.
enum class RaceKind : std::uint8_t {
  Unsynchronized,  ///< nothing synchronises the two threads
  MissingFence,
  FenceScopeTooNarrow,
  AtomicScopeTooNarrow,
  NotAtomic,  ///< exactly one of the two accesses is atomic
  NoCommonLock,
  LockScopeTooNarrow,
  MissingBarrier,
  IntraWarp,
};
inline constexpr std::size_t kRaceKinds = 9;
/// "missing fence", "no common lock" ...
std::string_view to_string(RaceKind kind);

/// The distance between two threads. Reports call races warp-level, block-level or device-level.
enum class RaceLevel : std::uint8_t { Warp, Block, Device };
std::string_view to_string(RaceLevel level);
/// Returns Warp for threads of one warp, Block for threads of one block, Device otherwise.
RaceLevel race_level(const ThreadPlace& a, const ThreadPlace& b);

/// One side of a race.
struct RaceAccess {
  std::uint32_t thread = kNoName;  ///< kNoName if the detector does not record the thread
  std::uint32_t site = kNoName;
  std::uint64_t event = kNoEvent;  ///< number of the event in the trace, from 0; kNoEvent if unknown
  bool is_write = false;
  bool is_atomic = false;

  static constexpr std::uint64_t kNoEvent = ~std::uint64_t{0};
};

/// Two racing accesses, with the number of races at the same two sites. The report has the first two accesses at these
/// sites. Detectors with clocks replace these accesses when a race with a wider RaceLevel occurs.
struct RaceReport {
  RaceAccess first;  ///< earlier in the trace
  RaceAccess second;
  std::uint32_t location = kNoName;
  RaceKind kind = RaceKind::Unsynchronized;
  RaceLevel level = RaceLevel::Device;
  std::uint64_t count = 1;     ///< number of dynamic occurrences
  std::string sentence;        ///< a sentence that explains the race to a reader
  bool needs_acquire = false;  ///< MissingFence: the fence is missing in the second thread, not in the first
  /// For predictive detectors: numbers of events in a possible order of execution, after which both accesses can run.
  /// Empty if each access is the first event of its thread. Absent if no such order is known.
  std::optional<std::vector<std::uint64_t>> witness;
  /// Further locations of the race in order of first occurrence, at most kMostMoreLocations.
  std::vector<std::uint32_t> more_locations = {};
  bool has_unnamed_locations = false;  ///< `more_locations` lacks some locations
};

inline constexpr std::size_t kMostMoreLocations = 15;
/// Adds the location of an occurrence of the race.
void add_location(RaceReport& race, std::uint32_t location);
/// Adds the locations of another report of the same race.
void add_locations(RaceReport& race, const RaceReport& other);

/// Returns whether two reports have the same two accesses of the source (in either order) and the same location. The
/// reports may come from different runs or detectors.
bool is_same_race(const RaceReport& a, const RaceReport& b);

}  // namespace ambit
