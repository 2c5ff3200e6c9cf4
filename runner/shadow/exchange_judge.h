#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "runner/shadow/clock_detectors.h"

namespace ambit::shadow {

/// Finds the races that a launch would still have if each exchange of values (match.sync, shfl.sync) were also a warp
/// barrier. According to PTX, an exchange does not order memory accesses. However, libraries rely on exchanges for
/// order when the last lane of a block invalidates an mbarrier.
class ExchangeJudge : public RaceSink {
 public:
  ExchangeJudge() : detectors_({{"gwcp", 0}}, *this) {}

  virtual_gpu::Observer& observer() { return detectors_; }
  /// Returns whether two instructions would race even if exchanges ordered memory accesses. Must be called after the
  /// end of the launch.
  bool has_race(std::uint32_t site, std::uint32_t other) const { return pairs_.contains(std::minmax(site, other)); }

  void race(std::uint32_t /*detector*/, const RawRace& race, std::uint64_t /*count*/,
            const std::string& /*why*/) override {
    pairs_.insert(std::minmax(race.first.site, race.second.site));
  }
  std::string memory_name(virtual_gpu::AccessSpace /*space*/, std::uint64_t /*address*/) const override { return {}; }
  void remark(const std::string& /*text*/) override {}

 private:
  ClockDetectors detectors_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs_;  ///< pairs of sites; the smaller site is first
};

}  // namespace ambit::shadow
