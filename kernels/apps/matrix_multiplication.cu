// Matrix multiplication, C = A * B, based on the application in the ScoR suite (Kamath, George, Basu, ISCA 2020).
//
// The inner dimension is cut into parts, one for each block. Lane l of every warp of a block adds its products to
// partial[block][l] under a lock of the block. After a barrier, the lanes of warp 0 add the partial results to the
// element of C. The lanes hold a device-wide lock, because every block adds to every element.
//
// Each macro enables one race:
//   RACE_PARTIAL_ACQUIRE     no fence after the lock of a partial result is acquired
//   RACE_PARTIAL_RELEASE     no fence before this lock is released
//   RACE_C_LOCK              the lock of C is acquired at block scope
//   RACE_C_LOCK_AND_FENCE    like RACE_C_LOCK; the fence after the lock also has block scope
#include "app.h"

#if defined(RACE_C_LOCK) || defined(RACE_C_LOCK_AND_FENCE)
#define ACQUIRE_C(lock) atomicCAS_block(lock, 0, 1)
#else
#define ACQUIRE_C(lock) atomicCAS(lock, 0, 1)
#endif

__device__ void lock_partial(int *lock) {
  while (atomicCAS_block(lock, 0, 1) != 0) {
  }
#ifndef RACE_PARTIAL_ACQUIRE
  __threadfence_block();
#endif
}

__device__ void unlock_partial(int *lock) {
#ifndef RACE_PARTIAL_RELEASE
  __threadfence_block();
#endif
  atomicExch_block(lock, 0);
}

__device__ void lock_c(int *lock) {
  while (ACQUIRE_C(lock) != 0) {
  }
#ifdef RACE_C_LOCK_AND_FENCE
  __threadfence_block();
#else
  __threadfence();
#endif
}

__device__ void unlock_c(int *lock) {
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void multiply(const int *a, const int *b, int *c, int *partial, int *partial_locks, int *c_locks, int rows,
                         int inner, int columns) {
  const int lane = threadIdx.x % 32;
  int *mine = partial + blockIdx.x * 32;
  int *lock = partial_locks + blockIdx.x * 32 + lane;
  const int part = (inner + gridDim.x - 1) / gridDim.x;
  const int begin = blockIdx.x * part;
  const int end = min(inner, begin + part);
  for (int element = 0; element < rows * columns; ++element) {
    const int row = element / columns;
    const int column = element % columns;
    int sum = 0;
    for (int k = begin + static_cast<int>(threadIdx.x); k < end; k += blockDim.x) {
      sum += a[row * inner + k] * b[k * columns + column];
    }
    lock_partial(lock);
    mine[lane] += sum;
    unlock_partial(lock);
    __syncthreads();
    if (threadIdx.x < 32) {
      const int result = mine[lane];
      mine[lane] = 0;
      // The lanes take turns: on older GPUs, a warp whose lanes wait for the same lock would deadlock.
      for (int turn = 0; turn < 32; ++turn) {
        if (turn == lane && result != 0) {
          lock_c(c_locks + element);
          c[element] += result;
          unlock_c(c_locks + element);
        }
        __syncwarp();
      }
    }
    __syncthreads();
  }
}

int main(int argc, char **argv) {
  app::Options options(argc, argv);
  const int rows = options.number("rows", 40);
  const int inner = options.number("inner", 500);
  const int columns = options.number("columns", 30);
  const int blocks = options.number("blocks", 120);
  const int threads = options.number("threads", 128);
  options.finish();

  app::Random random(1);
  std::vector<int> a(static_cast<std::size_t>(rows) * inner);
  std::vector<int> b(static_cast<std::size_t>(inner) * columns);
  for (int &x : a) x = random.below(10);
  for (int &x : b) x = random.below(10);
  std::vector<int> expected(static_cast<std::size_t>(rows) * columns, 0);
  for (int i = 0; i < rows; ++i) {
    for (int k = 0; k < inner; ++k) {
      for (int j = 0; j < columns; ++j) expected[i * columns + j] += a[i * inner + k] * b[k * columns + j];
    }
  }

  const app::Buffer<int> device_a(a);
  const app::Buffer<int> device_b(b);
  const app::Buffer<int> c(expected.size(), 0);
  const app::Buffer<int> partial(static_cast<std::size_t>(blocks) * 32, 0);
  const app::Buffer<int> partial_locks(static_cast<std::size_t>(blocks) * 32, 0);
  const app::Buffer<int> c_locks(expected.size(), 0);
  multiply<<<blocks, threads>>>(device_a.data(), device_b.data(), c.data(), partial.data(), partial_locks.data(),
                                c_locks.data(), rows, inner, columns);
  app::finish_run();
  return app::compare("matrix multiplication", c.values(), expected);
}
