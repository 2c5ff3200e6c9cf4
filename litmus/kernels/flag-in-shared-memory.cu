__global__ void k(int *out) {
  __shared__ int data;
  __shared__ int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    data = 4;
    __threadfence_block();
    atomicExch(&flag, 1);
  } else if (threadIdx.x == 32) {
    while (atomicAdd(&flag, 0) == 0) {
    }
    __threadfence_block();
    *out = data;
  }
}
// ambit: launch k<<<1, 33>>>(out[1]);
// ambit: expect ptx : norace because "fences of block scope order the message between two warps"
// ambit: expect cuda-cpp : norace because "fences of block scope order the message between two warps"
