// A pointer refers to a field of a struct in global or shared memory, depending on a value that other blocks change.
struct Node {
  int key, count;
};
__global__ void k(Node *nodes, int *out, int n) {
  __shared__ Node own[2];
  own[0].count = 2;
  own[1].count = 2;
  int x = n;
  int *p;
  if ((2 ^ x) < 2) {
    x = nodes[blockIdx.x].count;
    p = &own[blockIdx.x].count;
  } else {
    p = &nodes[blockIdx.x].count;
  }
  int seen = *p;
  int old = atomicCAS(p, 0, seen % 3);
  __syncthreads();
  nodes[1].count = blockIdx.x * seen;
  int *q;
  if (x < 1) {
    own[blockIdx.x].count = old % 3;
    q = &own[1].count;
  } else {
    q = &nodes[blockIdx.x].count;
  }
  atomicMax(q, x % 3);
  out[blockIdx.x] = x * 3 + seen * 3 + old;
}
// ambit: launch k<<<2, 1>>>(nodes[2], out[2], 3);
// ambit: exists (out[0] != 8)
// ambit: expect ptx : Never, race on nodes[1].count because "block 0 reads nodes[0].count, which is 0, and own[0].count, which is 2; both blocks write nodes[1].count"
