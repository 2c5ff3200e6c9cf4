class Mutex {
 public:
  __device__ void lock() {
    while (atomicCAS(&state_, 0, 1) != 0) {
    }
    __threadfence();
  }
  __device__ void unlock() {
    __threadfence();
    atomicExch(&state_, 0);
  }
  int state_;
};
__device__ Mutex mutex;
__global__ void add(int *x) {
  mutex.lock();
  *x += 1;
  mutex.unlock();
}
// ambit: launch add<<<2, 1>>>(x[1]);
// ambit: expect ptx : norace because "a fence follows the acquire of the lock, and a fence precedes its release"
// ambit: expect cuda-cpp : norace because "a fence follows the acquire of the lock, and a fence precedes its release"
