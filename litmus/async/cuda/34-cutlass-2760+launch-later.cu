// A dependent grid reads data that the previous grid writes. Here launch_dependents follows the store, without a fence.
// Source: cutlass#2760
__global__ void produce(int *x) {
  x[0] = 1;
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}

__global__ void consume(const int *x, int *out) { out[0] = x[0]; }

// ambit: launch produce<<<1, 1>>>(x[1]);
// ambit: dependent launch consume<<<1, 1>>>(x, out[1]);
// ambit: exists (out[0] == 0)
// ambit: expect ptx : Sometimes, race on x[0] because "launch_dependents alone releases nothing"
