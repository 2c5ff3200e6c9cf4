// Two blocks increment a counter atomically.
__device__ int counter;
__global__ void increment() { atomicAdd(&counter, 1); }
int main() {
  increment<<<2, 1>>>();
  return cudaDeviceSynchronize();
}
