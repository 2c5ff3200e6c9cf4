#include <cuda/atomic>
using Word = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
__global__ void add(unsigned *next, unsigned *turn, int *x) {
  unsigned mine = Word(*next).fetch_add(1, cuda::memory_order_relaxed);
  while (Word(*turn).load(cuda::memory_order_acquire) != mine) {
  }
  *x += 1;
  Word(*turn).store(mine + 1, cuda::memory_order_release);
}
// ambit: launch add<<<2, 1>>>(next[1], turn[1], x[1]);
// ambit: expect ptx : norace because "the turn is stored with release and loaded with acquire"
// ambit: expect cuda-cpp : norace because "the turn is stored with release and loaded with acquire"
