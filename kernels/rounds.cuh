// ---- the kernel: many rounds; each round runs all instances ----

/// Ends a round of a test that has asynchronous operations.
__device__ __forceinline__ void end_operations(const Parameters& parameters, const Buffers& buffers, unsigned& phase) {
  outlast_operations();
  grid_barrier(parameters, buffers, phase);
  asm volatile("fence.proxy.async;" ::: "memory");
}

extern "C" __global__ void __launch_bounds__(kBlockThreads) ambit_test(const __grid_constant__ Parameters parameters,
                                                                       const __grid_constant__ Buffers buffers,
                                                                       const unsigned first_round) {
  __shared__ BlockTable table;
  clear(table);
  // The first GPU reads all outcomes and resets all cells.
  const bool is_first = kTestGpus == 1 || parameters.gpu == 0;
  const unsigned instances = is_first ? parameters.groups * parameters.batch * parameters.slots : 0;
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned threads = gridDim.x * blockDim.x;
  unsigned phase = 0;
#pragma unroll 1
  for (unsigned i = parameters.is_reset != 0 ? instances : thread; i < instances; i += threads) {
    reset(Instance{parameters, buffers, i, 0});
  }
  if (kHasShared) reset_all_shared(parameters, buffers, part_of(parameters, 0).place);
  if (kIsAsynchronous) fence_operations();
  grid_barrier(parameters, buffers, phase);
#pragma unroll 1
  for (unsigned r = 0; r < parameters.rounds; ++r) {
    const Part part = part_of(parameters, first_round + r);
    play(parameters, buffers, part, first_round + r, r);
    if (kIsAsynchronous) end_operations(parameters, buffers, phase);
    if (kHasShared) keep_shared(parameters, buffers, part, first_round + r);
    if (kIsAsynchronous) fence_operations();
    grid_barrier(parameters, buffers, phase);
#pragma unroll 1
    for (unsigned i = thread; i < instances; i += threads) {
      const Instance instance{parameters, buffers, i, 0};
      long long values[kOutcomeLength];
      read_outcome(instance, values);
      count(table, buffers, values);
      reset(instance);
    }
    if (kIsAsynchronous) fence_operations();
    grid_barrier(parameters, buffers, phase);
    if (is_first && thread == 0) ++buffers.totals[0];
  }
  __syncthreads();
  add_to_device(table, buffers);
}
