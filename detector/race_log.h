#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/race_report.h"
#include "core/trace.h"
#include "detector/inference/action.h"
#include "detector/inference/flat_map.h"
#include "detector/inference/sync_inference.h"

namespace ambit::detector {

/// One of the two accesses of a race. Fields that the detector does not record have default values.
struct RaceSide {
  std::uint32_t thread = kNoName;
  std::uint32_t site = kNoName;
  std::uint64_t event = RaceAccess::kNoEvent;
  bool is_write = false;
  bool is_atomic = false;
  Scope scope = Scope::System;
  std::uint32_t lock = kNoName;
  Scope lock_scope = Scope::System;
  bool lock_is_bare = false;

  static RaceSide of(const Action& access);
};

/// The probable reason why nothing synchronises two accesses, according to the trace.
struct Explanation {
  RaceKind kind;
  std::string sentence;
  bool needs_acquire = false;  ///< the value for RaceReport::needs_acquire
};
Explanation explain(const RaceSide& first, const RaceSide& second, std::uint32_t location,
                    const SyncInference& inference);
/// Returns, for example, "b0t0 writes x (k.cu:18)".
std::string describe(const RaceSide& side, std::uint32_t location, const TraceTables& tables);

/// Collects reports. Each pair of sites has one report, with a count and some of the locations. If a site is unknown,
/// the location and thread replace the site.
class RaceLog {
 public:
  explicit RaceLog(const TraceTables& tables) : tables_(tables) {}
  /// Adds a race. The report's sentence begins with both accesses and ends with `why`.
  void add(const RaceSide& first, const RaceSide& second, std::uint32_t location, RaceKind kind, std::string_view why);
  /// Overload that takes the kind and the sentence from explain(). If the race occurs for several pairs of
  /// threads, the report names the first pair at the widest level: a fix for this pair also orders pairs at
  /// narrower levels.
  void add(const RaceSide& first, const RaceSide& second, std::uint32_t location, const SyncInference& inference);
  const std::vector<RaceReport>& reports() const { return reports_; }

 private:
  /// Counts one more race of the pair of sites. Returns the report if the caller must call describe_in(), and otherwise
  /// null. The call is necessary if the report is new, or if `widens` is true and the two threads have a wider level
  /// than the reported pair.
  RaceReport* count(const RaceSide& first, const RaceSide& second, std::uint32_t location, bool widens);
  void describe_in(RaceReport& report, const RaceSide& first, const RaceSide& second, Explanation why) const;
  RaceLevel level_of(const RaceSide& first, const RaceSide& second) const;

  const TraceTables& tables_;
  std::vector<RaceReport> reports_;
  FlatMap<std::uint32_t> numbers_;  ///< maps the key of a pair to 1 + index in reports_
};

}  // namespace ambit::detector
