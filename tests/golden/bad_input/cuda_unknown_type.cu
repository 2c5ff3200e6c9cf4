__device__ int x;
__global__ void kernel(flaot a, my_type *p) {
  other b = 1;
  third *q = &x;
  x = (fourth)b;
}
// ambit: launch kernel<<<1, 1>>>(1, x);
