#define INCREMENT(p) atomicAdd(p, undefined_name)
#define TWICE(p) INCREMENT(p); INCREMENT(p)
__device__ int x;
__global__ void kernel() {
  TWICE(&x);
}
// ambit: launch kernel<<<1, 1>>>();
