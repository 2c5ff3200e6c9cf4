// The stack contains structs and arrays. Their addresses are passed to functions, also in a loop.
struct Range {
  int *data;
  int count;
  long long sum;
};
struct Pair {
  int low, high;
};
__device__ void add(Range *range, int i = 0) { range->sum += range->data[i]; }
__device__ Range part_of(int *data, int count) {
  Range range = {data + threadIdx.x, count, 0};
  return range;
}
__device__ Pair sorted(Pair p) { return p.low <= p.high ? p : Pair{p.high, p.low}; }
__global__ void sums(int *data, int *out) {
  data[threadIdx.x] = threadIdx.x + 1;
  __syncthreads();
  Range range = part_of(data, 2);
  for (int i = 0; i < range.count; ++i) add(&range, i);
  int kept[3] = {0, 0, 0};
  for (int i = 0; i < 3; ++i) kept[i] = (int)range.sum + i;
  Pair p = sorted({kept[2], kept[0]});
  out[threadIdx.x] = p.low * 100 + p.high;
}
// ambit: launch sums<<<1, 2>>>(data[3], out[2]);
// ambit: forall (out[0] == 305 && out[1] == 204)
// ambit: expect ptx : Always, norace because "each thread writes its element before the barrier, and reads after it"
