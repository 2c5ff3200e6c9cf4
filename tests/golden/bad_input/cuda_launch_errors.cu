// The launch of a comment, with a macro in it.
#define BLOCKS 0
__global__ void kernel(int *data) { data[1] = 1; }
// ambit: launch kernel<<<BLOCKS, 1>>>(data[1]);
