struct S3_1 { int a, b, c; };
__device__ int d1[2] = {1, 2};
extern "C" __global__ void k1(int *g, int *out, int n) {
  __shared__ S3_1 st[2];
  if (threadIdx.x == 0) {
    st[0].a = 2;
    st[0].b = 1;
    st[0].c = 2;
    st[1].a = 2;
    st[1].b = 2;
    st[1].c = 2;
  }
  __syncthreads();
  int x0 = n;
  int *p0 = &d1[(int)blockIdx.x];
  if (((x0 + 3) & 1) != 0) {
    d1[(int)blockIdx.x] = (int)blockIdx.x;
    p0 = &g[((int)blockIdx.x & (int)blockIdx.x) & 3];
  }
  int x1 = *p0;
  int *p1 = (x0 >> 1) < 0 ? &g[(int)blockIdx.x] : &d1[x0 & 1];
  int x2 = atomicCAS(p1, 1, x0);
  int *p2 = &g[0];
  for (int j = 0; j < 2; ++j) {
    p2[1] = ((int)blockIdx.x & n);
    if (j == 0) ++p2;
  }
  out[blockIdx.x] = x0 * 3 + x1 * 3 + x2;
}
struct S3_2 { int a, b, c; };
extern "C" __global__ void k2(int *g, S3_2 *t, int *out, int n) {
  int x0 = n;
  int *p0;
  if (((x0 % 3) & 1) != 0) {
    atomicExch(&t[(int)threadIdx.x].c, x0);
    p0 = &g[x0 & 3];
  } else {
    atomicMax(&g[(x0 >> 1) & 3], ((int)threadIdx.x < n));
    p0 = &t[1].c;
  }
  *p0 = (int)threadIdx.x;
  S3_2 *p1 = (int)threadIdx.x > 0 ? &t[0] : &t[(int)threadIdx.x];
  p1->a = (x0 % 3);
  int x1 = atomicCAS(&g[(int)threadIdx.x], 1, (x0 % 3));
  int x2 = x0;
  int *p2;
  if (((x0 % 3) & 1) != 0) {
    g[(int)threadIdx.x] = (x0 % 3);
    p2 = &g[(int)threadIdx.x];
  } else {
    g[(int)threadIdx.x] = (1 ^ (int)threadIdx.x);
    p2 = &g[3];
  }
  *p2 = (x1 & 3);
  out[threadIdx.x] = x0 * 3 + x1 * 3 + x2;
}
struct S3_3 { int a, b, c; };
__device__ int d3[2] = {1, 2};
extern "C" __global__ void k3(int *g, S3_3 *t, int *out, int n) {
  __shared__ int s[4];
  if (threadIdx.x == 0) {
    s[0] = 1;
    s[1] = 1;
    s[2] = 0;
    s[3] = 0;
  }
  __syncthreads();
  int x0 = n;
  int *p0 = (n >> 1) != 0 ? &s[(int)threadIdx.x] : &s[(int)threadIdx.x];
  int x1 = *(volatile int *)&*p0;
  int x2 = ((x1 == (int)threadIdx.x) == (3 ^ n));
  atomicAdd_block(&t[(2 - x2) & 1].b, (int)threadIdx.x);
  int *p1 = x2 == 2 ? &s[(int)threadIdx.x] : &g[(int)threadIdx.x];
  int x3 = *p1;
  int x4 = atomicExch(&g[(int)threadIdx.x], (x2 * (int)threadIdx.x));
  int *p2 = &s[(x1 == x0) & 1];
  for (int j = 0; j < 2; ++j) {
    *p2 = (n * n);
    if ((int)threadIdx.x == 2) ++p2;
  }
  out[threadIdx.x] = x0 * 3 + x1 * 3 + x2 * 3 + x3 * 3 + x4;
}
extern "C" __global__ void k4(int *g, int *out, int n) {
  __shared__ int s[4];
  if (threadIdx.x == 0) {
    s[0] = 0;
    s[1] = 1;
    s[2] = 1;
    s[3] = 0;
  }
  __syncthreads();
  int x0 = n;
  int x1 = s[(x0 >> 1) & 3];
  g[(int)threadIdx.x] = ((int)threadIdx.x | 3);
  __syncthreads();
  g[(int)threadIdx.x] = (n - x0);
  int *p0;
  if ((x1 & 1) != 0) {
    x1 = atomicOr(&g[(int)threadIdx.x], (int)threadIdx.x);
    p0 = &s[(int)threadIdx.x];
  } else {
    p0 = &s[(int)threadIdx.x];
  }
  int x2 = *(volatile int *)&*p0;
  if ((n < n) > 0) {
    for (int i = 0; i < 3; ++i) {
      x1 = s[(i + 1) & 3];
    }
    for (int i = 0; i < 2; ++i) {
      s[(1 >> 1) & 3] = (2 | i);
      x2 = *(volatile int *)&s[(int)threadIdx.x];
    }
  } else {
    int *p1 = &g[1];
    for (int j = 0; j < 2; ++j) {
      if ((int)threadIdx.x > 1) ++p1;
      *p1 = (x1 % 3);
    }
  }
  out[threadIdx.x] = x0 * 3 + x1 * 3 + x2;
}
struct S2_5 { int a, b; };
__constant__ int c5[4] = {1, 0, 3, 2};
extern "C" __global__ void k5(int *g, S2_5 *t, int *out, int n) {
  __shared__ int s[4];
  if (threadIdx.x == 0) {
    s[0] = 0;
    s[1] = 1;
    s[2] = 1;
    s[3] = 2;
  }
  __syncthreads();
  int x0 = n;
  int x1 = *(volatile int *)&t[((int)threadIdx.x >> 1) & 1].a;
  int *p0;
  if ((int)threadIdx.x > 0) {
    t[(1 + 1) & 1].b = ((int)threadIdx.x ^ x1);
    p0 = &s[((int)threadIdx.x - n) & 3];
  } else {
    p0 = &s[3 & 3];
  }
  atomicExch(p0, (n >> 1));
  *p0 = 2;
  for (int i = 0; i < 3; ++i) {
    const int *p1 = &c5[0];
    for (int j = 0; j < 2; ++j) {
      x1 = p1[1];
      if (j == 0) ++p1;
    }
    __syncthreads();
  }
  S2_5 *p2 = (int)threadIdx.x > 0 ? &t[0] : &t[0];
  int x2 = p2->b;
  int *p3 = (3 + (int)threadIdx.x) == 2 ? &t[(x1 % 3) & 1].b : &t[2 & 1].b;
  int x3 = atomicOr(p3, (x0 % 3));
  int *p4 = &s[0];
  for (int j = 0; j < 2; ++j) {
    if ((int)threadIdx.x == 1) ++p4;
    x3 = atomicCAS(p4, 1, (x2 - n));
  }
  out[blockIdx.x * 2 + threadIdx.x] = x0 * 3 + x1 * 3 + x2 * 3 + x3;
}
__constant__ int c6[4] = {1, 0, 3, 2};
extern "C" __global__ void k6(int *g, int *out, int n) {
  __shared__ int s[4];
  if (threadIdx.x == 0) {
    s[0] = 0;
    s[1] = 2;
    s[2] = 2;
    s[3] = 0;
  }
  __syncthreads();
  int x0 = n;
  int *p0 = (n < (int)blockIdx.x) == 1 ? &g[(n + (int)blockIdx.x) & 3] : &s[n & 3];
  int x1 = atomicAdd(p0, (int)blockIdx.x);
  int x2 = atomicOr(&s[1], ((int)blockIdx.x == n));
  int x3 = c6[(int)blockIdx.x];
  int x4 = x1;
  int *p1;
  if (((2 ^ 2) & 1) != 0) {
    x3 = atomicCAS(&g[(n & x4) & 3], 0, (n + n));
    p1 = &g[(n * n) & 3];
  } else {
    p1 = &s[(1 ^ (int)blockIdx.x) & 3];
  }
  x1 = *p1;
  int *p2;
  if ((((int)blockIdx.x == 3) & 1) != 0) {
    g[(int)blockIdx.x] = (n >> 1);
    p2 = &s[(int)blockIdx.x & 3];
  } else {
    atomicAdd_block(&s[(int)blockIdx.x & 3], (int)blockIdx.x);
    p2 = &s[((int)blockIdx.x ^ x1) & 3];
  }
  x0 = *p2;
  out[blockIdx.x] = x0 * 3 + x1 * 3 + x2 * 3 + x3 * 3 + x4;
}
__constant__ int c7[4] = {1, 0, 3, 2};
__device__ int d7[2] = {1, 2};
extern "C" __global__ void k7(int *g, int *out, int n) {
  int x0 = n;
  for (int i = 0; i < 2; ++i) {
    x0 = g[(int)threadIdx.x];
    int *p0 = &g[(x0 + 3) & 1];
    for (int j = 0; j < 2; ++j) {
      if (x0 != 2) ++p0;
      *p0 = x0;
    }
  }
  int x1 = c7[0];
  int *p1 = &g[(int)threadIdx.x];
  if (x0 < 2) {
    x0 = d7[(0 * 0) & 1];
    p1 = &g[(3 < n) & 3];
  }
  *p1 = (int)threadIdx.x;
  g[(int)threadIdx.x] = (n & 2);
  out[threadIdx.x] = x0 * 3 + x1;
}
struct S2_8 { int a, b; };
__constant__ int c8[4] = {1, 0, 3, 2};
extern "C" __global__ void k8(int *g, S2_8 *t, int *out, int n) {
  __shared__ int s[4];
  __shared__ S2_8 st[2];
  if (threadIdx.x == 0) {
    s[0] = 1;
    s[1] = 0;
    s[2] = 2;
    s[3] = 1;
    st[0].a = 0;
    st[0].b = 0;
    st[1].a = 0;
    st[1].b = 1;
  }
  __syncthreads();
  int x0 = n;
  int *p0 = &g[(int)threadIdx.x];
  if ((int)threadIdx.x != 1) {
    p0 = &st[(int)threadIdx.x].a;
  }
  atomicAdd(p0, (n == (int)threadIdx.x));
  int *p1 = (int)threadIdx.x == 0 ? &s[n & 3] : &st[(int)threadIdx.x].b;
  int x1 = atomicAdd_block(p1, (n == x0));
  int x2 = *(volatile int *)&*p1;
  for (int i = 0; i < 2; ++i) {
    int *p2 = (0 & 1) != 0 ? &s[(int)threadIdx.x] : &g[(int)threadIdx.x];
    x1 = *p2;
    __syncthreads();
  }
  int *p3 = (x0 & 1) != 0 ? &s[(int)threadIdx.x] : &st[(int)threadIdx.x].b;
  *p3 = (n == (int)threadIdx.x);
  out[threadIdx.x] = x0 * 3 + x1 * 3 + x2;
}
extern "C" __global__ void k9(int *g, int *out, int n) {
  int x0 = n;
  atomicAdd_block(&g[1], ((int)threadIdx.x * 0));
  int *p0 = (int)threadIdx.x > 1 ? &g[(0 | (int)threadIdx.x) & 3] : &g[2];
  int x1 = atomicCAS(p0, 1, (1 < (int)threadIdx.x));
  atomicMax(p0, (3 - x0));
  if ((int)threadIdx.x != 1) {
    for (int i = 0; i < 3; ++i) {
      g[(i + 1) & 3] = (i == i);
    }
  } else {
    x1 = atomicExch(&g[x1 & 3], n);
    int *p1 = ((n < 1) & 1) != 0 ? &g[1] : &g[2 & 3];
    x0 = *p1;
  }
  int *p2 = (x1 & 1) != 0 ? &g[(int)threadIdx.x] : &g[2];
  int x2 = *(volatile int *)&*p2;
  out[threadIdx.x] = x0 * 3 + x1 * 3 + x2;
}
struct S2_10 { int a, b; };
extern "C" __global__ void k10(int *g, S2_10 *t, int *out, int n) {
  __shared__ int s[4];
  if (threadIdx.x == 0) {
    s[0] = 1;
    s[1] = 0;
    s[2] = 0;
    s[3] = 2;
  }
  __syncthreads();
  int x0 = n;
  __syncthreads();
  g[(x0 == 0) & 3] = x0;
  __syncthreads();
  __syncthreads();
  atomicExch(&g[((int)threadIdx.x * n) & 3], (int)threadIdx.x);
  for (int i = 0; i < 2; ++i) {
    S2_10 *p0 = (x0 >> 1) == 0 ? &t[(i * (int)threadIdx.x) & 1] : &t[(x0 - i) & 1];
    x0 = *(volatile int *)&p0->a;
    x0 = atomicOr(&p0->a, (i - (int)threadIdx.x));
  }
  out[blockIdx.x * 2 + threadIdx.x] = x0;
}
struct S3_11 { int a, b, c; };
extern "C" __global__ void k11(int *g, S3_11 *t, int *out, int n) {
  __shared__ int s[4];
  if (threadIdx.x == 0) {
    s[0] = 0;
    s[1] = 0;
    s[2] = 1;
    s[3] = 2;
  }
  __syncthreads();
  int x0 = n;
  atomicAdd_block(&s[(int)threadIdx.x], (int)threadIdx.x);
  if ((((int)threadIdx.x < n) & 1) != 0) {
    S3_11 *p0 = ((n | 0) & 1) != 0 ? &t[(x0 >> 1) & 1] : &t[((int)threadIdx.x < n) & 1];
    p0->c = ((int)threadIdx.x * (int)threadIdx.x);
  } else {
    x0 = atomicAdd_block(&s[(int)threadIdx.x], ((int)threadIdx.x >> 1));
    int *p1 = &g[(n < x0) & 1];
    for (int j = 0; j < 2; ++j) {
      if ((n & n) < 1) ++p1;
      atomicAdd_block(p1, (n | (int)threadIdx.x));
    }
  }
  S3_11 *p2 = (int)threadIdx.x > 2 ? &t[0] : &t[1];
  p2->b = x0;
  p2->a = (3 & 3);
  int *p3 = (int)threadIdx.x > 2 ? &s[(int)threadIdx.x] : &t[((int)threadIdx.x ^ 0) & 1].b;
  int x1 = *p3;
  __syncthreads();
  out[threadIdx.x] = x0 * 3 + x1;
}
struct S2_12 { int a, b; };
extern "C" __global__ void k12(int *g, S2_12 *t, int *out, int n) {
  __shared__ int s[4];
  __shared__ S2_12 st[2];
  if (threadIdx.x == 0) {
    s[0] = 0;
    s[1] = 0;
    s[2] = 1;
    s[3] = 2;
    st[0].a = 2;
    st[0].b = 1;
    st[1].a = 1;
    st[1].b = 1;
  }
  __syncthreads();
  int x0 = n;
  __syncthreads();
  atomicAdd_block(&t[(int)blockIdx.x].a, n);
  __syncthreads();
  for (int i = 0; i < 2; ++i) {
    if ((0 >> 1) == 1) {
      x0 = t[(int)blockIdx.x].b;
      x0 = g[i & 3];
    } else {
      t[(int)blockIdx.x].a = 0;
    }
    int *p0 = &s[(int)blockIdx.x];
    if ((1 ^ i) < 2) {
      g[(int)blockIdx.x] = 1;
      p0 = &t[(int)blockIdx.x].a;
    }
    *p0 = i;
  }
  out[blockIdx.x] = x0;
}
