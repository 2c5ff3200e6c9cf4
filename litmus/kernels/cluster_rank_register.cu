// A block reads its rank in the cluster from a special register.
__global__ void __cluster_dims__(2) store_by_rank(int *out) {
  unsigned rank;
  asm volatile("mov.u32 %0, %cluster_ctarank;" : "=r"(rank));
  out[rank] = rank + 1;
}
// ambit: launch store_by_rank<<<2, 1>>>(out[2]);
// ambit: forall (out[0] == 1 && out[1] == 2)
// ambit: expect ptx : Always, norace because "the two blocks have the ranks 0 and 1"
