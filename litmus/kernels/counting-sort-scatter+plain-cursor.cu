__global__ void scatter(const int *keys, int *cursor, int *sorted) {
  int key = keys[threadIdx.x] & 1;
  int place = cursor[key]++;
  sorted[2 * key + (place & 1)] = key;
}
// ambit: launch scatter<<<1, 2>>>(keys[2], cursor[2], sorted[4]);
// ambit: expect ptx : race because "two threads may get the same place"
// ambit: expect cuda-cpp : race because "two threads may get the same place"
