class Mutex {
 public:
  __device__ void lock() {
    while (atomicCAS(&state_, 0, 1) != 0) {
    }
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
// ambit: expect ptx : race because "reads inside the critical section may be old"
// ambit: expect cuda-cpp : race because "reads inside the critical section may be old"
