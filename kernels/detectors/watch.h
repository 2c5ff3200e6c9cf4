// Runs a detector on one run of a test. Tracks the barriers, and passes the events to the detector.
#pragma once

#include "kernels/detectors/events.h"
#include "kernels/detectors/memory.h"

namespace ambit_kernel {

/// on() must receive the events in the order in which their accesses took effect.
template <typename Detector>
class Watch {
 public:
  Watch(const TestInfo& test, RunMemory memory)
      : test_(test),
        log_(memory),
        barriers_(memory.take<BarrierState>(test.size.barriers)),
        detector_(test, memory, log_),
        waits_at_(memory.take<unsigned short>(test.size.barriers == 0 ? 0 : test.size.threads)),
        end_(memory.end()) {}

  /// Returns the number of bytes for `runs` runs.
  static unsigned long long bytes(const TestSize& size, unsigned long long runs) {
    const TestInfo test{size, nullptr, nullptr, nullptr, nullptr};
    return Watch(test, RunMemory(0, runs, 0)).end_;
  }

  /// Processes an event. A barrier completes before the first event of a thread that leaves the barrier. A counting
  /// barrier completes at the last arrival.
  void on(const Event& event) {
    if (test_.size.barriers != 0) {
      const unsigned waits_at = waits_at_[event.info.thread];
      if (waits_at != 0) complete(waits_at - 1U);
    }
    detector_.on(event);
    if (test_.size.lanes > 1) log_.end_event();
    if (test_.size.barriers != 0 && event.info.barrier != kNone) arrive(event);
  }

  /// Ends the run.
  void finish() { detector_.finish(); }

  const RunLog& log() const { return log_; }

  /// Clears all state before the next run.
  void clear() {
    log_.clear();
    detector_.clear();
    if (test_.size.barriers == 0) return;
    barriers_.clear(test_.size.barriers);
    waits_at_.clear(test_.size.threads);
  }

 private:
  /// The state of one barrier.
  struct alignas(16) BarrierState {
    unsigned long long waiting;  ///< mask of the waiting threads
    unsigned long long arrived;  ///< number of arrivals by threads that do not wait
  };

  void arrive(const Event& event) {
    const unsigned number = event.info.barrier;
    BarrierState& state = barriers_[number];
    if (event.info.is_arrival) {
      ++state.arrived;
    } else {
      state.waiting |= 1ULL << event.info.thread;
      waits_at_[event.info.thread] = static_cast<unsigned short>(number + 1U);
    }
    const unsigned count = test_.barriers[number].count;
    if (count == 0) return;
    unsigned long long arrived = state.arrived;
    for (unsigned long long rest = state.waiting; rest != 0; rest &= rest - 1) ++arrived;
    if (arrived >= count) complete(number);
  }

  void complete(unsigned number) {
    const unsigned long long waiting = barriers_[number].waiting;
    barriers_[number] = BarrierState{};
    for (unsigned t = 0; t < test_.size.threads; ++t) {
      if ((waiting >> t & 1U) != 0) waits_at_[t] = 0;
    }
    detector_.on_barrier(waiting, test_.barriers[number]);
  }

  TestInfo test_;
  RunLog log_;
  Column<BarrierState> barriers_;
  Detector detector_;
  Column<unsigned short> waits_at_;  ///< for each thread, 1 + the barrier at which the thread waits; 0 if it runs
  unsigned long long end_;
};

}  // namespace ambit_kernel
