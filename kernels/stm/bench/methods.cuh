// Runs the jobs of a workload concurrently: as transactions, with a lock for each entry, or with one lock.
#pragma once

namespace bench {

/// A kernel's results for the host: whether some job needs another round, and the number of failed attempts.
struct Told {
  unsigned changed;
  unsigned long long failed;
};

/// The arguments that all kernels take.
template <class Device>
struct Task {
  Device work;
  stm::Memory memory;
  Told* told;
};

__device__ inline unsigned thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ inline unsigned thread_count() { return gridDim.x * blockDim.x; }

__device__ inline void tell(Told* told, bool changed, unsigned long long failed) {
  if (changed) stm::store_relaxed(&told->changed, 1);
  if (failed != 0) atomicAdd(&told->failed, failed);
}

template <class Algorithm, class Device>
__global__ void run_transactions(Task<Device> task) {
  stm::Transaction<Algorithm, most_accesses> transaction(task.memory, thread_number() + 1);
  bool changed = false;
  for (unsigned job = thread_number(); job < task.work.jobs; job += thread_count()) {
    bool changes = false;
    do {
      transaction.begin();
      changes = task.work.run(transaction, job);
    } while (!transaction.commit());
    changed = changed || changes;
  }
  tell(task.told, changed, transaction.failed());
}

/// Plain accesses, for a thread that holds the necessary locks.
struct Plain {
  unsigned* words;
  __device__ unsigned read(unsigned word) const { return words[word]; }
  __device__ void write(unsigned word, unsigned value) const { words[word] = value; }
};

/// Waits for a random time. As in stm::Transaction, a failure doubles its limit, and a success reduces it.
struct Wait {
  unsigned random;
  int failures;
  __device__ void wait() {
    if (failures < 12) ++failures;
    random = random * 1664525u + 1013904223u;
    stm::sleep((random >> 8) % (64u << failures));
  }
  __device__ void succeed() { failures /= 2; }
};

/// Computes the entries of a job's words, sorted and without duplicates. Returns their number.
template <class Device>
__device__ int entries_of(const Task<Device>& task, unsigned job, unsigned* entries) {
  unsigned words[most_accesses];
  const int count = task.work.places(job, words);
  int size = 0;
  for (int i = 0; i < count; ++i) {
    const unsigned entry = task.memory.entry_of(words[i]);
    int at = size;
    while (at > 0 && entries[at - 1] > entry) --at;
    if (at > 0 && entries[at - 1] == entry) continue;
    for (int k = size; k > at; --k) entries[k] = entries[k - 1];
    entries[at] = entry;
    ++size;
  }
  return size;
}

// Locks the entries that a job may access. A thread that cannot get a lock releases all of its locks, because lanes of
// one warp must not hold locks while they wait.
template <class Device>
__global__ void run_under_locks(Task<Device> task) {
  const Plain access = {task.memory.words};
  Wait back_off = {thread_number() + 1, 0};
  bool changed = false;
  unsigned long long failed = 0;
  for (unsigned job = thread_number(); job < task.work.jobs; job += thread_count()) {
    unsigned entries[most_accesses];
    const int count = entries_of(task, job, entries);
    bool done = false;
    while (!done) {
      int held = 0;
      while (held < count && stm::cas_acquire(&task.memory.shadow[entries[held]], 0, 1) == 0) ++held;
      done = held == count;
      if (done) {
        changed = task.work.run(access, job) || changed;
        stm::fence_acq_rel();
      }
      for (int i = 0; i < held; ++i) stm::store_relaxed(&task.memory.shadow[entries[i]], 0);
      if (!done) {
        ++failed;
        back_off.wait();
      }
    }
    back_off.succeed();
  }
  tell(task.told, changed, failed);
}

template <class Device>
__global__ void run_under_one_lock(Task<Device> task) {
  const Plain access = {task.memory.words};
  Wait back_off = {thread_number() + 1, 0};
  bool changed = false;
  unsigned long long failed = 0;
  for (unsigned job = thread_number(); job < task.work.jobs; job += thread_count()) {
    bool done = false;
    while (!done) {
      if (stm::load_relaxed(task.memory.shadow) == 0 && stm::cas_acquire(task.memory.shadow, 0, 1) == 0) {
        changed = task.work.run(access, job) || changed;
        stm::store_release(task.memory.shadow, 0);
        done = true;
      }
      if (!done) {
        ++failed;
        back_off.wait();
      }
    }
    back_off.succeed();
  }
  tell(task.told, changed, failed);
}

}  // namespace bench
