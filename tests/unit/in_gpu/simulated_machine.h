#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/program.h"
#include "kernels/detectors/ldetector_in_gpu.h"
#include "runner/cuda/emit/in_gpu.h"
#include "runner/sim/machine.h"

namespace ambit {

/// Executes the steps of a program's threads for the ldetector of kernels/detectors/, as emitted functions do
/// in a kernel. After each step on the simulator's machine, copies the machine's state to the state of the
/// run.
class SimulatedMachine {
 public:
  /// Returns the number of words in a state of the machine.
  static std::uint32_t words(const sim::Machine& machine) {
    sim::State state;
    machine.reset(state);
    return static_cast<std::uint32_t>(state.registers.size() + state.arrivals.size() + state.phases.size());
  }

  /// The arguments must exist longer than this object.
  SimulatedMachine(const sim::Machine& machine, const cuda::InGpuTest& names, const ambit_kernel::RegionTest& test)
      : machine_(&machine), names_(&names), test_(test) {}

  ambit_kernel::RegionTest test() const { return test_; }

  ambit_kernel::Step step(ambit_kernel::WarpRun& run, unsigned thread) const {
    sim::State state;
    machine_->reset(state);
    if (run.position(thread) == 0) {  // unchanged since reset()
      exchange(state, run, thread, Way::OwnRegisters);
    } else {
      exchange(state, run, thread, Way::Load);
      if (!machine_->can_step(state, thread)) return ambit_kernel::Step::Waits;
      if (!run.may_jump_back()) return ambit_kernel::Step::GaveUp;
      const std::uint16_t site = names_->events[thread][state.threads[thread].pc].site;
      const sim::Machine::NextAccess next = machine_->next_access(state, thread);
      if (next.location != sim::kNone && !next.writes) {
        state.memory.values[next.location] = run.load(thread, site, next.location);
      }
      const sim::StepEvent event = machine_->step(state, thread, 0);
      if (event.writes()) run.store(thread, site, event.location, event.value);
      exchange(state, run, thread, Way::Store);
    }
    run.set_position(thread, position(state, thread));
    const bool is_endless = state.is_endless || state.threads[thread].spin != sim::kNone;
    return state.is_dropped || is_endless ? ambit_kernel::Step::GaveUp : ambit_kernel::Step::Done;
  }

 private:
  enum class Way : std::uint8_t { Load, Store, OwnRegisters };

  static constexpr unsigned kWaiting = 1U << 20U;

  ambit_kernel::ThreadPosition position(const sim::State& state, std::uint32_t thread) const {
    const sim::ThreadState& self = state.threads[thread];
    if (self.has_exited) return ambit_kernel::kExited;
    const unsigned place = (self.pc + 1) | (self.is_waiting ? kWaiting : 0U);
    if (!self.is_waiting) return place;
    const std::uint32_t barrier = machine_->waiting_at(state, thread).barrier;
    if (machine_->barriers().kind(barrier) != BarrierKind::Block) return place;
    return ambit_kernel::at_barrier(place, barrier, machine_->barriers().everyone(barrier));
  }

  void exchange(sim::State& state, ambit_kernel::WarpRun& run, std::uint32_t thread, Way way) const {
    unsigned word = 0;
    const auto move = [&](auto& value, bool is_moved) {
      if (is_moved && way == Way::Load) value = static_cast<std::remove_reference_t<decltype(value)>>(run.word(word));
      if (is_moved && way != Way::Load) run.word(word) = static_cast<long long>(value);
      ++word;
    };
    for (std::uint32_t t = 0; t < state.threads.size(); ++t) {
      const std::size_t first = first_register(t);
      for (std::size_t r = 0; r < machine_->program().threads[t].registers.size(); ++r) {
        move(state.registers[first + r], way == Way::Load || t == thread);
      }
    }
    const bool has_barriers = way != Way::OwnRegisters;
    for (std::uint32_t& count : state.arrivals) move(count, has_barriers);
    for (std::uint32_t& count : state.phases) move(count, has_barriers);
    if (way != Way::Load) return;
    const auto at = static_cast<std::uint32_t>(run.position(thread) & ambit_kernel::kPlaceBits);
    state.threads[thread].pc = (at & ~kWaiting) - 1;
    state.threads[thread].is_waiting = (at & kWaiting) != 0;
    // A barrier waits for all threads that have not exited.
    for (std::uint32_t t = 0; t < state.threads.size(); ++t) {
      state.threads[t].has_exited = t != thread && run.position(t) == ambit_kernel::kExited;
    }
    state.threads[thread].spin = sim::kNone;
    state.is_dropped = false;
  }

  std::size_t first_register(std::uint32_t thread) const {
    std::size_t first = 0;
    for (std::uint32_t t = 0; t < thread; ++t) first += machine_->program().threads[t].registers.size();
    return first;
  }

  const sim::Machine* machine_;
  const cuda::InGpuTest* names_;
  ambit_kernel::RegionTest test_;
};

}  // namespace ambit
