// Like shared_struct.cu, but without the barrier.
struct Tiles {
  alignas(128) int a[8];
  alignas(128) int b[8];
};
__global__ void swap(int *out) {
  extern __shared__ __align__(128) unsigned char memory[];
  Tiles &tiles = *reinterpret_cast<Tiles *>(memory);
  tiles.a[threadIdx.x] = 1;
  tiles.b[threadIdx.x] = 2;
  out[threadIdx.x] = tiles.a[1 - threadIdx.x] + tiles.b[threadIdx.x];
}
// ambit: launch swap<<<1, 2, 256>>>(out[2]);
// ambit: expect ptx : race because "each thread loads what the other stores"
