__global__ void last(int *d) { d[0] = threadIdx.x; }
// ambit: launch last<<<2, 64>>>(data[1]);
// ambit: expect ptx : race
