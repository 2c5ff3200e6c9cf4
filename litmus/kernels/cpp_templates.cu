// The program uses deduced template arguments, local constants as template arguments, and `if constexpr`.
template <int N, typename T>
__device__ void put(T *p, T v) {
  p[N] = v;
}
template <typename T>
__device__ T twice(T x) {
  T sum = x;
  sum += T(x);
  return sum;
}
template <int N>
__device__ int times(int x) {
  if constexpr (N > 2) {
    return N * x;
  } else {
    return x;
  }
}
template <int STEP>
__global__ void k(int *out) {
  constexpr int kWide = STEP + 1;
  static constexpr int kNarrow = kWide / 2;
  put<0>(out, 1);
  put<1>(out, twice(3));
  out[2] = times<kWide>(2) + times<kNarrow>(2);
  unsigned char small = 200;
  out[3] = twice(small);
}
// ambit: launch k<3><<<1, 1>>>(out[4]);
// ambit: forall (out[0] == 1 && out[1] == 6 && out[2] == 10 && out[3] == 144)
// ambit: expect ptx : Always, norace because "out[2] is 4 * 2 + 2, and 400 truncated to a byte is 144"
