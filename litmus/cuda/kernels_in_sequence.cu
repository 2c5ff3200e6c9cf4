// Two kernels run one after the other; the boundary between the kernels orders all accesses.
#include <cuda_runtime.h>
#include <vector>

__global__ void twice(int *data) { data[threadIdx.x] *= 2; }

__global__ void add_neighbour(const int *data, int *out) {
  const int i = threadIdx.x;
  out[i] = data[i] + data[1 - i];
}

int main() {
  const int n = 2;
  std::vector<int> h(n, 1);
  h[1] = 3;
  int *data, *out;
  cudaMalloc(&data, h.size() * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(data, h.data(), h.size() * sizeof(int), cudaMemcpyHostToDevice);
  twice<<<1, n>>>(data);
  add_neighbour<<<1, n>>>(data, out);
  return cudaDeviceSynchronize();
}

// ambit: forall (out[0] == 8 && out[1] == 8)
// ambit: expect ptx      : Always, norace because "the second kernel starts when the first one has ended"
// ambit: expect cuda-cpp : Always, norace because "the second kernel starts when the first one has ended"
