#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/program.h"
#include "core/source.h"
#include "core/stm.h"

namespace ambit::cuda {

struct InGpuDetector;

/// The launch parameters that are compiled into the kernel.
struct Shape {
  std::uint32_t block_threads = 256;        ///< a multiple of 32
  std::uint32_t batch = 1;                  ///< instances that each thread runs one after the other in a round
  bool records = false;                     ///< every access is logged
  bool hardware_mbarriers = false;          ///< mbarriers are those of the hardware (hardware_mbarriers.h)
  const InGpuDetector* detector = nullptr;  ///< inside the kernel; null: none
  std::optional<Stm> stm = std::nullopt;    ///< the memory that runs the test's transactions
};

/// The most threads that a block can have.
constexpr std::uint32_t kMaxBlockThreads = 1024;

/// One warp of the test: the threads of Program::threads in order of their lanes.
using TestWarp = std::vector<std::size_t>;

struct TestBlock {
  int number = 0;
  std::vector<TestWarp> warps;  ///< in order of their numbers

  std::vector<std::size_t> threads() const;
};

/// The layout of the test's scope tree on a grid. A warp of the test becomes one warp, or several threads of each warp
/// if the test has several lanes: with `lanes` 1, the 32 lanes of a hardware warp run one thread of 32 instances. A
/// block of the test becomes a block, whose warps run the `warps` warps of the test in turn; a cluster becomes a
/// cluster. A GPU of the test becomes a GPU, whose grid runs its clusters.
struct Layout {
  std::vector<std::vector<TestBlock>> clusters;  ///< in order of their GPUs
  std::vector<std::uint32_t> gpu_clusters;       ///< by GPU of the test: its number of clusters
  /// By grid, if grids depend on each other: its number of clusters. Each grid then has its own launch.
  std::vector<std::uint32_t> grid_clusters;
  std::uint32_t cluster_blocks = 1;  ///< blocks of the largest cluster
  std::uint32_t warps = 1;           ///< warps of the largest block
  std::uint32_t lanes = 1;           ///< threads of the largest warp
  /// The most warps that a thread of the test represents: 4 in a test with wgmma (warpgroups.h). If more than 1, a warp
  /// has one instance; `warps` is the number of warps for all threads of a block.
  std::uint32_t group_warps = 1;
  std::uint32_t most_threads = kMaxBlockThreads;  ///< of a block
  /// The test has asynchronous operations, or grids that depend on each other: its objects are contiguous, and its
  /// mbarriers are hardware mbarriers.
  bool is_asynchronous = false;
  Shape shape;

  std::uint32_t gpus() const { return static_cast<std::uint32_t>(gpu_clusters.size()); }
  bool has_dependent_grids() const { return !grid_clusters.empty(); }
  /// Returns the number of threads of a hardware warp that belong to one instance.
  std::uint32_t instance_lanes() const { return group_warps > 1 ? 32 : lanes; }
  std::uint32_t warp_groups() const { return shape.block_threads / 32 / warps; }
  /// Returns the number of instances whose part a block runs at the same time.
  std::uint32_t slots() const { return warp_groups() * (32 / instance_lanes()); }
  std::uint32_t blocks() const;
  /// Returns the block's place in the kernel: blocks are numbered through all clusters, each of `cluster_blocks`
  /// blocks.
  std::uint32_t place(std::size_t cluster, std::size_t block) const {
    return static_cast<std::uint32_t>(cluster) * cluster_blocks + static_cast<std::uint32_t>(block);
  }
  /// Returns the place of the block of a thread of the program.
  std::uint32_t place_of(std::size_t thread) const;
  /// Returns the place of a block by its number; nothing: it has no thread.
  std::optional<std::uint32_t> place_of_block(int number) const;
  const TestBlock& block_at(std::uint32_t place) const {
    return clusters[place / cluster_blocks][place % cluster_blocks];
  }
};

/// Returns whether the test's threads are on several GPUs.
bool is_on_several_gpus(const Program& program);

/// Errors: threads on several GPUs with features for one GPU only; a block of more warps than a launch can have.
Result<Layout> make_layout(const Program& program, Shape shape);

}  // namespace ambit::cuda
