#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <unordered_map>
#include <vector>

#include "runner/virtual/memory.h"

namespace ambit::shadow {

/// Memory in large pages of the processor, where the system has them: shadow cells are many and far apart.
class Arena {
 public:
  static constexpr std::size_t kBytes = std::size_t{32} << 20U;

  Arena()
      : address_(
            mmap(nullptr, 2 * kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
    if (address_ == MAP_FAILED) throw std::bad_alloc();
    madvise(begin(), kBytes, MADV_HUGEPAGE);
  }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena() { munmap(address_, 2 * kBytes); }

  /// Aligned to its size; zeros at first.
  std::byte* begin() const {
    const auto number = reinterpret_cast<std::uintptr_t>(address_);
    return reinterpret_cast<std::byte*>((number + kBytes - 1) / kBytes * kBytes);
  }

 private:
  void* address_;
};

/// Cells of `kBytes` bytes for granules of memory: four bytes each, or one byte in pages where something has accessed
/// one or two bytes. Cells begin as zeros in each launch; a page is cleared when a launch first touches it.
/// `kGroupBits`: pages are found in groups of 2^kGroupBits.
template <std::size_t kBytes, unsigned kGroupBits = 15>
class ShadowMemory {
 public:
  static constexpr unsigned kPageBits = 12;  ///< 4096 bytes of the program's memory

  /// The next launch begins: all cells are zeros.
  void begin_launch() {
    ++launch_;
    last_ = nullptr;
    last_key_ = kNoPage;
  }

  /// Calls `visit(cell, address)` for each granule of an access of `width` bytes, which does not cross a page; with
  /// `is_first_only` for the first alone.
  template <typename Visit>
  void visit(std::uint64_t address, unsigned width, bool is_first_only, const Visit& visit) {
    Page& page = page_of(address);
    if (width < 4 && page.shift != 0) split(page);
    const unsigned offset = static_cast<unsigned>(address) & (kPageSize - 1);
    unsigned cell = offset >> page.shift;
    const unsigned end = is_first_only ? cell : (offset + width - 1) >> page.shift;
    const std::uint64_t base = address - offset;
    for (; cell <= end; ++cell) visit(page.cells + cell * kBytes, base + (std::uint64_t{cell} << page.shift));
  }

  /// Is called with each cell that has become a copy of another; may be empty.
  std::function<void(void* cell)> on_copied;
  /// Bytes held.
  std::uint64_t memory() const { return memory_; }

 private:
  static constexpr unsigned kPageSize = 1U << kPageBits;
  static constexpr std::uint64_t kNoPage = ~std::uint64_t{0};

  struct Page {
    std::byte* cells = nullptr;
    std::uint32_t launch = 0;
    std::uint32_t shift = 2;
  };
  struct Group {
    std::unique_ptr<Page> pages[1U << kGroupBits];
  };

  Page& page_of(std::uint64_t address) {
    const std::uint64_t key = address >> kPageBits;
    if (key == last_key_) [[likely]] {
      return *last_;
    }
    std::unique_ptr<Group>& group = group_of(key >> kGroupBits);
    if (group == nullptr) group = std::make_unique<Group>();
    std::unique_ptr<Page>& page = group->pages[key & ((1U << kGroupBits) - 1)];
    if (page == nullptr) {
      page = std::make_unique<Page>();
      page->cells = take(kPageSize / 4 * kBytes);
    } else if (page->launch != launch_) {
      std::memset(page->cells, 0, (kPageSize >> page->shift) * kBytes);
    }
    page->launch = launch_;
    last_key_ = key;
    last_ = page.get();
    return *last_;
  }
  /// Device memory stands together; memory of the host that kernels access stands anywhere.
  std::unique_ptr<Group>& group_of(std::uint64_t number) {
    constexpr std::uint64_t kFirst = virtual_gpu::kFirstDeviceAddress >> (kPageBits + kGroupBits);
    constexpr std::uint64_t kMost = std::uint64_t{1} << 20U;
    if (number < kFirst || number - kFirst >= kMost) return other_groups_[number];
    if (number - kFirst >= groups_.size()) groups_.resize(number - kFirst + 1);
    return groups_[number - kFirst];
  }
  /// A cell for each byte, as the cell of its four bytes was.
  void split(Page& page) {
    std::byte* cells = take(kPageSize * kBytes);
    for (unsigned i = 0; i < kPageSize; ++i) {
      std::memcpy(cells + i * kBytes, page.cells + i / 4 * kBytes, kBytes);
    }
    page.cells = cells;
    page.shift = 0;
    for (unsigned i = 0; on_copied && i < kPageSize; ++i) {
      if (i % 4 != 0) on_copied(cells + i * kBytes);
    }
  }

  /// Fresh bytes, which are zeros.
  std::byte* take(std::size_t bytes) {
    memory_ += bytes;
    if constexpr (kGroupBits < 10) {  // of a block: little memory, and soon freed
      pieces_.push_back(std::make_unique<std::byte[]>(bytes));
      return pieces_.back().get();
    }
    if (left_ < bytes) {
      arenas_.push_back(std::make_unique<Arena>());
      next_ = arenas_.back()->begin();
      left_ = Arena::kBytes;
    }
    std::byte* taken = next_;
    next_ += bytes;
    left_ -= bytes;
    return taken;
  }

  std::vector<std::unique_ptr<Arena>> arenas_;
  std::vector<std::unique_ptr<std::byte[]>> pieces_;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;
  std::vector<std::unique_ptr<Group>> groups_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Group>> other_groups_;
  std::uint32_t launch_ = 1;
  std::uint64_t last_key_ = kNoPage;
  Page* last_ = nullptr;
  std::uint64_t memory_ = 0;
};

/// Cells for the shared memory of the blocks that are resident.
template <std::size_t kBytes>
class ShadowOfBlocks {
 public:
  using Memory = ShadowMemory<kBytes, 6>;

  void begin_launch() {
    blocks_.clear();
    last_ = nullptr;
  }
  std::function<void(void* cell)> on_copied;
  void end_block(std::uint32_t block) {
    blocks_.erase(block);
    last_ = nullptr;
  }
  Memory& of(std::uint32_t block) {
    if (last_ != nullptr && block == last_block_) return *last_;
    std::unique_ptr<Memory>& known = blocks_[block];
    if (known == nullptr) {
      known = std::make_unique<Memory>();
      known->on_copied = on_copied;
    }
    last_block_ = block;
    last_ = known.get();
    return *last_;
  }

 private:
  std::unordered_map<std::uint32_t, std::unique_ptr<Memory>> blocks_;
  std::uint32_t last_block_ = 0;
  Memory* last_ = nullptr;
};

}  // namespace ambit::shadow
