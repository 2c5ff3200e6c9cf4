#define STORE(v) x = v
__device__ int x;
__global__ void kernel() {
  STORE(1) STORE(2);
  struct Local { int a; };
}
// ambit: launch kernel<<<1, 1>>>();
