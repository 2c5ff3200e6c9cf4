// The main loop of the two graph applications. Each block takes pieces of its own part of the work from head[block].
// When a block's own part is empty, the block takes pieces of the other parts.
//
// `STEAL_OWN(address, n)` and `STEAL_OTHER(address, n)` add n to a head. `BASE_BARRIER()` separates one thread's write
// of base[block] from the reads by all threads. The applications define the three macros, and inject races there.
#pragma once

// Calls work(i) once for each number i in each part.
template <class OwnAdd, class OtherAdd, class BaseBarrier, class Work>
__device__ void for_all_stolen(int* head, const int* ends, int* base, OwnAdd add_own, OtherAdd add_other,
                               BaseBarrier barrier, Work work) {
  for (int turn = 0; turn < static_cast<int>(gridDim.x); ++turn) {
    const int victim = (blockIdx.x + turn) % gridDim.x;
    for (;;) {
      if (threadIdx.x == 0) {
        base[blockIdx.x] = turn == 0 ? add_own(&head[victim], blockDim.x) : add_other(&head[victim], blockDim.x);
      }
      barrier();
      const int first = base[blockIdx.x];
      __syncthreads();
      if (first >= ends[victim]) break;
      const int i = first + static_cast<int>(threadIdx.x);
      if (i < ends[victim]) work(i);
    }
  }
}

struct AddOnDevice {
  __device__ int operator()(int* head, int n) const { return atomicAdd(head, n); }
};
struct AddInBlock {
  __device__ int operator()(int* head, int n) const { return atomicAdd_block(head, n); }
};
struct Barrier {
  __device__ void operator()() const { __syncthreads(); }
};
struct NoBarrier {
  __device__ void operator()() const {}
};

// Divides the range 0 .. size-1 into one part for each block.
struct Parts {
  Parts(int size, int blocks) {
    for (int block = 0; block < blocks; ++block) {
      begins.push_back(static_cast<int>(static_cast<long long>(size) * block / blocks));
      ends.push_back(static_cast<int>(static_cast<long long>(size) * (block + 1) / blocks));
    }
  }
  std::vector<int> begins;
  std::vector<int> ends;
};
