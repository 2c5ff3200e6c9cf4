__device__ int x;
__global__ void kernel() {
  int a[4] = {1, 2, 3, 4, 5};
  int n = x;
  int b[n];
  a[n] = 1;
  a[4] = 1;
  int *p = a;
  a = 1;
}
// ambit: launch kernel<<<1, 1>>>();
