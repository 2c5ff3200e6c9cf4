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

/// A detector's reason why two accesses are not ordered.
enum class RaceKind : std::uint8_t {
  Unsynchronized,  ///< nothing synchronises the two threads
  MissingFence,
  FenceScopeTooNarrow,
  AtomicScopeTooNarrow,
  NotAtomic,  ///< one access is atomic, the other is not
  NoCommonLock,
  LockScopeTooNarrow,
  MissingBarrier,
  IntraWarp,
};
inline constexpr std::size_t kRaceKinds = 9;
/// "missing fence", "no common lock" ...
std::string_view to_string(RaceKind kind);

/// The distance between two threads: reports call it warp-level, block-level, device-level.
enum class RaceLevel : std::uint8_t { Warp, Block, Device };
std::string_view to_string(RaceLevel level);
/// Returns Warp for threads of one warp, Block for threads of one block, Device otherwise.
RaceLevel race_level(const ThreadPlace& a, const ThreadPlace& b);

/// One side of a race.
struct RaceAccess {
  std::uint32_t thread = kNoName;  ///< kNoName if the detector does not record it
  std::uint32_t site = kNoName;
  std::uint64_t event = kNoEvent;  ///< number of the event in the trace, from 0; kNoEvent if unknown
  bool is_write = false;
  bool is_atomic = false;

  static constexpr std::uint64_t kNoEvent = ~std::uint64_t{0};
};

/// Two accesses that race, with the number of races at the same two sites. The accesses are the first accesses seen.
/// Detectors with clocks replace them by the first accesses at a wider level.
struct RaceReport {
  RaceAccess first;  ///< earlier in the trace
  RaceAccess second;
  std::uint32_t location = kNoName;
  RaceKind kind = RaceKind::Unsynchronized;
  RaceLevel level = RaceLevel::Device;
  std::uint64_t count = 1;     ///< number of dynamic occurrences
  std::string sentence;        ///< a sentence that explains the race to a reader
  bool needs_acquire = false;  ///< MissingFence: the second thread lacks the fence, not the first
  /// For detectors that predict: an order in which events of the trace (by number) can run, after which both accesses
  /// come next. Empty if they come next at the start. Absent if there is no such order, or the detector does not
  /// predict.
  std::optional<std::vector<std::uint64_t>> witness;
  /// Other locations where the race occurred, without duplicates, in the order in which they were seen; at most
  /// kMostMoreLocations.
  std::vector<std::uint32_t> more_locations = {};
  bool has_unnamed_locations = false;  ///< the race occurred at further locations
};

inline constexpr std::size_t kMostMoreLocations = 15;
/// Adds the location of an occurrence of the race.
void add_location(RaceReport& race, std::uint32_t location);
/// Adds the locations of another report of the same race.
void add_locations(RaceReport& race, const RaceReport& other);

/// Returns whether two reports, from several runs or detectors, have the same two accesses of the source (in either
/// order) at the same location.
bool is_same_race(const RaceReport& a, const RaceReport& b);

}  // namespace ambit
