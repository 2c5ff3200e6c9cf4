typedef int first;
using second = third;
using third = second;
__device__ int x;
__global__ void kernel() { third a = 1; first b = 2; x = a + b; }
// ambit: launch kernel<<<1, 1>>>();
