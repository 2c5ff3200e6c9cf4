// The kernel uses __ldg to read data that an earlier kernel wrote.
__global__ void fill(int *x) { x[threadIdx.x] = threadIdx.x + 1; }
__global__ void add(const int *x, int *out) { out[threadIdx.x] = __ldg(x) + __ldg(&x[1]) + __ldcg(x + 1); }
// ambit: launch fill<<<1, 2>>>(x[2]);
// ambit: then launch add<<<1, 2>>>(x, out[2]);
// ambit: forall (out[0] == 5 && out[1] == 5)
// ambit: expect ptx : Always, norace because "no thread writes x while the second kernel runs"
