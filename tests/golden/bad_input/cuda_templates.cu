template <typename T, int N = 2> __device__ T f(T x) { return x * N; }
template <int N> __device__ int endless() { return endless<N + 1>(); }
typedef int *pointer;
__device__ int x;
__global__ void kernel() {
  x = f(1);
  x = f<int, 1, 2>(1);
  x = f<int, x>(1);
  x = f<>(1);
  pointer p = &x;
}
// ambit: launch kernel<<<1, 1>>>();
