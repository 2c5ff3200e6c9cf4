// One stable pass of a radix sort: sorts numbers by one digit, which has 4 bits. Each block counts its digits. One
// block computes where each block's numbers with each digit begin. Each block moves its numbers there.
//
// Each macro enables one race:
//   RACE_COUNT   the blocks count without atomics
//   RACE_RANK    no barrier between the two halves of a step of the prefix sum
#include "../apps/app.h"

constexpr int kThreads = 64;
constexpr int kDigits = 16;

#ifdef RACE_RANK
#define BARRIER_IN_STEP()
#else
#define BARRIER_IN_STEP() __syncthreads()
#endif

__device__ int digit_of(unsigned number, int shift) { return number >> shift & (kDigits - 1); }

__global__ void count(const unsigned *numbers, int size, int shift, int *counts) {
  __shared__ int of_block[kDigits];
  const int t = threadIdx.x;
  if (t < kDigits) of_block[t] = 0;
  __syncthreads();
  const int i = blockIdx.x * kThreads + t;
#ifdef RACE_COUNT
  if (i < size) of_block[digit_of(numbers[i], shift)] += 1;
#else
  if (i < size) atomicAdd_block(&of_block[digit_of(numbers[i], shift)], 1);
#endif
  __syncthreads();
  if (t < kDigits) counts[t * gridDim.x + blockIdx.x] = of_block[t];
}

// Replaces each count by the sum of the previous counts. Must run in one block.
__global__ void add_up(int *counts, int size) {
  __shared__ int sums[kThreads];
  __shared__ int before;
  const int t = threadIdx.x;
  if (t == 0) before = 0;
  for (int begin = 0; begin < size; begin += kThreads) {
    const int own = begin + t < size ? counts[begin + t] : 0;
    sums[t] = own;
    __syncthreads();
    for (int step = 1; step < kThreads; step *= 2) {
      const int other = t >= step ? sums[t - step] : 0;
      BARRIER_IN_STEP();
      sums[t] += other;
      __syncthreads();
    }
    if (begin + t < size) counts[begin + t] = before + sums[t] - own;
    __syncthreads();
    if (t == 0) before += sums[kThreads - 1];
    __syncthreads();
  }
}

__global__ void move(const unsigned *numbers, int size, int shift, const int *begins, unsigned *sorted) {
  __shared__ int digits[kThreads];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kThreads + t;
  digits[t] = i < size ? digit_of(numbers[i], shift) : -1;
  __syncthreads();
  if (i >= size) return;
  int rank = 0;
  for (int other = 0; other < t; ++other) rank += digits[other] == digits[t] ? 1 : 0;
  sorted[begins[digits[t] * gridDim.x + blockIdx.x] + rank] = numbers[i];
}

int main(int argc, char **argv) {
  app::Options options(argc, argv);
  const int size = options.number("size", 100000);
  const int shift = options.number("shift", 4);
  options.finish();
  app::Random random(2);
  std::vector<unsigned> input(size);
  for (unsigned &x : input) x = random.next();
  const int blocks = (size + kThreads - 1) / kThreads;
  const app::Buffer<unsigned> numbers(input);
  const app::Buffer<unsigned> sorted(size, 0);
  const app::Buffer<int> counts(static_cast<std::size_t>(blocks) * kDigits, 0);
  count<<<blocks, kThreads>>>(numbers.data(), size, shift, counts.data());
  add_up<<<1, kThreads>>>(counts.data(), blocks * kDigits);
  move<<<blocks, kThreads>>>(numbers.data(), size, shift, counts.data(), sorted.data());
  app::finish_run();
  std::vector<unsigned> expected = input;
  std::stable_sort(expected.begin(), expected.end(),
                   [&](unsigned a, unsigned b) { return (a >> shift & 15u) < (b >> shift & 15u); });
  return app::compare("radix sort", sorted.values(), expected);
}
