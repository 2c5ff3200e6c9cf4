struct Item { int key; long long value; int extra[2]; };
__device__ Item items[4];
__device__ Item *head;
__device__ int total;
__device__ void put(int i, int key) { items[i].key = key; items[i].value = key * 2; items[i].extra[1] = i; __threadfence(); head = &items[i]; }
__global__ void k(int *out, int n) {
  if (blockIdx.x == 0) { put(2, 7); return; }
  Item *p = *(Item *volatile *)&head;
  if (p != nullptr) { out[0] = p->key; out[1] = p->value; out[2] = p->extra[1]; }
  for (int i = 0; i < n; ++i) total += i;
}
// ambit: launch k<<<2, 1>>>(out[3], 3);
// ambit: exists (out[0] == 7 && out[1] == 14 && out[2] == 2 && total == 3)
