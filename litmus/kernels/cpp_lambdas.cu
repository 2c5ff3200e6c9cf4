// Lambdas capture by reference and by value, are passed as arguments, and are called immediately.
template <typename F>
__device__ void repeat(int n, F f) {
  for (int i = 0; i < n; ++i) f(i);
}
__global__ void k(int *out) {
  int sum = 0;
  int base = 10;
  auto copy = [=](int i) { return base + i; };
  auto count = [&](int i) { sum += i; };
  base = 20;
  repeat(4, count);
  out[0] = sum;
  out[1] = copy(1);
  out[2] = [&] { return base; }();
  repeat(2, [&](int i) { out[3 + i] = copy(i); });
  auto larger = [](auto a, auto b) -> int { return a > b ? a : b; };
  out[5] = larger(3, 4);
}
// ambit: launch k<<<1, 1>>>(out[6]);
// ambit: forall (out[0] == 6 && out[1] == 11 && out[2] == 20 && out[3] == 10 && out[4] == 11 && out[5] == 4)
// ambit: expect ptx : Always, norace because "a capture by value keeps the variable's value at the time of the capture"
