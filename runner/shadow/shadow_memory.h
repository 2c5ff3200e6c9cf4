#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <unordered_map>
#include <utility>
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
/// one or two bytes. Cells begin as zeros in each launch.
/// `kGroupBits`: pages are found in groups of 2^kGroupBits.
///
/// A page consists of lines of 32 words. While only whole warps access a line, each lane the word behind that of the
/// lane before (a run), the line has two cells: for the words from the first lane's on, and for the words before it,
/// which belong to another warp. Both say what the cell of the warp's first lane would say. Other accesses unfold the
/// line: its words get cells of their own.
template <std::size_t kBytes, unsigned kGroupBits = 15>
class ShadowMemory {
 public:
  static constexpr unsigned kPageBits = 12;  ///< 4096 bytes of the program's memory
  static constexpr unsigned kWordsOfLine = 32;

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
    const unsigned last = is_first_only ? offset : offset + width - 1;
    const std::uint32_t lines = (2U << last / kLineBytes) - (1U << offset / kLineBytes);
    if ((page.folded & lines) != 0) unfold(page, page.folded & lines);
    const std::uint64_t base = address - offset;
    const unsigned end = last >> page.shift;
    for (unsigned cell = offset >> page.shift; cell <= end; ++cell) {
      visit(page.cells + cell * kBytes, base + (std::uint64_t{cell} << page.shift));
    }
  }

  /// Accesses of all lanes of a warp to the 32 words from `address` on. Calls `take(cell)` for the cells of its one or
  /// two lines, which returns whether it could do with them. Returns the lanes that it is left to visit.
  template <typename Take>
  std::uint32_t visit_run(std::uint64_t address, const Take& take) {
    const unsigned shift = static_cast<unsigned>(address / 4) % kWordsOfLine;
    const std::uint32_t in_first = ~0U >> shift;
    std::uint32_t left = 0;
    void* cell = cell_of_run(address, shift, 0);
    if (cell == nullptr || !take(cell)) left |= in_first;
    if (shift == 0) return left;
    cell = cell_of_run(address + 4 * (kWordsOfLine - shift), shift, kLines);
    if (cell == nullptr || !take(cell)) left |= ~in_first;
    return left;
  }

  /// Whether something has visited a word of the lines of a run.
  bool is_unfolded(std::uint64_t address) {
    const auto is = [this](std::uint64_t at) {
      return (page_of(at).folded >> (at & (kPageSize - 1)) / kLineBytes & 1U) == 0;
    };
    return is(address) || is(address + kLineBytes - 4);
  }

  /// Is called with each cell that has become a copy of another, and is that of a later lane of a run; may be empty.
  std::function<void(void* cell, unsigned lane)> on_copied;
  /// Bytes held.
  std::uint64_t memory() const { return memory_; }

 private:
  static constexpr unsigned kPageSize = 1U << kPageBits;
  static constexpr unsigned kLineBytes = 4 * kWordsOfLine;
  static constexpr unsigned kLines = kPageSize / kLineBytes;
  static_assert(kLines == 32, "the lines of a page are a bit each");
  static constexpr std::uint64_t kNoPage = ~std::uint64_t{0};

  struct Page {
    std::byte* cells = nullptr;  ///< of granules; null: all lines are folded
    std::byte* lines = nullptr;  ///< cells of lines, and then those for their words before the shift; null: no runs yet
    std::uint32_t launch = 0;
    std::uint32_t shift = 2;       ///< a cell stands for so many bytes, as a logarithm
    std::uint32_t folded = ~0U;    ///< lines
    std::uint32_t has_shift = 0;   ///< folded lines that a run has accessed
    std::uint32_t are_zero = ~0U;  ///< lines whose granules' cells nobody has ever used
    std::uint8_t shifts[kLines];   ///< by line: the word that the first lane of a warp accesses
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
    if (page == nullptr) page = std::make_unique<Page>();
    if (page->launch != launch_) {
      page->launch = launch_;
      page->folded = ~0U;
      page->has_shift = 0;
    }
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

  /// The cell of the line at `address` for runs of that shift; `part`: 0, or kLines for the words before the shift.
  /// Null: the words have cells of their own.
  void* cell_of_run(std::uint64_t address, unsigned shift, unsigned part) {
    Page& page = page_of(address);
    const unsigned line = (static_cast<unsigned>(address) & (kPageSize - 1)) / kLineBytes;
    const std::uint32_t bit = 1U << line;
    if ((page.folded & bit) == 0) return nullptr;
    if ((page.has_shift & bit) == 0) {
      if (page.lines == nullptr) page.lines = take_lines();
      std::memset(page.lines + line * kBytes, 0, kBytes);
      std::memset(page.lines + (kLines + line) * kBytes, 0, kBytes);
      page.has_shift |= bit;
      page.shifts[line] = static_cast<std::uint8_t>(shift);
    }
    return page.shifts[line] == shift ? page.lines + (part + line) * kBytes : nullptr;
  }

  [[gnu::noinline]] void unfold(Page& page, std::uint32_t lines) {
    if (page.cells == nullptr) page.cells = take((kPageSize >> page.shift) * kBytes);
    for (; lines != 0; lines &= lines - 1) {
      const auto line = static_cast<unsigned>(std::countr_zero(lines));
      const std::uint32_t bit = 1U << line;
      std::byte* to = page.cells + (line * kLineBytes >> page.shift) * kBytes;
      if ((page.are_zero & bit) == 0) std::memset(to, 0, (kLineBytes >> page.shift) * kBytes);
      if ((page.has_shift & bit) != 0) {
        spread(page, page.lines + line * kBytes, to, page.shifts[line], kWordsOfLine, page.shifts[line]);
        spread(page, page.lines + (kLines + line) * kBytes, to, 0, page.shifts[line], page.shifts[line]);
      }
      page.folded &= ~bit;
      page.are_zero &= ~bit;
    }
    if (page.folded == 0 && page.lines != nullptr) spare_lines_.push_back(std::exchange(page.lines, nullptr));
  }
  /// Gives the words [first, end) of a line the cell of a run, each as its lane's.
  void spread(const Page& page, const std::byte* from, std::byte* to, unsigned first, unsigned end, unsigned shift) {
    if (std::all_of(from, from + kBytes, [](std::byte one) { return one == std::byte{0}; })) return;
    const unsigned cells_of_word = 4U >> page.shift;
    for (unsigned cell = first * cells_of_word; cell < end * cells_of_word; ++cell) {
      std::memcpy(to + cell * kBytes, from, kBytes);
      if (on_copied) on_copied(to + cell * kBytes, (cell / cells_of_word - shift) % kWordsOfLine);
    }
  }

  /// A cell for each byte, as the cell of its four bytes was.
  void split(Page& page) {
    std::byte* cells = take(kPageSize * kBytes);
    for (unsigned i = 0; i < kPageSize; ++i) {
      if ((page.folded >> i / kLineBytes & 1U) != 0) continue;
      std::memcpy(cells + i * kBytes, page.cells + i / 4 * kBytes, kBytes);
      if (on_copied && i % 4 != 0) on_copied(cells + i * kBytes, 0);
    }
    page.cells = cells;
    page.shift = 0;
    page.are_zero = page.folded;
  }

  std::byte* take_lines() {
    if (spare_lines_.empty()) return take(2 * kLines * kBytes);
    std::byte* lines = spare_lines_.back();
    spare_lines_.pop_back();
    return lines;
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
  std::vector<std::byte*> spare_lines_;
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
  std::function<void(void* cell, unsigned lane)> on_copied;
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
