struct Pair { float a, b; };
__device__ float f;
__device__ int data[4];
__device__ Pair pair;
__global__ void kernel(int n) {
  float x = f;
  data[x] = 1;
  x %= 2;
  x = x << 1;
  x = ~x;
  switch (x) { default: break; }
  pair = x;
  x = pair + 1;
  float4 v = make_float4(1, 2);
  v.q = 1;
  float r = sqrtf(1, 2);
  atomicAnd(&f, 1);
  memset(data, 0, n + data[0]);
  memset(data, 0, 3);
  int local;
  int *p = &local;
  p[1] = 2;
}
// ambit: launch kernel<<<1, 1>>>(3);
