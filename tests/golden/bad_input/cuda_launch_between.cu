__global__ void first(int *d) { d[0] = 1; }
__global__ void second(int *d) { d[0] += 1; }
int main() {
  int *d;
  cudaMalloc(&d, 4);
  first<<<1, 1>>>(d);
  cudaMemset(d, 0, 4);
  second<<<1, 1>>>(d);
}
