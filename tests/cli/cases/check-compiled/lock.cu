__device__ int mutex = 0;

__global__ void increment(int *data) {
  while (atomicCAS(&mutex, 0, 1) != 0) {
  }
#ifdef FENCE
  __threadfence();
#endif
  data[0] = data[0] * data[0] + 1;
  atomicExch(&mutex, 0);
}

// ambit: launch increment<<<2, 1>>>(data[1]);
// ambit: exists (data[0] == 1)
// ambit: expect ptx : Sometimes, race because "nothing orders the sections"
// ambit: expect cuda-cpp : Sometimes, race because "nothing orders the sections"
