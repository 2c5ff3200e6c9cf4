// Work-stealing queues without locks, one worker per block. A task is a number. A worker splits a task larger than 1
// and appends both halves to its own queue. A worker takes tasks from the front of its own queue, then of other queues.
//
// Each macro enables one race:
//   RACE_PUBLISH   the fence between a task and the queue's new end has block scope
//   RACE_END       the queue's new end is stored without an atomic
#include "../apps/app.h"

#ifdef RACE_PUBLISH
#define FENCE_BEFORE_END() __threadfence_block()
#else
#define FENCE_BEFORE_END() __threadfence()
#endif
#ifdef RACE_END
#define STORE_END(end, value) end = value
#else
#define STORE_END(end, value) atomicExch(&end, value)
#endif

struct Queues {
  int *tasks;
  int *fronts;
  int *ends;
  int capacity;
};

// Only the owner calls this function.
__device__ void put(const Queues &queues, int owner, int task) {
  const int end = atomicAdd(&queues.ends[owner], 0);
  queues.tasks[owner * queues.capacity + end] = task;
  FENCE_BEFORE_END();
  STORE_END(queues.ends[owner], end + 1);
}

// Returns a task, or 0 if the queue is empty.
__device__ int take(const Queues &queues, int victim) {
  const int front = atomicAdd(&queues.fronts[victim], 0);
  if (front >= atomicAdd(&queues.ends[victim], 0)) return 0;
  if (atomicCAS(&queues.fronts[victim], front, front + 1) != front) return 0;
  __threadfence();
  return queues.tasks[victim * queues.capacity + front];
}

__global__ void work(Queues queues, int first, int *open, int *done) {
  const int own = blockIdx.x;
  if (own == 0) put(queues, own, first);
  while (atomicAdd(open, 0) > 0) {
    for (int turn = 0; turn < gridDim.x; ++turn) {
      const int task = take(queues, (own + turn) % gridDim.x);
      if (task == 0) continue;
      if (task == 1) {
        atomicAdd(done, 1);
        atomicAdd(open, -1);
      } else {
        atomicAdd(open, 1);
        put(queues, own, task / 2);
        put(queues, own, task - task / 2);
      }
      break;
    }
  }
}

int main(int argc, char **argv) {
  app::Options options(argc, argv);
  const int size = options.number("size", 2000);
  const int blocks = options.number("blocks", 12);
  options.finish();
  const int capacity = 2 * size + 2;
  const app::Buffer<int> tasks(static_cast<std::size_t>(blocks) * capacity, 0);
  const app::Buffer<int> fronts(blocks, 0);
  const app::Buffer<int> ends(blocks, 0);
  const app::Buffer<int> open(1, 1);
  const app::Buffer<int> done(1, 0);
  const Queues queues = {tasks.data(), fronts.data(), ends.data(), capacity};
  work<<<blocks, 1>>>(queues, size, open.data(), done.data());
  app::finish_run();
  return app::compare("work queue", done.values(), std::vector<int>{size});
}
