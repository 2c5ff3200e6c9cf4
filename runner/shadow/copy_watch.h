#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "runner/shadow/program_detector.h"
#include "runner/virtual/observer.h"

namespace ambit::shadow {

/// Finds races with pending cp.async copies. Synchronisation between two threads does not order a copy with accesses
/// between its issue and its completion. Therefore each such access is reported, in every schedule. Detectors see the
/// copy's accesses at its issue and at its completion, and check all other accesses.
class CopyWatch : public virtual_gpu::Observer {
 public:
  /// Number of this check in reports.
  static constexpr std::uint32_t kNumber = 0xffffffffU;
  static constexpr const char* kName = "copies";

  /// `sink` must outlive this object.
  explicit CopyWatch(RaceSink& sink) : sink_(sink) {}

  void begin_launch(const virtual_gpu::LaunchInfo& info) override;
  void access(const virtual_gpu::WarpAccess& access) override;

 private:
  /// An access of a copy, within one granule.
  struct Pending {
    std::uint64_t address = 0;
    std::uint32_t bytes = 0;
    RawAccess side;
  };
  static constexpr std::uint64_t kGranuleBits = 4;  ///< cp.async copies at most 16 bytes, aligned to their size
  using Granules = std::unordered_map<std::uint64_t, std::vector<Pending>>;

  Granules& granules_of(const virtual_gpu::WarpAccess& access);
  void check(const virtual_gpu::WarpAccess& access, Granules& granules, std::uint32_t lane);

  RaceSink& sink_;
  Granules global_;                                     ///< reads by copies
  std::unordered_map<std::uint32_t, Granules> shared_;  ///< writes by copies, by block
};

}  // namespace ambit::shadow
