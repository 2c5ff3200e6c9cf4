// Particles are float4 values, and functions pass forces as structs by value; each thread moves its own particle.
#include <cuda_runtime.h>

struct Force {
  float3 direction;
  float strength;
};

__device__ Force pull(float4 from, float4 to) {
  Force f;
  f.direction = make_float3(to.x - from.x, to.y - from.y, to.z - from.z);
  f.strength = to.w * rsqrtf(f.direction.x * f.direction.x + f.direction.y * f.direction.y + 1e-6f);
  return f;
}

__global__ void move(const float4 *old, float4 *next, float dt) {
  const int i = threadIdx.x;
  float4 p = old[i];
  const Force f = pull(p, old[1 - i]);
  p.x += dt * f.strength * f.direction.x;
  p.y += dt * f.strength * f.direction.y;
  next[i] = p;
}

int main() {
  float4 *old, *next;
  cudaMalloc(&old, 2 * sizeof(float4));
  cudaMalloc(&next, 2 * sizeof(float4));
  move<<<1, 2>>>(old, next, 0.01f);
  return cudaDeviceSynchronize();
}

// ambit: expect ptx      : norace because "no thread writes to old, and each thread writes its own particle of next"
// ambit: expect cuda-cpp : norace because "no thread writes to old, and each thread writes its own particle of next"
