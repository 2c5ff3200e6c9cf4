// ---- tensor maps: the host makes each map of the test once for each copy of the map's array ----

constexpr unsigned kTensorMapBytes = 128;

/// Returns the map of this instance's copy of the array. The returned map never changes.
__device__ __forceinline__ char* made_map(const Instance& at, unsigned map, unsigned array) {
  return at.buffers.tensor_maps + (map * (at.parameters.slot_mask + 1ULL) + at.place(array)) * kTensorMapBytes;
}
/// Resets a map of the test to the map that the host made.
__device__ __forceinline__ void reset_map(char* map, const char* made) {
#pragma unroll 1
  for (unsigned i = 0; i < kTensorMapBytes; i += 16) {
    *reinterpret_cast<ulonglong2*>(map + i) = *reinterpret_cast<const ulonglong2*>(made + i);
  }
}
/// Makes earlier generic writes visible to the tensormap proxy. A kernel's start does not make them visible.
__device__ __forceinline__ void release_maps() {
  asm volatile("fence.proxy.tensormap::generic.release.sys;" ::: "memory");
}
__device__ __forceinline__ void acquire_map(const char* map) {
  asm volatile("fence.proxy.tensormap::generic.acquire.sys [%0], 128;" ::"l"(map) : "memory");
}
/// Returns the value in another lane of the warp.
template <class T>
__device__ __forceinline__ T of_lane(T value, unsigned lane) {
  return __shfl_sync(0xffffffffU, value, lane);
}
__device__ __forceinline__ char* of_lane(char* pointer, unsigned lane) {
  return reinterpret_cast<char*>(of_lane(reinterpret_cast<unsigned long long>(pointer), lane));
}
