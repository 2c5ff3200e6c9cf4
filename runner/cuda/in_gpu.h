#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/program.h"
#include "core/race_report.h"
#include "core/source.h"
#include "core/trace.h"
#include "detector/detector.h"
#include "kernels/detectors/events.h"

namespace ambit::cuda {

/// A detector that can run inside a kernel (docs/detectors/in-gpu.md).
struct InGpuDetector : detector::InGpuForm {
  std::string_view name;  ///< as a user writes it: that of the detector of traces with the same rules
};
/// All that detector::detectors() gives a form inside a kernel.
std::span<const InGpuDetector> in_gpu_detectors();
/// The detector of that name; null: there is none.
const InGpuDetector* find_in_gpu_detector(std::string_view name);

/// What the detectors inside a kernel know of a test beforehand. Threads, locations and sites have the numbers that
/// they have in traces of the test (sim::TraceMaker).
struct InGpuTest {
  TraceTables tables;
  ambit_kernel::TestSize size{};
  std::vector<ambit_kernel::Place> places;  ///< by thread
  std::vector<std::uint16_t> granule_of;    ///< by location
  std::vector<std::uint8_t> is_shared;      ///< by location
  std::vector<ambit_kernel::BarrierInfo> barriers;
  /// By thread and instruction; those of an instruction that makes no event are never asked for.
  std::vector<std::vector<ambit_kernel::EventInfo>> events;

  /// Refers to this.
  ambit_kernel::TestInfo info() const;
  /// The number in one row of all events: those of the threads one after the other, then the exits.
  std::size_t event_number(std::size_t thread, std::size_t instruction) const;
  std::size_t exit_number(std::size_t thread) const { return event_number(events.size(), thread); }
};

/// Errors, located in the test: more threads, sites or locations than the detectors have bits for; a barrier at which a
/// thread arrives in one place and waits in another.
Result<InGpuTest> make_in_gpu_test(const Program& program);

/// Whether a detector can look at a test, and then what it leaves unchecked, a line each. Errors, located in the test:
/// those of make_in_gpu_test; for ldetector, all that sim::ldetector refuses.
Result<std::vector<std::string>> examine(const Program& program, const InGpuDetector& detector);

/// Threads, locations of a trace's tables, without events and barriers.
InGpuTest describe_tables(const TraceTables& tables);

/// What an event of a trace says before its values and location are known; `barrier`: its number, for a barrier.
ambit_kernel::EventInfo event_info(const TraceEvent& event, std::uint16_t barrier);

/// What BarrierInfo says of the barrier at which an event of a trace arrives.
ambit_kernel::BarrierInfo barrier_info(const TraceEvent& event);

/// The part of a kernel's source that tells the detector inside it what it has to know of the test, and makes it the
/// kernel's: kEvents, kTestSize ... , `Detector`.
std::string in_gpu_tables(const InGpuTest& test, const InGpuDetector& detector);

/// The function of the kernel that gives the number of the location that an address means; kNone: none.
std::string in_gpu_locations(const Program& program);

/// A race as the kernel packs it. It has no sentence, no count and no numbers of events.
RaceReport unpack_race(ambit_kernel::Race race, const TraceTables& tables);

}  // namespace ambit::cuda
