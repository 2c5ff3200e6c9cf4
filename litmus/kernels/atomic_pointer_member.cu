// The address of one atomic is a field of a struct; the address of the other is an element of an array of pointers.
struct Table {
  int *used;
  int size;
};
__device__ int insert(Table table) { return atomicAdd(table.used, 1); }

__global__ void fill(int *used, int *other, int *out) {
  Table table{used, 1};
  int *counters[2] = {used, other};
  out[threadIdx.x] = insert(table);
  atomicAdd(counters[1], 1);
}
// ambit: launch fill<<<1, 2>>>(used[1], other[1], out[2]);
// ambit: forall (used[0] == 2 && other[0] == 2 && out[0] + out[1] == 1)
// ambit: expect ptx : Always, norace because "each thread gets its own number"
