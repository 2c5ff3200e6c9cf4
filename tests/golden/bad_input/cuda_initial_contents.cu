__global__ void kernel(int *a, int *b, int *c, int *d) { a[0] = b[0] + c[0] + d[0]; }
int main() {
  int *a, *b, *c, *d, h[2];
  cudaMallocManaged(&a, 4);
  cudaMalloc(&b, 8);
  cudaMalloc(&c, 8);
  cudaMalloc(&d, 8);
  a[0] = 7;
  for (int i = 0; i < 2; ++i) h[i] = i;
  cudaMemcpy(b, h, 8, cudaMemcpyHostToDevice);
  cudaMemset(c, 7, 8);
  cudaMemset(d, 0xff, 4);
  kernel<<<1, 1>>>(a, b, c, d);
}
