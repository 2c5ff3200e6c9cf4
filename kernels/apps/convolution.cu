// Convolution in one dimension, based on the application in the ScoR suite (Kamath, George, Basu, ISCA 2020). The first
// kernel clears the output. In the second kernel, each thread adds the products of its element to the outputs around
// the element. Near the edges of its range, a block also adds to outputs of neighbouring blocks. These additions have
// device scope; all other additions have block scope.
//
// Race, enabled by a macro:
//   RACE_EDGES   all additions have block scope
#include "app.h"

constexpr int kTaps = 9;
constexpr int kReach = kTaps / 2;

__constant__ int weights[kTaps];

__global__ void clear(int *output, int size) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x) output[i] = 0;
}

__global__ void convolve(const int *input, int *output, int size) {
  const int piece = (size + gridDim.x - 1) / gridDim.x;
  const int begin = blockIdx.x * piece;
  const int end = min(size, begin + piece);
  for (int i = begin + static_cast<int>(threadIdx.x); i < end; i += blockDim.x) {
    for (int tap = 0; tap < kTaps; ++tap) {
      const int at = i + tap - kReach;
      if (at < 0 || at >= size) continue;
      const int product = input[i] * weights[tap];
      // A block also adds to outputs outside its range, up to a distance of kReach from its inputs.
      const bool is_inside = at >= begin + kReach && at < end - kReach;
#ifdef RACE_EDGES
      (void)is_inside;
      atomicAdd_block(&output[at], product);
#else
      if (is_inside) {
        atomicAdd_block(&output[at], product);
      } else {
        atomicAdd(&output[at], product);
      }
#endif
    }
  }
}

int main(int argc, char **argv) {
  app::Options options(argc, argv);
  const int size = options.number("size", 1000000);
  const int blocks = options.number("blocks", 15);
  const int threads = options.number("threads", 1024);
  options.finish();

  app::Random random(1);
  std::vector<int> input(size);
  for (int &x : input) x = random.below(100);
  const int taps[kTaps] = {1, -2, 3, 5, 7, 5, 3, -2, 1};
  std::vector<int> expected(size, 0);
  for (int i = 0; i < size; ++i) {
    for (int tap = 0; tap < kTaps; ++tap) {
      const int at = i + tap - kReach;
      if (at >= 0 && at < size) expected[at] += input[i] * taps[tap];
    }
  }
  app::check(cudaMemcpyToSymbol(weights, taps, sizeof(taps)), "cudaMemcpyToSymbol");
  const app::Buffer<int> device_input(input);
  const app::Buffer<int> output(size, -1);
  clear<<<blocks, threads>>>(output.data(), size);
  app::finish_run();
  convolve<<<blocks, threads>>>(device_input.data(), output.data(), size);
  app::finish_run();
  return app::compare("convolution", output.values(), expected);
}
