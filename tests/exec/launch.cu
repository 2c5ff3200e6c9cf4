// A kernel that races only for some launches. Machines without nvcc use launch.ptx, made by nvcc -std=c++17 -arch=sm_80
// -ptx -lineinfo launch.cu. The path in .file is shortened.

struct Range {
  int *out;
  int limit;
};

// Blocks with a flag above the limit write the first element.
__global__ void choose(const int *flags, Range range, const float *factors, float factor, float *scaled) {
  if (flags[blockIdx.x] > range.limit) range.out[0] = blockIdx.x;
  scaled[blockIdx.x] = factors[blockIdx.x] * factor;
}
