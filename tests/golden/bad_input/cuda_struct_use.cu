struct Plain { int a; int rows[2]; __device__ void set(int v) { a = v; } };
__device__ Plain p;
__device__ Plain q;
__global__ void kernel(Plain *s) {
  p = q;
  p.b = 1;
  p.rows = 1;
  p.rows[2] = 1;
  p.clear();
  Plain local;
  int i = p;
  i.a = 1;
  int *wrong = &p;
  s[1].a = 1;
}
// ambit: launch kernel<<<1, 1>>>(s[1]);
// ambit: exists (p.c == 1 && s[2].a == 1 && p == 1)
