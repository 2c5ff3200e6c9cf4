// An access in a branch that no thread takes has an index that depends on the branch. Later accesses still execute.
__global__ void k(int *g, int *t, int *out) {
  int x = g[1];
  if (x & 1) x = t[(1 == x) & 1];
  out[blockIdx.x] = atomicCAS(&g[x & 3], 0, x) + 1;
}
// ambit: launch k<<<2, 1>>>(g[4], t[2], out[2]);
// ambit: forall (out[0] == 1 && out[1] == 1)
// ambit: expect ptx : Always, norace because "all values are 0: both blocks compare and swap g[0], and no block writes g[1]"
