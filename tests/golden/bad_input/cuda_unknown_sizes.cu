__global__ void first(int *d) { d[threadIdx.x] = 1; }
__global__ void second(int *d, int n) { if (threadIdx.x < n) d[threadIdx.x] = 2; }
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  int *d; cudaMalloc(&d, n * sizeof(int));
  for (int i = 0; i < n; ++i) first<<<1, 32>>>(d);
  second<<<n / 32, 32>>>(d, n);
}
