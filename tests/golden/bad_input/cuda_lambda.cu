__device__ int x;
__global__ void kernel() {
  auto g = [n = 1](int a) { return a + n; };
}
// ambit: launch kernel<<<1, 1>>>();
