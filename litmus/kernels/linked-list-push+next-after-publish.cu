__device__ int head = 0;
__global__ void push(int *next, int *data, int *out) {
  if (blockIdx.x < 1) {
    int me = blockIdx.x + 1;
    atomicExch(&head, me);
    __threadfence();
    data[me] = 5;
  } else {
    int first = atomicAdd(&head, 0);
    __threadfence();
    if (first == 1) *out = data[1];
  }
}
// ambit: launch push<<<2, 1>>>(next[3], data[3], out[1]);
// ambit: expect ptx : race because "another block may follow the pointer before the pointer is stored"
// ambit: expect cuda-cpp : race because "another block may follow the pointer before the pointer is stored"
