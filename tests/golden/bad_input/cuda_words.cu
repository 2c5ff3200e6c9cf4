__device__ int x;
__global__ void kernel() {
  asm volatile("membar.gl;");
  float f = 1.5f;
  x = 0;
again:
  goto again;
  int *p = new int;
  auto g = [] __device__ () { };
}
// ambit: launch kernel<<<1, 1>>>();
