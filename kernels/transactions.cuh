// ---- transactions: a transactional memory of kernels/stm executes them ----

/// Returns the memory of an instance. Each cell is one word, and its shadow entry is kFirstEntry cells after it.
__device__ __forceinline__ stm::Memory transactional_memory(const Instance& at) {
  unsigned* const words = reinterpret_cast<unsigned*>(at.buffers.cells);
  return {words, words + kFirstEntry * at.parameters.region / sizeof(unsigned), 0};
}

/// Returns the index of a cell among the words of transactional_memory().
__device__ __forceinline__ unsigned word_of(const Instance& at, const char* cell) {
  return static_cast<unsigned>((cell - at.buffers.cells) / sizeof(unsigned));
}
