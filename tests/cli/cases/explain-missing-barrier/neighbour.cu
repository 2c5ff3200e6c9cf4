#include <cuda/atomic>
__global__ void k(int *data) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 0) data[0] = data[0] + 1;
  int v = s[(threadIdx.x + 1) % 64];
  data[1 + threadIdx.x + blockIdx.x * 64] = v;
}
int main() { int *d; cudaMalloc(&d, 4*200); k<<<2,64>>>(d); cudaDeviceSynchronize(); }
