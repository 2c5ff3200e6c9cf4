// Loops are not unrolled, because unrolling would take most of the compile time.

// ---- the harness: memory of the instances, grid barrier, stress, counting of outcomes ----

__device__ __forceinline__ unsigned mix(unsigned long long seed, unsigned a, unsigned b) {
  unsigned long long h = seed + 0x9e3779b97f4a7c15ULL * (a + 1ULL) + 0xbf58476d1ce4e5b9ULL * (b + 1ULL);
  h ^= h >> 30;
  h *= 0xbf58476d1ce4e5b9ULL;
  h ^= h >> 27;
  h *= 0x94d049bb133111ebULL;
  return static_cast<unsigned>((h ^ (h >> 31)) >> 16);
}

// On one GPU, fixed values of a test are constants. Loading the values would need instructions, which would change how
// often outcomes appear.

/// Returns this block's number, counted over all grids.
__device__ __forceinline__ unsigned block_number(const Parameters& parameters) {
  return kTestGpus == 1 ? blockIdx.x : parameters.first_block + blockIdx.x;
}

/// Returns the number of blocks in all grids that run the test.
__device__ __forceinline__ unsigned blocks_of_test(const Parameters& parameters) {
  return kTestGpus == 1 ? gridDim.x : parameters.blocks;
}

/// Returns the number of the test's clusters on this GPU or, with dependent grids, in this grid.
__device__ __forceinline__ unsigned clusters_here(const Parameters& parameters) {
  return kIsDivided ? parameters.clusters : kTestClusters;
}

/// One run of the test. Its functions locate the run's memory and results.
struct Instance {
  const Parameters& parameters;
  const Buffers& buffers;
  unsigned number;  ///< index among the instances of a round
  unsigned shared_slot;  ///< index among the instances of this block

  /// Returns the index of this instance's copy of a cell. Each cell orders its copies differently.
  __device__ __forceinline__ unsigned place(unsigned c) const {
    return (number * parameters.location_multiplier[c % kMultipliers]) & parameters.slot_mask;
  }
  /// Returns a cell in global memory. Each cell has a separate region for its copies.
  __device__ __forceinline__ char* cell(unsigned c) const {
    return buffers.cells + c * parameters.region + static_cast<unsigned long long>(place(c)) * parameters.stride;
  }
  /// Returns the address of the cell under its n-th alias.
  __device__ __forceinline__ char* alias(unsigned c, unsigned n) const { return cell(c) + n * parameters.alias_span; }
  /// Returns a cell of this block's shared memory.
  __device__ __forceinline__ char* shared_cell(unsigned c) const {
    extern __shared__ __align__(kSharedAlignment) char shared_cells[];
    return shared_cells + (c * parameters.slots * parameters.batch + shared_slot) * kSharedCell;
  }
  __device__ __forceinline__ int* result32(unsigned observable) const {
    return reinterpret_cast<int*>(buffers.results + 8ULL * observable * (parameters.slot_mask + 1ULL)) + number;
  }
  __device__ __forceinline__ long long* result64(unsigned observable) const {
    return reinterpret_cast<long long*>(buffers.results + 8ULL * observable * (parameters.slot_mask + 1ULL)) + number;
  }
  /// Returns the address in a form that the assembler cannot analyse. Otherwise, the assembler would remove an access
  /// to a cell that the thread has just stored or read.
  __device__ __forceinline__ char* apart(char* pointer, unsigned n) const {
    return pointer + static_cast<unsigned long long>(n) * parameters.keep;
  }
  /// Uses a value that the test does not use. Otherwise, the assembler would turn an `atom` with an unused result into
  /// a `red`.
  __device__ __forceinline__ void keep(unsigned long long value) const {
    if (parameters.keep != 0) buffers.scratchpad[0] = static_cast<unsigned>(value ^ (value >> 32));
  }
  __device__ __forceinline__ unsigned ticket() const {
    unsigned taken;
    asm volatile("atom.relaxed.gpu.global.add.u32 %0, [%1], 1;" : "=r"(taken) : "l"(buffers.tickets) : "memory");
    return taken;
  }
  /// Records an access or fence of a thread. The log stores the first entries of all runs, then the second entries of
  /// all runs, and so on, so that the host can read only the entries in use.
  __device__ __forceinline__ void log(unsigned thread, Log& kept, unsigned ticket, unsigned instruction,
                                      long long value, bool is_quiet) const {
    LogEntry* const first = buffers.log + thread * (parameters.slot_mask + 1ULL) + number;
    add_to(kept, kLogLength, LogEntry{ticket, instruction, value}, is_quiet, [&](unsigned n) -> LogEntry& {
      return first[n * kTestThreads * (parameters.slot_mask + 1ULL)];
    });
  }
  __device__ __forceinline__ void end_log(unsigned thread, const Log& kept, bool is_given_up) const {
    buffers.log_lengths[thread * (parameters.slot_mask + 1ULL) + number] = is_given_up ? kNoLog : kept.length;
  }
  __device__ __forceinline__ void flag(unsigned bits) const {
    if (bits == 0) return;
    if (kTestGpus == 1) {
      atomicOr(buffers.flags + number, bits);
    } else {
      atomicOr_system(buffers.flags + number, bits);
    }
  }
};

/// A barrier for all threads of all blocks on all GPUs of the test. Writes before the barrier are visible to accesses
/// after it.
__device__ __forceinline__ void grid_barrier(const Parameters& parameters, const Buffers& buffers, unsigned& phase) {
  ++phase;
  asm volatile("barrier.sync 15;" ::: "memory");
  if (threadIdx.x == 0) {
    unsigned arrived;
    asm volatile("fence.acq_rel." AMBIT_HARNESS_SCOPE ";" ::: "memory");
    asm volatile("red.relaxed." AMBIT_HARNESS_SCOPE ".global.add.u32 [%0], 1;" ::"l"(buffers.grid_barrier) : "memory");
    do {
      asm volatile("ld.acquire." AMBIT_HARNESS_SCOPE ".global.u32 %0, [%1];"
                   : "=r"(arrived)
                   : "l"(buffers.grid_barrier)
                   : "memory");
    } while (static_cast<int>(arrived - phase * blocks_of_test(parameters)) < 0);
    asm volatile("fence.acq_rel." AMBIT_HARNESS_SCOPE ";" ::: "memory");
  }
  asm volatile("barrier.sync 15;" ::: "memory");
}

/// Waits for the other blocks of the group, up to a limit, so that the group's threads start together.
__device__ __forceinline__ void align(const Parameters& parameters, const Buffers& buffers, unsigned group,
                                      unsigned expected) {
  if (parameters.alignment_spins == 0) return;
  if (threadIdx.x == 0) {
    unsigned* arrivals = buffers.alignment + group;
    if (kTestGpus == 1) {
      atomicAdd(arrivals, 1U);
    } else {
      atomicAdd_system(arrivals, 1U);
    }
#pragma unroll 1
    for (unsigned i = 0; i < parameters.alignment_spins; ++i) {
      unsigned arrived;
      asm volatile("ld.relaxed." AMBIT_HARNESS_SCOPE ".global.u32 %0, [%1];" : "=r"(arrived) : "l"(arrivals) : "memory");
      if (static_cast<int>(arrived - expected) >= 0) break;
    }
  }
  asm volatile("barrier.sync 15;" ::: "memory");
}

__device__ __forceinline__ void wait(const Parameters& parameters, unsigned round) {
  if (parameters.delay_ticks == 0) return;
  const unsigned ticks = mix(parameters.seed, round, block_number(parameters) * 64U + threadIdx.x / 32U) % parameters.delay_ticks;
  const long long start = clock64();
  while (clock64() - start < ticks) {
  }
}

/// Keeps the memory system busy with pairs of accesses to a few lines.
__device__ __noinline__ void stress(const Parameters& parameters, const Buffers& buffers, unsigned pattern,
                                    unsigned iterations, unsigned salt) {
  const unsigned line = mix(parameters.seed, salt, block_number(parameters)) % parameters.stress_lines;
  volatile unsigned* at = buffers.scratchpad + line * (parameters.stress_line_bytes / 4U);
#pragma unroll 1
  for (unsigned i = 0; i < iterations; ++i) {
    if (pattern < 2) {
      *at = i;
    } else {
      (void)*at;
    }
    if (pattern == 0 || pattern == 2) {
      *at = i + 1;
    } else {
      (void)*at;
    }
  }
}

/// A block's own table of outcomes. At the end of the launch, the block adds this table to the device's table.
struct BlockTable {
  unsigned long long keys[kTableSize];
  unsigned counts[kTableSize];
};

__device__ __forceinline__ unsigned long long outcome_key(const long long* values) {
  unsigned long long h = 0;
#pragma unroll
  for (unsigned i = 0; i < kOutcomeLength; ++i) {
    h = (h ^ static_cast<unsigned long long>(values[i])) * 0x9e3779b97f4a7c15ULL;
    h ^= h >> 32;
  }
  return h == 0 ? 1 : h;
}

/// Returns the index of a key in the device's table, or of a free entry. Returns kTableSize if the table is full.
__device__ __noinline__ unsigned take_place(const Buffers& buffers, unsigned long long key, const long long* values) {
  unsigned place = static_cast<unsigned>(key >> 20) % kTableSize;
#pragma unroll 1
  for (unsigned tries = 0; tries < kTableSize; ++tries, place = (place + 1) % kTableSize) {
    const unsigned long long found = atomicCAS(buffers.keys + place, 0ULL, key);
    if (found == key) return place;
    if (found != 0) continue;
    for (unsigned i = 0; i < kOutcomeLength; ++i) buffers.values[place * kOutcomeLength + i] = values[i];
    return place;
  }
  return kTableSize;
}

/// Counts one outcome for each active thread.
__device__ __forceinline__ void count(BlockTable& table, const Buffers& buffers, const long long* values) {
  const unsigned long long key = outcome_key(values);
  const unsigned peers = __match_any_sync(__activemask(), key);
  if ((threadIdx.x & 31U) != static_cast<unsigned>(__ffs(static_cast<int>(peers)) - 1)) return;
  const unsigned copies = static_cast<unsigned>(__popc(peers));
  unsigned place = static_cast<unsigned>(key >> 20) % kTableSize;
#pragma unroll 1
  for (unsigned tries = 0; tries < kTableSize; ++tries, place = (place + 1) % kTableSize) {
    unsigned long long found = static_cast<volatile unsigned long long&>(table.keys[place]);
    if (found == 0) {
      found = atomicCAS(table.keys + place, 0ULL, key);
      if (found == 0) {
        take_place(buffers, key, values);
        found = key;
      }
    }
    if (found == key) {
      atomicAdd(table.counts + place, copies);
      return;
    }
  }
  atomicAdd(buffers.totals + 1, static_cast<unsigned long long>(copies));
}

__device__ __forceinline__ void add_to_device(const BlockTable& table, const Buffers& buffers) {
#pragma unroll 1
  for (unsigned i = threadIdx.x; i < kTableSize; i += blockDim.x) {
    const unsigned long long key = table.keys[i];
    if (key == 0 || table.counts[i] == 0) continue;
    unsigned place = static_cast<unsigned>(key >> 20) % kTableSize;
    unsigned tries = 0;
#pragma unroll 1
    while (tries < kTableSize && atomicAdd(buffers.keys + place, 0ULL) != key) {
      place = (place + 1) % kTableSize;
      ++tries;
    }
    unsigned long long* counter = tries < kTableSize ? buffers.counts + place : buffers.totals + 1;
    atomicAdd(counter, static_cast<unsigned long long>(table.counts[i]));
  }
}
