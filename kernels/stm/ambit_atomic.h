// Macros for transactions in CUDA sources: AMBIT_ATOMIC { ... } or, with a scope, AMBIT_ATOMIC_SCOPE(block) { ... }.
// Ambit does not read headers, but knows these macros (docs/reference/language.md). With nvcc, a transaction is a
// critical section of one device-wide lock. This critical section is atomic only with respect to threads that use the
// macros. AMBIT_ABORT works only in Ambit, because a lock cannot undo writes.
#pragma once

namespace ambit {

static __device__ int atomic_section_lock = 0;

/// Takes the lock, runs the body and releases the lock in one iteration of a loop. If these steps were separate loops,
/// lanes that fail to take the lock could block the lane that holds the lock.
class AtomicSection {
 public:
  __device__ bool is_open() const { return state_ != State::Done; }
  __device__ bool enter() {
    if (atomicCAS(&atomic_section_lock, 0, 1) != 0) return false;
    __threadfence();
    state_ = State::Inside;
    return true;
  }
  __device__ bool is_inside() const { return state_ == State::Inside; }
  __device__ void leave() {
    __threadfence();
    atomicExch(&atomic_section_lock, 0);
    state_ = State::Done;
  }

 private:
  enum class State { Outside, Inside, Done };
  State state_ = State::Outside;
};

}  // namespace ambit

#define AMBIT_ATOMIC                                                 \
  for (ambit::AtomicSection ambit_section; ambit_section.is_open();) \
    if (ambit_section.enter())                                       \
      for (; ambit_section.is_inside(); ambit_section.leave())
#define AMBIT_ATOMIC_SCOPE(scope) AMBIT_ATOMIC
#define AMBIT_ABORT static_assert(false, "AMBIT_ABORT: a critical section cannot undo its writes")
