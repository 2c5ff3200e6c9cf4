// Follows the permutation from i until it reaches 64. The permutation does not contain 64, so the loop never ends.
__global__ void scatter(const int *in, const int *order, int *out) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  int steps = 0;
  for (int at = i; at != 64; at = order[at]) ++steps;
  out[order[i]] = in[i] + steps;
}
