// Particles are float4 values that move in place, so a thread reads a particle that another thread writes.
#include <cuda_runtime.h>

__global__ void move(float4 *p, float dt) {
  const int i = threadIdx.x;
  const float4 other = p[1 - i];
  float4 mine = p[i];
  mine.x += dt * (other.x - mine.x);
  mine.y += dt * (other.y - mine.y);
  p[i] = mine;
}

int main() {
  float4 *p;
  cudaMalloc(&p, 2 * sizeof(float4));
  move<<<1, 2>>>(p, 0.01f);
  return cudaDeviceSynchronize();
}

// ambit: expect ptx      : race on p[0].x because "thread 1 reads particle 0 while thread 0 writes it"
// ambit: expect cuda-cpp : race on p[0].x because "thread 1 reads particle 0 while thread 0 writes it"
