__global__ void kernel() {
  extern __shared__ int s[];
  s[threadIdx.x] = 1;
}
int main() {
  kernel<<<1, 4>>>();
}
