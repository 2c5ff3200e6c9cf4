#include <cuda/atomic>
struct Slot {
  cuda::atomic<int, cuda::thread_scope_device> ready;
  int value;
};
__device__ Slot table[2];
__global__ void k(int *out) {
  if (blockIdx.x == 0) {
    table[1].value = 7;
    table[1].ready.store(1, cuda::memory_order_release);
  } else if (table[1].ready.load(cuda::memory_order_acquire)) {
    *out = table[1].value;
  }
}
// ambit: launch k<<<2, 1>>>(out[1]);
// ambit: expect ptx : norace because "the writer stores the value and then releases the flag; the reader acquires the flag and then reads the value"
// ambit: expect cuda-cpp : norace because "the writer stores the value and then releases the flag; the reader acquires the flag and then reads the value"
