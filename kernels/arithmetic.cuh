// ---- arithmetic, defined also where C++ leaves it undefined ----

using namespace ambit_kernel;

template <typename T>
__device__ __forceinline__ T divide(T a, T b) {
  if (b == 0) return static_cast<T>(-1);
  if (static_cast<T>(-1) < 0 && b == static_cast<T>(-1)) return static_cast<T>(0ULL - static_cast<unsigned long long>(a));
  return static_cast<T>(a / b);
}
template <typename T>
__device__ __forceinline__ T remainder(T a, T b) {
  if (b == 0) return static_cast<T>(-1);
  if (static_cast<T>(-1) < 0 && b == static_cast<T>(-1)) return 0;
  return static_cast<T>(a % b);
}
template <typename T>
__device__ __forceinline__ T increment_wrap(T a, T bound) {
  return a < bound ? static_cast<T>(a + 1) : static_cast<T>(0);
}
template <typename T>
__device__ __forceinline__ T decrement_wrap(T a, T bound) {
  return a == 0 || bound < a ? bound : static_cast<T>(a - 1);
}
