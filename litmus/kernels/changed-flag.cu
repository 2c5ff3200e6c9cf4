__global__ void relax(const int *weight, int *distance, int *changed) {
  int old = atomicMin(&distance[blockIdx.x], weight[blockIdx.x]);
  if (old > weight[blockIdx.x]) atomicExch(changed, 1);
}
// ambit: { global int distance[2] = {5, 5}; }
// ambit: launch relax<<<2, 1>>>(weight[2], distance, changed[1]);
// ambit: expect ptx : norace because "an atomic sets the flag"
// ambit: expect cuda-cpp : norace because "an atomic sets the flag"
