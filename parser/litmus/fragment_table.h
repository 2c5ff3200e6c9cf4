#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/program.h"

namespace ambit::parser::litmus {

/// Identifies an ldmatrix instruction that a warp executes.
struct FragmentSite {
  int gpu = 0;
  int block = 0;
  int warp = 0;
  std::size_t number = 0;  ///< number of the ldmatrix among the thread's ldmatrix instructions
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  friend auto operator<=>(const FragmentSite&, const FragmentSite&) = default;
};

/// A memory cell of a row. `offset` is the distance from the row's beginning in bytes.
struct FragmentCell {
  MemoryAccess access;
  Value offset = 0;
};

/// The rows whose addresses the lanes provide to ldmatrix. A lane receives elements of rows whose addresses other lanes
/// provide. An address is known only after the providing lane has been lowered. Therefore make_threads() lowers the
/// threads of a test with ldmatrix twice. The first pass only records the rows.
class FragmentTable {
 public:
  bool is_empty() const { return rows_.empty() && unknown_.empty(); }
  void note(const FragmentSite& site, int lane, std::vector<FragmentCell> row) { rows_[site][lane] = std::move(row); }
  /// Records that the lane provides an address that is not constant.
  void note_unknown(const FragmentSite& site, int lane) { unknown_.emplace(site, lane); }
  bool is_unknown(const FragmentSite& site, int lane) const { return unknown_.contains({site, lane}); }
  /// Returns the row of a lane; null if the lane provides no address, or if is_unknown() is true for the lane.
  const std::vector<FragmentCell>* row(const FragmentSite& site, int lane) const {
    const auto warp = rows_.find(site);
    if (warp == rows_.end()) return nullptr;
    const auto found = warp->second.find(lane);
    return found == warp->second.end() ? nullptr : &found->second;
  }

 private:
  std::map<FragmentSite, std::map<int, std::vector<FragmentCell>>> rows_;
  std::set<std::pair<FragmentSite, int>> unknown_;
};

}  // namespace ambit::parser::litmus
