#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void jacobi(const int *a, int *b, int *c) {
  int i = blockIdx.x;
  b[i] = a[i] + 1;
  cg::this_thread_block().sync();
  c[i] = b[1 - i];
}
// ambit: launch jacobi<<<2, 1>>>(a[2], b[2], c[2]);
// ambit: expect ptx : race because "a barrier of the block does not order the other block"
// ambit: expect cuda-cpp : race because "a barrier of the block does not order the other block"
