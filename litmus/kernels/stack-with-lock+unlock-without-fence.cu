__device__ int mutex = 0;
__device__ int top = 0;
__global__ void push(int *items) {
  while (atomicCAS(&mutex, 0, 1) != 0) {
  }
  __threadfence();
  items[top] = blockIdx.x;
  top = top + 1;
  atomicExch(&mutex, 0);
}
// ambit: launch push<<<2, 1>>>(items[2]);
// ambit: expect ptx : race because "the next owner may not see the push"
// ambit: expect cuda-cpp : race because "the next owner may not see the push"
