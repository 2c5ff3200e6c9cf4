#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "runner/shadow/program_detector.h"
#include "runner/virtual/observer.h"

namespace ambit::shadow {

/// Finds races with pending cp.async copies. Synchronisation between threads does not order a pending copy, so every
/// conflicting access between the issue and the completion of a copy is a race. This class reports races with pending
/// copies in every schedule. The detectors receive a copy's accesses at its issue and at its completion, and check for
/// the races that do not involve a pending copy.
class CopyWatch : public virtual_gpu::Observer {
 public:
  /// The number that identifies this check in reports.
  static constexpr std::uint32_t kNumber = 0xffffffffU;
  static constexpr const char* kName = "copies";

  /// `sink` must outlive this object.
  explicit CopyWatch(RaceSink& sink) : sink_(sink) {}

  void begin_launch(const virtual_gpu::LaunchInfo& info) override;
  void access(const virtual_gpu::WarpAccess& access) override;

 private:
  /// The part of a copy's access that is in one granule.
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
  Granules global_;                                     ///< pending reads by copies
  std::unordered_map<std::uint32_t, Granules> shared_;  ///< for each block, pending writes by copies
};

}  // namespace ambit::shadow
