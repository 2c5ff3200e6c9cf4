#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/source.h"
#include "core/program.h"
#include "runner/cuda/emit/layout.h"

namespace ambit::cuda {

/// Returns the number of barriers in a thread's code before an instruction.
std::size_t barriers_before(const Thread& thread, std::size_t instruction);

/// Maps the barriers of a test to the barriers of the hardware. All instances that run in a block share the block's
/// barriers. Therefore all instances must reach each barrier, and a barrier counts warps instead of threads.
class BarrierMapping {
 public:
  BarrierMapping(const Program& program, const Layout& layout, Diagnostics& errors);

  /// Returns the instructions for a barrier of the block or cluster: "barrier.sync 0, 256". Errors: a barrier that the
  /// hardware does not have.
  std::vector<std::string> instructions(std::size_t thread, std::size_t instruction, const Barrier& barrier);

  /// Returns the mask of the threads of a warp barrier; bit i is the i-th thread of the test's warp.
  std::uint32_t warp_mask(std::size_t thread, const Barrier& barrier) const;

  /// Returns the number of arrivals of a thread at the cluster's barrier in one instance. The number is the same for
  /// all threads.
  std::size_t cluster_arrivals() const { return cluster_arrivals_; }

 private:
  /// Reports an error at the instruction, unless the barrier already has an error.
  void fail(std::size_t thread, std::size_t instruction, std::string message, std::string hint = {});
  void count_cluster_arrivals();
  void refuse_arrivals_left_over();
  void refuse_early_exits();
  bool is_conditional(const Thread& thread, std::size_t instruction) const;
  std::string block_barrier(std::size_t thread, std::size_t instruction, const Barrier& barrier);
  std::uint32_t hardware_number(std::size_t thread, std::size_t instruction, const Barrier& barrier);

  const Program& program_;
  const Layout& layout_;
  Diagnostics& errors_;
  std::size_t cluster_arrivals_ = 0;
  std::vector<SourceSpan> refused_;  ///< barriers with an error
  /// Maps a barrier of the model, given by number and instance, to the number of its hardware barrier.
  std::map<std::pair<std::uint32_t, Value>, std::uint32_t> numbers_;
};

}  // namespace ambit::cuda
