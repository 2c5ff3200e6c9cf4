#pragma once

#include <cstdint>
#include <vector>

#include "core/trace.h"
#include "detector/inference/places.h"

namespace ambit::detector {

/// The accesses that one instruction of a warp probably made: consecutive events of the same kind, at the same site, by
/// different lanes of the warp. An event without a site forms a group of its own.
class WarpGroup {
 public:
  struct Member {
    TraceEvent event;
    std::uint64_t number = 0;
  };
  explicit WarpGroup(const TraceTables& tables) : tables_(tables) {}

  bool is_empty() const { return members_.empty(); }
  const std::vector<Member>& members() const { return members_; }
  /// Returns a mask of the participating lanes, for lanes 0 to 31.
  std::uint32_t lanes() const { return lanes_; }
  bool has_lane(int lane) const { return lane < 32 && ((lanes_ >> static_cast<unsigned>(lane)) & 1U) != 0; }
  /// Returns whether the event can belong to the same instruction, for another lane.
  bool takes(const TraceEvent& event) const {
    if (members_.empty()) return true;
    const TraceEvent& first = members_.front().event;
    if (event.site == kNoName || event.site != first.site || event.op != first.op) return false;
    const ThreadPlace& a = tables_.threads()[first.thread].place;
    const ThreadPlace& b = tables_.threads()[event.thread].place;
    return a.gpu == b.gpu && a.block == b.block && a.warp == b.warp && !has_lane(b.lane);
  }
  void add(const TraceEvent& event, std::uint64_t number) {
    members_.push_back({event, number});
    const int lane = tables_.threads()[event.thread].place.lane;
    if (lane < 32) lanes_ |= 1U << static_cast<unsigned>(lane);
  }
  void clear() {
    members_.clear();
    lanes_ = 0;
  }

 private:
  const TraceTables& tables_;
  std::vector<Member> members_;
  std::uint32_t lanes_ = 0;
};

}  // namespace ambit::detector
