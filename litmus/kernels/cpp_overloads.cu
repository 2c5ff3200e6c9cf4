// The program uses overloads, default arguments, and templates of the same name in two namespaces.
namespace a {
template <bool A>
__device__ int f(int x) {
  return x;
}
__device__ int g(int x) { return 10 * x; }
}  // namespace a
namespace b {
template <bool A, bool B>
__device__ int f(int x) {
  return x + 1;
}
__device__ int h(int x) { return x + 5; }
__device__ int g(int x) { return h(x); }
}  // namespace b
__device__ int pick(int x) { return x + 1; }
__device__ int pick(int x, int y) { return x + y; }
__device__ int pick(const int *p) { return *p; }
__device__ int pick(unsigned char c) { return 100 + c; }
__device__ int add(int x, int y = 3) { return x + y; }

__global__ void k(const int *in, int *out) {
  unsigned char c = 7;
  out[0] = b::f<true, false>(1) + a::f<true>(2);
  out[1] = a::g(2) + b::g(2);
  out[2] = pick(1) + pick(2, 3);
  out[3] = pick(in) + pick(c);
  out[4] = add(1) + add(1, 1);
}
// ambit: launch k<<<1, 1>>>(in[1], out[5]);
// ambit: forall (out[0] == 4 && out[1] == 27 && out[2] == 7 && out[3] == 107 && out[4] == 6)
// ambit: expect ptx : Always, norace because "each call resolves to one function"
