#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "core/trace.h"
#include "kernels/detectors/watch.h"
#include "runner/cuda/emit/in_gpu.h"

namespace ambit {

/// Replays a trace to a detector of kernels/detectors/. For each event, makes the calls that a kernel
/// makes.
template <typename Detector>
class TraceWatch {
 public:
  explicit TraceWatch(const Trace& trace) : trace_(trace), test_(cuda::describe_tables(trace.tables)) {
    for (const TraceEvent& event : trace.events) add_barrier(event);
    test_.size.barriers = static_cast<std::uint32_t>(test_.barriers.size());
  }

  /// Returns the detector's reports in order of discovery; nothing if a table overflows. The memory has space for runs
  /// 0, 1 and 2. Processes the trace as run 0 and run 2 in parallel, calls clear(), and does so again. The four results
  /// must be equal.
  std::vector<RaceReport> races() {
    const ambit_kernel::TestInfo info = test_.info();
    memory_.assign(Watch::bytes(test_.size, 3) / sizeof(Block), Block{});
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
    Watch first(info, ambit_kernel::RunMemory(address, 3, 0));
    Watch last(info, ambit_kernel::RunMemory(address, 3, 2));
    show(first, last);
    const std::vector<ambit_kernel::Race> found = races_of(first);
    EXPECT_EQ(races_of(last), found);
    has_overflown = first.log().has_overflown();
    first.clear();
    last.clear();
    EXPECT_EQ(first.log().count(), 0U);
    show(last, first);
    EXPECT_EQ(races_of(first), found);
    EXPECT_EQ(races_of(last), found);
    std::vector<RaceReport> reports;
    for (const ambit_kernel::Race race : found) reports.push_back(cuda::unpack_race(race, trace_.tables));
    return reports;
  }

  bool has_overflown = false;

 private:
  struct alignas(16) Block {
    std::uint64_t halves[2] = {0, 0};
  };
  using Watch = ambit_kernel::Watch<Detector>;
  using Key = std::tuple<TraceOp, Scope, int, int, int, std::uint32_t, std::uint32_t>;

  void show(Watch& a, Watch& b) const {
    for (const TraceEvent& event : trace_.events) {
      a.on(kernel_event(event));
      b.on(kernel_event(event));
    }
    a.finish();
    b.finish();
  }
  static std::vector<ambit_kernel::Race> races_of(const Watch& watch) {
    std::vector<ambit_kernel::Race> races;
    for (unsigned i = 0; i < watch.log().count(); ++i) races.push_back(watch.log().race(i));
    return races;
  }

  Key key_of(const TraceEvent& event) const {
    const ThreadPlace& at = trace_.tables.threads()[event.thread].place;
    const bool is_warp = event.op == TraceOp::WarpBarrier;
    const bool is_of_block = is_warp || event.scope == Scope::Block;
    const int block = is_of_block ? at.block : event.scope == Scope::Cluster ? at.cluster : 0;
    return {event.op, event.scope, at.gpu, block, is_warp ? at.warp : 0, is_warp ? event.count : 0, event.object};
  }
  void add_barrier(const TraceEvent& event) {
    if (!event.is_barrier()) return;
    const auto number = static_cast<std::uint16_t>(barriers_.size());
    if (barriers_.try_emplace(key_of(event), number).second) test_.barriers.push_back(cuda::barrier_info(event));
  }

  ambit_kernel::Event kernel_event(const TraceEvent& event) const {
    ambit_kernel::Event made{};
    made.info = cuda::event_info(event, event.is_barrier() ? barriers_.at(key_of(event)) : ambit_kernel::kNone);
    made.location = event.is_access() ? static_cast<std::uint16_t>(event.object) : ambit_kernel::kNone;
    made.is_failed = event.is_failed;
    made.value = event.value;
    made.old_value = event.old_value;
    return made;
  }

  const Trace& trace_;
  cuda::InGpuTest test_;
  std::map<Key, std::uint16_t> barriers_;
  std::vector<Block> memory_;
};

}  // namespace ambit
