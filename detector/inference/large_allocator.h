#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <new>

namespace ambit::detector {

/// Allocator for vectors that may become large. The vectors use huge pages if these are available. With small pages,
/// page faults take longer than the work on the values.
template <typename T>
class LargeAllocator {
 public:
  using value_type = T;

  LargeAllocator() = default;
  template <typename Other>
  LargeAllocator(const LargeAllocator<Other>& /*other*/) {}  // NOLINT(google-explicit-constructor): as in allocators

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes < kLarge) return static_cast<T*>(::operator new(bytes));
    // The block begins at a multiple of the huge page size. The unused memory around the block is never touched.
    void* all =
        mmap(nullptr, mapped(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED) throw std::bad_alloc();
    auto* begin = static_cast<std::byte*>(all) + kPage - reinterpret_cast<std::uintptr_t>(all) % kPage;
    madvise(begin, bytes, MADV_HUGEPAGE);
    reinterpret_cast<void**>(begin)[-1] = all;
    return reinterpret_cast<T*>(begin);
  }
  void deallocate(T* values, std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes < kLarge) return ::operator delete(values);
    munmap(reinterpret_cast<void**>(values)[-1], mapped(bytes));
  }
  friend bool operator==(const LargeAllocator&, const LargeAllocator&) { return true; }

 private:
  static constexpr std::size_t kPage = std::size_t{2} << 20U;
  static constexpr std::size_t kLarge = 2 * kPage;
  static std::size_t mapped(std::size_t bytes) { return bytes + kPage; }
};

/// Reserves capacity for `size` values. A large vector grows by a factor of 4, so that it seldom moves its
/// values.
template <typename Vector>
void reserve_for(Vector& values, std::size_t size) {
  constexpr std::size_t kLarge = 16384;
  if (size > values.capacity() && size > kLarge) values.reserve(4 * size);
}

}  // namespace ambit::detector
