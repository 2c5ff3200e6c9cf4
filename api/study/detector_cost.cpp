#include "api/study/detector_cost.h"

#include <chrono>
#include <memory>
#include <vector>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace ambit::api {
namespace {

/// Returns the bytes that this process has allocated and not freed.
std::uint64_t allocated() {
#ifdef __GLIBC__
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
#else
  return 0;
#endif
}

}  // namespace

report::DetectorCost cost_of(const ChosenDetector& chosen, const Trace& trace, const external::RunName& run) {
  const std::uint64_t before = allocated();
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::unique_ptr<detector::Detector>> made;
  made.push_back(chosen.make(trace.tables, run));
  MemoryTraceReader reader(trace);
  if (!detector::replay(reader, made).ok()) return {};
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  const std::uint64_t after = allocated();
  report::DetectorCost cost{.events = trace.events.size(), .seconds = seconds.count(), .bytes = 0};
  if (chosen.external) {
    made.clear();  // peak_memory() requires that the detector's process is idle
    cost.bytes = chosen.external->peak_memory();
  } else if (after > before) {
    cost.bytes = after - before;
  }
  return cost;
}

}  // namespace ambit::api
