__device__ int x;
__global__ void kernel() { x = 1; }
// ambit: launch kernel<<<1, 1>>>();
/* ambit: exists (x == 1
 *                && y == 2)
 *   expect ptx : Perhaps because "no such word"
 */
// text before is no matter, ambit: expect here is not read
// ambit: label scor : rice
