__device__ int mutex = 0;
__device__ int top = 0;
__global__ void push(int *items) {
  while (atomicCAS(&mutex, 0, 1) != 0) {
  }
  __threadfence();
  items[top] = blockIdx.x;
  top = top + 1;
  __threadfence();
  atomicExch(&mutex, 0);
}
// ambit: launch push<<<2, 1>>>(items[2]);
// ambit: expect ptx : norace because "the fences are inside the critical section"
// ambit: expect cuda-cpp : norace because "the fences are inside the critical section"
