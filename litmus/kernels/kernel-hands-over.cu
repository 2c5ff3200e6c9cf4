__global__ void produce(int *x) { x[0] = 1; }
__global__ void consume(const int *x, int *out) { out[0] = x[0]; }
// ambit: launch produce<<<1, 1>>>(x[1]);
// ambit: then launch consume<<<1, 1>>>(x, out[1]);
// ambit: expect ptx : norace because "the second kernel starts after the first has ended"
// ambit: expect cuda-cpp : norace because "the second kernel starts after the first has ended"
