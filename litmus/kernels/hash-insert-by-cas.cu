#define EMPTY 0u
__global__ void insert(unsigned *keys, unsigned *values, const unsigned *input) {
  unsigned key = (input[threadIdx.x] & 1) + 1, at = key & 3;
  while (true) {
    unsigned old = atomicCAS(&keys[at], EMPTY, key);
    if (old == EMPTY) {
      values[at] = threadIdx.x;
      return;
    }
    if (old == key) return;
    at = (at + 1) & 3;
  }
}
// ambit: launch insert<<<1, 2>>>(keys[4], values[4], input[2]);
// ambit: expect ptx : norace because "only the thread that owns the slot writes the value"
// ambit: expect cuda-cpp : norace because "only the thread that owns the slot writes the value"
