__constant__ int table[2] = {1, 2};
__constant__ int one = 1;
__global__ void kernel(int *d) {
  table[threadIdx.x] = 3;
  one += 1;
  atomicAdd(&one, 1);
  d[0] = table[1];
}
// ambit: launch kernel<<<1, 1>>>(d[1]);
