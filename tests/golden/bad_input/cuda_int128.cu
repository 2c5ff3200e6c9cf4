// ambit: launch k<<<1, 2>>>();
__device__ unsigned __int128 wide;
__global__ void k() { atomicExch(&wide, 1); }
