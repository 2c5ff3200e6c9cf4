#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/trace.h"

namespace ambit::detector {

/// A detector's values for the marks that the inference creates (ActionKind::Mark), indexed by the mark's number. The
/// mark of a warp has one value if all lanes have equivalent states, and otherwise one value for each lane.
///
/// `Mark` must have a function `of_thread(thread)` that returns the value for another lane with equivalent state.
template <typename Mark>
class MarkTable {
 public:
  using Lanes = std::array<Mark, 32>;

  /// Creates the mark of one thread. The caller must set the mark's value.
  Mark& make(std::uint32_t id) { return slot(id, Form::OfThread).mark; }
  /// Creates one mark for all lanes of a warp. The caller must set the mark to the value of one lane.
  Mark& make_alike(std::uint32_t id) { return slot(id, Form::Alike).mark; }
  /// Creates a mark with a value for each lane of a warp. The caller must set these values.
  Lanes& make_lanes(std::uint32_t id) {
    Slot& made = slot(id, Form::OfLanes);
    if (free_.empty()) {
      made.lanes = static_cast<std::uint32_t>(lanes_.size());
      lanes_.emplace_back();
    } else {
      made.lanes = free_.back();
      free_.pop_back();
    }
    return lanes_[made.lanes];
  }

  /// Returns the mark that make() created. The caller may change the mark.
  Mark& made(std::uint32_t id) { return slots_[id].mark; }
  /// Returns the mark of one thread, or null if the mark belongs to a warp.
  const Mark* of_one_thread(std::uint32_t id) const {
    return slots_[id].form == Form::OfThread ? &slots_[id].mark : nullptr;
  }
  /// Returns the mark of thread `marker` (Action::marker).
  Mark of(std::uint32_t id, std::uint32_t marker) const {
    const Slot& known = slots_[id];
    switch (known.form) {
      case Form::OfThread: break;
      case Form::Alike: return known.mark.of_thread(marker);
      case Form::OfLanes: return lanes_[known.lanes][marker % 32];
    }
    return known.mark;
  }

  /// Calls `visit` with each value of the mark, and removes the mark.
  template <typename Visit>
  void drop(std::uint32_t id, const Visit& visit) {
    const Slot& known = slots_[id];
    if (known.form != Form::OfLanes) return visit(known.mark);
    for (const Mark& mark : lanes_[known.lanes]) visit(mark);
    free_.push_back(known.lanes);
  }

  /// Returns the memory in use, in bytes.
  std::size_t memory() const { return slots_.capacity() * sizeof(Slot) + lanes_.capacity() * sizeof(Lanes); }

 private:
  enum class Form : std::uint8_t { OfThread, Alike, OfLanes };
  struct Slot {
    Mark mark;
    std::uint32_t lanes = kNoName;  ///< for kind OfLanes, the index in lanes_
    Form form = Form::OfThread;
  };

  Slot& slot(std::uint32_t id, Form form) {
    if (id >= slots_.size()) slots_.resize(id + 1);
    slots_[id].form = form;
    return slots_[id];
  }

  std::vector<Slot> slots_;
  std::vector<Lanes> lanes_;
  std::vector<std::uint32_t> free_;
};

}  // namespace ambit::detector
