// A dependent grid waits until the previous grid has ended and then reads its data. Source: cutlass#2760
__global__ void produce(int *x) {
  cudaTriggerProgrammaticLaunchCompletion();
  x[0] = 1;
}

__global__ void consume(const int *x, int *out) {
  cudaGridDependencySynchronize();
  out[0] = x[0];
}

// ambit: launch produce<<<1, 1>>>(x[1]);
// ambit: dependent launch consume<<<1, 1>>>(x, out[1]);
// ambit: exists (out[0] == 0)
// ambit: expect ptx : Never, norace because "the wait returns when the previous grid has ended and its writes are visible"
// ambit: expect ptx under fair : terminates because "the previous grid ends"
