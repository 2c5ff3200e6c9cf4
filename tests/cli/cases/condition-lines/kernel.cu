__global__ void write(int *x) { x[0] = 1; }
void host() {
  int *x;
  cudaMalloc(&x, 8);
  write<<<1, 1>>>(x);
}
// ambit: forall (x[0] == 1 &&
// ambit:         x[1] == 0)
// ambit: expect ptx : Always
