// The threads access an array of structs at a masked index, so equal keys select the same struct.
struct KV {
  unsigned key, value;
};
__global__ void k(KV *t, const unsigned *keys) {
  unsigned s = keys[threadIdx.x] & 3;
  atomicCAS(&t[s].key, 0u, 1u);
  t[s].value = 2;
}
// ambit: launch k<<<1, 2>>>(t[4], keys[2]);
// ambit: forall (t[0].key == 1 && t[0].value == 2)
// ambit: expect ptx : Always, race on t[0].value because "both keys are 0, and nothing orders the plain writes of value"
