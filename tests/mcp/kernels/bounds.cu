// The last thread writes after the end of the array: its index is 4.
__global__ void fill(const int* in, int* out) {
  out[in[threadIdx.x] + 1] = 1;
}
// ambit: launch fill<<<1, 4>>>(int in[4] = {0, 1, 2, 3}, out[4]);
