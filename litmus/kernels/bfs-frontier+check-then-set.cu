__global__ void expand(const int *edges, int *visited, int *frontier, int *size) {
  int to = edges[blockIdx.x] & 1;
  if (visited[to] == 0) {
    visited[to] = 1;
    frontier[atomicAdd(size, 1)] = to;
  }
}
// ambit: launch expand<<<2, 1>>>(edges[2], visited[2], frontier[2], size[1]);
// ambit: expect ptx : race because "two threads may both read that the node is unvisited"
// ambit: expect cuda-cpp : race because "two threads may both read that the node is unvisited"
