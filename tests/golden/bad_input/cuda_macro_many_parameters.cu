#define A(x) x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x
#define B(x) A(A(A(x)))
#define C(x) B(B(B(x)))
__global__ void kernel(int *data) { C(data[0] = 1;) }
// ambit: launch kernel<<<1, 1>>>(data[1]);
