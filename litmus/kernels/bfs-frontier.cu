__global__ void expand(const int *edges, int *visited, int *frontier, int *size) {
  int to = edges[blockIdx.x] & 1;
  if (atomicCAS(&visited[to], 0, 1) == 0) {
    frontier[atomicAdd(size, 1)] = to;
  }
}
// ambit: launch expand<<<2, 1>>>(edges[2], visited[2], frontier[2], size[1]);
// ambit: expect ptx : norace because "atomicCAS decides which thread visits the node"
// ambit: expect cuda-cpp : norace because "atomicCAS decides which thread visits the node"
