struct Pair { int a, b; };
__device__ int x;
__global__ void kernel(Pair p) { x = p.a; }
// ambit: launch kernel<<<1, 1>>>(3);
