#pragma once

#include <sys/mman.h>

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

/// Memory in large pages of the processor, if the system supports them. Large pages help, because there are many shadow
/// cells, far apart from each other.
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

  /// Returns the beginning. The beginning is aligned to the size of the arena, and the memory initially contains zeros.
  std::byte* begin() const {
    const auto number = reinterpret_cast<std::uintptr_t>(address_);
    return reinterpret_cast<std::byte*>((number + kBytes - 1) / kBytes * kBytes);
  }

 private:
  void* address_;
};

/// Shadow cells of `kBytes` bytes, one for each granule of memory. A granule has four bytes, or one byte in pages with
/// accesses of one or two bytes. All cells are zero at the start of each launch. The table of pages consists of groups
/// of 2^kGroupBits pages.
///
/// A page consists of lines of 32 words. A line may stay collapsed while only whole warps access the line and each lane
/// accesses the word after the previous lane's word. Two cells hold the state of all words of a collapsed line, in a
/// form that the user of this class chooses. Any other access expands the line.
template <std::size_t kBytes, unsigned kGroupBits = 15>
class ShadowMemory {
 public:
  static constexpr unsigned kPageBits = 12;  ///< a page represents 4096 bytes of the program's memory
  static constexpr unsigned kWordsOfLine = 32;

  /// Begins the next launch and sets all cells to zero.
  void begin_launch() {
    ++launch_;
    last_ = nullptr;
    last_key_ = kNoPage;
  }

  /// Calls `visit(cell, address)` for each granule of an access of `width` bytes. The access must not cross a page. If
  /// `is_first_only` is true, visits only the first granule.
  template <typename Visit>
  void visit(std::uint64_t address, unsigned width, bool is_first_only, const Visit& visit) {
    Page& page = page_of(address);
    if (width < 4 && page.shift != 0) split(page);
    const unsigned offset = static_cast<unsigned>(address) & (kPageSize - 1);
    const unsigned last = is_first_only ? offset : offset + width - 1;
    const std::uint32_t lines = (2U << last / kLineBytes) - (1U << offset / kLineBytes);
    if ((page.collapsed & lines) != 0) expand(page, page.collapsed & lines);
    const std::uint64_t base = address - offset;
    const unsigned end = last >> page.shift;
    for (unsigned cell = offset >> page.shift; cell <= end; ++cell) {
      visit(page.cells + cell * kBytes, base + (std::uint64_t{cell} << page.shift));
    }
  }

  /// The state of a collapsed line.
  struct Line {
    std::byte* cells;     ///< two cells, initially zero
    std::uint8_t& shift;  ///< initially kNoShift
  };
  static constexpr std::uint8_t kNoShift = 0xff;
  /// Handles accesses of all lanes of a warp to a run: the 32 words from `address` on. The words are in one or two
  /// lines. Calls `take(line, offset)` for each of these lines that is collapsed; `take` returns whether the line can
  /// stay collapsed. `offset` is the position of the first lane's word relative to the line; a negative `offset` means
  /// that the word is in the previous line. Returns the lanes whose line is not collapsed or cannot stay collapsed; the
  /// caller must visit these lanes.
  template <typename Take>
  std::uint32_t visit_run(std::uint64_t address, const Take& take) {
    const unsigned word = static_cast<unsigned>(address / 4) % kWordsOfLine;
    const std::uint32_t in_first = ~0U >> word;
    std::uint32_t left = take_line(address, static_cast<int>(word), take) ? 0 : in_first;
    if (word == 0) return left;
    const int before = static_cast<int>(word) - static_cast<int>(kWordsOfLine);
    if (!take_line(address + kLineBytes - std::uint64_t{4} * word, before, take)) left |= ~in_first;
    return left;
  }

  /// Returns whether an access has expanded a line of the run from `address` on.
  bool is_expanded(std::uint64_t address) {
    const auto is = [this](std::uint64_t at) {
      return (page_of(at).collapsed >> (at & (kPageSize - 1)) / kLineBytes & 1U) == 0;
    };
    return is(address) || is(address + kLineBytes - 4);
  }

  /// From now on, gives each byte of the page its own cell.
  void use_bytes(std::uint64_t address) {
    Page& page = page_of(address);
    if (page.shift != 0) split(page);
  }
  /// Returns whether some word of the run from `address` on is in a page with a cell for each byte.
  bool has_bytes(std::uint64_t address) {
    return page_of(address).shift == 0 || page_of(address + kLineBytes - 4).shift == 0;
  }

  /// Called with each new cell that is a copy of another cell. May be empty.
  std::function<void(void* cell)> on_copied;
  /// Called for each cell of a line that expands; `word` is the number of the cell's word. May be empty if visit_run()
  /// is never called.
  std::function<void(const Line& line, std::byte* cell, unsigned word)> on_expanded;
  /// Returns the number of bytes in use.
  std::uint64_t memory() const { return memory_; }

 private:
  static constexpr unsigned kPageSize = 1U << kPageBits;
  static constexpr unsigned kLineBytes = 4 * kWordsOfLine;
  static constexpr unsigned kLines = kPageSize / kLineBytes;
  static_assert(kLines == 32, "one bit for each line of a page");
  static constexpr std::uint64_t kNoPage = ~std::uint64_t{0};

  struct Page {
    std::byte* cells = nullptr;  ///< cells of granules; null if all lines are collapsed
    std::byte* lines = nullptr;  ///< two cells for each line; null before the first run
    std::uint32_t launch = 0;
    std::uint32_t shift = 2;        ///< log2 of the number of bytes that a cell represents
    std::uint32_t collapsed = ~0U;  ///< mask of the collapsed lines
    std::uint32_t has_runs = 0;     ///< mask of the collapsed lines that visit_run() has visited
    std::uint32_t are_zero = ~0U;   ///< mask of the lines whose cells have never been used
    std::uint8_t shifts[kLines];    ///< Line::shift of each line
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
      page->collapsed = ~0U;
      page->has_runs = 0;
    }
    last_key_ = key;
    last_ = page.get();
    return *last_;
  }
  /// Returns the group of a page. Device memory is contiguous; host memory that kernels access can be anywhere.
  std::unique_ptr<Group>& group_of(std::uint64_t number) {
    constexpr std::uint64_t kFirst = virtual_gpu::kFirstDeviceAddress >> (kPageBits + kGroupBits);
    constexpr std::uint64_t kMost = std::uint64_t{1} << 20U;
    if (number < kFirst || number - kFirst >= kMost) return other_groups_[number];
    if (number - kFirst >= groups_.size()) groups_.resize(number - kFirst + 1);
    return groups_[number - kFirst];
  }

  Line line_of(Page& page, std::size_t line) { return {page.lines + 2 * line * kBytes, page.shifts[line]}; }
  template <typename Take>
  bool take_line(std::uint64_t address, int offset, const Take& take) {
    Page& page = page_of(address);
    const std::size_t line = (address & (kPageSize - 1)) / kLineBytes;
    const std::uint32_t bit = 1U << line;
    if ((page.collapsed & bit) == 0) return false;
    if ((page.has_runs & bit) == 0) {
      if (page.lines == nullptr) page.lines = take_lines();
      std::memset(page.lines + 2 * line * kBytes, 0, 2 * kBytes);
      page.has_runs |= bit;
      page.shifts[line] = kNoShift;
    }
    return take(line_of(page, line), offset);
  }

  [[gnu::noinline]] void expand(Page& page, std::uint32_t lines) {
    if (page.cells == nullptr) page.cells = take((kPageSize >> page.shift) * kBytes);
    for (; lines != 0; lines &= lines - 1) {
      const auto line = static_cast<unsigned>(std::countr_zero(lines));
      const std::uint32_t bit = 1U << line;
      std::byte* to = page.cells + (line * kLineBytes >> page.shift) * kBytes;
      if ((page.are_zero & bit) == 0) std::memset(to, 0, (kLineBytes >> page.shift) * kBytes);
      for (unsigned cell = 0; (page.has_runs & bit) != 0 && cell < kLineBytes >> page.shift; ++cell) {
        on_expanded(line_of(page, line), to + cell * kBytes, cell * (1U << page.shift) / 4);
      }
      page.collapsed &= ~bit;
      page.are_zero &= ~bit;
    }
    if (page.collapsed == 0 && page.lines != nullptr) spare_lines_.push_back(std::exchange(page.lines, nullptr));
  }
  /// Gives each byte its own cell, a copy of the cell of the byte's word.
  void split(Page& page) {
    std::byte* cells = take(kPageSize * kBytes);
    for (unsigned i = 0; i < kPageSize; ++i) {
      if ((page.collapsed >> i / kLineBytes & 1U) != 0) continue;
      std::memcpy(cells + i * kBytes, page.cells + i / 4 * kBytes, kBytes);
      if (on_copied && i % 4 != 0) on_copied(cells + i * kBytes);
    }
    page.cells = cells;
    page.shift = 0;
    page.are_zero = page.collapsed;
  }

  std::byte* take_lines() {
    if (spare_lines_.empty()) return take(std::size_t{2} * kLines * kBytes);
    std::byte* lines = spare_lines_.back();
    spare_lines_.pop_back();
    return lines;
  }
  /// Returns new memory, which contains zeros.
  std::byte* take(std::size_t bytes) {
    memory_ += bytes;
    if constexpr (kGroupBits < 10) {  // a block has little memory, which is soon freed
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

/// Cells for the shared memory of resident blocks.
template <std::size_t kBytes>
class ShadowOfBlocks {
 public:
  using Memory = ShadowMemory<kBytes, 6>;

  void begin_launch() {
    blocks_.clear();
    last_ = nullptr;
  }
  std::function<void(void* cell)> on_copied;
  std::function<void(const typename Memory::Line& line, std::byte* cell, unsigned word)> on_expanded;
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
      known->on_expanded = on_expanded;
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
