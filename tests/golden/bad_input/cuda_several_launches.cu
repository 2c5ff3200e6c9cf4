__device__ int x;
__global__ void first() { x = 1; }
__global__ void second() { x = 2; }
int main(int argc, char **argv) {
  if (argc > 1) first<<<1, 1>>>();
  second<<<1, 1>>>();
}
