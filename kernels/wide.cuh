// ---- 16-byte cells: each half contains the value ----

/// Returns the value of a 16-byte read. If the two halves differ, the read was not a single memory operation. In that
/// case, returns a value that consists of kTornMark and both halves.
__device__ __forceinline__ long long whole(long long lower, long long upper) {
  if (lower == upper) return lower;
  return static_cast<long long>(kTornMark << 32 | (static_cast<unsigned long long>(upper) & 0xffff) << 16 |
                                (static_cast<unsigned long long>(lower) & 0xffff));
}

/// The type of a cell in the code for resets and outcomes.
struct __align__(16) Wide {
  long long lower;
  long long upper;

  __device__ __forceinline__ void operator=(long long value) { lower = upper = value; }
  __device__ __forceinline__ operator long long() const { return whole(lower, upper); }
};
