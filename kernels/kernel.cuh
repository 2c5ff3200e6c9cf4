// ---- the kernel: the work of one block in a round ----

/// The role of one block of the grid. The block runs one block of one copy of the test.
struct Part {
  unsigned test_cluster;
  unsigned place;  ///< index of the test's block, counted across all clusters of the test
  unsigned copy;  ///< index of the copy; if it is `groups` or more, the block runs no test
  unsigned group;
};

/// Returns this block's part. Consecutive blocks form a group, except in some rounds, in which groups are shuffled.
__device__ __forceinline__ Part part_of(const Parameters& parameters, unsigned round) {
  const unsigned unit = blockIdx.x / kClusterBlocks;
  Part part;
  part.test_cluster = (kIsDivided ? parameters.first_cluster : 0) + unit % clusters_here(parameters);
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

/// Returns the group of the instance in a slot of this block. In some rounds, the slots of a block belong to different
/// groups, so that the lanes of a warp have partners in many blocks. The blocks of a cluster stay together.
__device__ __forceinline__ unsigned group_of(const Parameters& parameters, const Part& part, unsigned round,
                                             unsigned slot) {
  if (part.test_cluster == 0 || mix(parameters.seed, round, 5) % 100U >= parameters.scatter_percent) return part.group;
  const unsigned shift = mix(parameters.seed, round, 1024U + part.test_cluster * 1024U + slot) % parameters.groups;
  return (part.group + shift) % parameters.groups;
}

/// Runs this thread's part of a round: runs one thread of the test once for each instance of a batch.
__device__ __forceinline__ void play(const Parameters& parameters, const Buffers& buffers, const Part& part,
                                     unsigned round, unsigned round_in_launch) {
  if (part.copy >= parameters.groups) {
    if (mix(parameters.seed, round, 1) % 100U < parameters.stress_percent) {
      stress(parameters, buffers, parameters.stress_pattern, parameters.stress_iterations, round);
    }
    return run_without_thread(parameters);
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
  if (kGroupWarps > 1) role = __shfl_sync(0xffffffffU, role, 0);  // shows the assembler that all lanes have one role
  const bool plays = role >= 0 && warp / kTestWarps < parameters.warp_groups && lane / kTestLanes < 32U / kTestLanes;

  // Computed before align(), so that the partners start together after align(). The asm statement keeps this order.
  unsigned first = group_of(parameters, part, round, slot) * parameters.batch;
  unsigned preloads = mix(parameters.seed, round, 4) % 100U < parameters.preload_percent ? parameters.batch : 0;
  asm volatile("" : "+r"(first), "+r"(preloads));

  if (mix(parameters.seed, round, 3) % 100U < parameters.pre_stress_percent) {
    stress(parameters, buffers, parameters.pre_stress_pattern, parameters.pre_stress_iterations, round);
  }
  align(parameters, buffers, part.group, (round_in_launch + 1U) * kTestBlocks);
  if (!plays) return run_without_thread(parameters);
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

/// Copies the final values of the block's shared memory to the results in global memory. Resets the shared memory.
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

/// Waits for a fixed time after the test's threads have ended. If no thread waits on an mbarrier, its operations may
/// still be pending, and the kernel cannot observe their completion.
__device__ __forceinline__ void outlast_operations() {
  constexpr long long kTicks = 8000;
  const long long start = clock64();
  while (clock64() - start < kTicks) {
  }
}

__device__ __forceinline__ void clear(BlockTable& table) {
#pragma unroll 1
  for (unsigned i = threadIdx.x; i < kTableSize; i += blockDim.x) {
    table.keys[i] = 0;
    table.counts[i] = 0;
  }
}

/// Orders earlier writes before the asynchronous operations that other threads issue after the next grid barrier.
/// Orders earlier asynchronous operations before later writes.
__device__ __forceinline__ void fence_operations() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("fence.proxy.async;" ::: "memory");
}
