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

/// Why a detector says that nothing orders two accesses.
enum class RaceKind : std::uint8_t {
  Unsynchronized,  ///< nothing synchronises the two threads
  MissingFence,
  FenceScopeTooNarrow,
  AtomicScopeTooNarrow,
  NotAtomic,  ///< one side is atomic, the other is not
  NoCommonLock,
  LockScopeTooNarrow,
  MissingBarrier,
  IntraWarp,
};
inline constexpr std::size_t kRaceKinds = 9;
/// "missing fence", "no common lock" ...
std::string_view to_string(RaceKind kind);

/// Between threads of which distance: reports call it warp-level, block-level, device-level.
enum class RaceLevel : std::uint8_t { Warp, Block, Device };
std::string_view to_string(RaceLevel level);
/// Warp: one warp. Block: one block. Device: anything else.
RaceLevel race_level(const ThreadPlace& a, const ThreadPlace& b);

/// One side of a race.
struct RaceAccess {
  std::uint32_t thread = kNoName;  ///< kNoName: the detector does not keep it
  std::uint32_t site = kNoName;
  std::uint64_t event = kNoEvent;  ///< number of the event in the trace, from 0
  bool is_write = false;
  bool is_atomic = false;

  static constexpr std::uint64_t kNoEvent = ~std::uint64_t{0};
};

/// Two accesses that race and how often the same two sites raced. The accesses are the first that were seen; detectors
/// with clocks replace them by the first at a wider level.
struct RaceReport {
  RaceAccess first;  ///< earlier in the trace
  RaceAccess second;
  std::uint32_t location = kNoName;
  RaceKind kind = RaceKind::Unsynchronized;
  RaceLevel level = RaceLevel::Device;
  std::uint64_t count = 1;     ///< dynamic occurrences
  std::string sentence;        ///< explains it to a reader
  bool needs_acquire = false;  ///< MissingFence: the second thread lacks it, not the first
  /// Of detectors that predict: numbers of the events of the trace in an order in which they can run, after which both
  /// accesses are next; empty where they are from the start. Absent: there is none, or the detector does not predict.
  std::optional<std::vector<std::uint64_t>> witness;
  /// Other locations of the occurrences, each once, in the order in which they were seen; at most kMostMoreLocations.
  std::vector<std::uint32_t> more_locations = {};
  bool has_unnamed_locations = false;  ///< there were still more
};

inline constexpr std::size_t kMostMoreLocations = 15;
/// An occurrence of the race was at this location.
void add_location(RaceReport& race, std::uint32_t location);
/// The occurrences of another report of the same race were at the locations of that report.
void add_locations(RaceReport& race, const RaceReport& other);

/// The same two accesses of the source at one location, in either order: reports of several runs, or of several
/// detectors, are compared by it.
bool is_same_race(const RaceReport& a, const RaceReport& b);

}  // namespace ambit
