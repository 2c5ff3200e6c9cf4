#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/source.h"
#include "core/program.h"
#include "core/stm.h"

namespace ambit::cuda {

struct InGpuDetector;

/// The launch parameters that are compiled into the kernel.
struct Shape {
  std::uint32_t block_threads = 256;        ///< a multiple of 32
  std::uint32_t batch = 1;                  ///< instances that each thread runs one after the other in a round
  bool records = false;                     ///< the kernel logs every access
  bool hardware_mbarriers = false;          ///< the test uses hardware mbarriers (hardware_mbarriers.h)
  const InGpuDetector* detector = nullptr;  ///< detector inside the kernel; null for a kernel without a detector
  std::optional<Stm> stm = std::nullopt;    ///< the software transactional memory that runs the test's transactions
};

/// The maximum number of threads in a block.
constexpr std::uint32_t kMaxBlockThreads = 1024;

/// One warp of the test: its threads, as indices in Program::threads, in order of their lanes.
using TestWarp = std::vector<std::size_t>;

struct TestBlock {
  int number = 0;
  std::vector<TestWarp> warps;  ///< in order of their numbers

  std::vector<std::size_t> threads() const;
};

/// The layout of the test's scope tree on a grid. If each warp of the test has one thread (`lanes` is 1), a warp of the
/// test becomes a hardware warp, whose 32 lanes run 32 instances. Otherwise, `lanes` lanes of a hardware warp run one
/// instance. A block of the test becomes a hardware block. In this block, hardware warp i runs warp i modulo `warps` of
/// the test. A cluster of the test becomes a hardware cluster. Each GPU of the test has its own grid, which runs the
/// clusters of that GPU.
struct Layout {
  std::vector<std::vector<TestBlock>> clusters;  ///< in order of their GPUs
  std::vector<std::uint32_t> gpu_clusters;       ///< number of clusters of each GPU of the test
  /// If grids depend on each other, the number of clusters of each grid. Each of these grids has its own launch.
  std::vector<std::uint32_t> grid_clusters;
  std::uint32_t cluster_blocks = 1;  ///< blocks of the largest cluster
  std::uint32_t warps = 1;           ///< warps of the largest block
  std::uint32_t lanes = 1;           ///< threads of the largest warp
  /// The maximum number of warps that a thread of the test represents: 4 in a test with wgmma (warpgroups.h). If this
  /// number is more than 1, each warp runs one instance, and `warps` is the number of warps for all threads of a block.
  std::uint32_t group_warps = 1;
  std::uint32_t most_threads = kMaxBlockThreads;  ///< maximum number of threads in a block
  /// True if the test has asynchronous operations, or grids that depend on each other. In such a test, each object is
  /// contiguous in memory, and mbarriers are hardware mbarriers.
  bool is_asynchronous = false;
  Shape shape;

  std::uint32_t gpus() const { return static_cast<std::uint32_t>(gpu_clusters.size()); }
  bool has_dependent_grids() const { return !grid_clusters.empty(); }
  /// Returns the number of threads of a hardware warp that belong to one instance.
  std::uint32_t instance_lanes() const { return group_warps > 1 ? 32 : lanes; }
  std::uint32_t warp_groups() const { return shape.block_threads / 32 / warps; }
  /// Returns the number of instances that a block takes part in at the same time.
  std::uint32_t slots() const { return warp_groups() * (32 / instance_lanes()); }
  std::uint32_t blocks() const;
  /// Returns the block's place in the kernel. The blocks of all clusters have consecutive places; each cluster has
  /// `cluster_blocks` places.
  std::uint32_t place(std::size_t cluster, std::size_t block) const {
    return static_cast<std::uint32_t>(cluster) * cluster_blocks + static_cast<std::uint32_t>(block);
  }
  /// Returns the place of the block of a thread.
  std::uint32_t place_of(std::size_t thread) const;
  /// Returns the place of the block with the number `number`. Returns nothing if the block has no thread.
  std::optional<std::uint32_t> place_of_block(int number) const;
  const TestBlock& block_at(std::uint32_t place) const {
    return clusters[place / cluster_blocks][place % cluster_blocks];
  }
};

/// Returns whether the test's threads are on several GPUs.
bool is_on_several_gpus(const Program& program);

/// Makes the layout. Errors: threads on several GPUs with features that work on one GPU only; a block with more warps
/// than a launch can have.
Result<Layout> make_layout(const Program& program, Shape shape);

}  // namespace ambit::cuda
