__global__ void hook(int *parent, const int *u) {
  int a = u[blockIdx.x] & 1;
  int root = atomicAdd(&parent[a], 0);
  atomicMin(&parent[root & 1], a);
}
// ambit: launch hook<<<2, 1>>>(parent[2], u[2]);
// ambit: expect ptx : norace because "atomicMin changes the parents, and atomics read them"
// ambit: expect cuda-cpp : norace because "atomicMin changes the parents, and atomics read them"
