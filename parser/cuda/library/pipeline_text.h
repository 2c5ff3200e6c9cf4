#pragma once

#include <string_view>

namespace ambit::parser::cuda {

/// A simplified implementation of cuda::pipeline as device code. The code follows the header <cuda/pipeline> of CUDA 13
/// (libcu++) for sm_90: each stage has the same number of barriers and the same parities as in the header.
/// cuda::make_pipeline creates the structs. The destructor and quit() are missing.
inline constexpr std::string_view kPipelineText = R"cuda(
template <int N> struct __pipeline_state {
  unsigned long long produced[N];
  unsigned long long consumed[N];
};

struct __pipeline_thread {
  int head;
  int tail;
  __device__ void producer_acquire() {}
  __device__ void producer_commit() {
    __pipeline_commit();
    ++head;
  }
  __device__ void consumer_wait() {
    if (head != tail) {
      __pipeline_wait_prior(head - tail - 1);
      ++tail;
    }
  }
  __device__ void consumer_release() {}
  __device__ void consumer_wait_prior(int prior) {
    __pipeline_wait_prior(prior);
    tail = head - prior;
  }
};

struct __pipeline_block {
  unsigned long long *produced;
  unsigned long long *consumed;
  int stages;
  int head;
  int tail;
  bool consumed_parity;
  bool produced_parity;
  __device__ void producer_acquire() { __pipeline_wait_parity(&consumed[head], consumed_parity); }
  __device__ void producer_commit() {
    __pipeline_arrive_on(&produced[head]);
    __pipeline_arrive(&produced[head]);
    ++head;
    if (head == stages) {
      head = 0;
      consumed_parity = !consumed_parity;
    }
  }
  __device__ void consumer_wait() { __pipeline_wait_parity(&produced[tail], produced_parity); }
  __device__ void consumer_release() {
    __pipeline_arrive(&consumed[tail]);
    ++tail;
    if (tail == stages) {
      tail = 0;
      produced_parity = !produced_parity;
    }
  }
};
)cuda";

}  // namespace ambit::parser::cuda
