__global__ void saxpy(int n, float a, float *x, float *y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  x[i] *= a;
  y[i] += x[i];
}
