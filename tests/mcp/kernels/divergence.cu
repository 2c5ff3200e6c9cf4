// Thread 0 skips the barrier.
__global__ void skip(int* out) {
  if (threadIdx.x != 0) __syncthreads();
  out[threadIdx.x] = 1;
}
// ambit: launch skip<<<1, 2>>>(out[2]);
