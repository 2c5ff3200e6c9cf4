// The host sets the memory and launches twice.
template <int N>
__global__ void add(int *data, const int *step) {
  data[threadIdx.x] += step[0] * N;
}

int main() {
  int *data;
  int *step;
  int ones[1] = {1};
  cudaMalloc(&data, 2 * sizeof(int));
  cudaMalloc(&step, sizeof(int));
  cudaMemset(data, 0xff, 2 * sizeof(int));
  cudaMemcpy(step, ones, sizeof(ones), cudaMemcpyHostToDevice);
  add<1><<<1, 2>>>(data, step);
  add<2><<<1, 2>>>(data, step);
  return cudaDeviceSynchronize();
}

// ambit: forall (data[0] == 2 && data[1] == 2)
// ambit: expect ptx : Always, norace because "the second launch follows the first"
