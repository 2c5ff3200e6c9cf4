// ---- the kernel: many rounds, each of all instances ----

/// The part of this block: which of the test's blocks it runs, and for which copy of the test.
struct Part {
  unsigned test_cluster;
  unsigned place;  ///< which block of the test: numbered through all its clusters
  unsigned copy;   ///< `groups` or more: none, the block runs no test
  unsigned group;
};

/// Consecutive blocks form a group; in some rounds, other blocks do.
__device__ __forceinline__ Part part_of(const Parameters& parameters, unsigned round) {
  const unsigned unit = blockIdx.x / kClusterBlocks;
  Part part;
  part.test_cluster = (kTestGpus == 1 ? 0 : parameters.first_cluster) + unit % clusters_here(parameters);
  part.place = part.test_cluster * kClusterBlocks + blockIdx.x % kClusterBlocks;
  part.copy = unit / clusters_here(parameters);
  part.group = part.copy;
  if (part.copy < parameters.groups && mix(parameters.seed, round, 2) % 100U < parameters.shuffle_percent) {
    const unsigned multiplier = parameters.group_multiplier[part.test_cluster % kMultipliers];
    const unsigned shift = mix(parameters.seed, round, 16U + part.test_cluster) % parameters.groups;
    part.group = (part.copy * multiplier + shift) % parameters.groups;
  }
  return part;
}

/// The group of the instance in a slot of this block. In some rounds, the slots of a block belong to different groups,
/// so that the partners of a warp's lanes are in many blocks. The blocks of a cluster stay together.
__device__ __forceinline__ unsigned group_of(const Parameters& parameters, const Part& part, unsigned round,
                                             unsigned slot) {
  if (part.test_cluster == 0 || mix(parameters.seed, round, 5) % 100U >= parameters.scatter_percent) return part.group;
  const unsigned shift = mix(parameters.seed, round, 1024U + part.test_cluster * 1024U + slot) % parameters.groups;
  return (part.group + shift) % parameters.groups;
}

/// This thread's part in a round: it runs one thread of the test, once for each instance of a batch.
__device__ __forceinline__ void play(const Parameters& parameters, const Buffers& buffers, const Part& part,
                                     unsigned round, unsigned round_in_launch) {
  if (part.copy >= parameters.groups) {
    if (mix(parameters.seed, round, 1) % 100U < parameters.stress_percent) {
      stress(parameters, buffers, parameters.stress_pattern, parameters.stress_iterations, round);
    }
    return stand_by(parameters);
  }
  const unsigned warp = threadIdx.x / 32U;
  const unsigned lane = threadIdx.x % 32U;
  const unsigned test_warp = warp % kTestWarps;
  const unsigned sub = (warp / kTestWarps) * (32U / kTestLanes) + lane / kTestLanes;
  const unsigned test_group = test_warp / kGroupWarps;  // the warps of a group belong to one instance
  const unsigned slot = (sub * parameters.slot_multiplier[test_group % kMultipliers] +
                         mix(parameters.seed, round, 64U + test_group) % parameters.slots) %
                        parameters.slots;
  int role = role_of(part.place, test_warp, lane % kTestLanes);
  if (kGroupWarps > 1) role = __shfl_sync(0xffffffffU, role, 0);  // tells the assembler that all lanes have one
  const bool plays = role >= 0 && warp / kTestWarps < parameters.warp_groups && lane / kTestLanes < 32U / kTestLanes;

  // Computed before the partners align, as work behind that drives them apart; the compiler must not move it there.
  unsigned first = group_of(parameters, part, round, slot) * parameters.batch;
  unsigned preloads = mix(parameters.seed, round, 4) % 100U < parameters.preload_percent ? parameters.batch : 0;
  asm volatile("" : "+r"(first), "+r"(preloads));

  if (mix(parameters.seed, round, 3) % 100U < parameters.pre_stress_percent) {
    stress(parameters, buffers, parameters.pre_stress_pattern, parameters.pre_stress_iterations, round);
  }
  align(parameters, buffers, part.group, (round_in_launch + 1U) * kTestBlocks);
  if (!plays) return stand_by(parameters);
#pragma unroll 1
  for (unsigned batch = 0; batch < preloads; ++batch) {
    const unsigned number = (first + batch) * parameters.slots + slot;
    preload(Instance{parameters, buffers, number, batch * parameters.slots + slot});
  }
  wait(parameters, round);
#pragma unroll 1
  for (unsigned batch = 0; batch < parameters.batch; ++batch) {
    const unsigned number = (first + batch) * parameters.slots + slot;
    run_role(role, Instance{parameters, buffers, number, batch * parameters.slots + slot});
  }
}

__device__ __forceinline__ void reset_all_shared(const Parameters& parameters, const Buffers& buffers, unsigned place) {
#pragma unroll 1
  for (unsigned s = threadIdx.x; s < parameters.batch * parameters.slots; s += blockDim.x) {
    reset_shared(place, Instance{parameters, buffers, 0, s});
  }
}

/// Copies the final values of the block's shared memory to the other results, and resets the memory.
__device__ __forceinline__ void keep_shared(const Parameters& parameters, const Buffers& buffers, const Part& part,
                                            unsigned round) {
  asm volatile("barrier.sync 15;" ::: "memory");
  if (part.copy >= parameters.groups) return;
#pragma unroll 1
  for (unsigned s = threadIdx.x; s < parameters.batch * parameters.slots; s += blockDim.x) {
    const unsigned slot = s % parameters.slots;
    const unsigned first = group_of(parameters, part, round, slot) * parameters.batch;
    const unsigned number = (first + s / parameters.slots) * parameters.slots + slot;
    const Instance instance{parameters, buffers, number, s};
    keep_shared_results(part.place, instance);
    reset_shared(part.place, instance);
  }
}

/// What is written before reaches asynchronous operations that others issue behind the next barrier of the grid, and the
/// other way round.
__device__ __forceinline__ void fence_operations() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("fence.proxy.async;" ::: "memory");
}

/// The end of a round with asynchronous operations: those that complete at an mbarrier for which nobody waits may still
/// be under way, and nothing tells when they are complete.
__device__ __forceinline__ void end_operations(const Parameters& parameters, const Buffers& buffers, unsigned& phase) {
  constexpr long long kTicks = 8000;
  const long long start = clock64();
  while (clock64() - start < kTicks) {
  }
  grid_barrier(parameters, buffers, phase);
  asm volatile("fence.proxy.async;" ::: "memory");
}

extern "C" __global__ void __launch_bounds__(kBlockThreads) ambit_test(const __grid_constant__ Parameters parameters,
                                                                       const __grid_constant__ Buffers buffers,
                                                                       const unsigned first_round) {
  __shared__ BlockTable table;
#pragma unroll 1
  for (unsigned i = threadIdx.x; i < kTableSize; i += blockDim.x) {
    table.keys[i] = 0;
    table.counts[i] = 0;
  }
  // The first GPU reads all outcomes, and resets all cells.
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
