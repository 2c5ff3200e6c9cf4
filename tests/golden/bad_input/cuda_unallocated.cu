__global__ void kernel(int *data, int *more) { data[0] = more[0]; }
int main() {
  int *d, *h;
  cudaMalloc(&d, 4);
  cudaMalloc(&d, 8);
  kernel<<<1, 1>>>(d, h);
}
