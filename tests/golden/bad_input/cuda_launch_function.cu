__device__ int x;
__global__ void kernel() { x = 1; }
int main() {
  cudaLaunchCooperativeKernel((void *)kernel, 1, 1, nullptr);
}
