__global__ void hook(int *parent, const int *u) {
  int a = u[blockIdx.x] & 1;
  int root = parent[a];
  atomicMin(&parent[root & 1], a);
}
// ambit: launch hook<<<2, 1>>>(parent[2], u[2]);
// ambit: expect ptx : race because "a plain read races with the hook"
// ambit: expect cuda-cpp : race because "a plain read races with the hook"
