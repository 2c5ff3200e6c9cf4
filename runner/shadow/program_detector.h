#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/race_report.h"
#include "runner/virtual/observer.h"

namespace ambit::shadow {

/// One side of a race; instruction, block and thread are numbers.
struct RawAccess {
  std::uint32_t site = 0;
  std::uint32_t block = 0;
  std::uint32_t thread = kNoThread;  ///< number of the thread in its block
  bool is_write = false;
  bool is_atomic = false;

  static constexpr std::uint32_t kNoThread = 0xffffffffU;
};

/// A race in the form in which a detector finds it.
struct RawRace {
  RaceKind kind = RaceKind::Unsynchronized;
  RawAccess first;
  RawAccess second;
  virtual_gpu::AccessSpace space = virtual_gpu::AccessSpace::Global;
  std::uint64_t address = 0;   ///< Shared: the offset
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
  /// Detectors often report a race of the same sites; the sink keeps it once. `why` is a sentence in which "#123"
  /// represents location 123 of the launch; it may be empty.
  virtual void race(std::uint32_t detector, const RawRace& race, std::uint64_t count, const std::string& why) = 0;
  /// Returns the name of a place in memory in the current launch: "tickets", "allocation 2 + 16 bytes".
  virtual std::string memory_name(virtual_gpu::AccessSpace space, std::uint64_t address) const = 0;
  /// Reports once that a part could not be judged.
  virtual void remark(const std::string& text) = 0;
  /// Reports that races of a launch may be missing, and why.
  virtual void incomplete(const std::string& text) { remark(text); }
};

/// Makes ScoRD, iGUARD or HAccRG with shadow cells (the rules of kernels/detectors); returns null if the detector does
/// not have this form. `number` is passed to the sink, which must outlive the detector.
std::unique_ptr<virtual_gpu::Observer> make_rule_detector(const std::string& name, std::uint32_t number,
                                                          RaceSink& sink);

}  // namespace ambit::shadow
