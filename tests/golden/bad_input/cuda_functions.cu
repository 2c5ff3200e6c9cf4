namespace cg = cooperative_groups;
__device__ int x;
__device__ int y;
__global__ void kernel() {
  y = surf1Dread(x, 0);
  y = __shfl_sync(0xffffffff, x, 0);
  y = __ballot_sync(0xffffffff, x);
  y = __any_sync(0xffffffff, x);
  y = __activemask();
  y = __syncthreads_count(x);
  y = tex1D(x, 0);
  y = (int)clock64();
  auto tile = cg::tiled_partition(cg::this_thread_block(), 4);
  cg::this_grid().is_valid();
  y = __nanosleep;
  memcpy(&x, &y, 4);
  host_function(x);
}
void host_function(int) {}
// ambit: launch kernel<<<1, 1>>>();
