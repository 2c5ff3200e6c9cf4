// Only nvcc accepts this source, not Ambit's reader: overloads in two namespaces, a template, an array of structs.
struct Node {
  int key;
  int val;
};
template <class T> __device__ T load(volatile T *p) { return *p; }
namespace a {
__device__ int f(int x) { return x + 1; }
}  // namespace a
namespace b {
__device__ int f(int x) { return x + 2; }
}  // namespace b
__global__ void k(Node *t, int *flag, int *out) {
  if (blockIdx.x == 0) {
    t[a::f(0)].val = 42;
    __threadfence();
    atomicExch(flag, 1);
  } else {
    int s = 0;
    while (s == 0) s = load<int>(flag);
    __threadfence();
    out[0] = t[b::f(-1)].val;
  }
}
// ambit: launch k<<<2, 1>>>(t[2], flag[1], out[1]);
// ambit: forall (out[0] == 42)
// ambit: expect ptx : Always, norace because "volatile reads and atomicExch are morally strong, with a fence on either side"
