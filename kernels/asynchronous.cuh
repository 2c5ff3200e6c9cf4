// ---- for tests with asynchronous operations: an instance's contiguous shared memory, and mbarriers ----

/// Returns a pointer to the byte at `offset` in an instance's shared memory in this block.
__device__ __forceinline__ char* shared_at(const Instance& at, unsigned offset) {
  extern __shared__ __align__(kSharedAlignment) char shared_cells[];
  return shared_cells + at.shared_slot * kSharedBytes + offset;
}
/// Returns the .shared address of shared_at(at, offset).
__device__ __forceinline__ unsigned shared_address(const Instance& at, unsigned offset) {
  return static_cast<unsigned>(__cvta_generic_to_shared(shared_at(at, offset)));
}
/// Returns the .shared::cluster address of the corresponding byte in the shared memory of the cluster's block
/// `rank`.
__device__ __forceinline__ unsigned peer_address(const Instance& at, unsigned offset, unsigned rank) {
  unsigned address;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(address) : "r"(shared_address(at, offset)), "r"(rank));
  return address;
}
/// Converts the address from peer_address() into a generic address.
__device__ __forceinline__ char* peer_at(const Instance& at, unsigned offset, unsigned rank) {
  char* pointer;
  asm volatile("mapa.u64 %0, %1, %2;" : "=l"(pointer) : "l"(shared_at(at, offset)), "r"(rank));
  return pointer;
}
/// Initializes an mbarrier that expects `arrivals` arrivals. If `arrivals` is 0, only clears the memory.
__device__ __forceinline__ void reset_mbarrier(char* object, unsigned arrivals) {
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(object));
  asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(address) : "memory");
  *reinterpret_cast<volatile unsigned long long*>(object) = 0;
  if (arrivals == 0) return;
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address), "r"(arrivals) : "memory");
}
/// Waits for a random time after griddepcontrol.launch_dependents, so that the next instructions often run after the
/// dependent grid begins.
__device__ __forceinline__ void delay_after_launch(const Instance& at) {
  constexpr unsigned kMostTicks = 16384;
  const unsigned now = static_cast<unsigned>(clock64());
  const unsigned chosen = mix(at.parameters.seed, now, at.number / 32U);
  if (chosen % 2U == 0) return;
  const long long start = clock64();
  while (clock64() - start < chosen / 2U % kMostTicks) {
  }
}
/// Waits until the operations of all cp.async groups of the thread are complete.
__device__ __forceinline__ void end_groups() {
  asm volatile("cp.async.wait_all;" ::: "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
