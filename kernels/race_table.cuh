// ---- the device's table of races ----

/// For each active thread, adds 1 to the number of instances that reported the thread's race.
__device__ __forceinline__ void count_race(const Detection& detection, Race race) {
  const unsigned peers = __match_any_sync(__activemask(), race);
  if ((threadIdx.x & 31U) != static_cast<unsigned>(__ffs(static_cast<int>(peers)) - 1)) return;
  const unsigned long long copies = static_cast<unsigned>(__popc(peers));
  unsigned place = static_cast<unsigned>((race * 0x9e3779b97f4a7c15ULL) >> 40) % kRaceTableSize;
#pragma unroll 1
  for (unsigned tries = 0; tries < kRaceTableSize; ++tries, place = (place + 1) % kRaceTableSize) {
    unsigned long long found = static_cast<volatile unsigned long long*>(detection.races)[place];
    if (found == 0) found = atomicCAS(detection.races + place, 0ULL, race);
    if (found != 0 && found != race) continue;
    atomicAdd(detection.counts + place, copies);
    return;
  }
  atomicAdd(detection.totals + 2, copies);
}

enum class RunEnd { Whole, GivenUp, LeftOut };

/// Adds an instance's reports to the device's table.
__device__ __noinline__ void count_run(const Detection& detection, const RunLog& log, RunEnd end) {
  if (end == RunEnd::LeftOut) {
    atomicAdd(detection.totals + 3, 1ULL);
  } else if (end == RunEnd::GivenUp || log.has_overflown()) {
    atomicAdd(detection.totals, 1ULL);
  } else if (log.count() != 0) {
    atomicAdd(detection.totals + 1, 1ULL);
#pragma unroll 1
    for (unsigned i = 0; i < log.count(); ++i) count_race(detection, log.race(i));
  }
}
