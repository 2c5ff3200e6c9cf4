#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "core/program.h"
#include "core/race_report.h"
#include "core/trace.h"
#include "detector/detector.h"
#include "kernels/detectors/events.h"

namespace ambit::cuda {

/// A detector that can run inside a kernel (docs/detectors/in-gpu.md).
struct InGpuDetector : detector::InGpuForm {
  std::string_view name;  ///< name for users; the trace detector with the same rules has the same name
};
/// Returns all detectors in detector::detectors() that can run inside a kernel.
std::span<const InGpuDetector> in_gpu_detectors();
/// Returns the detector with the name `name`, or null.
const InGpuDetector* find_in_gpu_detector(std::string_view name);

/// The data of a test for the detectors inside a kernel. Threads, locations and sites have the same numbers as in
/// traces of the test (sim::TraceMaker).
struct InGpuTest {
  TraceTables tables;
  ambit_kernel::TestSize size{};
  std::vector<ambit_kernel::Place> places;  ///< the place of each thread
  std::vector<std::uint16_t> granule_of;    ///< the granule of each location
  std::vector<std::uint8_t> is_shared;      ///< for each location, whether it is in shared memory
  std::vector<ambit_kernel::BarrierInfo> barriers;
  /// Events, indexed by thread and instruction. The entry of an instruction without an event is unused.
  std::vector<std::vector<ambit_kernel::EventInfo>> events;

  /// Returns a view of this object in the form that the detectors use.
  ambit_kernel::TestInfo info() const;
  /// Returns the number of an event in the list of all events. The list has the threads' events, one thread after the
  /// other, then the exits.
  std::size_t event_number(std::size_t thread, std::size_t instruction) const;
  std::size_t exit_number(std::size_t thread) const { return event_number(events.size(), thread); }
};

/// Makes the data of a test. Errors, located in the test: too many threads, sites or locations for the detectors; a
/// barrier at which a thread arrives by one instruction and waits by another.
Result<InGpuTest> make_in_gpu_test(const Program& program);

/// Checks whether a detector can run a test. Returns the detector's restrictions, one per line. Errors, located in the
/// test: the errors of make_in_gpu_test; for ldetector, everything that sim::ldetector rejects.
Result<std::vector<std::string>> examine(const Program& program, const InGpuDetector& detector);

/// Makes an InGpuTest from the threads and locations in a trace's tables, without events and barriers.
InGpuTest describe_tables(const TraceTables& tables);

/// Returns the EventInfo of an event of a trace. `barrier` is the number of the event's barrier, if any.
ambit_kernel::EventInfo event_info(const TraceEvent& event, std::uint16_t barrier);

/// Returns the BarrierInfo of the barrier at which an event of a trace arrives.
ambit_kernel::BarrierInfo barrier_info(const TraceEvent& event);

/// Returns the part of a kernel's source that contains the test's data for the detector (kEvents, kTestSize ...) and
/// selects the detector (`Detector`).
std::string in_gpu_tables(const InGpuTest& test, const InGpuDetector& detector);

/// Returns the kernel's function that maps an address to the number of its location, or to kNone.
std::string in_gpu_locations(const Program& program);

/// Converts a race from the packed form of the kernel. The result has no sentence, no count, and no event numbers.
RaceReport unpack_race(ambit_kernel::Race race, const TraceTables& tables);

}  // namespace ambit::cuda
