__device__ int x;
__global__ void kernel() {
  int n = x;
  switch (n) {
    case 1: x = 2; break;
    case 1: x = 3; break;
    case n: x = 4;
    default: x = 5;
    default: x = 6;
  }
  switch (n) { case 1: if (n) { case 2: x = 1; } }
  switch (n) { case 3: continue; }
}
// ambit: launch kernel<<<1, 1>>>();
