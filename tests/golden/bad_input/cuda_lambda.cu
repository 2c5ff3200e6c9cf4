__device__ int x;
__global__ void kernel() {
  auto g = [](int a) { return a; };
}
// ambit: launch kernel<<<1, 1>>>();
