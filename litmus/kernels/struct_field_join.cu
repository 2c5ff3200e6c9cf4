// A pointer refers to one of two fields of a struct in shared memory: the threads write different fields, then swap.
struct Pair {
  int first, second;
};
__global__ void k(const int *c, int *o) {
  __shared__ Pair pair[2];
  pair[threadIdx.x].first = 0;
  pair[threadIdx.x].second = 0;
  __syncthreads();
  int *p = (threadIdx.x ^ c[0]) & 1 ? &pair[0].second : &pair[0].first;
  *p = threadIdx.x + 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    o[0] = pair[0].first;
    o[1] = pair[0].second;
  }
}
// ambit: launch k<<<1, 2>>>(c[1], o[2]);
// ambit: forall (o[0] == 1 && o[1] == 2)
// ambit: expect ptx : Always, norace because "c is 0, so thread 0 writes the field first and thread 1 writes the field second; the barrier orders the reads"
