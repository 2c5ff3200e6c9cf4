template <int N> __device__ int endless() { return endless<N + 1>(); }
__device__ int x;
__global__ void kernel() { x = endless<0>(); }
// ambit: launch kernel<<<1, 1>>>();
