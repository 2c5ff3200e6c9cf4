#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <new>
#include <utility>
#include <vector>

namespace ambit::detector {

/// Memory for many small values, in huge pages if available. The destructor frees all memory at once.
class LargePieces {
 public:
  LargePieces() = default;
  LargePieces(const LargePieces&) = delete;
  LargePieces& operator=(const LargePieces&) = delete;
  ~LargePieces() {
    for (const auto& [address, bytes] : pieces_) munmap(address, bytes);
  }

  /// Returns `bytes` zero bytes, aligned to 4. Throws std::bad_alloc.
  void* take(std::size_t bytes) {
    if (left_ < bytes) {
      const std::size_t least = kSmallest << std::min(pieces_.size(), kDoublings);
      const std::size_t size = (bytes + least - 1) / least * least;
      void* piece = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (piece == MAP_FAILED) throw std::bad_alloc();
      if (least == kLargest) madvise(piece, size, MADV_HUGEPAGE);
      pieces_.emplace_back(piece, size);
      memory_ += size;
      next_ = static_cast<std::byte*>(piece);
      left_ = size;
    }
    left_ -= bytes;
    return std::exchange(next_, next_ + bytes);
  }
  std::size_t memory() const { return memory_; }

 private:
  static constexpr std::size_t kSmallest = std::size_t{64} << 10U;
  /// The piece size doubles this many times, and then stays at kLargest.
  static constexpr std::size_t kDoublings = 6;
  static constexpr std::size_t kLargest = kSmallest << kDoublings;

  std::vector<std::pair<void*, std::size_t>> pieces_;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;
  std::size_t memory_ = 0;
};

}  // namespace ambit::detector
