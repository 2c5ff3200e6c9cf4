#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/race_report.h"
#include "runner/virtual/observer.h"

namespace ambit::shadow {

/// One side of a race. The instruction, the block and the thread of the access are given by their numbers.
struct RawAccess {
  std::uint32_t site = 0;
  std::uint32_t block = 0;
  std::uint32_t thread = kNoThread;  ///< number of the thread in its block
  bool is_write = false;
  bool is_atomic = false;

  static constexpr std::uint32_t kNoThread = 0xffffffffU;
};

/// A race as a detector reports it.
struct RawRace {
  RaceKind kind = RaceKind::Unsynchronized;
  RawAccess first;
  RawAccess second;
  virtual_gpu::AccessSpace space = virtual_gpu::AccessSpace::Global;
  std::uint64_t address = 0;   ///< for shared memory, the offset
  bool needs_acquire = false;  ///< RaceReport::needs_acquire
};

/// Receives races.
class RaceSink {
 public:
  RaceSink() = default;
  RaceSink(const RaceSink&) = delete;
  RaceSink& operator=(const RaceSink&) = delete;
  virtual ~RaceSink() = default;

  /// Reports a race. `detector` is the number of the detector, `count` the number of times that the race was seen.
  /// Detectors often report several races of the same two sites; the sink keeps one of them. `why` is a sentence, or
  /// empty; in the sentence, "#123" represents location 123 of the launch.
  virtual void race(std::uint32_t detector, const RawRace& race, std::uint64_t count, const std::string& why) = 0;
  /// Returns the name of a place in memory in the current launch: "tickets", "allocation 2 + 16 bytes".
  virtual std::string memory_name(virtual_gpu::AccessSpace space, std::uint64_t address) const = 0;
  /// Reports that the detectors could not judge a part of the program. Repeated texts are reported once.
  virtual void remark(const std::string& text) = 0;
  /// Reports that the detectors may have missed races of a launch, and why.
  virtual void incomplete(const std::string& text) { remark(text); }
};

/// Makes ScoRD, iGUARD or HAccRG with the rules of kernels/detectors and cells in shadow memory. Returns null for other
/// detectors. `number` is passed to the sink, which must outlive the detector.
std::unique_ptr<virtual_gpu::Observer> make_rule_detector(const std::string& name, std::uint32_t number,
                                                          RaceSink& sink);

}  // namespace ambit::shadow
