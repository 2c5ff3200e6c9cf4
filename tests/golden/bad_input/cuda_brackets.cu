__device__ int x;
__global__ void kernel() { x = (1; }
