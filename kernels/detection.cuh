// ---- the detector in a test kernel: the detector's memory, and the threads' turns ----

/// Returns the detector's memory for an instance. The threads of the instance take turns. In its turn, a thread makes
/// an access and reports it to the detector. The next thread sees all effects of the turn.
__device__ __forceinline__ RunMemory run_memory(const Detection& detection, unsigned slot_mask, unsigned instance) {
  return {reinterpret_cast<unsigned long long>(detection.memory), slot_mask + 1ULL, instance};
}

__device__ __forceinline__ TestInfo test_info() { return {kTestSize, kPlaces, kGranuleOf, kIsShared, kBarriers}; }

/// Delays a warp before some accesses, so that other threads can take a turn or end first. Most delays are short.
__device__ __forceinline__ void pause(const Parameters& parameters) {
  if (parameters.delay_ticks == 0) return;
  const long long start = clock64();
  const unsigned drawn = mix(parameters.seed, static_cast<unsigned>(start), blockIdx.x * 64U + threadIdx.x / 32U);
  if (drawn % 4U != 0) return;
  const unsigned ticks = drawn / 4U % parameters.delay_ticks >> (drawn >> 29U);
  while (clock64() - start < ticks) {
  }
}

/// A thread's turn at the detector. Threads get turns in the order of their requests, so that a polling thread does not
/// block other threads. The lanes of one warp may wait for each other's turns. Therefore, a thread must end its turn in
/// the loop iteration in which the turn began: `for (Turn turn(at); turn.goes_on();) { if (!turn.has_come()) continue;
/// ... turn.end(); }`.
class Turn {
 public:
  __device__ __forceinline__ explicit Turn(const Instance& at)
      : turns_(at.buffers.detection.turns + at.number) {
    pause(at.parameters);
    asm volatile("atom.acquire.gpu.global.add.u64 %0, [%1], 4294967296;"
                 : "=l"(seen_) : "l"(turns_) : "memory");
    mine_ = static_cast<unsigned>(seen_ >> 32);
  }
  __device__ __forceinline__ bool goes_on() const { return !is_over_; }
  __device__ __forceinline__ bool has_come() {
    if (static_cast<unsigned>(seen_) == mine_) return true;
    asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(seen_) : "l"(turns_) : "memory");
    return false;
  }
  __device__ __forceinline__ void end() {
    asm volatile("red.release.gpu.global.add.u64 [%0], 1;" ::"l"(turns_) : "memory");
    is_over_ = true;
  }

 private:
  unsigned long long* turns_;
  unsigned long long seen_;
  unsigned mine_;
  bool is_over_ = false;
};

__device__ __noinline__ void tell(RunMemory memory, unsigned number, unsigned location, bool is_failed, long long value,
                                  long long old_value) {
  const Event event{kEvents[number], static_cast<unsigned short>(location), is_failed, value, old_value};
  const TestInfo test = test_info();
  Watch<Detector>(test, memory).on(event);
}

/// Reports an access to the detector. `number` is the instruction's index in kEvents.
__device__ __forceinline__ void observe(const Instance& at, unsigned number, unsigned location, bool is_failed,
                                        long long value, long long old_value) {
  tell(run_memory(at.buffers.detection, at.parameters.slot_mask, at.number), number, location, is_failed, value,
       old_value);
}

/// Reports an event that does not access memory.
__device__ __forceinline__ void observe_alone(const Instance& at, unsigned number) {
#pragma unroll 1
  for (Turn turn(at); turn.goes_on();) {
    if (!turn.has_come()) continue;
    observe(at, number, kNone, false, 0, 0);
    turn.end();
  }
}

/// Adds an instance's reports to the device's table, and clears the reports.
__device__ __noinline__ void collect(const Detection& detection, RunMemory memory, RunEnd end) {
  const TestInfo test = test_info();
  Watch<Detector> watch(test, memory);
  watch.finish();
  count_run(detection, watch.log(), end);
  watch.clear();
}

__device__ __forceinline__ void end_detection(const Instance& at, RunEnd end) {
  const Detection& detection = at.buffers.detection;
  if (detection.turns[at.number] == 0) return;  // the instance has not run
  detection.turns[at.number] = 0;
  collect(detection, run_memory(detection, at.parameters.slot_mask, at.number), end);
}
