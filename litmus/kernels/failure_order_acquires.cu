// The exchange fails if the other block has published its data; the failure order then acquires. libcu++ combines
// release and acquire into acq_rel.
#include <cuda/atomic>
__global__ void first(int *data, int *state, int *out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> word(*state);
  data[blockIdx.x] = 1;
  int expected = 0;
  const bool is_first =
      word.compare_exchange_strong(expected, 1, cuda::memory_order_release, cuda::memory_order_acquire);
  if (!is_first) out[0] = data[1 - blockIdx.x];
}
// ambit: launch first<<<2, 1>>>(data[2], state[1], out[1]);
// ambit: forall (out[0] == 1)
// ambit: expect ptx : Always, norace because "the failed exchange reads from the successful exchange, and acquires its release"
// ambit: expect cuda-cpp : Always, norace because "the failed exchange reads from the successful exchange, and acquires its release"
