// The first 8 lanes store a row of 16 bytes each, then every lane reads an element.
#include <cstdint>
__global__ void rows(int *out) {
  __shared__ alignas(16) int s[32];
  const uint32_t row = (uint32_t)__cvta_generic_to_shared(&s[threadIdx.x % 8 * 4]);
  asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(row), "r"(threadIdx.x) : "memory");
  __syncwarp();
  out[threadIdx.x] = s[threadIdx.x];
}
// ambit: launch rows<<<1, 32>>>(out[32]);
// ambit: expect ptx : norace because "a barrier of the warp precedes the reads of other lanes' rows"
