__device__ int x;
__global__ void kernel() { x = 1; }
int main() {
  for (int i = 0; i < 3; ++i) {
    kernel<<<1, 1>>>();
  }
}
