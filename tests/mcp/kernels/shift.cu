// Each thread reads the element of its neighbour. Without a barrier, the read races with the neighbour's write.
__global__ void shift(int* data, int* out) {
  __shared__ int tile[4];
  tile[threadIdx.x] = data[threadIdx.x];
  out[threadIdx.x] = tile[(threadIdx.x + 1) % 4];
}
// ambit: launch shift<<<1, 4>>>(data[4], out[4]);
