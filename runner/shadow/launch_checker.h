#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/race_report.h"
#include "core/trace.h"
#include "detector/inference/large_allocator.h"
#include "detector/inference/sync_inference.h"
#include "runner/virtual/observer.h"

namespace ambit::shadow {

/// A word of global memory, or of a block's shared memory. For shared memory, `address` is the offset.
struct WordPlace {
  virtual_gpu::AccessSpace space = virtual_gpu::AccessSpace::Global;
  std::uint32_t block = 0;
  std::uint64_t address = 0;
};

using WordPlaces = std::vector<WordPlace, detector::LargeAllocator<WordPlace>>;

/// The parts of a launch that a checker uses.
struct LaunchView {
  const TraceTables& tables;
  const detector::SyncInference& inference;
  const WordPlaces& places;                                    ///< the place of each location
  std::function<std::uint32_t(const WordPlace&)> location_of;  ///< creates a location if necessary
  std::function<bool(const WordPlace&)> is_lock;
  std::function<bool(const WordPlace&)> has_locks;  ///< whether any of the 32 words from the place on is a lock
};

/// One detector with vector clocks in a launch, with a record for each word of memory.
class LaunchChecker {
 public:
  LaunchChecker() = default;
  LaunchChecker(const LaunchChecker&) = delete;
  LaunchChecker& operator=(const LaunchChecker&) = delete;
  virtual ~LaunchChecker() = default;

  /// Limits the size of the history in bytes. The limit applies from the next launch on.
  virtual void set_history_limit(std::size_t bytes) = 0;
  virtual void begin_launch(const LaunchView& view) = 0;
  /// Processes accesses that are pure data accesses (SyncInference::accesses_only, takes_relaxed). `warp` is the number
  /// of the warp's first thread.
  virtual void data(const virtual_gpu::WarpAccess& access, std::uint32_t lanes, std::uint32_t warp,
                    std::uint32_t site) = 0;
  virtual void apply(std::span<const detector::Action> actions) = 0;
  /// From now on, keeps one record for each byte of the page that contains `place`.
  virtual void use_bytes(const WordPlace& place) = 0;
  /// Calls ClockDetector::set_acting_as_warp().
  virtual void set_acting_as_warp(bool acts) = 0;
  /// Must be called when a thread has exited and no later barrier includes the thread.
  virtual void retire(std::uint32_t thread) = 0;
  virtual void end_block(std::uint32_t block) = 0;
  /// Returns the number of accesses that the history dropped at its memory limit (LaunchHistory::forgotten).
  virtual std::uint64_t forgotten() = 0;
  /// Ends the launch and returns its races.
  virtual std::vector<RaceReport> races() = 0;
};

/// Returns null if no LaunchChecker exists for the detector named `name`.
std::unique_ptr<LaunchChecker> make_launch_checker(const std::string& name);

}  // namespace ambit::shadow
