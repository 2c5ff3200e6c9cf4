__global__ void kernel(int *data, int *more, int n) { data[n] = more[0]; }
int main(int argc, char **argv) {
  int n = atoi(argv[1]), *d, *h;
  cudaMalloc(&d, n * sizeof(int));
  h = (int *)malloc(4);
  kernel<<<n, 1>>>(d, h, argc);
}
