// Two blocks increment a counter.
__device__ int counter;
__global__ void increment() { counter += 1; }
int main() {
  increment<<<2, 1>>>();
  return cudaDeviceSynchronize();
}
