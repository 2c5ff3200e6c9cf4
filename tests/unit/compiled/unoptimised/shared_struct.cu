// The kernel treats dynamic shared memory as a struct.
struct Tiles {
  alignas(128) int a[8];
  alignas(128) int b[8];
};
__global__ void swap(int *out) {
  extern __shared__ __align__(128) unsigned char memory[];
  Tiles &tiles = *reinterpret_cast<Tiles *>(memory);
  tiles.a[threadIdx.x] = 1;
  tiles.b[threadIdx.x] = 2;
  __syncthreads();
  out[threadIdx.x] = tiles.a[1 - threadIdx.x] + tiles.b[threadIdx.x];
}
// ambit: launch swap<<<1, 2, 256>>>(out[2]);
// ambit: forall (out[0] == 3 && out[1] == 3)
// ambit: expect ptx : Always, norace because "a barrier orders the stores before the loads of the other thread"
