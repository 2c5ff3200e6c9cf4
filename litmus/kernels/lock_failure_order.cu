// The compare-exchange of a lock acquires only if it succeeds.
#include <cuda/atomic>
__global__ void add(int *lock, int *sum) {
  cuda::atomic_ref<int, cuda::thread_scope_device> word(*lock);
  int expected = 0;
  while (!word.compare_exchange_weak(expected, 1, cuda::memory_order_acquire, cuda::memory_order_relaxed)) expected = 0;
  *sum += 1;
  word.store(0, cuda::memory_order_release);
}
// ambit: launch add<<<2, 1>>>(lock[1], sum[1]);
// ambit: forall (sum[0] == 2)
// ambit: expect ptx : Always, norace because "the successful exchange reads from the release store and acquires"
// ambit: expect cuda-cpp : Always, norace because "the successful exchange reads from the release store and acquires"
