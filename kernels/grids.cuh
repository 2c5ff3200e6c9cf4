// ---- the kernels of a test with dependent grids. A round launches all grids, and then one kernel that
// ---- counts outcomes and resets cells. A grid may begin when the previous grid allows it ----

/// Signals that this block permits the next grid to start.
__device__ __forceinline__ void launch_dependents() {
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}

extern "C" __global__ void __launch_bounds__(kBlockThreads) ambit_grid(const __grid_constant__ Parameters parameters,
                                                                       const __grid_constant__ Buffers buffers,
                                                                       const unsigned round) {
  const Part part = part_of(parameters, round);
  if (kHasShared) reset_all_shared(parameters, buffers, part.place);
  fence_operations();
  // Makes the previous launch's resets visible to the next grid. The next grid may begin once this grid allows it.
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
  asm volatile("barrier.sync 15;" ::: "memory");
  if (part.copy >= parameters.groups) launch_dependents();
  play(parameters, buffers, part, round, 0);
  outlast_operations();
  asm volatile("barrier.sync 15;" ::: "memory");
  asm volatile("fence.proxy.async;" ::: "memory");
  launch_dependents();
  if (kHasShared) keep_shared(parameters, buffers, part, round);
  // Waits for the previous grid. Without this wait, this grid could end before the previous grid, and the outcomes
  // would be counted too early.
  asm volatile("griddepcontrol.wait;" ::: "memory");
}

extern "C" __global__ void ambit_count(const __grid_constant__ Parameters parameters,
                                       const __grid_constant__ Buffers buffers, const unsigned counts) {
  __shared__ BlockTable table;
  clear(table);
  __syncthreads();
  const unsigned instances = parameters.groups * parameters.batch * parameters.slots;
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
  for (unsigned i = thread; i < instances; i += gridDim.x * blockDim.x) {
    const Instance instance{parameters, buffers, i, 0};
    long long values[kOutcomeLength];
    read_outcome(instance, values);
    if (counts != 0) count(table, buffers, values);
    reset(instance);
  }
  fence_operations();
  __syncthreads();
  add_to_device(table, buffers);
  if (counts != 0 && thread == 0) ++buffers.totals[0];
}
