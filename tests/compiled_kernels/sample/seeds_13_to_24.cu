struct S2_13 { int a, b; };
struct S3_13 { int a, b, c; };
extern "C" __global__ void k13(int *g, S2_13 *t, int *out, int n) {
  __shared__ int s[4];
  __shared__ S3_13 st[2];
  if (threadIdx.x == 0) {
    s[0] = 0;
    s[1] = 1;
    s[2] = 0;
    s[3] = 1;
    st[0].a = 2;
    st[0].b = 2;
    st[0].c = 2;
    st[1].a = 2;
    st[1].b = 0;
    st[1].c = 1;
  }
  __syncthreads();
  int x0 = n;
  for (int i = 0; i < 2; ++i) {
    int *p0 = &s[0];
    for (int j = 0; j < 2; ++j) {
      *p0 = (0 == i);
      if (x0 > 1) ++p0;
    }
    __syncthreads();
  }
  t[(int)threadIdx.x].a = (n * (int)threadIdx.x);
  __syncthreads();
  if ((int)threadIdx.x > 2) {
    int *p1 = &s[(int)threadIdx.x];
    if ((int)threadIdx.x < 2) {
      p1 = &t[(int)threadIdx.x].b;
    }
    x0 = *(volatile int *)&*p1;
  }
  __syncthreads();
  out[threadIdx.x] = x0;
}
extern "C" __global__ void k14(int *g, int *out, int n) {
  __shared__ int s[4];
  if (threadIdx.x == 0) {
    s[0] = 0;
    s[1] = 1;
    s[2] = 2;
    s[3] = 2;
  }
  __syncthreads();
  int x0 = n;
  for (int i = 0; i < 3; ++i) {
    int *p0 = &g[((int)threadIdx.x * (int)threadIdx.x) & 1];
    for (int j = 0; j < 2; ++j) {
      x0 = *p0;
      if ((int)threadIdx.x < 2) ++p0;
    }
    int *p1 = &g[(i | i) & 1];
    for (int j = 0; j < 2; ++j) {
      if ((1 < x0) == 0) ++p1;
      *p1 = (3 & (int)threadIdx.x);
    }
  }
  int *p2;
  if ((int)threadIdx.x != 2) {
    x0 = atomicAdd(&s[(int)threadIdx.x], (int)threadIdx.x);
    p2 = &g[(int)threadIdx.x];
  } else {
    atomicOr(&g[(int)threadIdx.x], ((int)threadIdx.x == 3));
    p2 = &s[(int)threadIdx.x];
  }
  atomicAdd(p2, (x0 * (int)threadIdx.x));
  out[threadIdx.x] = x0;
}
struct S3_15 { int a, b, c; };
struct S2_15 { int a, b; };
__constant__ int c15[4] = {1, 0, 3, 2};
__device__ int d15[2] = {1, 2};
extern "C" __global__ void k15(int *g, S3_15 *t, int *out, int n) {
  __shared__ S2_15 st[2];
  if (threadIdx.x == 0) {
    st[0].a = 2;
    st[0].b = 2;
    st[1].a = 2;
    st[1].b = 1;
  }
  __syncthreads();
  int x0 = n;
  if ((0 | x0) != 0) {
    int *p0;
    if ((int)threadIdx.x > 2) {
      x0 = atomicMax(&t[(n == (int)threadIdx.x) & 1].c, (x0 ^ x0));
      p0 = &g[(n >> 1) & 3];
    } else {
      x0 = st[((int)threadIdx.x | 3) & 1].a;
      p0 = &st[(int)threadIdx.x].b;
    }
    atomicMax(p0, (0 & x0));
    const int *p1 = &c15[1 & 1];
    for (int j = 0; j < 2; ++j) {
      x0 = *p1;
      if ((int)threadIdx.x == 2) ++p1;
    }
  } else {
    x0 = c15[(int)threadIdx.x];
  }
  out[threadIdx.x] = x0;
}
struct S2_16 { int a, b; };
__constant__ int c16[4] = {1, 0, 3, 2};
extern "C" __global__ void k16(int *g, S2_16 *t, int *out, int n) {
  __shared__ int s[4];
  if (threadIdx.x == 0) {
    s[0] = 1;
    s[1] = 2;
    s[2] = 1;
    s[3] = 2;
  }
  __syncthreads();
  int x0 = n;
  int *p0;
  if (n != 1) {
    x0 = g[((int)threadIdx.x + 2) & 3];
    p0 = &g[(int)threadIdx.x];
  } else {
    x0 = atomicExch(&s[(int)threadIdx.x], x0);
    p0 = &s[(int)threadIdx.x];
  }
  *p0 = (int)threadIdx.x;
  int x1 = *p0;
  s[(int)threadIdx.x] = (n ^ n);
  int *p1;
  if ((3 ^ 0) > 0) {
    g[3] = (x0 >> 1);
    p1 = &s[(0 + x1) & 3];
  } else {
    p1 = &t[3 & 1].a;
  }
  *p1 = 1;
  if ((((int)threadIdx.x + 3) & 1) != 0) {
    int *p2 = (int)threadIdx.x > 1 ? &t[1].a : &g[x0 & 3];
    *p2 = (x1 % 3);
    x0 = atomicCAS(p2, 1, ((int)threadIdx.x < n));
  } else {
    int *p3 = (((int)threadIdx.x * 1) & 1) != 0 ? &g[1 & 3] : &t[1].a;
    atomicAdd(p3, ((int)threadIdx.x - x0));
    *p3 = (x1 | x1);
  }
  out[threadIdx.x] = x0 * 3 + x1;
}
extern "C" __global__ void k17(int *g, int *out, int n) {
  __shared__ int s[4];
  if (threadIdx.x == 0) {
    s[0] = 1;
    s[1] = 0;
    s[2] = 0;
    s[3] = 2;
  }
  __syncthreads();
  int x0 = n;
  int x1 = g[1];
  int *p0;
  if ((int)threadIdx.x != 0) {
    s[(int)threadIdx.x] = (n | (int)threadIdx.x);
    p0 = &s[(x0 % 3) & 3];
  } else {
    p0 = &s[2];
  }
  int x2 = *p0;
  g[(int)threadIdx.x] = (x1 % 3);
  if (n < 0) {
    int *p1;
    if (((x2 & n) & 1) != 0) {
      x1 = *(volatile int *)&g[(x1 >> 1) & 3];
      p1 = &g[(int)threadIdx.x];
    } else {
      x2 = s[3];
      p1 = &s[(x1 % 3) & 3];
    }
    x1 = *p1;
    x0 = atomicAdd_block(&s[(int)threadIdx.x], (2 + x0));
  }
  __syncthreads();
  out[threadIdx.x] = x0 * 3 + x1 * 3 + x2;
}
struct S3_18 { int a, b, c; };
__constant__ int c18[4] = {1, 0, 3, 2};
extern "C" __global__ void k18(int *g, S3_18 *t, int *out, int n) {
  int x0 = n;
  int *p0 = (int)threadIdx.x < 1 ? &t[n & 1].a : &g[(int)threadIdx.x];
  int x1 = *p0;
  for (int i = 0; i < 2; ++i) {
    int *p1 = &g[1];
    for (int j = 0; j < 2; ++j) {
      x1 = *p1;
      if (((x1 - x1) & 1) != 0) ++p1;
    }
  }
  g[(int)threadIdx.x] = (1 >> 1);
  int *p2;
  if ((int)threadIdx.x != 0) {
    atomicMax(&t[(n | (int)threadIdx.x) & 1].c, (x1 & 0));
    p2 = &g[(int)threadIdx.x];
  } else {
    t[1].c = (x0 | n);
    p2 = &t[1].c;
  }
  *p2 = (1 & x1);
  out[threadIdx.x] = x0 * 3 + x1;
}
struct S3_19 { int a, b, c; };
extern "C" __global__ void k19(int *g, S3_19 *t, int *out, int n) {
  int x0 = n;
  if ((int)threadIdx.x == 2) {
    if (((int)threadIdx.x & 1) != 0) {
      g[1] = (x0 ^ x0);
    }
    g[(x0 % 3) & 3] = (x0 == 0);
  }
  atomicExch(&t[(x0 % 3) & 1].b, (int)threadIdx.x);
  __syncthreads();
  __threadfence();
  for (int i = 0; i < 3; ++i) {
    x0 = t[(i + 1) & 1].a;
    x0 = t[1].c;
  }
  out[blockIdx.x * 2 + threadIdx.x] = x0;
}
struct S3_20 { int a, b, c; };
__constant__ int c20[4] = {1, 0, 3, 2};
extern "C" __global__ void k20(int *g, S3_20 *t, int *out, int n) {
  __shared__ int s[4];
  if (threadIdx.x == 0) {
    s[0] = 1;
    s[1] = 2;
    s[2] = 1;
    s[3] = 0;
  }
  __syncthreads();
  int x0 = n;
  int x1 = atomicCAS(&s[(int)threadIdx.x], 1, (n + x0));
  if (((x1 % 3) & 1) != 0) {
    int *p0 = &g[(int)threadIdx.x];
    if (((x1 % 3) & 1) != 0) {
      p0 = &g[(int)threadIdx.x];
    }
    *p0 = (x1 ^ (int)threadIdx.x);
  }
  S3_20 *p1 = (int)threadIdx.x > 1 ? &t[1] : &t[1];
  int x2 = *(volatile int *)&p1->b;
  int *p2 = &s[n & 3];
  if ((n ^ x1) == 0) {
    x0 = *(volatile int *)&t[((int)threadIdx.x - n) & 1].c;
    p2 = &s[(x0 == x2) & 3];
  }
  int x3 = atomicExch(p2, (int)threadIdx.x);
  int x4 = atomicCAS(p2, 1, ((int)threadIdx.x - (int)threadIdx.x));
  __syncthreads();
  out[threadIdx.x] = x0 * 3 + x1 * 3 + x2 * 3 + x3 * 3 + x4;
}
struct S2_21 { int a, b; };
extern "C" __global__ void k21(int *g, int *out, int n) {
  __shared__ int s[4];
  __shared__ S2_21 st[2];
  if (threadIdx.x == 0) {
    s[0] = 1;
    s[1] = 2;
    s[2] = 1;
    s[3] = 1;
    st[0].a = 0;
    st[0].b = 0;
    st[1].a = 1;
    st[1].b = 1;
  }
  __syncthreads();
  int x0 = n;
  int *p0;
  if ((1 ^ (int)blockIdx.x) == 2) {
    s[1] = (n ^ n);
    p0 = &s[((int)blockIdx.x < (int)blockIdx.x) & 3];
  } else {
    p0 = &g[n & 3];
  }
  atomicMax(p0, n);
  int *p1 = (int)blockIdx.x != 0 ? &g[(int)blockIdx.x] : &st[(3 ^ (int)blockIdx.x) & 1].a;
  int x1 = atomicCAS(p1, 0, n);
  atomicAdd(p1, (int)blockIdx.x);
  int x2 = atomicAdd_block(&st[(n & (int)blockIdx.x) & 1].a, (x0 >> 1));
  out[blockIdx.x] = x0 * 3 + x1 * 3 + x2;
}
struct S2_22 { int a, b; };
extern "C" __global__ void k22(int *g, int *out, int n) {
  __shared__ int s[4];
  __shared__ S2_22 st[2];
  if (threadIdx.x == 0) {
    s[0] = 2;
    s[1] = 1;
    s[2] = 1;
    s[3] = 1;
    st[0].a = 1;
    st[0].b = 0;
    st[1].a = 1;
    st[1].b = 2;
  }
  __syncthreads();
  int x0 = n;
  S2_22 *p0 = n < 0 ? &st[(int)threadIdx.x] : &st[(int)threadIdx.x];
  atomicOr(&p0->b, 3);
  int *p1;
  if ((int)threadIdx.x != 0) {
    x0 = atomicCAS(&g[(int)threadIdx.x], 0, (0 + x0));
    p1 = &s[1];
  } else {
    x0 = atomicAdd(&s[(n >> 1) & 3], n);
    p1 = &st[(int)threadIdx.x].a;
  }
  int x1 = *p1;
  __syncthreads();
  int *p2 = &s[(0 == 3) & 1];
  for (int j = 0; j < 2; ++j) {
    x0 = *p2;
    if ((int)threadIdx.x == 1) ++p2;
  }
  for (int i = 0; i < 2; ++i) {
    if ((((int)threadIdx.x < (int)threadIdx.x) & 1) != 0) {
      x1 = *(volatile int *)&g[(int)threadIdx.x];
    } else {
      x1 = s[(int)threadIdx.x];
      x1 = st[(int)threadIdx.x].a;
    }
    x0 = (x0 % 3);
  }
  out[threadIdx.x] = x0 * 3 + x1;
}
struct S3_23 { int a, b, c; };
__constant__ int c23[4] = {1, 0, 3, 2};
extern "C" __global__ void k23(int *g, S3_23 *t, int *out, int n) {
  __shared__ int s[4];
  if (threadIdx.x == 0) {
    s[0] = 1;
    s[1] = 0;
    s[2] = 1;
    s[3] = 2;
  }
  __syncthreads();
  int x0 = n;
  int *p0 = &s[1];
  for (int j = 0; j < 2; ++j) {
    p0[1] = n;
    if (j == 0) ++p0;
  }
  int x1 = g[(int)threadIdx.x];
  int *p1 = ((int)threadIdx.x & 1) != 0 ? &s[(int)threadIdx.x] : &g[(int)threadIdx.x];
  int x2 = *(volatile int *)&*p1;
  int x3 = c23[(int)threadIdx.x];
  int x4 = c23[(int)threadIdx.x];
  out[threadIdx.x] = x0 * 3 + x1 * 3 + x2 * 3 + x3 * 3 + x4;
}
struct S3_24 { int a, b, c; };
__constant__ int c24[4] = {1, 0, 3, 2};
__device__ int d24[2] = {1, 2};
extern "C" __global__ void k24(int *g, S3_24 *t, int *out, int n) {
  __shared__ int s[4];
  if (threadIdx.x == 0) {
    s[0] = 2;
    s[1] = 0;
    s[2] = 1;
    s[3] = 0;
  }
  __syncthreads();
  int x0 = n;
  int x1 = s[(int)threadIdx.x];
  for (int i = 0; i < 2; ++i) {
    int *p0;
    if (((x1 + 0) & 1) != 0) {
      x1 = s[(int)threadIdx.x];
      p0 = &g[(int)threadIdx.x];
    } else {
      p0 = &d24[(i + 2) & 1];
    }
    x0 = atomicExch(p0, (x0 % 3));
    *p0 = (x0 | (int)threadIdx.x);
  }
  out[threadIdx.x] = x0 * 3 + x1;
}
