__global__ void scatter(const int *in, int *out) { out[threadIdx.x] = in[threadIdx.x]; }
