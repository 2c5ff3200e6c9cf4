#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/program.h"
#include "runner/sim/barrier_table.h"
#include "runner/sim/memory.h"
#include "runner/sim/operations.h"
#include "runner/sim/simulator_options.h"
#include "runner/sim/state.h"
#include "runner/sim/transactions.h"

namespace ambit::sim {

/// Executes a program step by step. A step is one memory access, fence, barrier arrival or completion of a barrier
/// wait, together with the register operations after it. Therefore, between two steps, a thread is always before an
/// access, a fence, an arrival or the end of a wait.
///
/// Waits in loops: suppose that an iteration of a loop leaves all registers as they were at its start, changes no
/// memory and reaches no barrier. The next iteration then repeats these steps, as long as the reads return the same
/// values. Therefore the thread takes no step until one of the reads may return a different value. This rule loses no
/// behaviour, and turns an endless wait into a deadlock instead of an infinite run.
class Machine {
 public:
  /// `program` must outlive this object. In lockstep mode, Lockstep executes the register operations.
  Machine(const Program& program, const Options& options);

  const Program& program() const { return program_; }
  const Memory& memory() const { return *memory_; }
  const Barriers& barriers() const { return barriers_; }
  const Operations& operations() const { return operations_; }
  /// Performs a part of an asynchronous operation.
  StepEvent perform(State& state, const Operations::Part& part) const;
  /// Performs an action of the memory.
  void perform(State& state, const MemoryAction& action) const;

  /// Sets `state` to the state before the first step. Reuses the memory that `state` has allocated.
  void reset(State& state) const;
  /// Returns whether the thread has not exited and does not wait for other threads.
  bool can_step(const State& state, std::uint32_t thread) const;
  /// Returns whether the next iteration of the thread's loop would repeat the last iteration.
  bool spins_in_vain(const State& state, std::uint32_t thread) const;
  /// Returns the number of ways in which the thread's next step can find its value (Memory::ways).
  unsigned ways(const State& state, std::uint32_t thread) const;
  /// Executes the thread's next step. Requires can_step() and `way` < ways().
  StepEvent step(State& state, std::uint32_t thread, unsigned way) const;

  /// The location of the thread's next access, and whether the access may write. The location is kNone if the next step
  /// is not an access, or if the access is out of bounds.
  struct NextAccess {
    LocationId location = kNone;
    bool writes = false;
  };
  NextAccess next_access(const State& state, std::uint32_t thread) const;
  /// Returns whether the thread is in a transaction.
  bool is_transactional(const State& state, std::uint32_t thread) const { return transactions_.is_open(state, thread); }
  /// Returns whether the thread has arrived at a barrier and its next step passes the barrier.
  bool is_at_barrier(const State& state, std::uint32_t thread) const { return state.threads[thread].is_waiting; }
  /// The barrier and instance at which a thread waits.
  struct Waiting {
    std::uint32_t barrier = 0;
    std::uint32_t instance = 0;
  };
  Waiting waiting_at(const State& state, std::uint32_t thread) const;
  /// Numbers the phases of all barriers again (Barriers::rebase).
  void rebase_barriers(State& state) const { barriers_.rebase(state); }

  /// Returns whether the thread's next operation uses only its registers.
  bool is_local(const State& state, std::uint32_t thread) const;
  /// Executes the thread's next operation. Requires is_local().
  void execute_local(State& state, std::uint32_t thread) const;
  const Operation& next_operation(const State& state, std::uint32_t thread) const;
  bool is_at_code_end(const State& state, std::uint32_t thread) const {
    return state.threads[thread].pc >= program_.threads[thread].code.size();
  }
  /// Makes the thread exit at the end of its code. Completes barriers that waited only for this thread.
  void exit(State& state, std::uint32_t thread) const;

  /// Returns the final values of Program::observables when the memory has no actions left.
  std::vector<Value> outcome(const State& state) const;

 private:
  /// Limit on the register operations in one step. A step that reaches the limit counts as endless.
  static constexpr std::uint32_t kMaxLocal = 1U << 20U;

  struct LoopHead {
    std::uint32_t pc = 0;
    std::size_t first_register = 0;  ///< index in State::loop_registers
  };

  std::span<Value> registers(State& state, std::uint32_t thread) const {
    return {state.registers.data() + first_register_[thread], first_register_[thread + 1] - first_register_[thread]};
  }
  std::span<const Value> registers(const State& state, std::uint32_t thread) const {
    return {state.registers.data() + first_register_[thread], first_register_[thread + 1] - first_register_[thread]};
  }
  void find_loops();
  void settle(State& state, std::uint32_t thread, StepEvent* event) const;
  void jump(State& state, std::uint32_t thread, std::size_t target) const;
  void come_to_loop_head(State& state, std::uint32_t thread, std::size_t loop) const;
  void note_read(State& state, std::uint32_t thread, const MemoryAccess& access, LocationId location,
                 Value value) const;
  void note_effect(State& state, std::uint32_t thread) const;
  void set_register(State& state, std::uint32_t thread, RegisterId target, Value value) const;

  void access(State& state, StepEvent& event, const Load& load, unsigned way) const;
  void access(State& state, StepEvent& event, const Store& store) const;
  void access(State& state, StepEvent& event, const Rmw& rmw, unsigned way) const;
  bool execute(State& state, StepEvent& event, const Operation& operation, unsigned way) const;
  /// Returns false if the access is out of bounds.
  bool locate(State& state, StepEvent& event, const MemoryAccess& access) const;
  /// Returns whether the thread continues without waiting.
  bool arrive(State& state, StepEvent& event, const Barrier& barrier) const;
  void exchange_values(State& state, std::uint32_t barrier, std::uint32_t instance) const;

  const Program& program_;
  bool is_lockstep_;
  Barriers barriers_;
  std::unique_ptr<Memory> memory_;
  Transactions transactions_;
  Operations operations_;
  std::vector<std::size_t> first_register_;  ///< for each thread, its first register; one more entry marks the end
  std::vector<std::size_t> first_loop_;      ///< for each thread, its first loop; one more entry marks the end
  std::vector<LoopHead> loops_;
  std::size_t loop_registers_ = 0;
};

}  // namespace ambit::sim
