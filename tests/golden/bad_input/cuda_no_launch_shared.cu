__global__ void k(int *out) { extern __shared__ int s[]; s[threadIdx.x] = 1; __syncthreads(); out[threadIdx.x] = s[threadIdx.x ^ 1]; }
