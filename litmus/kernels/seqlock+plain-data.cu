#include <cuda/atomic>
using Word = cuda::atomic_ref<int, cuda::thread_scope_device>;
__global__ void k(int *seq, int *x, int *out) {
  Word s(*seq), data(*x);
  if (blockIdx.x == 0) {
    s.store(1, cuda::memory_order_relaxed);
    cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
    data.store(5, cuda::memory_order_relaxed);
    s.store(2, cuda::memory_order_release);
  } else {
    int before = s.load(cuda::memory_order_acquire);
    int value = *x;
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
    int after = s.load(cuda::memory_order_relaxed);
    if (before == after && before % 2 == 0) *out = value;
  }
}
// ambit: launch k<<<2, 1>>>(seq[1], x[1], out[1]);
// ambit: expect ptx : race because "a plain read races with the writer, even though the reader tries again"
// ambit: expect cuda-cpp : race because "a plain read races with the writer, even though the reader tries again"
