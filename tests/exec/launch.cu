// A kernel that races only for some launches. launch.ptx is its PTX, kept for machines without nvcc: nvcc -std=c++17
// -arch=sm_80 -ptx -lineinfo launch.cu, with the path of .file shortened.

struct Range {
  int *out;
  int limit;
};

// Blocks with a flag above the limit write the first element.
__global__ void choose(const int *flags, Range range, const float *factors, float factor, float *scaled) {
  if (flags[blockIdx.x] > range.limit) range.out[0] = blockIdx.x;
  scaled[blockIdx.x] = factors[blockIdx.x] * factor;
}
