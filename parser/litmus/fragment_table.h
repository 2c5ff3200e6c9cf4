#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "core/program.h"

namespace ambit::parser::litmus {

/// One ldmatrix that a warp executes.
struct FragmentSite {
  int gpu = 0;
  int block = 0;
  int warp = 0;
  std::size_t number = 0;  ///< of the ldmatrix in the code of each thread
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  friend auto operator<=>(const FragmentSite&, const FragmentSite&) = default;
};

/// A cell of a row, `offset` bytes from its beginning.
struct FragmentCell {
  MemoryAccess access;
  Value offset = 0;
};

/// The rows whose addresses lanes give to ldmatrix. A lane receives elements of other lanes' rows, whose addresses are
/// known only from the code of those lanes. So make_threads() lowers the threads of such a test twice; the first time
/// it only notes the rows.
class FragmentTable {
 public:
  bool is_empty() const { return rows_.empty(); }
  void note(const FragmentSite& site, int lane, std::vector<FragmentCell> row) { rows_[site][lane] = std::move(row); }
  /// Returns the row of a lane. Null: the lane gives no address there, or an address that is not constant.
  const std::vector<FragmentCell>* row(const FragmentSite& site, int lane) const {
    const auto warp = rows_.find(site);
    if (warp == rows_.end()) return nullptr;
    const auto found = warp->second.find(lane);
    return found == warp->second.end() ? nullptr : &found->second;
  }

 private:
  std::map<FragmentSite, std::map<int, std::vector<FragmentCell>>> rows_;
};

}  // namespace ambit::parser::litmus
