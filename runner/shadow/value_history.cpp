#include "runner/shadow/value_history.h"

#include <algorithm>
#include <bit>

namespace ambit::shadow {

using virtual_gpu::AccessKind;
using virtual_gpu::AccessSpace;
using virtual_gpu::CopyStep;

ValueHistory::ValueHistory() {
  // If a word is split into bytes, a new cell counts as written with several values, because its own value is not
  // known.
  const auto forget = [](void* cell) { static_cast<Cell*>(cell)->state = State::Several; };
  global_.on_copied = forget;
  shared_.on_copied = forget;
}

void ValueHistory::begin_launch(const virtual_gpu::LaunchInfo& /*info*/) {
  global_.begin_launch();
  shared_.begin_launch();
  varies_.clear();
}

/// Records a value that is written. Returns false if the word has had a different value in this launch.
bool ValueHistory::note(Cell& cell, std::uint32_t value) {
  if (cell.state == State::Untouched) {
    cell = {value, State::OneValue};
    return true;
  }
  if (cell.state == State::OneValue && cell.value == value) return true;
  cell.state = State::Several;
  return false;
}

/// Records the values that the 32 lanes of a warp write to 32 consecutive words, one word each.
template <typename Words>
bool ValueHistory::note_run(Words& words, const virtual_gpu::WarpAccess& access) {
  constexpr unsigned kPage = 1U << Words::kPageBits;
  const std::uint64_t begin = access.addresses[0];
  bool is_one = true;
  const auto look = [&](std::byte* place, std::uint64_t address) {
    const auto value = static_cast<std::uint32_t>(access.values[(address - begin) / 4]);
    is_one &= note(*reinterpret_cast<Cell*>(place), value);
  };
  const auto in_page = static_cast<unsigned>(std::min<std::uint64_t>(128, kPage - begin % kPage));
  words.visit(begin, in_page, false, look);
  if (in_page < 128) words.visit(begin + in_page, 128 - in_page, false, look);
  return is_one;
}

/// Records the value of one lane's access. Returns false if some word has had a different value in this launch, or if
/// the value is not known.
template <typename Words>
bool ValueHistory::note(Words& words, const virtual_gpu::WarpAccess& access, std::uint32_t lane) {
  const std::uint64_t begin = access.addresses[lane];
  const bool is_known = access.values != nullptr && access.bytes <= 8;
  if (access.bytes < 4) words.use_bytes(begin);
  const std::uint64_t mask = words.has_bytes(begin) ? 0xffU : 0xffffffffU;
  bool is_one = is_known;
  words.visit(begin, access.bytes, false, [&](std::byte* place, std::uint64_t address) {
    Cell& cell = *reinterpret_cast<Cell*>(place);
    if (!is_known) {
      cell.state = State::Several;
    } else {
      is_one &= note(cell, static_cast<std::uint32_t>(access.values[lane] >> (8 * (address - begin)) & mask));
    }
  });
  return is_one;
}

template <typename Words>
bool ValueHistory::note_lanes(Words& words, const virtual_gpu::WarpAccess& access) {
  if (access.is_run() && access.values != nullptr && access.failed == 0 && !words.has_bytes(access.addresses[0])) {
    return note_run(words, access);
  }
  bool is_one = true;
  for (std::uint32_t lanes = access.lanes & ~access.failed; lanes != 0; lanes &= lanes - 1) {
    is_one &= note(words, access, static_cast<std::uint32_t>(std::countr_zero(lanes)));
  }
  return is_one;
}

void ValueHistory::access(const virtual_gpu::WarpAccess& access) {
  if (access.kind == AccessKind::Read) return;
  if (access.copy != CopyStep::None && access.copy != CopyStep::Completed && access.copy != CopyStep::Tracked) return;
  const bool is_one = access.space == AccessSpace::Shared ? note_lanes(shared_.of(access.target_block), access)
                                                          : note_lanes(global_, access);
  if (is_one) return;
  if (access.site >= varies_.size()) varies_.resize(access.site + 1);
  varies_[access.site] = true;
}

}  // namespace ambit::shadow
