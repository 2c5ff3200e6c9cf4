#pragma once

#include <cstdint>
#include <vector>

#include "runner/shadow/shadow_memory.h"
#include "runner/virtual/observer.h"

namespace ambit::shadow {

/// Finds instructions whose races do no harm. An instruction does no harm in a launch if every word that the
/// instruction writes receives the same value from all writes of the launch. If two such writes race, the result is the
/// same in either order.
class ValueHistory : public virtual_gpu::Observer {
 public:
  ValueHistory();

  void begin_launch(const virtual_gpu::LaunchInfo& info) override;
  void access(const virtual_gpu::WarpAccess& access) override;
  void block_end(std::uint32_t block) override { shared_.end_block(block); }

  bool writes_one_value(std::uint32_t site) const { return site >= varies_.size() || !varies_[site]; }

 private:
  enum class State : std::uint32_t { Untouched, OneValue, Several };
  struct Cell {
    std::uint32_t value;
    State state;
  };
  static bool note(Cell& cell, std::uint32_t value);
  template <typename Words>
  bool note_run(Words& words, const virtual_gpu::WarpAccess& access);
  template <typename Words>
  bool note_lanes(Words& words, const virtual_gpu::WarpAccess& access);
  template <typename Words>
  bool note(Words& words, const virtual_gpu::WarpAccess& access, std::uint32_t lane);

  ShadowMemory<sizeof(Cell)> global_;
  ShadowOfBlocks<sizeof(Cell)> shared_;
  std::vector<bool> varies_;  ///< for each site, whether the instruction wrote a word with several values
};

}  // namespace ambit::shadow
