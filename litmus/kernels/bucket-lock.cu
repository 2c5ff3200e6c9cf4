__global__ void add(int *locks, int *sums, const int *keys) {
  int bucket = keys[blockIdx.x] & 1;
  while (atomicCAS(&locks[bucket], 0, 1) != 0) {
  }
  __threadfence();
  sums[bucket] += 1;
  __threadfence();
  atomicExch(&locks[bucket], 0);
}
// ambit: launch add<<<2, 1>>>(locks[2], sums[2], keys[2]);
// ambit: expect ptx : norace because "the lock is taken and released at device scope"
// ambit: expect cuda-cpp : norace because "the lock is taken and released at device scope"
