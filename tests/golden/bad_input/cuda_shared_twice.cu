__global__ void kernel() {
  extern __shared__ int s[];
  extern __shared__ char t[];
  s[0] = t[0];
}
int main() {
  kernel<<<1, 1, 64>>>();
}
