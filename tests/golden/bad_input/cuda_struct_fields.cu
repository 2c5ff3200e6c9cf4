struct Node { int value; Node *next; int value; };
struct Inner { int a; };
struct Outer { Inner rows[2]; int n; };
struct Plain { int a; int rows[2]; };
struct Dynamic { int a; std::atomic_ref<int> r; };
__device__ Node node;
__device__ Outer outer;
__device__ Dynamic dynamic;
__device__ Plain p[2] = {1, 2};
__device__ Plain q = {1, 2, 3};
__device__ Plain r = {1, {2, 3, 4}};
__device__ Plain s = 3;
__global__ void kernel() { node.value = outer.n + p[0].a + q.a + r.a + s.a + dynamic.a; }
// ambit: launch kernel<<<1, 1>>>();
