// ---- cells of 16 bytes: both halves hold the value ----

/// Returns the value of a read with these halves; if they differ, kTornMark and both: it was not one memory operation.
__device__ __forceinline__ long long whole(long long lower, long long upper) {
  if (lower == upper) return lower;
  return static_cast<long long>(kTornMark << 32 | (static_cast<unsigned long long>(upper) & 0xffff) << 16 |
                                (static_cast<unsigned long long>(lower) & 0xffff));
}

/// A cell, for its reset and for reading the outcome.
struct __align__(16) Wide {
  long long lower;
  long long upper;

  __device__ __forceinline__ void operator=(long long value) { lower = upper = value; }
  __device__ __forceinline__ operator long long() const { return whole(lower, upper); }
};
