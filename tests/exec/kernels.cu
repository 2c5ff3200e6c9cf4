// Kernels for tests of `ambit exec`. Machines without nvcc use kernels.ptx, made by nvcc -std=c++17 -arch=sm_90 -ptx
// -lineinfo kernels.cu. The path in .file is shortened.

__device__ int handed[64];
__device__ int flag;

// Block 0 passes numbers to block 1. If is_narrow is set, the fence has only block scope, so the kernel races.
extern "C" __global__ void hand_over(int *sum, int is_narrow) {
  if (blockIdx.x == 0) {
    handed[threadIdx.x] = threadIdx.x + 1;
    __syncthreads();
    if (threadIdx.x == 0) {
      if (is_narrow != 0) {
        __threadfence_block();
      } else {
        __threadfence();
      }
      atomicExch(&flag, 1);
    }
  } else {
    if (threadIdx.x == 0) {
      while (atomicAdd(&flag, 0) == 0) {
      }
      __threadfence();
    }
    __syncthreads();
    atomicAdd(sum, handed[threadIdx.x]);
  }
}

// Without the barrier each thread may read before its neighbour has written.
extern "C" __global__ void rotate(int *values, int has_barrier) {
  __shared__ int tile[64];
  tile[threadIdx.x] = values[threadIdx.x];
  if (has_barrier != 0) __syncthreads();
  values[threadIdx.x] = tile[(threadIdx.x + 33) % 64];
}

extern "C" __global__ void behind_the_end(int *values) { values[threadIdx.x + 64] = 1; }

extern "C" __global__ void spin() {
  while (atomicAdd(&flag, 0) == 0) {
  }
}

// An endless loop that counts in steps of two.
extern "C" __global__ void count() {
  while (atomicAdd(&flag, 2) != 1) {
  }
}
