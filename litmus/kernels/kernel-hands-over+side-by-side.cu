__global__ void produce(int *x) { x[0] = 1; }
__global__ void consume(const int *x, int *out) { out[0] = x[0]; }
// ambit: launch produce<<<1, 1>>>(x[1]);
// ambit: launch consume<<<1, 1>>>(x, out[1]);
// ambit: expect ptx : race because "the two kernels run concurrently"
// ambit: expect cuda-cpp : race because "the two kernels run concurrently"
