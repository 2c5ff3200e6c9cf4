__device__ int x;
__global__ void kernel() { x = 1; }
int main() {
  int h = 3;
  cudaMemcpyToSymbol(x, &h, sizeof(int));
  kernel<<<1, 1>>>();
}
