__global__ void add(int *locks, int *sums, const int *keys) {
  int bucket = keys[blockIdx.x] & 1;
  while (atomicCAS_block(&locks[bucket], 0, 1) != 0) {
  }
  __threadfence();
  sums[bucket] += 1;
  __threadfence();
  atomicExch_block(&locks[bucket], 0);
}
// ambit: launch add<<<2, 1>>>(locks[2], sums[2], keys[2]);
// ambit: expect ptx : race because "blocks share the buckets, but the lock has block scope"
// ambit: expect cuda-cpp : race because "blocks share the buckets, but the lock has block scope"
