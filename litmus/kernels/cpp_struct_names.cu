// The program uses types, constants and enumerators of structs, structured bindings, the comma operator and alignof.
struct Globals {
  using T = int;
  static constexpr int kSize = 4;
  static const unsigned kMask = kSize - 1;
  enum { kFirst = 2 };
  T *p;
  int n = kSize;
  __device__ T *at(int i) const { return p + (i & kMask); }
};
struct Pair {
  int low;
  int high;
};
__device__ Pair split(int x) { return {x % 10, x / 10}; }

__global__ void k(int *out) {
  using Index = unsigned;
  Globals g;
  g.p = out;
  *g.at(5) = Globals::kSize + g.n;
  auto [low, high] = split(42);
  Index i = 0;
  int last = (++i, i + 6);
  out[0] = 10 * low + high;
  out[2] = last + Globals::kFirst;
  out[3] = alignof(int4) + sizeof(Globals::T);
}
// ambit: launch k<<<1, 1>>>(out[4]);
// ambit: forall (out[0] == 24 && out[1] == 8 && out[2] == 9 && out[3] == 20)
// ambit: expect ptx : Always, norace because "C++ defines these values of the expressions"
