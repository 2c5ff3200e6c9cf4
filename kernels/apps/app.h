// Code that all applications share: options, device memory, and the comparison with a sequential result.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace app {

inline void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "error: %s: %s\n", what, cudaGetErrorString(error));
  std::exit(2);
}

// Reads numbers on the command line: `--name N`.
class Options {
 public:
  Options(int argc, char** argv) : program_(argv[0]) {
    if (argc % 2 == 0) fail("expected pairs of --name N");
    for (int i = 1; i < argc; i += 2) {
      char* end = nullptr;
      const long value = std::strtol(argv[i + 1], &end, 10);
      if (std::strncmp(argv[i], "--", 2) != 0 || *end != '\0' || value < 1) fail(argv[i]);
      given_.emplace_back(argv[i] + 2, static_cast<int>(value));
    }
  }

  // Returns the value of an option, or its default.
  int number(const char* name, int standard) {
    known_ += std::string(" [--") + name + " " + std::to_string(standard) + "]";
    for (auto one = given_.begin(); one != given_.end(); ++one) {
      if (one->first != name) continue;
      const int value = one->second;
      given_.erase(one);
      return value;
    }
    return standard;
  }

  // Reports unused options as errors. Must be called after the last number().
  void finish() const {
    if (!given_.empty()) fail(given_.front().first.c_str());
  }

 private:
  [[noreturn]] void fail(const char* what) const {
    std::fprintf(stderr, "error: option %s\nusage: %s%s\n", what, program_, known_.c_str());
    std::exit(2);
  }

  const char* program_;
  std::string known_;
  std::vector<std::pair<std::string, int>> given_;
};

// Device memory that initially contains the values of a vector.
template <class T>
class Buffer {
 public:
  explicit Buffer(const std::vector<T>& values) : size_(values.size()) {
    check(cudaMalloc(&data_, size_ * sizeof(T)), "cudaMalloc");
    set(values);
  }
  Buffer(std::size_t size, T value) : Buffer(std::vector<T>(size, value)) {}
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { cudaFree(data_); }

  T* data() const { return data_; }
  void set(const std::vector<T>& values) {
    check(cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  std::vector<T> values() const {
    std::vector<T> result(size_);
    check(cudaMemcpy(result.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return result;
  }

 private:
  std::size_t size_;
  T* data_ = nullptr;
};

// Waits until the kernels have ended.
inline void finish_run() {
  check(cudaGetLastError(), "launch");
  check(cudaDeviceSynchronize(), "kernel");
}

// A sequence of pseudo-random numbers. The sequence is the same in every run.
class Random {
 public:
  explicit Random(unsigned seed) : state_(seed * 2654435761u + 1u) {}
  unsigned next() {
    state_ = state_ * 1664525u + 1013904223u;
    return state_ >> 8;
  }
  int below(int bound) { return static_cast<int>(next() % static_cast<unsigned>(bound)); }

 private:
  unsigned state_;
};

// Returns the exit status: 0 if the results agree, and 1 otherwise.
template <class T>
int compare(const char* name, const std::vector<T>& found, const std::vector<T>& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (found[i] == expected[i]) continue;
    std::printf("%s: wrong: element %zu is %lld, not %lld\n", name, i, static_cast<long long>(found[i]),
                static_cast<long long>(expected[i]));
    return 1;
  }
  std::printf("%s: ok\n", name);
  return 0;
}

}  // namespace app
