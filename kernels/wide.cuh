// ---- cells of 16 bytes: a value stands in both halves ----

/// The value of a read whose halves were these; kTornMark and both, if they differ: it was not one memory operation.
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
